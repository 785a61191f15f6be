package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	crane     = "../../testdata/corpus/crane.scene"
	craneSegs = "../../testdata/corpus/crane.segs"
)

// Each question is asked of segments of a corpus, and a profile written.
func TestProfile(t *testing.T) {
	for _, q := range questions {
		var out bytes.Buffer
		o := options{ask: q.name, band: 0.5, lasts: time.Millisecond, out: filepath.Join(t.TempDir(), "cpu")}
		if err := o.run(context.Background(), &out, []string{crane, craneSegs}); err != nil {
			t.Errorf("%s: %v", q.name, err)
			continue
		}
		var name string
		var median, each float64
		var least, of int
		if n, err := fmt.Sscanf(out.String(), "%s median %f us, of the least of %d; %f us a question of the middle %d\n", &name, &median, &least, &each, &of); n != 5 {
			t.Errorf("%s: %q: %v", q.name, out.String(), err)
		}
		if name != q.name+":" || median <= 0 || each <= 0 || of < 1 {
			t.Errorf("%s: %q", q.name, out.String())
		}
		if written, err := os.ReadFile(o.out); err != nil || len(written) == 0 {
			t.Errorf("%s: a profile of %d bytes, %v", q.name, len(written), err)
		}
	}
}

// The middle is about the median, and never empty.
func TestKeepMiddle(t *testing.T) {
	for _, c := range []struct {
		n           int
		band        float64
		first, last time.Duration
	}{{1, 0, 0, 0}, {10, 0, 5, 5}, {10, 0.2, 3, 7}, {10, 0.5, 0, 9}, {11, 0.5, 0, 10}, {3, 0.34, 0, 2}} {
		var a asker
		for i := range c.n {
			a.chosen = append(a.chosen, costly{took: time.Duration(i)})
		}
		a.keepMiddle(c.band)
		if first, last := a.chosen[0].took, a.chosen[len(a.chosen)-1].took; first != c.first || last != c.last {
			t.Errorf("%+v: %d to %d", c, first, last)
		}
	}
}

func TestProfileOfBadInput(t *testing.T) {
	good := []string{crane, craneSegs}
	for _, c := range []struct {
		o    options
		args []string
		want string
	}{
		{options{ask: "free"}, nil, "give a scene and its segments"},
		{options{ask: "all"}, good, "-ask all: give free"},
		{options{ask: "free", band: 0.6}, good, "-band 0.6"},
		{options{ask: "free"}, []string{"nowhere.scene", craneSegs}, "nowhere.scene"},
		{options{ask: "free"}, []string{crane, "nowhere.segs"}, "nowhere.segs"},
		{options{ask: "free", out: "/nowhere/at/all"}, good, "/nowhere/at/all"},
	} {
		if err := c.o.run(context.Background(), &bytes.Buffer{}, c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one that says %q", c.args, err, c.want)
		}
	}
}
