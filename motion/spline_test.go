package motion_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func spline(t interface {
	Helper()
	Fatal(...any)
}, joints []string, points ...motion.Waypoint,
) *motion.Motion {
	t.Helper()
	m, err := motion.Spline(joints, points)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

var oneJoint = []string{"j"}

// row is a row of one joint.
func row(x ...float64) []float64 { return x }

func TestSplineChoosesByTheFieldsGiven(t *testing.T) {
	p := func(at float64, q, v, a []float64) motion.Waypoint {
		return motion.Waypoint{Time: at, Positions: q, Velocities: v, Accelerations: a}
	}
	for _, c := range []struct {
		name   string
		points []motion.Waypoint
		want   [][]float64 // control points, piece by piece
	}{
		{"positions", []motion.Waypoint{p(0, row(1), nil, nil), p(2, row(3), nil, nil)}, [][]float64{{1, 3}}},
		{"velocities", []motion.Waypoint{p(0, row(1), row(3), nil), p(2, row(4), row(6), nil)}, [][]float64{{1, 3, 0, 4}}},
		{"velocities at rest", []motion.Waypoint{p(0, row(1), row(0), nil), p(2, row(4), row(0), nil)}, [][]float64{{1, 1, 4, 4}}},
		{"velocity at one end", []motion.Waypoint{p(0, row(1), row(3), nil), p(2, row(4), nil, nil)}, [][]float64{{1, 4}}},
		{"accelerations too", []motion.Waypoint{p(0, row(1), row(5), row(10)), p(2, row(4), row(-5), row(20))}, [][]float64{{1, 3, 7, 12, 6, 4}}},
		{"acceleration at one end", []motion.Waypoint{p(0, row(1), row(3), row(10)), p(2, row(4), row(6), nil)}, [][]float64{{1, 3, 0, 4}}},
		{
			"piece by piece",
			[]motion.Waypoint{p(0, row(0), nil, nil), p(1, row(1), row(3), nil), p(2, row(2), row(3), row(0)), p(3, row(3), row(5), row(20)), p(4, row(4), row(0), nil)},
			[][]float64{{0, 1}, {1, 2, 1, 2}, {2, 2.6, 3.2, 2, 2, 3}, {3, 3 + 5./3, 4, 4}},
		},
		{"a point said twice", []motion.Waypoint{p(0, row(1), row(3), nil), p(0, row(1), row(3), nil), p(2, row(4), row(6), nil)}, [][]float64{{1, 3, 0, 4}}},
		{"one point", []motion.Waypoint{p(1, row(1), row(3), row(3))}, [][]float64{{1}}},
		{"a point said twice, from which the controller integrates", []motion.Waypoint{p(0, row(1), nil, nil), p(0, row(1), nil, nil), p(2, nil, row(3), nil)}, [][]float64{{1, 1, 2, 4}}},

		// Without positions: the controller integrates.
		{"velocities alone", []motion.Waypoint{p(0, row(1), row(2), nil), p(2, nil, row(4), nil)}, [][]float64{{1, 1 + 4./3, 7 - 8./3, 7}}},
		{"velocities alone from rest", []motion.Waypoint{p(0, row(1), nil, nil), p(2, nil, row(3), nil)}, [][]float64{{1, 1, 2, 4}}},
		{"accelerations alone", []motion.Waypoint{p(0, row(1), nil, nil), p(1, nil, nil, row(40))}, [][]float64{{1, 1, 1, 11 - 8 + 2, 11 - 4, 11}}},
		{
			"a rest between, of which nobody knew when it was reached",
			[]motion.Waypoint{p(0, row(0), row(1), nil), p(1, row(1), nil, nil), p(2, nil, row(3), nil)},
			[][]float64{{0, 1}, {1, 1, 1.5, 2.5}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := spline(t, oneJoint, c.points...)
			got := make([][]float64, len(m.Pieces))
			for i := range got {
				got[i] = m.Pieces[i].Ctrl[0]
			}
			near := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) <= 1e-14 })
			if d := cmp.Diff(c.want, got, near); d != "" {
				t.Errorf("control points, want (-), got (+):\n%s", d)
			}
			if m.Duration() != c.points[len(c.points)-1].Time+b2f(len(c.points) == 1) {
				t.Errorf("ends at %g s", m.Duration())
			}
		})
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// What is left to the caller stays as it was.
func TestSplineLeavesItsInput(t *testing.T) {
	points := []motion.Waypoint{
		{Time: 0, Positions: row(1)},
		{Time: 1, Accelerations: row(2)},
		{Time: 2, Velocities: row(2)},
	}
	before := []motion.Waypoint{points[0], points[1], points[2]}
	m := spline(t, oneJoint, points...)
	if d := cmp.Diff(before, points); d != "" {
		t.Errorf("the points have changed:\n%s", d)
	}
	points[0].Positions[0] = 9
	if m.At(0)[0] != 1 {
		t.Error("the motion changed with the caller's slices")
	}
}

func TestSplineErrors(t *testing.T) {
	nan := math.NaN()
	at := func(t float64, q ...float64) motion.Waypoint { return motion.Waypoint{Time: t, Positions: q} }
	with := func(w motion.Waypoint, v, a []float64) motion.Waypoint {
		w.Velocities, w.Accelerations = v, a
		return w
	}
	identity := geom.IdentityPose()
	for _, c := range []struct {
		name   string
		points []motion.Waypoint
		want   []string
	}{
		{"none", nil, []string{"no waypoints"}},
		{"nothing at all", []motion.Waypoint{at(0, 1), {Time: 1}}, []string{"waypoint 1", "0 positions"}},
		{"nothing, then velocities", []motion.Waypoint{at(0, 1), {Time: 1}, with(at(2), row(1), nil)}, []string{"waypoint 1", "0 positions"}},
		{"nothing with velocities before, then accelerations", []motion.Waypoint{with(at(0, 1), row(1), nil), {Time: 1}, with(at(2), nil, row(1)), with(at(3), row(1), nil)}, []string{"waypoint 1", "0 positions"}},
		{"no start", []motion.Waypoint{with(at(0), row(1), nil), at(1, 1)}, []string{"waypoint 0", "no positions"}},
		{"two positions", []motion.Waypoint{at(0, 1, 2), with(at(1), row(1), nil)}, []string{"waypoint 0", "2 positions for 1 joints"}},
		{"two velocities", []motion.Waypoint{at(0, 1), with(at(1, 1), row(1, 2), nil)}, []string{"waypoint 1", "2 velocities for 1 joints"}},
		{"two accelerations", []motion.Waypoint{with(at(0, 1), nil, row(1, 2)), at(1, 1)}, []string{"waypoint 0", "2 accelerations for 1 joints"}},
		{"NaN velocity", []motion.Waypoint{with(at(0, 1), row(nan), nil), at(1, 1)}, []string{"waypoint 0", "velocities", "joint j", "NaN"}},
		{"infinite acceleration", []motion.Waypoint{at(0, 1), with(at(1, 1), nil, row(math.Inf(-1)))}, []string{"waypoint 1", "accelerations", "joint j", "-Inf"}},
		{"accelerations without velocities", []motion.Waypoint{with(at(0, 1), nil, row(1)), with(at(1, 1), nil, row(1))}, []string{"waypoints 0 and 1", "accelerations", "give the velocities"}},
		{"accelerations, velocity at one end", []motion.Waypoint{with(at(0, 1), row(0), row(1)), with(at(1, 1), nil, row(1))}, []string{"waypoints 0 and 1", "does not support"}},
		{"velocity jumps", []motion.Waypoint{with(at(0, 1), row(0), nil), with(at(0, 1), row(1), nil)}, []string{"waypoints 0 and 1", "at 0 s", "velocity"}},
		{"position jumps", []motion.Waypoint{at(0, 1), at(0, 2)}, []string{"joint j jumps", "waypoints 0 and 1"}},
		{"time runs back", []motion.Waypoint{with(at(2, 1), row(1), nil), with(at(1), row(1), nil)}, []string{"waypoint 1", "sort"}},
		{"NaN time", []motion.Waypoint{at(0, 1), with(at(nan), row(1), nil)}, []string{"waypoint 1"}},
		{"beyond float64", []motion.Waypoint{with(at(0, 1), row(0), nil), with(at(1e9, 1), row(1e300), nil)}, []string{"joint j", "-Inf"}},
		{"integrates beyond float64", []motion.Waypoint{at(0, 1), with(at(1e9), row(1e300), nil)}, []string{"joint j", "+Inf"}},
		{"root of some", []motion.Waypoint{{Positions: row(1), Root: &identity}, at(1, 2)}, []string{"1 of 2 waypoints place the root"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := motion.Spline(oneJoint, c.points)
			wantError(t, err, c.want)
		})
	}
}

func TestInterpolations(t *testing.T) {
	points := []motion.Waypoint{{Positions: row(0), Velocities: row(0)}, {Time: 1, Positions: row(1), Velocities: row(0)}}
	for name, want := range map[string]float64{"": 0.15625, "jtc": 0.15625, "linear": 0.25} {
		i, err := motion.ParseInterpolation(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := i.Through(oneJoint, points)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.At(0.25)[0]; got != want {
			t.Errorf("%q: at %g, want %g", name, got, want)
		}
	}
	for name, want := range map[string]string{"none": "jump", "cubic": "unknown", "splines": "unknown", "JTC": "unknown"} {
		_, err := motion.ParseInterpolation(name)
		wantError(t, err, []string{want, "jtc", "linear"})
	}
}

func TestLeadIn(t *testing.T) {
	next := motion.Waypoint{Time: 1, Positions: row(1)}
	if w := motion.LeadIn(row(3), next); w.Velocities != nil || w.Time != 0 || w.Positions[0] != 3 {
		t.Errorf("%+v", w)
	}
	next.Velocities = row(1)
	if w := motion.LeadIn(row(3), next); !slices.Equal(w.Velocities, row(0)) || w.Accelerations != nil {
		t.Errorf("%+v", w)
	}
}

// knot is a waypoint of one joint at a whole number of nanoseconds.
type knot struct {
	ns      int64
	q, v, a float64
}

func (k knot) waypoint(d int) motion.Waypoint {
	w := motion.Waypoint{Time: float64(k.ns) / 1e9, Positions: row(k.q)}
	if d >= 3 {
		w.Velocities = row(k.v)
	}
	if d == 5 {
		w.Accelerations = row(k.a)
	}
	return w
}

func drawKnots(t *rapid.T) (a, b knot, d int) {
	number := rapid.Custom(func(t *rapid.T) float64 {
		return rapid.Float64Range(-1, 1).Draw(t, "mantissa") * math.Pow(10, float64(rapid.IntRange(-6, 3).Draw(t, "exponent")))
	})
	draw := func(name string) knot {
		return knot{q: number.Draw(t, name+" q"), v: number.Draw(t, name+" v"), a: number.Draw(t, name+" a")}
	}
	a, b = draw("a"), draw("b")
	a.ns = rapid.Int64Range(0, 1e13).Draw(t, "ns")
	b.ns = a.ns + rapid.Int64Range(1, 1e11).Draw(t, "lasts")
	return a, b, rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "degree")
}

const precision = 400

func large(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func sum(xs ...*big.Float) *big.Float {
	s := large(0)
	for _, x := range xs {
		s.Add(s, x)
	}
	return s
}

func times(xs ...*big.Float) *big.Float {
	p := large(1)
	for _, x := range xs {
		p.Mul(p, x)
	}
	return p
}

// controllerAt is where a controller that computed without rounding would be at
// the part s of the way from a to b: the polynomial in powers of s of least
// degree that has position, velocity and acceleration at both ends. Its first
// coefficients are those at s = 0; what they leave of the conditions at s = 1
// gives the others.
func controllerAt(a, b knot, d int, s *big.Float) *big.Float {
	lasts := large(float64(b.ns - a.ns)) // exact: below 2^53
	lasts.Quo(lasts, large(1e9))
	var c []*big.Float
	switch d {
	case 1:
		c = []*big.Float{large(a.q), sum(large(b.q), large(-a.q))}
	case 3:
		c = []*big.Float{large(a.q), times(large(a.v), lasts)}
		q := sum(large(b.q), times(large(-1), c[0]), times(large(-1), c[1]))
		v := sum(times(large(b.v), lasts), times(large(-1), c[1]))
		c = append(c, sum(times(large(3), q), times(large(-1), v)), sum(times(large(-2), q), v))
	case 5:
		c = []*big.Float{large(a.q), times(large(a.v), lasts), times(large(a.a), lasts, lasts, large(0.5))}
		q := sum(large(b.q), times(large(-1), c[0]), times(large(-1), c[1]), times(large(-1), c[2]))
		v := sum(times(large(b.v), lasts), times(large(-1), c[1]), times(large(-2), c[2]))
		w := sum(times(large(b.a), lasts, lasts), times(large(-2), c[2]))
		c = append(c,
			sum(times(large(10), q), times(large(-4), v), times(large(0.5), w)),
			sum(times(large(-15), q), times(large(7), v), times(large(-1), w)),
			sum(times(large(6), q), times(large(-3), v), times(large(0.5), w)))
	}
	x := large(0)
	for i := len(c) - 1; i >= 0; i-- {
		x.Add(x.Mul(x, s), c[i])
	}
	return x
}

// bernsteinAt is the piece without rounding.
func bernsteinAt(c []float64, s *big.Float) *big.Float {
	n, x := len(c)-1, large(0)
	rest := sum(large(1), times(large(-1), s))
	for k := range c {
		term := times(large(c[k]), new(big.Float).SetPrec(precision).SetInt(new(big.Int).Binomial(int64(n), int64(k))))
		for range k {
			term.Mul(term, s)
		}
		for range n - k {
			term.Mul(term, rest)
		}
		x.Add(x, term)
	}
	return x
}

// The bound is the one that Spline promises.
func TestSplineIsTheControllers(t *testing.T) {
	largest := 0.0
	rapid.Check(t, func(t *rapid.T) {
		a, b, d := drawKnots(t)
		m := spline(t, oneJoint, a.waypoint(d), b.waypoint(d))
		c := m.Pieces[0].Ctrl[0]
		if len(c) != d+1 {
			t.Fatalf("%d control points for degree %d", len(c), d)
		}
		s := large(rapid.Float64Range(0, 1).Draw(t, "s"))
		diff, _ := sum(bernsteinAt(c, s), times(large(-1), controllerAt(a, b, d, s))).Float64()
		p, lasts, end := math.Max(math.Abs(a.q), math.Abs(b.q)), float64(b.ns-a.ns)/1e9, float64(b.ns)/1e9
		v, w := math.Max(math.Abs(a.v), math.Abs(b.v)), math.Max(math.Abs(a.a), math.Abs(b.a))
		bound := math.Ldexp(p+v*lasts+w*lasts*lasts, -50) + math.Ldexp(end*(v+w*lasts), -52)
		if math.Abs(diff) > bound {
			t.Fatalf("off by %g, promised %g", diff, bound)
		}
		largest = math.Max(largest, math.Abs(diff)/bound)
	})
	t.Logf("largest error: %.2f of the bound", largest)
}

// The controller rounds more, as it adds up powers of the time; docs/motions.md
// promises how far that takes it from the real polynomial.
func TestControllersRounding(t *testing.T) {
	largest := 0.0
	rapid.Check(t, func(t *rapid.T) {
		a, b, _ := drawKnots(t)
		lasts := float64(b.ns-a.ns) / 1e9
		ns := rapid.Int64Range(0, b.ns-a.ns).Draw(t, "at")
		at := float64(ns) / 1e9
		var powers, whole [6]float64
		powers[0], whole[0] = 1, 1
		for k := range 5 {
			powers[k+1], whole[k+1] = powers[k]*at, whole[k]*lasts
		}
		q, v0, v1, a0, a1 := b.q-a.q, a.v*whole[1], b.v*whole[1], a.a*whole[2], b.a*whole[2]
		c := [6]float64{
			a.q, a.v, a.a / 2,
			(20*q - 12*v0 - 8*v1 - 3*a0 + a1) / (2 * whole[3]),
			(-30*q + 16*v0 + 14*v1 + 3*a0 - 2*a1) / (2 * whole[4]),
			(12*q - 6*v0 - 6*v1 - a0 + a1) / (2 * whole[5]),
		}
		x := 0.0
		for k := range c {
			x += powers[k] * c[k]
		}
		s := large(float64(ns))
		s.Quo(s, large(float64(b.ns-a.ns)))
		diff, _ := sum(large(x), times(large(-1), controllerAt(a, b, 5, s))).Float64()
		p, v, w := math.Max(math.Abs(a.q), math.Abs(b.q)), math.Max(math.Abs(a.v), math.Abs(b.v)), math.Max(math.Abs(a.a), math.Abs(b.a))
		bound := 1600 * math.Ldexp(p+v*lasts+w*lasts*lasts, -53)
		if math.Abs(diff) > bound {
			t.Fatalf("off by %g, promised %g", diff, bound)
		}
		largest = math.Max(largest, math.Abs(diff)/bound)
	})
	t.Logf("largest error: %.2f of the bound", largest)
}

// At its ends each piece has the velocities and accelerations that were given.
func TestSplineMeetsTheDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "points")
		points := make([]motion.Waypoint, n)
		for i := range points {
			number := func(name string) []float64 {
				return rapid.SliceOfN(rapid.Float64Range(-3, 3), 2, 2).Draw(t, name)
			}
			points[i] = motion.Waypoint{
				Time: float64(i) + rapid.Float64Range(0, 0.5).Draw(t, "t"), Positions: number("q"), Velocities: number("v"), Accelerations: number("a"),
			}
		}
		m := spline(t, ab, points...)
		for i, p := range m.Pieces {
			dt := p.End - p.Start
			for j, c := range p.Ctrl {
				for k, w := range []*motion.Waypoint{&points[i], &points[i+1]} {
					if k == 1 { // from the end, time runs backwards
						c = slices.Clone(c)
						slices.Reverse(c)
						dt = -dt
					}
					v, a := 5*(c[1]-c[0])/dt, 20*(c[2]-2*c[1]+c[0])/dt/dt
					if c[0] != w.Positions[j] || math.Abs(v-w.Velocities[j]) > 1e-12 || math.Abs(a-w.Accelerations[j]) > 1e-10 {
						t.Fatalf("piece %d, joint %d, end %d: position %g, velocity %g, acceleration %g, want %+v", i, j, k, c[0], v, a, *w)
					}
				}
				dt = -dt
			}
		}
	})
}

// Run backwards, a spline is that of the points in reverse order, with the
// velocities turned round.
func TestSplineBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "points")
		points, mirrored := make([]motion.Waypoint, n), make([]motion.Waypoint, n)
		for i := range points {
			w := motion.Waypoint{Time: float64(i * i), Positions: row(rapid.Float64Range(-3, 3).Draw(t, "q"))}
			m := motion.Waypoint{Time: float64((n-1)*(n-1) - i*i), Positions: w.Positions}
			if d := rapid.IntRange(0, 2).Draw(t, "derivatives"); d > 0 {
				w.Velocities = row(rapid.Float64Range(-3, 3).Draw(t, "v"))
				m.Velocities = row(-w.Velocities[0])
				if d == 2 {
					w.Accelerations = row(rapid.Float64Range(-3, 3).Draw(t, "a"))
					m.Accelerations = w.Accelerations
				}
			}
			points[i], mirrored[n-1-i] = w, m
		}
		r, err := spline(t, oneJoint, points...).Reverse()
		if err != nil {
			t.Fatal(err)
		}
		at := rapid.Float64Range(0, r.Duration()).Draw(t, "t")
		if b := spline(t, oneJoint, mirrored...); !near(r.At(at), b.At(at), 1e-9) {
			t.Fatalf("at %g: %v backwards, %v mirrored", at, r.At(at), b.At(at))
		}
	})
}

// FuzzSpline: whatever the numbers, the answer is a valid motion or an error.
func FuzzSpline(f *testing.F) {
	f.Add(uint8(0xff), 0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
	f.Add(uint8(0x15), 1e300, 1e300, 1e300, 1e300, 0.0, 1e12)
	f.Add(uint8(0x2a), math.NaN(), 0.0, math.Inf(1), math.Copysign(0, -1), 5e-324, 1.0)
	f.Fuzz(func(t *testing.T, fields uint8, a, b, c, d, e, g float64) {
		numbers := []float64{a, b, c, d, e, g}
		take := func(i int) []float64 {
			if fields>>i&1 == 0 {
				return nil
			}
			return row(numbers[i%len(numbers)])
		}
		points := []motion.Waypoint{
			{Time: a, Positions: row(b), Velocities: take(0), Accelerations: take(1)},
			{Time: c, Positions: take(2), Velocities: take(3), Accelerations: take(4)},
			{Time: d, Positions: take(5), Velocities: take(6), Accelerations: take(7)},
		}
		if x, err := geom.Quat(a, b, c, d); err == nil && fields&1 == 0 {
			for i := range points {
				points[i].Root = &geom.Pose{R: x, P: geom.Vec{X: numbers[i], Y: e, Z: g}}
			}
		}
		m, err := motion.Spline(oneJoint, points)
		if err != nil {
			return
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("invalid motion: %v", err)
		}
	})
}
