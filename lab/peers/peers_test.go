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

	"github.com/google/go-cmp/cmp"
)

const harnessDump = `segments 2: free 1 colliding 1 undecided(<1e-6 m) 0; length max-norm median 0.5 rad
method                      free_med  free_p90
SEG 0 truth 0 discrete:fcl:0.05=0@2.000000/11.0us discrete:fcl:0.05=0@2.000000/10.0us discrete:fcl:0.01=0@2.000000/50.5us
SEG 1 truth 1 discrete:fcl:0.05=1@0.500000/99.0us discrete:fcl:0.05=1@0.500000/4.0us discrete:fcl:0.01=2@0.250000/5.0us
`

func TestParseHarness(t *testing.T) {
	got := columns{}
	if err := parseHarness([]byte(harnessDump), got); err != nil {
		t.Fatal(err)
	}
	want := columns{
		fclCoarse: {{free, 10}, {contact, 4}}, // not those of the harness's truth
		fclFine:   {{free, 50.5}, {undecided, 5}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "no segment"},
		{"no segments", "method free_med\n", "no segment"},
		{"a gap", strings.Replace(harnessDump, "SEG 1", "SEG 2", 1), "segment 1 was expected"},
		{"cut short", "SEG 0 truth 0\n", "segment 0 was expected"},
		{"no time", strings.Replace(harnessDump, "/50.5us", "/us", 1), "no time"},
		{"a negative time", strings.Replace(harnessDump, "/50.5us", "/-1us", 1), "no time"},
		{"not a number", strings.Replace(harnessDump, "/50.5us", "/nanus", 1), "no time"},
		{"a verdict", strings.Replace(harnessDump, "=2@", "=7@", 1), "no verdict"},
		{"a cell", strings.Replace(harnessDump, "=2@", " ", 1), "does not read"},
	} {
		if err := parseHarness([]byte(c.text), columns{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

const ourDump = `{"method":"free","segment":0,"status":"free","toc":null,"pair":null,"us":2}
{"method":"free","segment":1,"status":"contact","toc":[0,0.5],"pair":["a","b"],"us":3}
{"method":"free","segments":2,"free":1}
{"method":"toc","segment":0,"status":"free","toc":null,"pair":null,"us":2.5}
{"method":"toc","segment":1,"status":"contact","toc":[0.49,0.5],"pair":["a","b"],"us":4}
{"method":"toc","segments":2,"free":1}
`

func TestParseOurs(t *testing.T) {
	got := columns{}
	if err := parseDump([]byte(ourDump), got); err != nil {
		t.Fatal(err)
	}
	want := columns{ourFree: {{free, 2}, {contact, 3}}, ourTOC: {{free, 2.5}, {contact, 4}}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "no segment"},
		{"text", "segments 2: free", "firstcontact's line"},
		{"a gap", strings.Replace(ourDump, `"segment":1`, `"segment":2`, 1), "segment 1 were expected"},
		{"no time", strings.Replace(ourDump, `,"us":3`, "", 1), "segment 1 were expected"},
		{"a verdict", strings.Replace(ourDump, `"free","toc"`, `"fre","toc"`, 1), "segment 0 were expected"},
	} {
		if err := parseDump([]byte(c.text), columns{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

// FuzzParseHarness: what is read has a time and a verdict for each cell.
func FuzzParseHarness(f *testing.F) {
	f.Add([]byte(harnessDump), []byte(ourDump))
	f.Fuzz(func(t *testing.T, theirs, ours []byte) {
		for _, parse := range []func([]byte, columns) error{parseHarness, parseDump} {
			for _, dump := range [][]byte{theirs, ours} {
				got := columns{}
				if parse(dump, got) != nil {
					continue
				}
				for m, list := range got {
					for _, a := range list {
						if math.IsNaN(a.us) || a.status != free && a.status != contact && a.status != undecided {
							t.Fatalf("%s: %+v", m, a)
						}
					}
				}
			}
		}
	})
}

// twoRounds is an outcome of three free segments and two in contact, the second
// round twice as slow for ours alone.
func twoRounds() *outcome {
	of := func(status string, us ...float64) []answer {
		var out []answer
		for i, x := range us {
			s := status
			if s == "" {
				s = []string{free, free, free, contact, contact}[i]
			}
			out = append(out, answer{s, x})
		}
		return out
	}
	r := &outcome{set: "made up", methods: methods()}
	for i := range 2 {
		k := float64(1 + i)
		c := columns{
			fclCoarse: of(free, 10, 30, 20, 8, 6), fclFine: of("", 50, 50, 50, 9, 9), fclTOC: of("", 60, 60, 60, 40, 20),
			fclStatic: of(free, 3, 3, 3, 4, 4), obbStatic: of(free, 2, 2, 2.5, 3, 3),
			ourFree: of("", 3*k, 1*k, 2*k, 8*k, 6*k), ourTOC: of("", 3*k, 3*k, 3*k, 10*k, 20*k), ourStatic: of(free, 1*k, 1*k, 1*k, 2*k, 2*k),
			ourFreeAll: of("", 1.75*k, 1.75*k, 1.75*k, 9*k, 9*k), ourStaticAll: of(free, 0.5*k, 0.5*k, 0.5*k, 0.5*k, 0.5*k),
		}
		// OBB trees are faster on free segments, slower on one in contact.
		c[obbCoarse], c[obbFine], c[obbTOC] = of(free, 8, 18, 16, 9, 5), of("", 40, 40, 40, 9, 9), of("", 60, 60, 60, 80, 50)
		if i == 0 {
			c[bulletCoarse], c[bulletFine] = of(contact, 1, 2, 3, 4, 5), of(undecided, 1, 2, 3, 4, 5)
			c[gjkCoarse], c[gjkFine] = of(contact, 1, 1, 1, 1, 1), of(free, 1, 1, 1, 1, 1)
		}
		r.rounds = append(r.rounds, c)
	}
	return r
}

func TestRatios(t *testing.T) {
	r := twoRounds()
	if err := r.check(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []spread{
		// 2/16 and 4/16, OBB trees being faster: of two rounds the later counts, as with medians of segments
		{0.25, 0.125, 0.25},
		{4. / 14, 2. / 14, 4. / 14}, // means of 8, 18, 16
		{2 * 8. / 8, 8. / 8, 2},     // 8/8 and 16/8, the OBBRSS trees being faster in contact
		{2, 1, 2},                   // 7/7 and 14/7 by means
		{1, 0.5, 1},                 // 20/40 and 40/40
		{1, 0.5, 1},                 // 15/30 and 30/30 by means
		{4, 4, 4},                   // 8/2: both ours, so both slow
		{0.8, 0.4, 0.8},             // 1/2.5 and 2/2.5: all starts, whatever becomes of the segment
		{0.25, 0.125, 0.25},         // 1.75/14 and 3.5/14 by means
		{0.4, 0.2, 0.4},             // 0.5/2.5 and 1/2.5 by means
	} {
		if got := r.ratio(&goals[i]); got != want {
			t.Errorf("%s: %v, want %v", goals[i].name, got, want)
		}
	}
	for m, want := range map[string][3]int{
		fclCoarse: {2, 0, 0}, fclFine: {0, 0, 0}, obbCoarse: {2, 0, 0}, bulletCoarse: {0, 3, 0}, bulletFine: {0, 0, 5}, gjkFine: {2, 0, 0}, ourTOC: {0, 0, 0},
	} {
		if a, b, c := r.counts(m); [3]int{a, b, c} != want {
			t.Errorf("%s: missed, false, undecided %d %d %d, want %v", m, a, b, c, want)
		}
	}
	if got, want := r.columnsOf(fclCoarse, free), (figures{20, 30, 20}); got != want {
		t.Errorf("FCL's free segments: %v, want %v", got, want)
	}
	if got, want := r.columnsOf(bulletCoarse, contact), (figures{5, 5, 4.5}); got != want {
		t.Errorf("Bullet's contacts, of one round: %v, want %v", got, want)
	}
}

// A contact of FCL's in a segment that we call free is more than a figure.
func TestRefuted(t *testing.T) {
	r := twoRounds()
	if got := r.refuted(); got != nil {
		t.Errorf("%v, though FCL made nothing up", got)
	}
	r.rounds[0][fclFine][2].status = contact
	if got := r.refuted(); len(got) != 1 || !strings.Contains(got[0], "made up: segment 2 (from 0) is called free, but discrete:fcl:0.01") {
		t.Errorf("refuted: %v", got)
	}
}

func TestCheckRounds(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(r *outcome)
		want  string
	}{
		{"a column that is short", func(r *outcome) { r.rounds[1][ourFree] = r.rounds[1][ourFree][:2] }, "round 2: free told of 2"},
		{"a peer that did not run", func(r *outcome) { delete(r.rounds[0], bulletFine) }, "round 1: discrete:bullet:0.01 told of 0"},
		{"another answer", func(r *outcome) { r.rounds[1][ourTOC][0].status = contact }, "segment 0: toc says free in round 1 and contact in round 2"},
	} {
		r := twoRounds()
		c.spoil(r)
		if err := r.check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

func TestPrint(t *testing.T) {
	var out bytes.Buffer
	r := twoRounds()
	r.writeTable(&out)
	writeRatios(&out, []*outcome{r})
	for _, want := range []string{"made up: 5 segments, 3 free, 2 in contact, 0 undecided", "0.250  (0.125 to 0.250)  <= 0.1  NOT MET", "2.000  (1.000 to 2.000)  <= 0.7  NOT MET", "4.000", "0.800  (0.400 to 0.800)  <= 0.25  NOT MET"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("nothing says %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	writeMarkdown(&out, []*outcome{r})
	for _, want := range []string{
		"| made up | 3 | 20.0, 20.0 | 16.0, 14.0 | 50.0, 50.0 | 40.0, 40.0 | 2.0, 2.0; 3 false | 1.0, 1.0; 3 false | 4.0, 4.0 | 3.5, 3.5 | 6.0, 6.0 | 3.0, 3.0 | 2.0, 2.2 | 2.0, 2.0 | 1.0, 1.0 |",
		"| made up | 2 | 8.0, 7.0; misses 2 | 9.0, 7.0; misses 2 | 9.0, 9.0 | 9.0, 9.0 | 5.0, 4.5 | 1.0, 1.0 | 16.0, 14.0 | 40.0, 30.0 | 80.0, 65.0 | 40.0, 30.0 | 4.0, 4.0 | 3.0, 3.0 | 4.0, 4.0 | 1.0, 1.0 |",
		"| made up | **0.25** (wanted 0.1) | **0.29** (wanted 0.1) | **2.00** (wanted 0.7) | **2.00** (wanted 0.7) | **1.00** (wanted 0.2) | **1.00** (wanted 0.2) | **4.00** (wanted 2.5) | **0.80** (wanted 0.25) | **0.25** (wanted 0.1) | **0.40** (wanted 0.25) |",
	} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("want %s in\n%s", want, out.String())
		}
	}
	width := 0
	for _, row := range strings.Split(out.String(), "\n") {
		n := strings.Count(row, "|")
		if n == 0 {
			width = 0
		} else if width == 0 {
			width = n
		}
		if n != width {
			t.Errorf("%d bars, not %d: %s", n, width, row)
		}
	}
	out.Reset()
	for _, round := range r.rounds {
		for k := range round[ourFree] {
			round[ourFree][k].us *= 10
		}
	}
	if writeRatios(&out, []*outcome{r}); strings.Count(out.String(), "NOT MET") != len(goals) {
		t.Errorf("ten times as slow:\n%s", out.String())
	}
	for _, round := range r.rounds { // all free: no contacts to compare
		for _, m := range methods() {
			for k := range round[m] {
				round[m][k].status = free
			}
		}
	}
	data, err := json.Marshal(newRecord(&options{rounds: 2, reps: 3}, []*outcome{r}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"free":5,"contact":0`, `"toc_over_fcl_001":{"median":null`, `"method":"discrete:fcl:0.05","free_median_us":10,`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("nothing says %s in\n%s", want, data)
		}
	}
}

// standIn writes a program that notes its arguments in the file calls.
func standIn(t *testing.T, folder, name, script string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho \""+name+" $*\" >>\"$(dirname \"$0\")/calls\"\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	folder := t.TempDir()
	corpus := filepath.Join(folder, "peers", "corpus")
	if err := os.MkdirAll(corpus, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"panda_shelf.scene": "", "g1_moves_10hz.segs": "# three\nseg 1 1\nseg 2 2\nseg 3 3\n"} {
		if err := os.WriteFile(filepath.Join(corpus, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	theirs := standIn(t, folder, "theirs", `grep -c . "$3" >>"$(dirname "$0")/calls"
shift 4
for i in 0 1; do echo "SEG $i truth 0 x=0@2/1us $(for m; do case $m in --*) ;; *0.05) echo "$m=$i@1/1$i.0us" ;; *) echo "$m=$i@1/30us" ;; esac; done | tr '\n' ' ')"; done
`)
	ours := standIn(t, folder, "ours", `for m in free toc static free-all static-all; do for i in 0 1; do
s=free; [ $i = 0 ] || s=contact
echo "{\"method\":\"$m\",\"segment\":$i,\"status\":\"$s\",\"us\":1.5}"; done; done
`)
	path := filepath.Join(folder, "peers.json")
	o := options{shared: folder, command: ours, harness: theirs, sets: "g1 moves", rounds: 2, reps: 7, limit: 2, json: path}
	var out, log bytes.Buffer
	if err := o.run(context.Background(), &out, &log); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "0.150  (0.150 to 0.150)  <= 0.1  NOT MET") || !strings.Contains(log.String(), "round 2 of 2") {
		t.Errorf("%s%s", out.String(), log.String())
	}
	calls, err := os.ReadFile(filepath.Join(folder, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, line := range strings.Split(strings.TrimSpace(string(calls)), "\n") {
		w := strings.Fields(line)
		order = append(order, w[0])
		if w[0] != "2" && (w[len(w)-1] != "--noenv" || !strings.Contains(line, "reps")) {
			t.Errorf("called %q", line)
		}
		if about := strings.Contains(line, "starts"); about != strings.Contains(line, "discrete:fcl:0.0015 discrete:fcl-obb:0.0015") {
			t.Errorf("static checks of what are no starts, or the reverse: %q", line)
		}
	}
	// FCL (on two segments, and on their starts), ours, Bullet; then ours first.
	if want := "theirs 2 theirs 2 ours theirs 2 ours theirs 2 theirs 2"; strings.Join(order, " ") != want {
		t.Errorf("order of calls %v, want %s", order, want)
	}
	var rec record
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &rec); err != nil || len(rec.Sets) != 1 || rec.Sets[0].Contact != 1 || *rec.Sets[0].Ratios["free_over_fcl_005"].Median != 0.15 || *rec.Sets[0].Ratios["static_over_fcl_static"].Median != 0.05 || rec.Reps != 7 {
		t.Errorf("%v: %s", err, data)
	}
}

func TestRunErrors(t *testing.T) {
	folder := t.TempDir()
	corpus := filepath.Join(folder, "peers", "corpus")
	if err := os.MkdirAll(corpus, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{sets[0].scene: "", sets[0].segments: "seg 1 1\n", sets[1].segments: "seg 1 1\nseg 2 2\n"} {
		if err := os.WriteFile(filepath.Join(corpus, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bad := standIn(t, folder, "bad", "echo it hurts >&2; exit 3\n")
	for _, c := range []struct {
		name string
		o    options
		want string
	}{
		{"no rounds", options{shared: folder, reps: 1}, "-rounds 0"},
		{"no such set", options{shared: folder, rounds: 1, reps: 1, sets: "shelf"}, "known are shelf local"},
		{"a program that fails", options{shared: folder, rounds: 1, reps: 1, harness: bad, command: bad}, "it hurts"},
		{"no segments", options{shared: folder, rounds: 1, reps: 1, harness: bad, sets: "g1 moves"}, sets[4].segments},
		{"no program", options{shared: folder, rounds: 1, reps: 1, harness: "/nowhere/ccdbench"}, "/nowhere/ccdbench"},
	} {
		if err := c.o.run(context.Background(), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
	liar := standIn(t, folder, "liar", `shift 4
for i in 0 1; do echo "SEG $i truth 0 x=0@2/1us $(for m; do case $m in --*) ;; *) echo "$m=1@1/1us" ;; esac; done | tr '\n' ' ')"; done
`)
	calm := standIn(t, folder, "calm", `for m in free toc static free-all static-all; do for i in 0 1; do echo "{\"method\":\"$m\",\"segment\":$i,\"status\":\"free\",\"us\":1.5}"; done; done
`)
	o := options{shared: folder, rounds: 1, reps: 1, harness: liar, command: calm, sets: "shelf long"}
	if err := o.run(context.Background(), io.Discard, io.Discard); err == nil || strings.Count(err.Error(), "called free") != 16 {
		t.Errorf("FCL finds contacts in free segments: %v", err)
	}
	// Without the corpus there is nothing to do, and no fault.
	var out bytes.Buffer
	o = options{shared: filepath.Join(folder, "nowhere"), rounds: 1, reps: 1}
	if err := o.run(context.Background(), &out, io.Discard); err != nil || !strings.HasPrefix(out.String(), "skipped: ") {
		t.Errorf("without the corpus: %v, %s", err, out.String())
	}
}
