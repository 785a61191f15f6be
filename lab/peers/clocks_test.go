package main

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Reading a clock takes longer than nothing and less than a check of a large mesh, on both sides.
func TestReadClocks(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip(err)
	}
	c, err := readClocks(context.Background(), true)
	if err != nil || !(c.ours > 0.01 && c.ours < 50 && c.theirs > 0.01 && c.theirs < 50) {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err = readClocks(context.Background(), false); err != nil || c.theirs != 0 || c.ours == 0 {
		t.Errorf("without peers: %+v, %v", c, err)
	}
}

// Of each check the clock's time is subtracted, on either side its own; of calls about many it is not.
func TestClocksAreSubtracted(t *testing.T) {
	folder := oneSet(t)
	o := options{shared: folder, sets: "g1 moves", rounds: 1, reps: 1, alone: true, clocks: clocks{0.5, 2}}
	o.command = standIn(t, folder, "now", answering("1.5", contact, append(ourMethods, ourClearance)...))
	o.before = standIn(t, folder, "slower", answering("2.5", contact, append(ourMethods, ourClearance)...))
	var out bytes.Buffer
	if err := o.run(context.Background(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "2.00, 2.00  1.00, 1.00") != len(rivalsOf)-2 || strings.Count(text, "2.50, 2.50  1.50, 1.50") != 2 {
		t.Error(text)
	}

	o.harness = standIn(t, folder, "harness", "cat <<'END'\n"+harnessDump+"END\n")
	got := columns{}
	if err := o.runHarness(context.Background(), set{}, nil, 1, got); err != nil {
		t.Fatal(err)
	}
	want := columns{fclCoarse: {{free, 8}, {contact, 2}}, fclFine: {{free, 48.5}, {undecided, 3}}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	if a := (answer{free, 1}).net(2); a.us != 0 {
		t.Errorf("less than the clock takes: %g", a.us)
	}
}
