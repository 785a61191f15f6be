package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The C++ standard gives the 10,000th number of the generator with its default seed.
func TestTwister(t *testing.T) {
	g := newTwister(5489)
	first := g.uint64()
	var last uint64
	for range 9999 {
		last = g.uint64()
	}
	if first != 14514284786278117030 || last != 9981545732273789042 {
		t.Errorf("%d, and the 10,000th %d", first, last)
	}
	for range 1000 {
		if x := g.in(-2, 3); !(x >= -2 && x < 3) {
			t.Fatal(x)
		}
	}
}

const clearDump = `fcl              self all median_us   3328.33 p90   4083.17 mean   3358.50 calls/q   21.0 bv/q        0 tri/q        0 colliding  0% maxdiff 0
fcl              env  ub  median_us      9.50 p90      9.70 mean      9.60 calls/q    2.2 bv/q        0 tri/q        0 colliding 50% maxdiff 0
fcl              self ub  median_us    200.00 p90    427.45 mean    273.08 calls/q    2.2 bv/q        0 tri/q        0 colliding 25% maxdiff 0
bullet           self ub  median_us     10.00 p90     18.95 mean     14.71 calls/q    2.2 bv/q        0 tri/q        2 colliding  0% maxdiff 0.012
`

func TestParseClear(t *testing.T) {
	round, colliding := map[string]clearTimes{}, map[string]float64{}
	if err := parseClear([]byte(clearDump), false, round, colliding); err != nil {
		t.Fatal(err)
	}
	if len(round) != 2 || round["fcl"] != (clearTimes{200, 427.45, 273.08}) || round["bullet"].median != 10 || colliding["fcl"] != 0.25 {
		t.Errorf("%v %v", round, colliding)
	}
	clear(round)
	if err := parseClear([]byte(clearDump), true, round, colliding); err != nil || len(round) != 1 || round["fcl"].median != 9.5 {
		t.Errorf("%v %v", round, err)
	}
	for name, text := range map[string]string{
		"nothing":   "",
		"no median": strings.ReplaceAll(clearDump, "median_us", "median"),
		"no number": strings.ReplaceAll(clearDump, "200.00", "fast"),
		"cut off":   clearDump[:strings.Index(clearDump, "427.45")],
		"a NaN":     strings.ReplaceAll(clearDump, "200.00", "nan"),
	} {
		if err := parseClear([]byte(text), false, map[string]clearTimes{}, map[string]float64{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Both sides get the same configurations, take turns, and are held against each
// other by their medians.
func TestClear(t *testing.T) {
	folder := t.TempDir()
	corpus := filepath.Join(folder, "peers", "corpus")
	if err := os.MkdirAll(corpus, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../testdata/corpus/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{filepath.Base(file)}
		if names[0] == "crane.scene" {
			names = []string{"panda_shelf.scene", "panda_pipes190k.scene"}
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(corpus, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	theirs := standIn(t, folder, "theirs", "cat <<'END'\n"+clearDump+"END\n")
	ours := standIn(t, folder, "ours", `cp "$3" "$(dirname "$0")/drawn"
m=self; case "$*" in *world*) m=world;; esac
for i in 0 1; do s=free; [ $i = 1 ] || s=contact
echo "{\"method\":\"$m\",\"segment\":$i,\"status\":\"$s\",\"us\":$((2 + i))}"; done
`)
	path := filepath.Join(folder, "peers.json")
	o := options{shared: folder, command: ours, harness: theirs, sets: "clear panda, clear pipes190k", rounds: 2, reps: 3, limit: 2, json: path}
	var out bytes.Buffer
	if err := o.run(context.Background(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0.300", "<= 0.5      met", "0.015", "0.316", "<= 0.3 NOT MET"} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	calls, _ := os.ReadFile(filepath.Join(folder, "calls"))
	lines := strings.Split(strings.TrimSpace(string(calls)), "\n")
	var order string
	for _, line := range lines {
		order += line[:1]
	}
	if order != "toottoot" { // who begins changes
		t.Errorf("%s: %s", order, calls)
	}
	if !strings.Contains(lines[0], " 2 0.9 1 bullet fcl --noenv --reps=3") {
		t.Errorf("called %s", lines[0])
	}
	drawn, _ := os.ReadFile(filepath.Join(folder, "drawn"))
	if n := strings.Count(string(drawn), "seg "); n != 2 {
		t.Errorf("%d configurations: %s", n, drawn)
	}
	var rec record
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &rec); err != nil || len(rec.Clearances) != 2 || math.Abs(*rec.Clearances[0].Methods[1].OursOver-0.3) > 1e-12 || rec.Clearances[0].Methods[0].Touching != 0.5 {
		t.Errorf("%v: %s", err, data)
	}
}
