package kin_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// bind ties a motion of joint j0 to a plan's tree.
func bind(t *testing.T, p plan, rows ...[]float64) *kin.Course {
	t.Helper()
	m := &motion.Motion{Joints: []string{"j0"}}
	for i, ctrl := range rows {
		m.Pieces = append(m.Pieces, motion.Piece{Start: float64(i), End: float64(i + 1), Ctrl: [][]float64{ctrl}})
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	tree := p.tree(t)
	c, err := kin.Bind(tree, m, make([]float64, len(tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Turns are taken off where no joint that follows can tell.
func TestTurnsThatNothingTells(t *testing.T) {
	lead := hinge{kind: urdf.Continuous, axis: alongZ}
	follow := func(kind urdf.JointType, of int, mult float64) hinge {
		return hinge{parent: of, kind: kind, axis: alongX, mimics: 1, mult: mult, offset: 0.3}
	}
	third := 1. / 3
	for _, c := range []struct {
		name    string
		robot   plan
		to, end float64
	}{
		{"alone", plan{lead}, 5, 5 - 2*math.Pi},
		{"slide follows", plan{lead, follow(urdf.Prismatic, 1, 0.1)}, 5, 5},
		{"slide on a branch", plan{lead, {kind: urdf.Revolute, axis: alongX}, follow(urdf.Prismatic, 2, -1e-9)}, 5, 5},
		{"slide that does not move", plan{lead, follow(urdf.Prismatic, 1, 0)}, 5, 5 - 2*math.Pi},
		{"gear of a quarter", plan{lead, follow(urdf.Revolute, 1, 0.25)}, 4, 4},
		{"gear of a quarter, four turns", plan{lead, follow(urdf.Revolute, 1, 0.25)}, 8 * math.Pi, 0},
		{"gear of a half, three turns", plan{lead, follow(urdf.Continuous, 1, 0.5)}, 6 * math.Pi, 6 * math.Pi},
		{"gear of a third, as a number", plan{lead, follow(urdf.Continuous, 1, third)}, 6 * math.Pi, 6 * math.Pi},
		{"gear of two, backwards", plan{lead, follow(urdf.Revolute, 1, -2)}, -5, 2*math.Pi - 5},
		{"one of two followers", plan{lead, follow(urdf.Revolute, 1, 2), follow(urdf.Revolute, 1, 1.5)}, 5, 5},
		{"half a turn", plan{lead}, math.Pi, math.Pi},
		{"half a turn back", plan{lead}, -math.Pi, -math.Pi},
		{"no continuous joint", plan{{kind: urdf.Revolute, axis: alongZ}}, 5, 5},
	} {
		got := bind(t, c.robot, []float64{0, c.to}).AppendCtrl(nil, 0, 0)
		if len(got) != 2 || got[0] != 0 || math.Abs(got[1]-c.end) > 1e-14 {
			t.Errorf("%s: from 0 to %g goes to %v, want %g", c.name, c.to, got, c.end)
		}
	}
}

// What is taken off a piece is off all that follow, and pieces meet exactly.
func TestTurnsAreCarriedAlong(t *testing.T) {
	c := bind(t, plan{{kind: urdf.Continuous, axis: alongZ}},
		[]float64{3, -3}, []float64{-3, 0.7, 1, -2.8}, []float64{-2.8, 3.1}, []float64{3.1}, []float64{3.1, 15})
	last := 3.0
	for p := range c.Pieces() {
		ctrl := c.AppendCtrl(nil, 0, p)
		if ctrl[0] != last {
			t.Errorf("piece %d starts at %v, the one before it ends at %v", p, ctrl[0], last)
		}
		last = ctrl[len(ctrl)-1]
	}
	want := [][2]int{{0, -1}, {-1, -1}, {-1, 0}, {0, 0}, {0, 2}}
	for p := range want {
		if start, end := c.Turns(0, p); [2]int{start, end} != want[p] {
			t.Errorf("piece %d: turns %d and %d, want %v", p, start, end, want[p])
		}
	}
}

func TestTurnPremises(t *testing.T) {
	wheel := plan{{kind: urdf.Continuous, axis: alongZ}}
	kinds := func(c *kin.Course) (out []premise.Kind) {
		for _, p := range c.Premises() {
			if len(p.Names) != 1 || p.Names[0] != "j0" || p.Detail == "" {
				t.Errorf("premise %+v", p)
			}
			out = append(out, p.Kind)
		}
		return out
	}
	for _, c := range []struct {
		rows [][]float64
		want []premise.Kind
	}{
		{[][]float64{{0, 3}, {3, 0}}, nil},
		{[][]float64{{0, 3.1415}}, nil},
		{[][]float64{{0, 3}, {3, -3}}, []premise.Kind{premise.Turned}},
		{[][]float64{{0, math.Pi}}, []premise.Kind{premise.HalfTurn}},
		{[][]float64{{0, 3.141593}, {3.141593, -3.141592}}, []premise.Kind{premise.Turned, premise.HalfTurn, premise.Turned}},
		{[][]float64{{0, 3 * math.Pi}}, []premise.Kind{premise.Turned, premise.HalfTurn}},
		{[][]float64{{0, 0.1, 0.2, 7}}, nil},
	} {
		if got := kinds(bind(t, wheel, c.rows...)); !slices.Equal(got, c.want) {
			t.Errorf("%v: premises %v, want %v", c.rows, got, c.want)
		}
	}
	p := bind(t, wheel, []float64{0, 3}, []float64{3, -16}).Premises()
	if len(p) != 1 || p[0].Value != -3 || p[0].Piece != 1 {
		t.Errorf("three turns back on piece 1: %+v", p)
	}
	quiet := bind(t, wheel, []float64{0, 3})
	if n := testing.AllocsPerRun(10, func() { quiet.Premises() }); n != 0 {
		t.Errorf("%v allocations where nothing is turned", n)
	}
	// With a follower that tells, the numbers are what they are.
	slide := append(slices.Clone(wheel), hinge{parent: 1, kind: urdf.Prismatic, axis: alongX, mimics: 1, mult: 1})
	if got := bind(t, slide, []float64{0, 6}).Premises(); got != nil {
		t.Errorf("premises %v of a screw", got)
	}
}

// The largest positions are those of the numbers given and of the shifted ones.
func TestLargestPositionCountsTurns(t *testing.T) {
	c := bind(t, plan{{kind: urdf.Continuous, axis: alongZ}}, []float64{0, 2.5}, []float64{2.5, 5}, []float64{5, 0.5}, []float64{0.5, 3}, []float64{3, -0.5, -0.5, -3})
	for p := range c.Pieces() {
		for _, x := range c.AppendCtrl(nil, 0, p) {
			if c.MaxAbs(0) < math.Abs(x) || c.JointMaxAbs(1) < math.Abs(x) {
				t.Errorf("piece %d reaches %v, beyond %v", p, x, c.MaxAbs(0))
			}
		}
	}
	if c := bind(t, plan{{kind: urdf.Continuous, axis: alongZ}}, []float64{0, 600}); c.MaxAbs(0) < 600 {
		t.Errorf("the number given, 600, exceeds %v: its rounding is lost", c.MaxAbs(0))
	}
}

// Bounds hold for the numbers given less whole turns in real arithmetic, however
// many turns there are.
func TestTurnsErrAsBounded(t *testing.T) {
	d := rand.New(rand.NewPCG(3, 14))
	const u = 0x1p-53
	pi := exact.Pi()
	wheel := plan{{kind: urdf.Continuous, axis: alongZ}}
	curves, buf := make([]kin.Curve, 1), make([]float64, kin.CurveSize(kin.MaxDegree+1))
	for range rounds(300) {
		// A way of many turns first, so that the next piece is shifted by them.
		far := 6.2 * math.Pow(10, 5*d.Float64())
		from := d.NormFloat64()
		c := []float64{far, from}
		if d.IntN(2) == 0 {
			c = []float64{far, far - 1 - d.Float64(), far + d.NormFloat64(), from}
		}
		course := bind(t, wheel, []float64{from, far}, c)
		for p := range course.Pieces() {
			given := course.Motion.Pieces[p].Ctrl[0]
			start, end := course.Turns(0, p)
			ctrl := make([]exact.Num, len(given))
			for i, x := range given {
				k := start
				if i == len(given)-1 {
					k = end
				}
				ctrl[i] = exact.Of(x).Minus(pi.Times(exact.Of(float64(2 * k))))
			}
			course.Load(p, curves, buf)
			s := d.Float64()
			lo, hi := s*d.Float64(), s+(1-s)*d.Float64()
			a := curves[0].Around(s, lo, hi)
			if e := exact.Of(a.Q).Minus(exact.Bernstein(ctrl, exact.Of(s))).Abs().Float(); e > 24*u*a.MaxAbs {
				t.Fatalf("%v at %v: position wrong by %g, allowed %g", given, s, e, 24*u*a.MaxAbs)
			}
			vel := exact.Derivative(ctrl)
			if e := exact.Of(a.QD).Minus(exact.Bernstein(vel, exact.Of(s))).Abs().Float(); e > a.QDErr {
				t.Fatalf("%v at %v: velocity wrong by %g, allowed %g", given, s, e, a.QDErr)
			}
			for _, x := range []float64{lo, hi, lo + (hi-lo)*d.Float64()} {
				if v := exact.Bernstein(vel, exact.Of(x)).Abs().Float(); v > a.Omega*(1+4*u) {
					t.Fatalf("%v at %v: speed %v exceeds %v", given, x, v, a.Omega)
				}
				if w := exact.Bernstein(ctrl, exact.Of(x)).Minus(exact.Bernstein(ctrl, exact.Of(s))).Abs().Float(); w > a.Delta*(1+4*u) {
					t.Fatalf("%v from %v to %v: goes %v, more than %v", given, s, x, w, a.Delta)
				}
				if l := curves[0].Length(min(s, x), max(s, x)); exact.Bernstein(ctrl, exact.Of(x)).Minus(exact.Bernstein(ctrl, exact.Of(s))).Abs().Float() > l*(1+4*u) {
					t.Fatalf("%v from %v to %v: longer than %v", given, s, x, l)
				}
			}
			acc := exact.Derivative(vel)
			if len(acc) > 0 {
				if e := exact.Of(a.QDD).Minus(exact.Bernstein(acc, exact.Of(s))).Abs().Float(); e > a.QDDErr {
					t.Fatalf("%v at %v: acceleration wrong by %g, allowed %g", given, s, e, a.QDDErr)
				}
			}
		}
	}
}
