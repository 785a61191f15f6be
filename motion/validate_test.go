package motion_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

func TestValidate(t *testing.T) {
	valid := func() *motion.Motion {
		return &motion.Motion{Joints: ab, Pieces: []motion.Piece{
			{Start: 0, End: 1, Ctrl: [][]float64{{0, 1, 2}, {5}}},
			{Start: 1, End: 2, Ctrl: [][]float64{{2, 3}, {5, 5, 5, 5, 5, 6}}},
		}}
	}
	if err := valid().Validate(); err != nil {
		t.Fatalf("valid motion: %v", err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*motion.Motion)
		want  []string
	}{
		{"no joints", func(m *motion.Motion) { m.Joints = nil }, []string{"no joints"}},
		{"joint twice", func(m *motion.Motion) { m.Joints = []string{"a", "a"} }, []string{"joint a", "twice"}},
		{"no pieces", func(m *motion.Motion) { m.Pieces = nil }, []string{"no pieces"}},
		{"piece of no length", func(m *motion.Motion) { m.Pieces[1].End = 1 }, []string{"piece 1", "end after"}},
		{"NaN time", func(m *motion.Motion) { m.Pieces[0].Start = math.NaN() }, []string{"piece 0"}},
		{"negative time", func(m *motion.Motion) { m.Pieces[0].Start = -1 }, []string{"piece 0", "zero or later"}},
		{"endless", func(m *motion.Motion) { m.Pieces[1].End = math.Inf(1) }, []string{"piece 1"}},
		{"missing row", func(m *motion.Motion) { m.Pieces[1].Ctrl = m.Pieces[1].Ctrl[:1] }, []string{"piece 1", "1 joints of 2"}},
		{"no control points", func(m *motion.Motion) { m.Pieces[0].Ctrl[1] = nil }, []string{"joint b", "0 control points"}},
		{"seven control points", func(m *motion.Motion) { m.Pieces[0].Ctrl[1] = make([]float64, 7) }, []string{"joint b", "7 control points"}},
		{"NaN control point", func(m *motion.Motion) { m.Pieces[0].Ctrl[0][1] = math.NaN() }, []string{"joint a", "control point 1", "NaN"}},
		{"control point beyond limits", func(m *motion.Motion) { m.Pieces[0].Ctrl[0][1] = -1.1e6 }, []string{"joint a", "control point 1", "1e+06"}},
		{"gap in time", func(m *motion.Motion) { m.Pieces[1].Start = 1.5 }, []string{"piece 1", "contiguous"}},
		{"jump by one bit", func(m *motion.Motion) { m.Pieces[1].Ctrl[0][0] = math.Nextafter(2, 3) }, []string{"joint a jumps", "at 1 s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := valid()
			c.spoil(m)
			wantError(t, m.Validate(), c.want)
		})
	}
	t.Run("nil", func(t *testing.T) { wantError(t, (*motion.Motion)(nil).Validate(), []string{"no motion"}) })
}

// drawSpline draws a continuous motion with pieces of any degree.
func drawSpline(t *rapid.T) *motion.Motion {
	m := &motion.Motion{ID: "drawn", Joints: ab, KeepTurns: true}
	now, at := rapid.Float64Range(0, 3).Draw(t, "t0"), []float64{0, 0}
	for range rapid.IntRange(1, 5).Draw(t, "pieces") {
		p := motion.Piece{Start: now, End: now + rapid.Float64Range(1e-3, 2).Draw(t, "dt")}
		for j := range m.Joints {
			c := append([]float64{at[j]}, rapid.SliceOfN(rapid.Float64Range(-3, 3), 0, 5).Draw(t, "ctrl")...)
			at[j] = c[len(c)-1]
			p.Ctrl = append(p.Ctrl, c)
		}
		m.Pieces = append(m.Pieces, p)
		now = p.End
	}
	return m
}

// power evaluates the Bernstein polynomial c by its definition.
func power(c []float64, s float64) float64 {
	n, sum, binomial := len(c)-1, 0.0, 1.0
	for k, x := range c {
		sum += binomial * math.Pow(s, float64(k)) * math.Pow(1-s, float64(n-k)) * x
		binomial *= float64(n-k) / float64(k+1)
	}
	return sum
}

func TestAtIsTheBernsteinPolynomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawSpline(t)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, len(m.Pieces)-1).Draw(t, "piece")
		s := rapid.Float64Range(0, 0.999).Draw(t, "s")
		p := m.Pieces[i]
		at := p.Start + s*(p.End-p.Start)
		for j, got := range m.At(at) {
			if want := power(p.Ctrl[j], (at-p.Start)/(p.End-p.Start)); math.Abs(got-want) > 1e-12 {
				t.Fatalf("joint %d at %g: %g, want %g", j, at, got, want)
			}
		}
	})
}

func TestReverseRunsBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawSpline(t)
		r, err := m.Reverse()
		if err != nil {
			t.Fatal(err)
		}
		if r.ID != m.ID || r.Pieces[0].Start != m.Pieces[0].Start {
			t.Fatalf("reversed motion %q starts at %g", r.ID, r.Pieces[0].Start)
		}
		first, last := m.Pieces[0].Start, m.Duration()
		at := rapid.Float64Range(first, last).Draw(t, "t")
		if !near(m.At(at), r.At(first+(last-at)), 1e-9) {
			t.Fatalf("at %g: %v, mirrored %v", at, m.At(at), r.At(first+(last-at)))
		}
	})
}

func TestSplitKeepsTheMotion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawSpline(t)
		first, last := m.Pieces[0].Start, m.Duration()
		cut := rapid.Float64Range(first+1e-6, last-1e-6).Draw(t, "cut")
		if rapid.Bool().Draw(t, "at a seam") && len(m.Pieces) > 1 {
			cut = m.Pieces[1].Start
		}
		before, after, err := m.Split(cut)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []*motion.Motion{before, after} {
			if err := part.Validate(); err != nil {
				t.Fatal(err)
			}
		}
		if before.Duration() != cut || after.Pieces[0].Start != cut || after.Duration() != last {
			t.Fatalf("split at %g gives an end of %g and a start of %g", cut, before.Duration(), after.Pieces[0].Start)
		}
		if !slices.Equal(before.At(cut), after.At(cut)) {
			t.Fatalf("halves do not meet: %v and %v", before.At(cut), after.At(cut))
		}
		at := rapid.Float64Range(first, last).Draw(t, "t")
		half := before
		if at > cut {
			half = after
		}
		if !near(m.At(at), half.At(at), 1e-12) {
			t.Fatalf("at %g: %v, in its half %v", at, m.At(at), half.At(at))
		}
	})
}

func TestSplitOutside(t *testing.T) {
	m, err := motion.Between(ab, []float64{0, 0}, []float64{1, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{-1, 0, 1, 2, math.NaN()} {
		if _, _, err := m.Split(at); err == nil {
			t.Errorf("split at %g: no error", at)
		}
	}
}

// A straight piece on which a joint may take the short way is not split: nobody knows
// here where it is in between.
func TestSplitOfAmbiguousPieces(t *testing.T) {
	m, err := motion.Path(ab, [][]float64{{0, 3.1}, {0, 0}, {0, -3.2}, {0, 0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{0.5, 1, 2} { // within half a turn, and at seams
		if _, _, err := m.Split(at); err != nil {
			t.Errorf("at %g: %v", at, err)
		}
	}
	_, _, err = m.Split(1.5)
	wantError(t, err, []string{"joint b", "0 to -3.2", "piece 1", "Resolve"})
	m.KeepTurns = true
	if _, _, err := m.Split(1.5); err != nil {
		t.Errorf("a motion that keeps its turns: %v", err)
	}
	// Neither part of a line leaves the line, by rounding either.
	for i := range 1000 {
		m, _ := motion.Between(ab, []float64{0.1 + 0.01*float64(i), -1.5}, []float64{0.1 + 0.01*float64(i), 1.6}, 1)
		before, after, err := m.Split(float64(i+1) / 1002)
		if err != nil {
			t.Fatal(err)
		}
		if at := before.Pieces[0].Ctrl[0][1]; at != m.Pieces[0].Ctrl[0][0] || after.Pieces[0].Ctrl[0][0] != at {
			t.Fatalf("a joint at rest at %v is cut at %v", m.Pieces[0].Ctrl[0][0], at)
		}
	}
}

func near(a, b []float64, tol float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= tol })
}

// Positions beyond what can be computed are refused wherever they come from.
func TestNumbersAreBounded(t *testing.T) {
	const far = 1.000001e6
	for name, make := range map[string]func() (*motion.Motion, error){
		"between": func() (*motion.Motion, error) { return motion.Between(ab, []float64{0, 0}, []float64{0, far}, 1) },
		"path":    func() (*motion.Motion, error) { return motion.Path(ab, [][]float64{{0, -far}}, nil) },
		"spline": func() (*motion.Motion, error) {
			return motion.Spline(ab, []motion.Waypoint{{Positions: []float64{0, 0}}, {Time: 1, Positions: []float64{0, far}}})
		},
		"swing": func() (*motion.Motion, error) {
			v := []float64{0, 1e7}
			return motion.Spline(ab, []motion.Waypoint{{Positions: []float64{0, 0}, Velocities: v}, {Time: 1, Positions: []float64{0, 0}, Velocities: v}})
		},
		"late": func() (*motion.Motion, error) { return motion.Path(ab, [][]float64{{0, 0}}, []float64{1.1e12}) },
		"root": func() (*motion.Motion, error) {
			return motion.Linear(ab, []motion.Waypoint{{Positions: []float64{0, 0}, Root: &geom.Pose{R: geom.Identity(), P: geom.Vec{X: far}}}})
		},
		"root in no time": func() (*motion.Motion, error) {
			start, end := geom.IdentityPose(), geom.Translation(geom.Vec{X: 1})
			return motion.Linear(ab, []motion.Waypoint{{Positions: []float64{0, 0}, Root: &start}, {Time: 1e-320, Positions: []float64{0, 0}, Root: &end}})
		},
	} {
		if _, err := make(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	m, err := motion.Between(ab, []float64{0, -1e6}, []float64{0, 1e6}, 1)
	if err != nil || m.Validate() != nil {
		t.Errorf("a position of exactly the limit is refused: %v", err)
	}
	m.Root = []motion.RootPiece{{Start: geom.IdentityPose(), Point: geom.Vec{Y: 1e300}}}
	wantError(t, m.Validate(), []string{"piece 0", "beyond"})
	m.Root = []motion.RootPiece{{Start: geom.IdentityPose(), Velocity: geom.Vec{Y: 1.1e6}}}
	wantError(t, m.Validate(), []string{"piece 0", "beyond"})
}

// What is open before the first waypoint, or at it, is not open of a part that begins later. What is open of the start because a joint may
// be elsewhere all along stays.
func TestSplitKeepsWhatIsOpenAllAlong(t *testing.T) {
	m, err := motion.Path(ab, [][]float64{{0, 0}, {1, 1}}, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := premise.Premise{Kind: premise.Start, Names: []string{"b"}, Detail: "joint b is held at 3, but it is measured at 3.9", Remedy: "name the joint"}
	m.Gaps = append(m.Gaps, motion.StepGap("a", 1, 0), elsewhere)
	if len(m.Gaps) != 3 {
		t.Fatalf("gaps %v", m.Gaps)
	}
	before, after, err := m.Split(1.5)
	if err != nil {
		t.Fatal(err)
	}
	if len(before.Gaps) != 3 || len(after.Gaps) != 1 || after.Gaps[0].Detail != elsewhere.Detail {
		t.Errorf("before %v; after %v", before.Gaps, after.Gaps)
	}
}
