package bench

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const (
	crane     = "../../../../testdata/corpus/crane.scene"
	craneSegs = "../../../../testdata/corpus/crane.segs"
)

// benchLines runs bench --json --dump and returns its objects of segments and of
// methods.
func benchLines(t *testing.T, args ...string) (segments []Segment, methods []Result) {
	t.Helper()
	code, out, errs := command(t, "", append([]string{"bench", "--json", "--dump", "--reps", "1"}, args...)...)
	if code != cli.ExitFree || errs != "" {
		t.Fatalf("exit status %d, standard error %q", code, errs)
	}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		strict := json.NewDecoder(strings.NewReader(line))
		strict.DisallowUnknownFields()
		if strings.Contains(line, `"segment":`) {
			segments = append(segments, Segment{})
			decode(t, strict, line, &segments[len(segments)-1])
			continue
		}
		methods = append(methods, Result{})
		decode(t, strict, line, &methods[len(methods)-1])
	}
	return segments, methods
}

func decode(t *testing.T, d *json.Decoder, line string, into any) {
	t.Helper()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
}

// The times at which the crane first touches, by trigonometry: the tip's front
// reaches the wall; the corner of the column meets the tip's leading side; the
// edge of the plate meets the arm's leading side.
var craneTOC = map[int]float64{
	1: (0.99 - 0.65) / 0.45,
	2: (math.Atan2(0.6, 0.05) - math.Asin(0.05/math.Hypot(0.6, 0.05)) - 0.8) / 1.5,
	3: (math.Atan2(0.45, 0.201) - math.Asin(0.03/math.Hypot(0.45, 0.201))) / 1.5,
	6: 0,
}

var cranePairs = map[int][2]string{1: {"tip", "wall"}, 2: {"base", "tip"}, 3: {"arm", "plate"}, 6: {"tip", "wall"}}

func TestBenchFindsFirstContacts(t *testing.T) {
	segments, methods := benchLines(t, crane, craneSegs, "--method", "toc")
	if len(segments) != 7 || len(methods) != 1 {
		t.Fatalf("%d segments and %d methods, want 7 and 1", len(segments), len(methods))
	}
	for i, s := range segments {
		want, touches := craneTOC[i]
		if s.Segment != i || s.Method != "toc" || s.Micros <= 0 || (s.Status == "contact") != touches {
			t.Errorf("segment %d: %+v", i, s)
		}
		if !touches {
			if s.TOC != nil || s.Pair != nil {
				t.Errorf("segment %d has no contact: %+v", i, s)
			}
			continue
		}
		// All approach at 0.4 m/s or more, and a micrometre apart is touching.
		if s.TOC[0] > want || s.TOC[1] < want-4e-6 || s.TOC[1]-s.TOC[0] > 1e-6 {
			t.Errorf("segment %d: first contact within %v, computed by hand: %.9f", i, *s.TOC, want)
		}
		if *s.Pair != cranePairs[i] {
			t.Errorf("segment %d: %v touch, want %v", i, *s.Pair, cranePairs[i])
		}
	}
	m := methods[0]
	if m.Segments != 7 || m.Free != 3 || m.Contact != 4 || m.Undecided != 0 || m.FreeSegments != 3 || m.ContactSegments != 4 || m.Truth != "toc" {
		t.Errorf("counts: %+v", m)
	}
	if m.FreeWork.Proofs <= 0 || m.ContactWork.Intervals <= 0 || m.ContactWork.Distances <= 0 {
		t.Errorf("work: %+v, %+v", m.FreeWork, m.ContactWork)
	}
	for _, us := range []*float64{m.FreeMedian, m.FreeP90, m.FreeMean, m.ContactMedian, m.ContactP90, m.ContactMean} {
		if us == nil || *us <= 0 {
			t.Errorf("a time is missing: %+v", m)
		}
	}
}

// What each flag, acm line and frozen joint does to the answers: 0 free, 1
// contact.
func TestBenchHonours(t *testing.T) {
	changed := func(old, replacement string) string {
		return craneWith(t, old, replacement)
	}
	for _, c := range []struct {
		name, scene string
		args        []string
		want        string
	}{
		{"all pairs", crane, []string{"--method", "toc"}, "0111001"},
		{"yes or no", crane, []string{"--method", "free"}, "0111001"},
		{"clearance", crane, []string{"--method", "clearance"}, "0111001"},
		{"static sees the start", crane, []string{"--method", "static"}, "0000001"},
		{"no obstacles", crane, []string{"--method", "toc", "--no-world"}, "0010000"},
		{"no self", crane, []string{"--method", "toc", "--no-self"}, "0101001"},
		{"no obstacles, by the old name", crane, []string{"--method", "toc", "--noenv"}, "0010000"},
		{"no self, by the old name", crane, []string{"--method", "toc", "--noself"}, "0101001"},
		{"the first three", crane, []string{"--method", "toc", "--limit", "3"}, "011"},
		{"a limit beyond the end", crane, []string{"--method", "toc", "--limit", "99"}, "0111001"},
		{"without the acm line the cart hits its rail", changed("acm cart rail", ""), []string{"--method", "toc"}, "1111111"},
		{"an acm line for an obstacle", changed("acm cart rail", "acm cart rail\nacm wall tip"), []string{"--method", "toc"}, "0011000"},
		{"an acm line for links", changed("acm cart rail", "acm cart rail\nacm tip base"), []string{"--method", "toc"}, "0101001"},
		{"a frozen joint elsewhere", changed("0.1 0.1\nbody", "0.2 0.2\nbody"), []string{"--method", "toc"}, "0111011"},
	} {
		t.Run(c.name, func(t *testing.T) {
			segments, _ := benchLines(t, append([]string{c.scene, craneSegs}, c.args...)...)
			if got := answersOf(segments); got != c.want {
				t.Errorf("answers %s, want %s", got, c.want)
			}
		})
	}
}

// craneWith writes the crane's scene with a change.
func craneWith(t *testing.T, old, replacement string) string {
	t.Helper()
	data, err := os.ReadFile(crane)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(filepath.Dir(crane))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.Contains(text, old) {
		t.Fatalf("the scene has no %q", old)
	}
	text = strings.ReplaceAll(strings.Replace(text, old, replacement, 1), ".obj", ".obj ")
	for _, name := range []string{"cube", "wall", "plate", "rail"} {
		text = strings.ReplaceAll(text, " "+name+".obj ", " "+filepath.Join(folder, name+".obj")+" ")
	}
	path := filepath.Join(t.TempDir(), "crane.scene")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func answersOf(segments []Segment) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteString(map[string]string{"free": "0", "contact": "1", "undecided": "2"}[s.Status])
	}
	return b.String()
}

func TestBenchAllMethodsByDefault(t *testing.T) {
	segments, methods := benchLines(t, crane, craneSegs)
	usual := usualMethods()
	if n := len(usual); n != 6 || len(segments) != 7*n || len(methods) != n {
		t.Fatalf("%d lines of segments and %d of methods, %d are usual", len(segments), len(methods), n)
	}
	for i, m := range methods {
		if m.Method != usual[i] {
			t.Errorf("method %d is %s, want %s", i, m.Method, usual[i])
		}
		if want := map[string]int{"static": 3, "self": 4, "world": 3}[m.Method]; m.Missed != want || m.False != 0 {
			t.Errorf("%s: %d missed and %d false, want %d and 0", m.Method, m.Missed, m.False, want)
		}
	}
}

// Asked about together, segments and starts have the answers that they have alone, and all with the same answer one time.
func TestBenchOfAllAtOnce(t *testing.T) {
	segments, methods := benchLines(t, crane, craneSegs, "--method", "free,free-all,static,static-all")
	if len(segments) != 4*7 || len(methods) != 4 {
		t.Fatalf("%d lines of segments and %d of methods", len(segments), len(methods))
	}
	took := map[string]float64{}
	for i, s := range segments {
		k := i % 14
		if strings.HasSuffix(s.Method, "-all") {
			if alone := segments[i-7]; s.Status != alone.Status || s.Segment != alone.Segment || k < 7 {
				t.Errorf("%s, segment %d: %s, alone %s", s.Method, s.Segment, s.Status, alone.Status)
			}
			if first, known := took[s.Method+s.Status]; known && s.Micros != first || s.Micros <= 0 {
				t.Errorf("%s, segment %d took %g, another %g", s.Method, s.Segment, s.Micros, first)
			}
			took[s.Method+s.Status] = s.Micros
		}
	}
	for _, pair := range [][2]int{{0, 1}, {2, 3}} {
		if a, b := methods[pair[0]], methods[pair[1]]; a.Missed != b.Missed || a.False != b.False {
			t.Errorf("%s misses %d, %s %d", a.Method, a.Missed, b.Method, b.Missed)
		}
	}
}

// If all segments are free, there are no times of contact: null, not 0.
func TestBenchEmptyColumns(t *testing.T) {
	code, out, _ := command(t, "", "bench", crane, craneSegs, "--json", "--limit", "1", "--method", "free")
	if code != cli.ExitFree || !strings.Contains(out, `"contact_median_us":null`) || strings.Contains(out, `"free_median_us":null`) {
		t.Errorf("exit status %d: %s", code, out)
	}
	_, out, _ = command(t, "", "bench", crane, craneSegs, "--limit", "1", "--method", "free")
	if row := rowsOf(out)["free"]; len(row) != 17 || row[4] != "-" {
		t.Errorf("row %q", row)
	}
}

// rowsOf splits the text table into cells, by method.
func rowsOf(out string) map[string][]string {
	rows := map[string][]string{}
	for _, line := range strings.Split(out, "\n") {
		cells := strings.Fields(strings.NewReplacer("|", "", "free:", "", "contact:", "").Replace(line))
		if len(cells) > 0 {
			rows[cells[0]] = cells
		}
	}
	return rows
}

func TestBenchText(t *testing.T) {
	code, out, errs := command(t, "", "bench", crane, craneSegs, "--dump", "--method", "toc,static")
	if code != cli.ExitFree || errs != "" {
		t.Fatalf("exit status %d, standard error %q", code, errs)
	}
	for _, want := range []string{
		"segments 7: free 3 contact 4 undecided 0 by toc; thread CPU microseconds, least of 3",
		"\nSEG 0 truth 0 toc=0@2.000000000/", "\nSEG 1 truth 1 toc=1@0.75555", "\nSEG 6 truth 1 toc=1@0.000000000/", " static=0@2.000000000/", "us\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("nothing says %q in\n%s", want, out)
		}
	}
	rows := rowsOf(out)
	head := rows["method"]
	for _, name := range []string{"toc", "static"} {
		if len(rows[name]) != len(head) || len(head) != 17 {
			t.Errorf("%s has %d cells under %d heads", name, len(rows[name]), len(head))
		}
	}
	if head[7] != "missed" || rows["static"][7] != "3" || rows["toc"][7] != "0" {
		t.Errorf("missed: %q, %q", rows["static"], rows["toc"])
	}
}

// A dump is a truth for the next run, in both formats; a false one is noticed in
// the columns.
func TestBenchTruthFile(t *testing.T) {
	folder := t.TempDir()
	save := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	_, text, _ := command(t, "", "bench", crane, craneSegs, "--dump", "--method", "static,toc")
	_, lines, _ := command(t, "", "bench", crane, craneSegs, "--dump", "--json", "--method", "toc,static")
	for _, c := range []struct {
		name, truth   string
		missed, wrong int
		undecided     int // by the truth
	}{
		{"text", text, 0, 0, 0},
		{"json, its first method", lines, 0, 0, 0},
		{"harness", "segments 7\nSEG 0 truth 1 a=1@0.5/1us\nSEG 1 truth 0\nSEG 2 truth 2\nSEG 3 truth 1\nSEG 4 truth 0\nSEG 5 truth 1\nSEG 6 truth 1\nSEG 7 truth 1\n", 2, 1, 1},
	} {
		_, methods := benchLines(t, crane, craneSegs, "--method", "free", "--truth", save(c.name, c.truth))
		m := methods[0]
		if m.Missed != c.missed || m.False != c.wrong || m.Segments-m.FreeSegments-m.ContactSegments != c.undecided {
			t.Errorf("%s: %d missed, %d false, want %d and %d: %+v", c.name, m.Missed, m.False, c.missed, c.wrong, m)
		}
	}
	_, methods := benchLines(t, crane, craneSegs, "--method", "toc", "--truth", "static")
	if m := methods[0]; m.Truth != "static" || m.False != 3 || m.ContactSegments != 1 {
		t.Errorf("by static: %+v", m)
	}
}

func TestParseTruth(t *testing.T) {
	f, c, u := motion.Free, motion.Contact, motion.Undecided
	for _, tc := range []struct {
		name, text string
		n          int
		want       []motion.Status
		err        string
	}{
		{"harness", "method free_med\nSEG 0 truth 0 x=0@2/1us\nSEG 1 truth 1\nSEG 2 truth 2\n", 3, []motion.Status{f, c, u}, ""},
		{"out of order", "SEG 1 truth 1\nSEG 0 truth 0\n", 2, []motion.Status{f, c}, ""},
		{"only what is asked", "SEG 0 truth 1\nSEG 1 truth 9\n", 1, nil, ":2: truth \"9\""},
		{"a longer run", "SEG 0 truth 1\nSEG 1 truth 0\n", 1, []motion.Status{c}, ""},
		{"json", `{"method":"a","segment":0,"status":"contact"}` + "\n" + `{"method":"a","segments":1}` + "\n" + `{"method":"b","segment":0,"status":"free"}`, 1, []motion.Status{c}, ""},
		{"missing", "SEG 0 truth 1\n", 2, nil, "no verdict for segment 1"},
		{"nothing", "", 1, nil, "no verdict for segment 0"},
		{"twice", "SEG 0 truth 1\nSEG 0 truth 1\n", 1, nil, ":2: has segment 0 twice"},
		{"negative", "SEG -1 truth 1\n", 1, nil, "count from 0"},
		{"no number", "SEG x truth 1\n", 1, nil, "\"x\""},
		{"no truth", "SEG 0 toc=1@0.5/1us\n", 1, nil, "SEG INDEX truth V"},
		{"status", `{"method":"a","segment":0,"status":"maybe"}`, 1, nil, "\"maybe\""},
		{"broken json", `{"method":"a",`, 1, nil, ":1:"},
		{"endless line", strings.Repeat("x", 2<<20), 1, nil, "too long"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parseTruth("truth", []byte(tc.text), tc.n)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) || !strings.HasPrefix(err.Error(), "truth") {
					t.Errorf("error %v, want one that says %q", err, tc.err)
				}
				return
			}
			if err != nil || !cmp.Equal(got, tc.want) {
				t.Errorf("%v, %v, want %v", got, err, tc.want)
			}
		})
	}
}

// FuzzParseTruth: what is read has a verdict for every segment.
func FuzzParseTruth(f *testing.F) {
	f.Add([]byte("SEG 0 truth 0\nSEG 1 truth 1 a=1@0.5/3us\n"))
	f.Add([]byte(`{"method":"a","segment":0,"status":"contact"}` + "\n" + `{"method":"a","segment":1,"status":"free"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parseTruth("fuzz", data, 2)
		if err != nil {
			return
		}
		for _, s := range got {
			if len(got) != 2 || statusDigits[s] == "" {
				t.Fatalf("verdicts %v", got)
			}
		}
	})
}

// The columns by hand: the truth sorts the times, undecided truths fall out, and
// a method's own undecided answers count wherever they fall.
func TestBenchSummary(t *testing.T) {
	f, c, u := motion.Free, motion.Contact, motion.Undecided
	answer := func(s motion.Status, us int, intervals int) answered {
		return answered{verdict: motion.Verdict{Status: s, Work: motion.Work{Intervals: intervals, Proofs: 2 * intervals, Distances: 3}}, time: time.Duration(us) * time.Microsecond}
	}
	r := benchReport{truth: []motion.Status{f, f, f, c, c, u}}
	got := r.summary(&row{answers: []answered{answer(f, 30, 1), answer(c, 10, 2), answer(u, 20, 6), answer(f, 5, 4), answer(c, 7, 6), answer(u, 99, 99)}})
	want := benchSummary{
		said: [3]int{motion.Free: 2, motion.Contact: 2, motion.Undecided: 2}, missed: 1, wrong: 1,
		free: benchTimes{20, 30, 20}, contact: benchTimes{7, 7, 6},
		freeWork: benchWork{3, 6, 3}, contactWork: benchWork{5, 10, 3},
		freeChecks: 3, touchChecks: 2,
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(benchSummary{}, benchTimes{})); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
}

func TestTimesOf(t *testing.T) {
	ten := []float64{9, 3, 7, 1, 0, 2, 8, 6, 4, 5}
	for _, c := range []struct {
		us   []float64
		want benchTimes
	}{
		{ten, benchTimes{5, 9, 4.5}},
		{[]float64{4}, benchTimes{4, 4, 4}},
		{[]float64{2, 1}, benchTimes{2, 2, 1.5}},
		{nil, benchTimes{math.NaN(), math.NaN(), math.NaN()}},
	} {
		if d := cmp.Diff(c.want, timesOf(c.us), cmp.AllowUnexported(benchTimes{}), cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%v: want (-), got (+):\n%s", c.us, d)
		}
	}
}

// The clock counts computing and nothing else.
func TestThreadTime(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	spent := func(f func()) time.Duration {
		before, err := cputime.Thread()
		if err != nil {
			t.Skip(err)
		}
		f()
		after, err := cputime.Thread()
		if err != nil {
			t.Fatal(err)
		}
		return after - before
	}
	if d := spent(func() { time.Sleep(50 * time.Millisecond) }); d > 25*time.Millisecond {
		t.Errorf("sleeping 50 ms took %v of computing", d)
	}
	begin := time.Now()
	busy := spent(func() {
		for time.Since(begin) < 20*time.Millisecond { // each turn computes
		}
	})
	if busy <= 0 || busy > time.Since(begin) {
		t.Errorf("computing for 20 ms or less was told as %v", busy)
	}
}

func TestQuietIsUndone(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	percent := debug.SetGCPercent(123)
	defer debug.SetGCPercent(percent)
	undo := quiet()
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("%d processors while measuring", n)
	}
	if was := debug.SetGCPercent(-1); was != -1 {
		t.Errorf("the collector runs at %d %% while measuring", was)
	}
	undo()
	if n := runtime.GOMAXPROCS(0); n != processors {
		t.Errorf("%d processors afterwards, want %d", n, processors)
	}
	if was := debug.SetGCPercent(123); was != 123 {
		t.Errorf("the collector runs at %d %% afterwards, want 123", was)
	}
}

// allocs_per_check is what testing finds too.
func TestCountAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector empties pools at random")
	}
	f := flags{tolerance: 2e-6, clock: "thread", ScopeFlags: input.ScopeFlags{NoWorld: true}}
	b, err := f.load(crane, craneSegs)
	if err != nil {
		t.Fatal(err)
	}
	if b.query.Tolerance != 2e-6 || !b.query.NoWorld || b.query.NoSelf {
		t.Errorf("the query does not keep the flags: %+v", b.query)
	}
	rows, err := b.measure(context.Background(), []*benchMethod{methodNamed("toc")}, &benchTruth{method: methodNamed("free")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := testing.AllocsPerRun(5, func() {
		for k := range b.segments {
			if err := b.check(context.Background(), rows[0], k); err != nil {
				t.Fatal(err)
			}
		}
	}) / float64(len(b.segments))
	if got := rows[0].allocs; math.Abs(got-want) > 2+0.6*want {
		t.Errorf("%g allocations a check, testing counts %g", got, want)
	}
}

// Either clock measures, and the table says which.
func TestClocks(t *testing.T) {
	for name, unit := range map[string]string{"thread": "thread CPU microseconds", "wall": "microseconds on the wall clock"} {
		code, out, errs := command(t, "", "bench", crane, craneSegs, "--method", "free,free-all", "--clock", name, "--json", "--dump")
		if code != cli.ExitFree || errs != "" {
			t.Fatalf("%s: exit status %d: %s", name, code, errs)
		}
		for line := range strings.Lines(out) {
			var s struct{ US *float64 }
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatal(err)
			}
			if s.US != nil && !(*s.US > 0.05 && *s.US < 1e5) {
				t.Errorf("%s: %s", name, line)
			}
		}
		if _, out, _ = command(t, "", "bench", crane, craneSegs, "--method", "free", "--clock", name); !strings.Contains(out, "; "+unit+", least of 3") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

func TestBenchErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want int
		says string
	}{
		{"no segments", []string{crane}, cli.ExitUsage, "SCENE and SEGMENTS"},
		{"no such scene", []string{"nowhere.scene", craneSegs}, cli.ExitBadInput, "nowhere.scene"},
		{"no such segments", []string{crane, "nowhere.segs"}, cli.ExitBadInput, "nowhere.segs"},
		{"a scene for segments", []string{crane, crane}, cli.ExitBadInput, "crane.scene"},
		{"unknown method", []string{crane, craneSegs, "--method", "magic"}, cli.ExitUsage, "magic"},
		{"method twice", []string{crane, craneSegs, "--method", "toc,toc"}, cli.ExitUsage, "twice"},
		{"no method", []string{crane, craneSegs, "--method", ""}, cli.ExitUsage, "give some of"},
		{"no repetitions", []string{crane, craneSegs, "--reps", "0"}, cli.ExitUsage, "--reps 0"},
		{"unknown clock", []string{crane, craneSegs, "--clock", "sun"}, cli.ExitUsage, "--clock sun: give thread or wall"},
		{"negative limit", []string{crane, craneSegs, "--limit", "-1"}, cli.ExitUsage, "--limit"},
		{"tolerance", []string{crane, craneSegs, "--tolerance", "nan"}, cli.ExitUsage, "--tolerance"},
		{"nothing left", []string{crane, craneSegs, "--no-self", "--noenv"}, cli.ExitUsage, "nothing to check"},
		{"no such truth", []string{crane, craneSegs, "--truth", "nowhere.dump"}, cli.ExitBadInput, "neither a method"},
		{"a truth that is none", []string{crane, craneSegs, "--truth", crane}, cli.ExitBadInput, "no verdict for segment 0"},
		{"help", []string{"--help"}, cli.ExitFree, "  static          yes or no at one configuration"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := command(t, "", append([]string{"bench"}, c.args...)...)
			if code != c.want || !strings.Contains(out+errs, c.says) {
				t.Errorf("exit status %d, want %d; nothing says %q in\n%s%s", code, c.want, c.says, out, errs)
			}
		})
	}
}

// A run that is interrupted prints no figures.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs strings.Builder
	code := clitest.Commands{Command}.Program().Run(ctx, []string{"bench", crane, craneSegs}, strings.NewReader(""), &out, &errs)
	if code != cli.ExitInterrupted || out.Len() > 0 {
		t.Errorf("exit status %d: %s%s", code, out.String(), errs.String())
	}
}
