package kin_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
)

// powers is a curve's position and three derivatives in the power basis,
// without rounding: control points of float64 and binomials fit in 300 bits.
type powers [4][]exact.Num

func powersOf(ctrl []float64) powers {
	n := len(ctrl) - 1
	pos := make([]exact.Num, n+1)
	for k := range pos { // coefficient k is binomial(n, k) times the k-th difference
		pos[k] = exact.Of(0)
		for i := 0; i <= k; i++ {
			term := exact.Of(ctrl[i]).Times(exact.Of(binomial(k, i) * binomial(n, k)))
			if (k-i)&1 != 0 {
				term = term.Neg()
			}
			pos[k] = pos[k].Plus(term)
		}
	}
	vel := differentiate(pos)
	acc := differentiate(vel)
	return powers{pos, vel, acc, differentiate(acc)}
}

func binomial(n, k int) float64 { return float64(new(big.Int).Binomial(int64(n), int64(k)).Int64()) }

func differentiate(a []exact.Num) []exact.Num {
	var d []exact.Num
	for k := 1; k < len(a); k++ {
		d = append(d, exact.Of(float64(k)).Times(a[k]))
	}
	return d
}

// at is the derivative of the given order at t.
func (e powers) at(order int, t float64) exact.Num {
	v := exact.Of(0)
	for k := len(e[order]) - 1; k >= 0; k-- {
		v = v.Times(exact.Of(t)).Plus(e[order][k])
	}
	return v
}

func around(ctrl []float64, c, lo, hi float64) kin.Around {
	return curves{ctrl}.at(c, lo, hi)[0]
}

// checkAround compares the bounds with samples, exactly: no tolerance but the
// smallest number there is, where a bound may underflow. It returns the largest
// |q'| and |q”| met.
func checkAround(t *testing.T, ctrl []float64, c, lo, hi float64, samples int) (omega, alpha float64) {
	t.Helper()
	a, e := around(ctrl, c, lo, hi), powersOf(ctrl)
	at := e.at(0, c)
	var delta, vel, acc, jerk exact.Num = exact.Of(0), exact.Of(0), exact.Of(0), exact.Of(0)
	for i := range samples + 1 {
		x := lo + (hi-lo)*float64(i)/float64(samples)
		x = math.Max(lo, math.Min(hi, x))
		delta = delta.Max(e.at(0, x).Minus(at).Abs())
		vel = vel.Max(e.at(1, x).Abs())
		acc = acc.Max(e.at(2, x).Abs())
		jerk = jerk.Max(e.at(3, x).Abs())
	}
	says := func(what string, got float64, true exact.Num) {
		t.Helper()
		if !true.AtMost(exact.Of(got).Plus(exact.Of(math.SmallestNonzeroFloat64))) {
			d := true.Minus(exact.Of(got)).Float()
			t.Fatalf("%s = %g is %g (%.3g of it) too small: control points %v, c %v in [%v, %v]", what, got, d, d/got, ctrl, c, lo, hi)
		}
	}
	says("Delta", a.Delta, delta)
	says("Omega", a.Omega, vel)
	says("Alpha", a.Alpha, acc)
	says("Beta", a.Beta, jerk)
	says("QDErr", a.QDErr, exact.Of(a.QD).Minus(e.at(1, c)).Abs())
	says("QDDErr", a.QDDErr, exact.Of(a.QDD).Minus(e.at(2, c)).Abs())
	says("MaxAbs", a.MaxAbs, at.Abs())
	if e := exact.Of(a.Q).Minus(at).Abs(); !e.AtMost(exact.Of(15 * 0x1p-53 * a.MaxAbs)) {
		t.Fatalf("Q errs by %g at %v: %v", e.Float(), c, ctrl)
	}
	return vel.Float(), acc.Float()
}

// randomControl draws a curve of the given degree: of any size, sometimes almost
// straight or almost at rest, where derivatives cancel.
func randomControl(r *rand.Rand, degree int) []float64 {
	size := math.Pow(10, 4*r.Float64()-2)
	ctrl := make([]float64, degree+1)
	for i := range ctrl {
		ctrl[i] = symmetric(r, size)
	}
	switch r.IntN(4) {
	case 0: // a straight line raised in degree, to rounding
		from, to := ctrl[0], ctrl[degree]
		for i := range ctrl {
			s := float64(i) / float64(max(degree, 1))
			ctrl[i] = (1-s)*from + s*to
		}
	case 1: // at rest far from zero but for a little
		for i := range ctrl {
			ctrl[i] = size + 1e-9*ctrl[i]
		}
	}
	return ctrl
}

func TestCurveBoundsAreTrue(t *testing.T) {
	r := source(21)
	for range rounds(4000) {
		ctrl := randomControl(r, r.IntN(6))
		c, lo, hi := randomCut(r)
		checkAround(t, ctrl, c, lo, hi, 12)
	}
}

// randomCut draws c in [lo, hi] in [0, 1], with the ends, points and slivers.
func randomCut(r *rand.Rand) (c, lo, hi float64) {
	lo, hi = r.Float64(), r.Float64()
	switch r.IntN(8) {
	case 0:
		lo = 0
	case 1:
		hi = 1
	case 2:
		lo, hi = 0, 1
	case 3:
		hi = lo
	case 4:
		hi = math.Nextafter(lo, 1)
	case 5:
		hi = math.Min(1, lo+math.Pow(10, -12*r.Float64()))
	case 6:
		lo, hi = 0, math.Pow(10, -18*r.Float64())
	case 7:
		lo, hi = 1-math.Pow(10, -16*r.Float64()), 1
	}
	if lo > hi {
		lo, hi = hi, lo
	}
	c = [...]float64{lo, hi, lo + (hi-lo)*r.Float64()}[r.IntN(3)]
	return math.Max(lo, math.Min(hi, c)), lo, hi
}

// Curves and cuts made to hurt.
func TestCurveBoundsOnHardCases(t *testing.T) {
	curves := [][]float64{
		{3},
		{0, 0},
		{1, -1},
		{0.1, 0.2, 0.3},
		{0.1, 0.2, 0.3, 0.4},
		{0, 0.2, 0.4, 0.6, 0.8, 1},
		{0, 1, 0},
		{0, 0, 0, 1, 1, 1},
		{1e8, 1e8 + 1, 1e8 + 2},
		{1, -5, 10, -10, 5, -1},
		{0, 0, 1e-9, 1e-9, 0, 0},
		{100, 100.1, 100.2, 100.3, 100.4, 100.5},
		{-0.3, 0.1, 0.7, 1e-17, 5, 5},
	}
	cuts := [][2]float64{
		{0, 0},
		{1, 1},
		{0, 1},
		{0.5, 0.5},
		{0.5, math.Nextafter(0.5, 1)},
		{0, 5e-324},
		{1 - 0x1p-53, 1},
		{1e-300, 1e-299},
		{0.3, 0.3 + 1e-9},
		{1.0 / 3, 2.0 / 3},
		{0.1, 0.9},
	}
	for _, ctrl := range curves {
		for _, cut := range cuts {
			for _, c := range []float64{cut[0], cut[1], cut[0] + 0.37*(cut[1]-cut[0])} {
				checkAround(t, ctrl, c, cut[0], cut[1], 40)
			}
		}
	}
}

// The bounds are not absurdly loose: exact to rounding on lines and parabolas,
// and for the others they converge with the square of the interval's length, as
// control polygons do.
func TestCurveBoundsAreTight(t *testing.T) {
	r := source(22)
	const rounding = 1e-12
	for range 500 {
		line := []float64{symmetric(r, 3), symmetric(r, 3)}
		c, lo, hi := randomCut(r)
		a := around(line, c, lo, hi)
		v, h := math.Abs(line[1]-line[0]), math.Max(hi-c, c-lo)
		if a.Omega > v*(1+rounding) || a.Delta > v*h*(1+rounding)+1e-300 || a.Alpha != 0 {
			t.Fatalf("line %v: delta %g omega %g alpha %g", line, a.Delta, a.Omega, a.Alpha)
		}
		parabola := []float64{symmetric(r, 3), symmetric(r, 3), symmetric(r, 3)}
		omega, alpha := checkAround(t, parabola, c, lo, hi, 2)
		a = around(parabola, c, lo, hi)
		if a.Omega > omega+rounding || a.Alpha > alpha+rounding || a.Delta > (omega+rounding)*(h+1e-16) {
			t.Fatalf("parabola %v on [%g, %g]: omega %g for %g, alpha %g for %g", parabola, lo, hi, a.Omega, omega, a.Alpha, alpha)
		}
	}
	for range 500 {
		ctrl := make([]float64, 3+r.IntN(4))
		for i := range ctrl {
			ctrl[i] = symmetric(r, 1)
		}
		w := math.Pow(10, -3*r.Float64())
		lo := (1 - w) * r.Float64()
		omega, alpha := checkAround(t, ctrl, lo, lo, lo+w, 16)
		a := around(ctrl, lo, lo, lo+w)
		// q”” is at most 5*4*3*2 * 2^4 of control points in [-1, 1].
		if most := 1000 * w * w; a.Omega > omega+most+rounding || a.Alpha > alpha+2*most+rounding {
			t.Fatalf("%v on a width of %g: omega %g for %g, alpha %g for %g", ctrl, w, a.Omega, omega, a.Alpha, alpha)
		}
	}
}

// A curve that a tolerance or a constant joint makes: one control point, or equal
// ones, do not move at all.
func TestConstantCurves(t *testing.T) {
	for degree := range 6 {
		ctrl := make([]float64, degree+1)
		for i := range ctrl {
			ctrl[i] = 0.7
		}
		k := kin.NewCurve(ctrl, make([]float64, kin.CurveSize(len(ctrl))))
		if !k.Constant() {
			t.Errorf("degree %d: not constant", degree)
		}
		if a := k.Around(0.3, 0, 1); a.Q != 0.7 || a.QD != 0 || a.Delta != 0 || a.Omega != 0 || a.Alpha != 0 {
			t.Errorf("degree %d: %+v", degree, a)
		}
		if degree > 0 {
			ctrl[degree] = math.Nextafter(0.7, 1)
			k = kin.NewCurve(ctrl, make([]float64, kin.CurveSize(len(ctrl))))
			if k.Constant() {
				t.Errorf("degree %d: constant but for one bit", degree)
			}
		}
	}
}

// At a single time nothing moves at all: the smallest number instead of 0 would cost a hundred times as much to compute with.
func TestNothingMovesAtOneTime(t *testing.T) {
	for _, ctrl := range [][]float64{{0.3}, {0.1, 2.5}, {1, -2, 0.5, 3}, {0, 1, 4, -9, 2, 7}} {
		for _, c := range []float64{0, 0x1p-30, 0.3, 1} {
			if a := around(ctrl, c, c, c); a.Delta != 0 {
				t.Errorf("%v at %g: the joint moves by %g", ctrl, c, a.Delta)
			}
			if c == 1 || len(ctrl) == 1 {
				continue
			}
			if a := around(ctrl, c, c, math.Nextafter(c, 1)); !(a.Delta > 0) {
				t.Errorf("%v from %g to the next number: the joint moves by %g", ctrl, c, a.Delta)
			}
		}
	}
}

// Bounds of a curve whose control points err by up to a length hold for every curve that is so near.
func TestBoundsOfBlurredCurves(t *testing.T) {
	const err = 1e-3
	rng := rand.New(rand.NewPCG(9, 9))
	for i := range 2000 {
		degree := 1 + i%5
		given, real := make([]float64, degree+1), make([]float64, degree+1)
		for k := range given {
			given[k] = 0.01 * float64(i/5%2) * (rng.Float64() - 0.5) // of every other one the errors are all that moves
			real[k] = given[k] + err*float64(1-2*(k%2))
		}
		k := kin.NewCurve(given, make([]float64, kin.CurveSize(len(given))))
		k.Blur(1, err)
		at, of := 0.9*rng.Float64(), powersOf(real)
		hi := at + 0.1*rng.Float64()
		a := k.Around(at, at, hi)
		for _, x := range []float64{at, (at + hi) / 2, hi} {
			v, b, c := of.at(1, x).Float(), of.at(2, x).Float(), of.at(3, x).Float()
			if math.Abs(v) > a.Omega*(1+1e-12) || math.Abs(b) > a.Alpha*(1+1e-12) || math.Abs(c) > a.Beta*(1+1e-12) {
				t.Fatalf("degree %d, %v for %v at %g: rates %g, %g, %g, but bounds %g, %g, %g", degree, given, real, x, v, b, c, a.Omega, a.Alpha, a.Beta)
			}
			if d := math.Abs(of.at(0, x).Float() - of.at(0, at).Float()); d > a.Delta*(1+1e-12) {
				t.Fatalf("degree %d, %v for %v at %g: moved by %g, but at most by %g", degree, given, real, x, d, a.Delta)
			}
		}
	}
}
