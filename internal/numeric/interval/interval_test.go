package interval_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// draw draws an interval and a number in it: often an end, often with ends of
// different signs or of very different sizes.
func draw(t *rapid.T, name string) (interval.I, float64) {
	number := rapid.Custom(func(t *rapid.T) float64 {
		x := rapid.Float64Range(-10, 10).Draw(t, "mantissa")
		return math.Ldexp(x, rapid.IntRange(-60, 60).Draw(t, "exponent"))
	})
	i := interval.Of(number.Draw(t, name), number.Draw(t, name))
	if rapid.Bool().Draw(t, "point") {
		i.Hi = i.Lo
	}
	x := i.Lo + rapid.Float64Range(0, 1).Draw(t, "at")*(i.Hi-i.Lo)
	return i, min(max(x, i.Lo), i.Hi)
}

func exact(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// holds reports whether the interval holds a number in exact arithmetic.
func holds(i interval.I, x *big.Rat) bool {
	return (math.IsInf(i.Lo, -1) || exact(i.Lo).Cmp(x) <= 0) && (math.IsInf(i.Hi, 1) || exact(i.Hi).Cmp(x) >= 0)
}

func TestOperationsContainExactResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, x := draw(t, "a")
		b, y := draw(t, "b")
		ex, ey := exact(x), exact(y)
		ops := map[string]struct {
			got  interval.I
			want *big.Rat
		}{
			"add":   {a.Add(b), new(big.Rat).Add(ex, ey)},
			"sub":   {a.Sub(b), new(big.Rat).Sub(ex, ey)},
			"mul":   {a.Mul(b), new(big.Rat).Mul(ex, ey)},
			"sqr":   {a.Sqr(), new(big.Rat).Mul(ex, ex)},
			"scale": {a.Scale(y), new(big.Rat).Mul(ex, ey)},
			"abs":   {a.Abs(), new(big.Rat).Abs(ex)},
			"neg":   {a.Neg(), new(big.Rat).Neg(ex)},
			"hull":  {a.Hull(b), ey},
		}
		if y != 0 {
			ops["div"] = struct {
				got  interval.I
				want *big.Rat
			}{a.Div(b), new(big.Rat).Quo(ex, ey)}
		}
		for name, op := range ops {
			if !holds(op.got, op.want) {
				t.Fatalf("%s of %v at %v and %v at %v is %v, not in %v", name, a, x, b, y, op.want.FloatString(40), op.got)
			}
		}
		root := a.Abs().Sqrt()
		if lo, hi := exact(root.Lo), exact(root.Hi); lo.Mul(lo, lo).Cmp(ex.Abs(ex)) > 0 || hi.Mul(hi, hi).Cmp(ex) < 0 {
			t.Fatalf("the root of %v is not in %v", x, root)
		}
	})
}

// Each end is at most a few units wide of the exact one: no operation gives up.
func TestOperationsAreTight(t *testing.T) {
	a, b := interval.I{Lo: -1.1, Hi: 0.7}, interval.I{Lo: 0.3, Hi: 2.3}
	for name, c := range map[string][2]interval.I{
		"add":  {a.Add(b), {Lo: -0.8, Hi: 3}},
		"sub":  {a.Sub(b), {Lo: -3.4, Hi: 0.4}},
		"mul":  {a.Mul(b), {Lo: -1.1 * 2.3, Hi: 0.7 * 2.3}},
		"div":  {a.Div(b), {Lo: -1.1 / 0.3, Hi: 0.7 / 0.3}},
		"sqr":  {a.Sqr(), {Lo: 0, Hi: 1.21}},
		"both": {a.Mul(a), {Lo: -0.77, Hi: 1.21}},
		"root": {b.Sqrt(), {Lo: math.Sqrt(0.3), Hi: math.Sqrt(2.3)}},
	} {
		if math.Abs(c[0].Lo-c[1].Lo) > 1e-15 || math.Abs(c[0].Hi-c[1].Hi) > 2e-15 {
			t.Errorf("%s is %v, not close to %v", name, c[0], c[1])
		}
	}
}

// Overflow and NaN prove nothing.
func TestNothingIsLostInOverflow(t *testing.T) {
	huge, zero := interval.Of(1e300, math.MaxFloat64), interval.Point(0)
	all := huge.Sub(huge.Mul(huge))
	for name, i := range map[string]interval.I{
		"product":          huge.Mul(huge),
		"sum":              huge.Add(huge),
		"zero by infinity": zero.Mul(all),
		"not a number":     interval.Point(math.NaN()).Add(zero),
		"over zero":        huge.Div(interval.Of(-1, 1)),
		"of the above":     all,
	} {
		if !(math.IsInf(i.Hi, 1) || math.IsInf(i.Lo, -1)) {
			t.Errorf("%s: %v has two finite ends", name, i)
		}
	}
}

func TestSetOperations(t *testing.T) {
	a, b := interval.I{Lo: 1, Hi: 3}, interval.I{Lo: 2, Hi: 5}
	if c, ok := a.Intersect(b); !ok || c != (interval.I{Lo: 2, Hi: 3}) {
		t.Errorf("%v and %v share %v, %v", a, b, c, ok)
	}
	if _, ok := a.Intersect(interval.Point(4)); ok {
		t.Error("4 is in [1, 3]")
	}
	if m := (interval.I{Lo: -3, Hi: 1}); m.Mag() != 3 || m.Mig() != 0 || m.Mid() != -1 || m.Width() < 4 {
		t.Errorf("mag %v, mig %v, mid %v, width %v of %v", m.Mag(), m.Mig(), m.Mid(), m.Width(), m)
	}
	if !a.Holds(interval.Point(3)) || a.Holds(b) || a.Contains(0.5) || !a.Grow(0.5).Contains(0.5) {
		t.Error("what is in an interval")
	}
}

func TestSinCosContain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-30, 30).Draw(t, "lo")
		if rapid.Bool().Draw(t, "quarter") {
			lo = float64(rapid.IntRange(-9, 9).Draw(t, "k")) * math.Pi / 2
		}
		a := interval.Of(lo, lo+rapid.Float64Range(0, 7).Draw(t, "span"))
		sin, cos := interval.SinCos(a)
		for k := range 33 {
			x := a.Lo + float64(k)/32*(a.Hi-a.Lo)
			s, c := math.Sincos(min(x, a.Hi))
			if !sin.Grow(1e-16).Contains(s) || !cos.Grow(1e-16).Contains(c) {
				t.Fatalf("at %v of %v: %v, %v not in %v, %v", x, a, s, c, sin, cos)
			}
		}
		if a.Hi-a.Lo < 1 && (sin.Width() > 1+1e-9 || cos.Width() > 1+1e-9) {
			t.Fatalf("of %v: %v, %v", a, sin, cos)
		}
	})
	if s, c := interval.SinCos(interval.Point(1e300)); s.Width() < 2 || c.Width() < 2 {
		t.Error("the sine of a huge angle is claimed to be known")
	}
	if s, _ := interval.SinCos(interval.I{Lo: 1.5, Hi: 1.6}); s.Hi != 1 || s.Lo < 0.99 {
		t.Errorf("around a quarter turn the sine is %v", s)
	}
}
