// Package exact does arithmetic, rotations and the kinematics of a robot in numbers of
// 300 bits: tests hold float64 results against it, and the rounding of float64 is all
// there is to see. It shares no code with package kin or the proof rules, which it judges.
//
// The verifier's tests (certificate/verify) and the tests of geometric predicates
// (internal/geometry, linkspheres, lab/spheretree) have rational arithmetic of their own
// on purpose: they decide signs, for which 300 bits may not do, and the verifier must
// not rest on what the engine's tests rest on.
package exact

import (
	"math"
	"math/big"
)

// Precision is the length of a mantissa in bits.
const Precision = 300

// Num is a number. Operations return new ones.
type Num struct{ f *big.Float }

// Of returns the number x, which must be finite.
func Of(x float64) Num { return Num{blank().SetFloat64(x)} }

func blank() *big.Float { return new(big.Float).SetPrec(Precision) }

// Plus returns a + b.
func (a Num) Plus(b Num) Num { return Num{blank().Add(a.f, b.f)} }

// Minus returns a - b.
func (a Num) Minus(b Num) Num { return Num{blank().Sub(a.f, b.f)} }

// Times returns a b.
func (a Num) Times(b Num) Num { return Num{blank().Mul(a.f, b.f)} }

// Over returns a / b.
func (a Num) Over(b Num) Num { return Num{blank().Quo(a.f, b.f)} }

// Neg returns -a.
func (a Num) Neg() Num { return Num{blank().Neg(a.f)} }

// Abs returns |a|.
func (a Num) Abs() Num { return Num{blank().Abs(a.f)} }

// Sqrt returns the root of a, which is not negative.
func (a Num) Sqrt() Num { return Num{blank().Sqrt(a.f)} }

// Ldexp returns a 2^n.
func (a Num) Ldexp(n int) Num { return Num{blank().SetMantExp(a.f, n)} }

// Max returns the larger of a and b.
func (a Num) Max(b Num) Num {
	if a.f.Cmp(b.f) >= 0 {
		return a
	}
	return b
}

// Min returns the smaller of a and b.
func (a Num) Min(b Num) Num {
	if a.f.Cmp(b.f) <= 0 {
		return a
	}
	return b
}

// Sign returns -1, 0 or 1.
func (a Num) Sign() int { return a.f.Sign() }

// AtMost reports whether a <= b.
func (a Num) AtMost(b Num) bool { return a.f.Cmp(b.f) <= 0 }

// Exceeds reports whether a > b.
func (a Num) Exceeds(b Num) bool { return a.f.Cmp(b.f) > 0 }

// Float returns the float64 nearest to a.
func (a Num) Float() float64 { x, _ := a.f.Float64(); return x }

// Sincos sums the series of exp(i x / 2^k) and squares it k times, each of which at most
// doubles an error that starts at 2^-290.
func Sincos(x Num) (sin, cos Num) {
	k := max(0, x.f.MantExp(nil)+8)
	y := x.Ldexp(-k)
	sin, cos = Of(0), Of(1)
	term := Of(1)
	for n := 1; term.Sign() != 0 && term.f.MantExp(nil) > -Precision; n++ {
		term = term.Times(y).Over(Of(float64(n)))
		signed := term
		if n&2 != 0 {
			signed = term.Neg()
		}
		if n&1 != 0 {
			sin = sin.Plus(signed)
		} else {
			cos = cos.Plus(signed)
		}
	}
	for range k {
		sin, cos = Of(2).Times(sin).Times(cos), cos.Times(cos).Minus(sin.Times(sin))
	}
	return sin, cos
}

// Pi returns the ratio of a circle's circumference to its diameter (Machin's formula).
func Pi() Num {
	arctan := func(inverse float64) Num {
		x := Of(1).Over(Of(inverse))
		sum, power, square := Of(0), x, x.Times(x)
		for n := 1.0; power.f.MantExp(nil) > -Precision-20; n += 2 {
			sum = sum.Plus(power.Over(Of(n)))
			power = power.Times(square).Neg()
		}
		return sum
	}
	return Of(16).Times(arctan(5)).Minus(Of(4).Times(arctan(239)))
}

// Chord returns how far a point at distance 1 from an axis is moved by a turn of x >= 0
// at most: 2 sin(x/2), and 2 from half a turn on.
func Chord(x float64) Num {
	if x >= math.Pi {
		return Of(2)
	}
	sin, _ := Sincos(Of(x / 2))
	return Of(2).Times(sin)
}

// Bernstein evaluates the polynomial with the given control points at t, by de
// Casteljau's algorithm.
func Bernstein(ctrl []Num, t Num) Num {
	w := append([]Num(nil), ctrl...)
	rest := Of(1).Minus(t)
	for n := len(w) - 1; n > 0; n-- {
		for i := range n {
			w[i] = rest.Times(w[i]).Plus(t.Times(w[i+1]))
		}
	}
	return w[0]
}

// Derivative returns the control points of the derivative: one fewer, none of a constant.
func Derivative(ctrl []Num) []Num {
	var out []Num
	for i := 1; i < len(ctrl); i++ {
		out = append(out, Of(float64(len(ctrl)-1)).Times(ctrl[i].Minus(ctrl[i-1])))
	}
	return out
}

// Curve returns the value at t of the polynomial with the given control points, and of
// its first two derivatives.
func Curve(ctrl []float64, t Num) (q, qd, qdd Num) {
	var b []Num
	for _, x := range ctrl {
		b = append(b, Of(x))
	}
	at := func(b []Num) Num {
		if len(b) == 0 {
			return Of(0)
		}
		return Bernstein(b, t)
	}
	d := Derivative(b)
	return at(b), at(d), at(Derivative(d))
}
