package main

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A start is called free by our static check, and by whoever calls its segment free.
func TestStartsThatAreNot(t *testing.T) {
	for _, c := range []struct {
		name              string
		segment           int // 0 is free, 4 in contact
		ours, theirs      string
		refuted, disputed string
	}{
		{"both find it free", 4, free, free, "", ""},
		{"both find a contact", 4, contact, contact, "", ""},
		{"we are not sure of a contact", 4, undecided, contact, "", ""},
		{"a contact for FCL alone", 4, free, contact, "made up: the start of segment 4 (from 0) is called free, but static:fcl-obb finds a contact", ""},
		{"in a free segment", 0, contact, contact, "made up: the start of segment 0 (from 0) is called free, but static:fcl-obb finds a contact", ""},
		{"a contact for us alone", 4, contact, free, "", "made up: the start of segment 4 (from 0) is contact for static, and free for static:fcl-obb"},
		{"free for FCL, and we are not sure", 4, undecided, free, "", "made up: the start of segment 4 (from 0) is undecided for static, and free for static:fcl-obb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := twoRounds()
			delete(r.rounds[0], fclStatic) // one form of FCL is enough
			r.rounds[0][ourStatic][c.segment].status = c.ours
			r.rounds[0][obbStatic][c.segment].status = c.theirs
			if got := strings.Join(r.refuted(), "; "); got != c.refuted {
				t.Errorf("refuted: %q, want %q", got, c.refuted)
			}
			if got := strings.Join(r.disputed(), "; "); got != c.disputed {
				t.Errorf("disputed: %q, want %q", got, c.disputed)
			}
		})
	}
}

// What disagrees about a start ends the comparison.
func TestRunDisputed(t *testing.T) {
	folder := t.TempDir()
	corpus := filepath.Join(folder, "peers", "corpus")
	if err := os.MkdirAll(corpus, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{sets[0].scene: "", sets[0].segments: "seg 1 2\n"} {
		if err := os.WriteFile(filepath.Join(corpus, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	theirs := standIn(t, folder, "theirs", `shift 4
echo "SEG 0 truth 0 x=0@2/1us $(for m; do case $m in --*) ;; *) echo "$m=0@2/1us" ;; esac; done | tr '\n' ' ')"
`)
	ours := standIn(t, folder, "ours", `for m in free toc static free-all static-all; do echo "{\"method\":\"$m\",\"segment\":0,\"status\":\"contact\",\"us\":1.5}"; done
`)
	o := options{shared: folder, rounds: 1, reps: 1, harness: theirs, command: ours, sets: sets[0].name}
	err := o.run(context.Background(), io.Discard, io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), "static checks disagree:\n") || strings.Count(err.Error(), "the start of segment 0") != 2 {
		t.Errorf("FCL finds no contact at a start: %v", err)
	}
}

// Between the ends of a short segment the harness takes two steps, and what lies in its
// middle is the start, as the harness works both out.
func TestAboutStart(t *testing.T) {
	for _, start := range [][]string{
		{"0"},
		{"1", "-2.5", "1e-300", "-0.0009765625"},
		{"3.1415926535897931", "0.99999999999999989", "-1.0000000000000002", "-7.9999999999999991"},
	} {
		line, err := aboutStart(append(append([]string{}, start...), start...))
		if err != nil {
			t.Fatal(err)
		}
		isAbout(t, line, start)
	}
	for _, words := range []string{"1 2 3", "1 two 3 4"} {
		if line, err := aboutStart(strings.Fields(words)); err == nil {
			t.Errorf("%s: no error, but %s", words, line)
		}
	}
}

// The same for all starts of the comparison, in the order of its segments.
func TestAboutStartsOfTheCorpus(t *testing.T) {
	folder, err := corpusIn(shared)
	if err != nil {
		t.Skip(err)
	}
	for _, s := range inFolder(folder) {
		starts, done, err := aboutStarts(s)
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		segments, short := segmentsIn(t, s.segments), segmentsIn(t, starts.segments)
		if len(segments) == 0 || len(short) != len(segments) || starts.scene != s.scene || starts.noEnv != s.noEnv {
			t.Fatalf("%s: %d starts of %d segments, %+v", s.name, len(short), len(segments), starts)
		}
		for i, line := range segments {
			words := strings.Fields(line)[1:]
			isAbout(t, short[i], words[:len(words)/2])
		}
	}
}

func segmentsIn(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "seg ") {
			out = append(out, line)
		}
	}
	return out
}

func isAbout(t *testing.T, line string, start []string) {
	t.Helper()
	words, ok := strings.CutPrefix(line, "seg ")
	x := numbers(t, strings.Fields(words))
	if !ok || len(x) != 2*len(start) {
		t.Fatalf("%s about %v", line, start)
	}
	largest := 0.0
	for i, q := range numbers(t, start) {
		from, step := x[i], x[len(start)+i]-x[i]
		largest = math.Max(largest, math.Abs(step))
		ulp := math.Nextafter(math.Max(math.Abs(q), startReach), math.Inf(1)) - math.Max(math.Abs(q), startReach)
		if middle := from + 0.5*step; math.Abs(middle-q) > ulp {
			t.Errorf("the middle of %s is off by %g from %v", line, middle-q, q)
		}
	}
	if n := math.Ceil(largest / startResolution); n != 2 {
		t.Errorf("%s has %v steps", line, n)
	}
}

func numbers(t *testing.T, words []string) []float64 {
	t.Helper()
	var out []float64
	for _, word := range words {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}
