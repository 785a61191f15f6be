package papers

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/papers/workload"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// held is a contest of two methods that were asked about the same motions, the last of
// them the default engine: times in ms, and a letter for each status.
func held(one time.Duration, first, ours []float64, said, truth string) *contest {
	of := map[byte]motion.Status{'c': motion.Contact, 'f': motion.Free, 'u': motion.Undecided}
	c := &contest{methods: []method{{name: "A"}, {name: defaultEngine, ours: true}}, answers: make([][]answer, 2), motions: make([]*motion.Motion, len(truth)), one: one}
	for i := range truth {
		for k, x := range []struct {
			ms   float64
			said byte
		}{{first[i], said[i]}, {ours[i], truth[i]}} {
			c.answers[k] = append(c.answers[k], answer{motion.Verdict{Status: of[x.said]}, time.Duration(x.ms * float64(time.Millisecond))})
		}
	}
	return c
}

// A motion that a method did not decide in its time is in no mean, median or count of any
// method, and is told.
func TestTimeoutsAreCountedNotAveraged(t *testing.T) {
	c := held(4*time.Second, []float64{1, 2, 3, 4000}, []float64{1, 1, 1, 500}, "ffcu", "ffcc")
	if got := c.mean(0); got != 2000 {
		t.Errorf("mean %g us, want that of 1, 2 and 3 ms", got)
	}
	if got := c.mean(1); got != 1000 {
		t.Errorf("the other method's mean %g us, want that of the same three motions", got)
	}
	if c.worst(0) != 3000 || c.median(0) != 2000 || c.n() != 3 || c.count(motion.Contact) != 1 {
		t.Errorf("worst %g, median %g, n %d, touch %d", c.worst(0), c.median(0), c.n(), c.count(motion.Contact))
	}
	if notes := c.undecidedNotes("pipes"); len(notes) != 1 || !strings.Contains(notes[0], "A left 1 of 4 motions undecided") {
		t.Errorf("notes %v", notes)
	}
	s := c.sample("pipes", "w")
	r := s.compare(defaultEngine, "A", "")
	if r.means != 2 || r.n != 3 || r.late != 1 || !strings.Contains(r.told(), "1 not decided in time and left out") {
		t.Errorf("%+v: %s", r, r.told())
	}
	if table := timesTable([]Sample{s}); len(table.Rows) != 0 {
		t.Errorf("quartiles of three motions: %v", table.Rows)
	}
	for range 2 { // twelve motions that count
		s.Kinds += s.Kinds
		for i := range s.Series {
			s.Series[i].Said += s.Series[i].Said
			s.Series[i].Us = append(s.Series[i].Us, s.Series[i].Us...)
		}
	}
	if table := timesTable([]Sample{s}); len(table.Rows) != 1 || table.Rows[0][1] != "12" || table.Rows[0][2] != "A 4" {
		t.Errorf("table %v", table.Rows)
	}
	// A method that samples says undecided where it finds nothing: that counts, unless it
	// ran out of time.
	c.methods[0].samples = true
	c.answers[0][1].verdict.Status = motion.Undecided
	if s := c.sample("pipes", "w"); c.n() != 3 || s.Series[0].Said != "fncu" {
		t.Errorf("n %d, said %s", c.n(), s.Series[0].Said)
	}
}

// times of one method of a row.
func made(name, role string, us ...float64) Times {
	return Times{Method: name, Role: role, Said: strings.Repeat("f", len(us)), Us: us}
}

// One long motion makes the mean large: the claim is refuted by what is left without it,
// and by the medians.
func TestOneLongMotionShowsNothing(t *testing.T) {
	few := slices.Repeat([]float64{1}, 20)
	long := slices.Repeat([]float64{2}, 20)
	long[7] = 10_000
	s := Sample{Kinds: strings.Repeat("f", 20), Series: []Times{made("a", ofPaper, few...), made("b", ofPaper, long...)}}
	r := s.compare("a", "b", "")
	if !(r.means > 400) || r.trimmed != 2 || r.medians != 2 {
		t.Fatalf("%+v", r)
	}
	if c := longer("", "", r, 15); c.verdict() != showsNot {
		t.Errorf("15 times by one motion: %s", c.verdict())
	}
	if c := longer("", "", r, 1.5); c.verdict() != shows {
		t.Errorf("twice: %s", c.verdict())
	}
	if c := shorter("", "", s.compare("b", "a", ""), 0.4); c.verdict() != showsNot {
		t.Errorf("a mean alone made it shorter: %s", c.verdict())
	}
	// Each of the three refutes a claim by itself.
	for _, r := range []comparison{{means: 1, trimmed: 3, medians: 3}, {means: 3, trimmed: 1, medians: 3}, {means: 3, trimmed: 3, medians: 1}} {
		if c := longer("", "", r, 2); c.verdict() != showsNot {
			t.Errorf("%+v is longer than twice", r)
		}
	}
	for _, r := range []comparison{{means: 3, trimmed: 1, medians: 1}, {means: 1, trimmed: 3, medians: 1}, {means: 1, trimmed: 1, medians: 3}} {
		if c := shorter("", "", r, 2); c.verdict() != showsNot {
			t.Errorf("%+v is shorter than twice", r)
		}
	}
}

// Like is compared with like: a claim on motions that touch is worked out of those. Of
// all motions stage 1 would be worth its while here, of those that touch it is not.
func TestLikeWithLike(t *testing.T) {
	kinds := strings.Repeat("c", 10) + strings.Repeat("f", 10)
	times := func(touch, free float64) []float64 {
		return append(slices.Repeat([]float64{touch}, 10), slices.Repeat([]float64{free}, 10)...)
	}
	some := func(set string) Sample {
		return Sample{Row: "machine room, " + set, Kinds: kinds, Series: []Times{
			made("ARTICULATE 1+2+3", ofPaper, times(100, 10)...), made("ARTICULATE 1+3", ofPaper, times(120, 30)...), made("ARTICULATE 2+3", ofPaper, times(98, 40)...),
		}}
	}
	few := func(set string) Sample {
		return Sample{Row: "machine room, " + set + ", with stage 3 alone", Kinds: kinds, Series: []Times{
			made("ARTICULATE 1+2+3", ofPaper, times(100, 10)...), made("ARTICULATE 1+3", ofPaper, times(120, 30)...), made("ARTICULATE 3", ofPaper, times(500, 500)...),
		}}
	}
	r := &Result{}
	for _, set := range []string{"1 deg", "30 deg", "60 deg"} {
		r.Samples = append(r.Samples, some(set), few(set))
	}
	claims := entryOf("RKLM04/table2").judge(r)
	if len(claims) != 7 {
		t.Fatalf("%d claims", len(claims))
	}
	for _, i := range []int{0, 2, 4} {
		if c := claims[i]; c.Value != 0.98 || c.verdict() != showsNot || !strings.Contains(c.Says, "motions that touch") {
			t.Errorf("%s: %g, %s", c.Says, c.Value, c.verdict())
		}
	}
	if all := r.Samples[0].compare("ARTICULATE 1+2+3", "ARTICULATE 2+3", ""); !(all.means > 1.05) {
		t.Errorf("the example shows nothing: %g of all motions", all.means)
	}
}

// The paper's method enters in the form that does best; sweeps, repeated rows and rows of
// few motions do not count.
func TestDuels(t *testing.T) {
	row := func(name, workload string, n int, ours float64, forms ...float64) Sample {
		s := Sample{Row: name, Workload: workload, Work: "distance", Kinds: strings.Repeat("f", n), Series: []Times{made(defaultEngine, ofOurs, slices.Repeat([]float64{ours}, n)...)}}
		for i, f := range forms {
			s.Series = append(s.Series, made([]string{"spheres", "three steps"}[i], ofPaper, slices.Repeat([]float64{f}, n)...))
		}
		s.Series = append(s.Series, made("samples", sampled, slices.Repeat([]float64{0.1}, n)...))
		return s
	}
	all := []Sample{
		row("α = 0", "alone", 20, 10, 121, 10.8),
		row("α = 0.3", "alone", 20, 10, 40, 30), // a sweep: does not count
		row("one motion", "floor", 1, 1, 300_000),
		row("walk", "pipes", 20, 10, 5),
		{Row: "stages", Workload: "pipes", Kinds: "ff", Series: []Times{made("stage 1", stage, 1, 1)}},
	}
	of, left := counting(all)
	if len(of) != 2 || left != (leftOut{few: 1, repeated: 1}) {
		t.Fatalf("%d duels, left out %+v: %+v", len(of), left, of)
	}
	if d := of[0]; d.Row != "α = 0" || d.Method != "three steps" || math.Abs(d.means-1.08) > 1e-9 {
		t.Errorf("%+v", d)
	}
	got := judged(of)
	for _, want := range []string{"faster in 1 of 2", "(> 1.05)", "quartiles", "It is not faster on:** walk against spheres (0.5 times its time by means, 0.5 by medians, n = 20)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	if got := judged(of[:1]); strings.Contains(got, "not faster") {
		t.Errorf("%q", got)
	}
	// Faster by means alone, or within the noise, is not faster.
	for _, r := range []comparison{{means: 3, medians: 0.9}, {means: 0.9, medians: 3}, {means: 1.04, medians: 1.04}} {
		if got := judged([]Duel{{Row: "pipes", Method: "A", comparison: r}}); !strings.Contains(got, "faster in 0 of 1") {
			t.Errorf("%+v: %q", r, got)
		}
	}
	// Of forms of which one has the better mean and one the better median, each counts
	// where it is better.
	s := row("both", "rooms", 20, 10)
	spread := slices.Repeat([]float64{12}, 20)
	spread[0] = 4000
	s.Series = append(s.Series, made("even", ofPaper, slices.Repeat([]float64{40}, 20)...), made("spread", ofPaper, spread...))
	if d, ok := s.duel(); !ok || d.means != 4 || d.medians != 1.2 {
		t.Errorf("%+v", d)
	}
	// What differs in the work stands in the row.
	s.Differs = "744 pairs (paper: 179,574)"
	d, _ := s.duel()
	if table := duelTable([]Duel{d}); !slices.Contains(table.Rows[0], s.Differs) {
		t.Errorf("%v", table.Rows)
	}
}

// A workload with another number of pairs is not compared.
func TestUnlikeWorkIsNotCompared(t *testing.T) {
	r := &Result{Values: values{}}
	for _, row := range pairRows {
		r.Values[row+" before"], r.Values[row+" spatial"], r.Values[row+" temporal"] = 140, 99.9, 99.9
	}
	verdicts := map[string]string{}
	for _, c := range entryOf("ZRLK07/table2").judge(r) {
		verdicts[c.Says] = c.verdict() + " " + c.why()
	}
	if v := verdicts["Falling train: spatial culling leaves out most pairs"]; !strings.HasPrefix(v, shows) {
		t.Errorf("137 pairs in the paper, 140 here: %s", v)
	}
	if v := verdicts["Four trains by part: spatial culling leaves out most pairs"]; !strings.HasPrefix(v, cannot) || !strings.Contains(v, "140 pairs, in the paper 179,574") {
		t.Errorf("179,574 pairs in the paper, 140 here: %s", v)
	}
	g := &generated{of: &workload.Workload{}}
	if got := g.unlike(744, 179_574); got != "744 pairs (paper: 179,574)" {
		t.Errorf("%q", got)
	}
}

// Every threshold lies beyond the value without the effect, so that each claim can fail:
// none holds of work in which nothing differs, and none is made of work that was not
// measured.
func TestEveryThresholdCanFail(t *testing.T) {
	kept, err := load("../docs/papers/results.json")
	if err != nil {
		t.Fatal(err)
	}
	claims := 0
	for _, p := range papers() {
		for i := range p.Entries {
			e := &p.Entries[i]
			r := kept.of[p.key(e)]
			if e.Judge == nil || r == nil {
				if e.Judge != nil {
					t.Errorf("%s is not kept in lab/docs/papers", p.key(e))
				}
				continue
			}
			for _, c := range e.judge(&Result{}) {
				if c.verdict() == shows {
					t.Errorf("%s: %q shows without any work", p.key(e), c.Says)
				}
			}
			for _, c := range e.judge(r) {
				claims++
				if c.Want == "" || strings.HasPrefix(c.Want, ">") && c.Bound < c.Null || strings.HasPrefix(c.Want, "at most") && c.Bound >= c.Null {
					t.Errorf("%s: %q is wanted %s, and is %g without the effect", p.key(e), c.Says, c.Want, c.Null)
				}
			}
			for _, c := range e.judge(alike(r)) {
				if c.verdict() == shows && strings.Contains(c.Unit, "times") && len(r.Samples) > 0 && strings.Contains(c.Basis, "by medians") {
					t.Errorf("%s: %q shows where all methods take the same time", p.key(e), c.Says)
				}
			}
		}
	}
	if claims < 70 {
		t.Errorf("only %d claims", claims)
	}
}

// alike is a result in which every method takes the same time for everything.
func alike(r *Result) *Result {
	out := &Result{Values: r.Values}
	for _, s := range r.Samples {
		s.Series = slices.Clone(s.Series)
		for i := range s.Series {
			s.Series[i].Us = slices.Repeat(micro{1}, len(s.Kinds))
		}
		out.Samples = append(out.Samples, s)
	}
	return out
}

// The summary counts what shows, what does not, and what cannot be compared.
func TestTally(t *testing.T) {
	var got tally
	for _, c := range []Claim{effect{value: 2, null: 1}.moreThan(1), effect{value: 1, null: 1}.moreThan(1), effect{value: math.NaN()}.moreThan(1), effect{value: 2}.moreThan(1).unlike("fewer pairs")} {
		got.add(&c)
	}
	if got.String() != "1 show, 1 do not show, 2 cannot be compared" {
		t.Errorf("%s", got)
	}
}

// The page can be written of what is kept without measuring: what was recorded reads back,
// and damaged records are refused.
func TestRecordsReadBack(t *testing.T) {
	text, err := micro{1, 0.25, 123456}.MarshalText()
	if err != nil || string(text) != "1 0.25 1.235e+05" {
		t.Errorf("%s, %v", text, err)
	}
	var back micro
	if err := back.UnmarshalText(text); err != nil || len(back) != 3 || back[2] != 123500 {
		t.Errorf("%v, %v", back, err)
	}
	for _, bad := range []string{"1 two", "-1", "NaN"} {
		if err := back.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is read as %v", bad, back)
		}
	}
	s := Sample{Row: "walk", Kinds: "ff", Series: []Times{made("A", ofPaper, 1)}}
	if err := s.check(); err == nil || !strings.Contains(err.Error(), "walk: A has 1 answers") {
		t.Errorf("a short series: %v", err)
	}
}

// The page that is kept is what the program writes of what is kept: nothing on it is
// written by hand.
func TestThePageIsWhatTheProgramWrites(t *testing.T) {
	const docs = "../docs"
	out := t.TempDir()
	if err := os.CopyFS(filepath.Join(out, "papers"), os.DirFS(filepath.Join(docs, "papers"))); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), Options{Render: true, Out: out}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(out, "papers.md"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(docs, "papers.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("lab/docs/papers.md is not of lab/docs/papers/results.json: firstcontact-lab papers --render")
	}
}
