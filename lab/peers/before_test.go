package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oneSet is a folder with the corpus of one set of two segments.
func oneSet(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	corpus := filepath.Join(folder, "peers", "corpus")
	if err := os.MkdirAll(corpus, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{sets[0].scene: "", sets[4].segments: "seg 1 1\nseg 2 2\n"} {
		if err := os.WriteFile(filepath.Join(corpus, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// answering is a script that answers bench, by the methods that its help names and always in the same time: the first of two segments is free,
// the second is as given.
func answering(us, second string, methods ...string) string {
	return `case "$*" in *--help*) for m in ` + strings.Join(methods, " ") + `; do echo "  $m  is about that"; done; exit;; esac
for m in ` + strings.Join(methods, " ") + `; do case "$*" in *$m*) for i in 0 1; do
s=free; [ $i = 0 ] || s=` + second + `
echo "{\"method\":\"$m\",\"segment\":$i,\"status\":\"$s\",\"us\":` + us + `}"; done;; esac; done
`
}

func TestBefore(t *testing.T) {
	folder := oneSet(t)
	now := standIn(t, folder, "now", answering("1.5", contact, append(ourMethods, ourClearance)...))
	run := func(o options) (string, error) {
		o.shared, o.command, o.sets, o.rounds, o.reps, o.alone = folder, now, "g1 moves", 3, 2, true
		var out bytes.Buffer
		err := o.run(context.Background(), &out, io.Discard)
		return out.String(), err
	}
	slower := standIn(t, folder, "slower", answering("6.0", contact, append(ourMethods, ourClearance)...))
	out, err := run(options{before: slower})
	if err != nil || strings.Count(out, "0.250 (0.250 to 0.250)  0.250 (0.250 to 0.250)") != len(rivalsOf) || !strings.Contains(out, "free, smallest distance    1         6.00, 6.00  1.50, 1.50") {
		t.Errorf("%v\n%s", err, out)
	}
	calls, err := os.ReadFile(filepath.Join(folder, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for line := range strings.Lines(string(calls)) {
		if !strings.Contains(line, "--help") {
			order = append(order, strings.Fields(line)[0])
		}
	}
	if got, want := strings.Join(order, " "), "slower now now now now slower slower now now"; got != want {
		t.Errorf("order of calls: %s, want %s", got, want)
	}

	// A build that lacks methods has none of their lines.
	few := standIn(t, folder, "few", answering("3.0", contact, ourTOC, ourFree))
	if out, err = run(options{before: few}); err != nil || strings.Count(out, "0.500") != 2*3*4 || strings.Contains(out, "static") || strings.Contains(out, "smallest") {
		t.Errorf("%v\n%s", err, out)
	}
	other := standIn(t, folder, "other", answering("3.0", free, ourMethods...))
	if _, err = run(options{before: other}); err == nil || !strings.Contains(err.Error(), "toc: segment 1 (from 0) is contact, and was free") {
		t.Errorf("another answer: %v", err)
	}
	none := standIn(t, folder, "none", answering("3.0", free, "distance"))
	for name, c := range map[string]struct{ before, want string }{
		"nothing": {"", "give -before"}, "no revision": {"no such revision", "neither a command nor a revision"}, "no methods": {none, "names no method toc"},
	} {
		if _, err := run(options{before: c.before}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.want)
		}
	}
}

// What would be left out without a word is refused.
func TestAloneRefuses(t *testing.T) {
	folder := oneSet(t)
	for name, o := range map[string]options{
		"a file":    {sets: "g1 moves", json: filepath.Join(folder, "record")},
		"tables":    {sets: "g1 moves", markdown: true},
		"distances": {sets: clearSets[0].name},
	} {
		o.shared, o.command, o.before, o.alone, o.rounds, o.reps = folder, "/nowhere", "/nowhere", true, 1, 1
		if err := o.run(context.Background(), io.Discard, io.Discard); !errors.Is(err, errOnlyText) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// With peers the earlier build stands in the same rounds, and in the record.
func TestBeforeBesidePeers(t *testing.T) {
	folder := oneSet(t)
	theirs := standIn(t, folder, "theirs", `shift 4
for i in 0 1; do echo "SEG $i truth 0 x=0@2/1us $(for m; do case $m in --*) ;; *) echo "$m=$i@1/30us" ;; esac; done | tr '\n' ' ')"; done
`)
	now := standIn(t, folder, "now", answering("1.5", contact, append(ourMethods, ourClearance)...))
	before := standIn(t, folder, "before", answering("3.0", contact, ourMethods...))
	o := options{shared: folder, command: now, harness: theirs, sets: "g1 moves", rounds: 1, reps: 1, before: before, json: filepath.Join(folder, "record")}
	var out bytes.Buffer
	if err := o.run(context.Background(), &out, io.Discard); err != nil || !strings.Contains(out.String(), "0.500 (0.500 to 0.500)") || !strings.Contains(out.String(), "a free segment proved / the faster FCL") {
		t.Errorf("%v\n%s", err, out.String())
	}
	record, err := os.ReadFile(o.json)
	if err != nil || !strings.Contains(string(record), `"method": "before free"`) {
		t.Errorf("%v: %s", err, record)
	}
}
