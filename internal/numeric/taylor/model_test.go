package taylor_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

func TestOperationsHoldWhatTheyShould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := some(t, "a"), some(t, "b")
		k := rapid.SampledFrom([]float64{0, 1, -1, 0.1, -3}).Draw(t, "k")
		ops := map[string]taylor.Model{
			"add": a.Add(&b), "sub": a.Sub(&b), "mul": a.Mul(&b), "scale": a.Scale(k),
			"neg": a.Neg(), "plus": a.AddConst(k), "grow": a.Grow(math.Abs(k)),
		}
		for _, x := range places {
			va, vb := value(t, &a, x), value(t, &b, x)
			for name, want := range map[string]*big.Float{
				"add": add(va, vb), "sub": sub(va, vb), "mul": mul(va, vb), "scale": mul(num(k), va),
				"neg": sub(num(0), va), "plus": add(va, num(k)), "grow": add(va, num(k)),
			} {
				if m := ops[name]; !holds(&m, x, want) {
					t.Fatalf("%s of %v and %v, %v at %g: %s is not in %v, bound %v", name, a, b, k, x, want.Text('g', 20), m, m.Bound())
				}
			}
		}
	})
}

// Every value of a cubic lies in its range, and the range ends where the cubic does:
// where the derivative, computed with 300 bits, vanishes or at an end.
func TestBoundIsTheRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := some(t, "m")
		m.R = interval.I{}
		got := m.Bound()
		lo, hi := math.Inf(1), math.Inf(-1)
		for k := range 1001 {
			x := float64(k-500) / 500
			if y := cubic(&m, x); k%20 == 0 && !within(got, y) {
				t.Fatalf("%v at %g: %s is not in %v", m, x, y.Text('g', 20), got)
			}
			v := m.C[0] + x*(m.C[1]+x*(m.C[2]+x*m.C[3]))
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
		// Between two samples around an extremum a cubic goes no further than its second
		// derivative times the square of half their distance, halved.
		most := (2*math.Abs(m.C[2])+6*math.Abs(m.C[3]))*0.5*0.001*0.001 + 1e-13*(math.Abs(m.C[0])+math.Abs(m.C[1])+math.Abs(m.C[2])+math.Abs(m.C[3])) + 1e-100
		if lo-got.Lo > most || got.Hi-hi > most {
			t.Fatalf("%v lies in [%g, %g], bound %v is more than %g wider", m, lo, hi, got, most)
		}
	})
}

// A model plus or less others: all eight sums are in the bound.
func TestCornersHoldTheirRemainders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := some(t, "a"), []taylor.Model{some(t, "b"), some(t, "c"), some(t, "d")}
		b = b[:rapid.IntRange(0, 3).Draw(t, "n")]
		bound := a.BoundSums(b)
		for _, x := range places {
			y := value(t, &a, x)
			for i := range b {
				z := value(t, &b[i], x)
				if rapid.Bool().Draw(t, "less") {
					y = sub(y, z)
				} else {
					y = add(y, z)
				}
			}
			if !within(bound, y) {
				t.Fatalf("%v and %v at %g: %s is not in %v", a, b, x, y.Text('g', 20), bound)
			}
		}
	})
}

// Cubics whose extrema are what the control points of [-1, 1] do not show.
func TestBoundOfKnownCubics(t *testing.T) {
	for _, c := range []struct {
		c      [4]float64
		lo, hi float64
	}{
		{[4]float64{0, -3, 0, 4}, -1, 1}, // Chebyshev's
		{[4]float64{0, 0, 1, 0}, 0, 1},   // touches 0 inside
		{[4]float64{0, 0, 0, 1}, -1, 1},  // flat at 0, no extremum
		{[4]float64{0, 1, 0, -1}, -2 / math.Sqrt(27), 2 / math.Sqrt(27)},
		{[4]float64{5, 0, 0, 0}, 5, 5},
		{[4]float64{0, 1e-20, 1, 1e-20}, 0, 1},
		{[4]float64{1, 3, 3, 1}, 0, 8}, // (1 + x)^3: a double root at the end
	} {
		m := taylor.Model{C: c.c}
		b := m.Bound()
		if math.Abs(b.Lo-c.lo) > 1e-12 || math.Abs(b.Hi-c.hi) > 1e-12 || b.Lo > c.lo || b.Hi < c.hi {
			t.Errorf("%v: %v, not [%g, %g]", c.c, b, c.lo, c.hi)
		}
	}
}

// Overflow and NaN prove nothing, in any operation.
func TestNothingIsLostInOverflow(t *testing.T) {
	huge := taylor.Model{C: [4]float64{1e200, 1e200, 1e200, 1e200}, R: interval.Of(-1e200, 1e200)}
	square := huge.Mul(&huge)
	nan := taylor.Const(math.NaN())
	zero := taylor.Const(0)
	all := taylor.Of(interval.I{Lo: math.Inf(-1), Hi: math.Inf(1)})
	sin, cos := taylor.SinCos(&square)
	for name, m := range map[string]taylor.Model{
		"square": square, "difference": square.Sub(&square), "nothing of it": square.Mul(&zero), "nan": nan,
		"nan times 0": nan.Mul(&zero), "everything": all, "scaled": all.Scale(0), "everything times 0": all.Mul(&zero),
		"plus": nan.AddConst(1),
	} {
		if b := m.Bound(); !math.IsInf(b.Lo, -1) || !math.IsInf(b.Hi, 1) {
			t.Errorf("%s: bound %v", name, b)
		}
	}
	for _, m := range []taylor.Model{sin, cos} {
		if b := m.Bound(); b.Lo > -1 || b.Hi < 1 {
			t.Errorf("the sine of what is not known lies in %v", b)
		}
	}
	pose := taylor.Identity()
	pose.Turn(vec(0, 0, 1), &nan)
	if b := pose.R[0].X.Bound(); b.Lo > -1 || b.Hi < 1 {
		t.Errorf("a turn by nobody knows how much leaves %v", b)
	}
}

func TestPolynomialsAndTheirRates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctrl := rapid.SliceOfN(rapid.Float64Range(-4, 4), 1, 6).Draw(t, "ctrl")
		if rapid.Bool().Draw(t, "slow") {
			for i := range ctrl {
				ctrl[i] = 3 + 1e-7*ctrl[i]
			}
		}
		s0 := rapid.Float64Range(0, 1).Draw(t, "s0")
		s1 := s0 + rapid.Float64Range(0, 1).Draw(t, "part")*(1-s0)
		m, rate := taylor.Polynomial(ctrl, s0, s1), taylor.Rate(ctrl, s0, s1)
		mid, half := taylor.Stretch(s0, s1)
		for _, s := range []float64{s0, s0 + 0.3*(s1-s0), mid, s0 + 0.8*(s1-s0), s1} {
			s = min(s, s1)
			q, v := bernstein(ctrl, rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 0, 1}), len(ctrl), len(ctrl)).Draw(t, "off"), num(s))
			// x where the stretch has s, exactly; the model must hold there.
			x := quo(sub(num(s), num(mid)), num(half))
			if x.Cmp(num(-1)) < 0 || x.Cmp(num(1)) > 0 {
				t.Fatalf("%g of [%g, %g] is outside the stretch %g +- %g", s, s0, s1, mid, half)
			}
			for name, c := range map[string]struct {
				m *taylor.Model
				y *big.Float
			}{"position": {&m, q}, "rate": {&rate, v}} {
				sum := num(0)
				for i := 3; i >= 0; i-- {
					sum = add(mul(sum, x), num(c.m.C[i]))
				}
				if !within(c.m.R, sub(c.y, sum)) || !within(c.m.Bound(), c.y) {
					t.Fatalf("%s of %v at %g of [%g, %g] is %s, not in %v", name, ctrl, s, s0, s1, c.y.Text('g', 20), c.m)
				}
			}
		}
		if len(ctrl) <= 4 && m.R.Width() > 1e-11 {
			t.Fatalf("a polynomial of degree %d has the remainder %v", len(ctrl)-1, m.R)
		}
	})
}

// bernstein evaluates a polynomial and its derivative by their definition. The control
// points are off by as many times as off says of the most that they may be.
func bernstein(ctrl, off []float64, s *big.Float) (value, rate *big.Float) {
	b := make([]*big.Float, len(ctrl))
	top := 0.0
	for _, x := range ctrl {
		top = math.Max(top, math.Abs(x))
	}
	for i, x := range ctrl {
		b[i] = add(num(x), num(off[i]*8*0x1p-53*top))
	}
	rate = num(0)
	for n := len(b) - 1; n > 0; n-- {
		if n == 1 {
			rate = mul(num(float64(len(ctrl)-1)), sub(b[1], b[0]))
		}
		for i := range n {
			b[i] = add(b[i], mul(s, sub(b[i+1], b[i])))
		}
	}
	return b[0], rate
}
