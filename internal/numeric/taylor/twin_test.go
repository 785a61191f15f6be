package taylor_test

import (
	"math/big"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

// The twin computes with 300 bits, against which float64 is all that can be wrong.

const precision = 300

func num(x float64) *big.Float       { return new(big.Float).SetPrec(precision).SetFloat64(x) }
func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Quo(a, b) }

// sincos sums the series of the sine and cosine.
func sincos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = num(0), num(0)
	term := num(1)
	for n := 0; n < 4 || term.Sign() != 0 && term.MantExp(nil) > -precision; n++ {
		signed := term
		if n&2 != 0 {
			signed = new(big.Float).Neg(term)
		}
		if n&1 != 0 {
			sin = add(sin, signed)
		} else {
			cos = add(cos, signed)
		}
		term = quo(mul(term, x), num(float64(n+1)))
	}
	return sin, cos
}

// cubic is the value of a model's cubic.
func cubic(m *taylor.Model, x float64) *big.Float {
	sum := num(0)
	for i := 3; i >= 0; i-- {
		sum = add(mul(sum, num(x)), num(m.C[i]))
	}
	return sum
}

// within reports whether a number is in an interval, exactly.
func within(i interval.I, x *big.Float) bool { return num(i.Lo).Cmp(x) <= 0 && x.Cmp(num(i.Hi)) <= 0 }

// holds reports whether the model allows the function the value y at x: in its
// remainder, and in its bound.
func holds(m *taylor.Model, x float64, y *big.Float) bool {
	return within(m.R, sub(y, cubic(m, x))) && within(m.Bound(), y)
}

// places are where functions are looked at: the ends, the middle and between.
var places = []float64{-1, -0.875, -0.5, -0.1, 0, 0x1p-30, 0.3, 0.625, 0.9, 1}

// some draws a model. Sizes of the coefficients differ by a lot, and many are zero.
func some(t *rapid.T, name string) taylor.Model {
	size := rapid.SampledFrom([]float64{0, 1, 1, 3, 1e-3, 1e-8, 50})
	// Multiples of 2^-20, so that the twin's 300 bits hold them beside anything else.
	in := rapid.Custom(func(t *rapid.T) float64 {
		return float64(rapid.IntRange(-1<<20, 1<<20).Draw(t, "of 2^20")) / (1 << 20)
	})
	var m taylor.Model
	for i := range m.C {
		m.C[i] = size.Draw(t, name+" size") * in.Draw(t, name)
	}
	s := size.Draw(t, name+" remainder")
	if rapid.IntRange(0, 4).Draw(t, name+" all but exact") == 0 {
		s = 1e-10
	}
	m.R = interval.Of(s*in.Draw(t, name), s*in.Draw(t, name))
	return m
}

// value draws what a function that the model holds is at x: more often than not as far
// from the cubic as it may be.
func value(t *rapid.T, m *taylor.Model, x float64) *big.Float {
	r := rapid.SampledFrom([]float64{m.R.Lo, m.R.Hi, m.R.Mid()}).Draw(t, "off")
	return add(cubic(m, x), num(r))
}
