// Package taylor computes with Taylor models of order three in one variable: a cubic
// and an interval, the remainder, that holds what the function differs from it.
//
// A model stands for functions of x in [-1, 1]; who has a stretch of time [s0, s1]
// puts x = (s - middle) / half of its length ([Polynomial]). Every operation holds in
// real arithmetic: what is cut off, what a function's series leaves out and the
// rounding of the coefficients all go to the remainder. What overflows or is not a
// number ends as a bound without ends, on which no proof can rest.
//
// Order three is that of ZRLK07, section 5.1 (Equation 5): sine and cosine keep two
// terms each that are not linear, and the range of a cubic is found by roots.
package taylor

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Model holds the functions f with f(x) in C[0] + C[1] x + C[2] x^2 + C[3] x^3 + R for
// all x in [-1, 1]. Two models of one operation share the same x.
type Model struct {
	C [4]float64
	R interval.I
}

// Rounding. Coefficients are computed in plain float64 and what they err by is added
// to the remainder, once for each operation: as |x| <= 1, an error of a coefficient is
// at most one of the value. u is the largest relative error of one operation. A sum or
// product of k roundings errs by at most k u / (1 - k u) times the sum of its terms'
// sizes; every operation below counts its roundings and uses at least twice as many.
// tiny is above all that products lose that are too small for a float64.
const (
	u    = 0x1p-53
	tiny = 0x1p-1000
)

// Const is the model of a number.
func Const(x float64) Model { return Model{C: [4]float64{x}} }

// Of is the model of order zero: of any function whose values are in a.
func Of(a interval.I) Model {
	mid := a.Mid()
	return Model{C: [4]float64{mid}, R: a.Sub(interval.Point(mid))}
}

// size bounds the cubic's values, apart from four roundings.
func (a *Model) size() float64 {
	return math.Abs(a.C[0]) + math.Abs(a.C[1]) + math.Abs(a.C[2]) + math.Abs(a.C[3])
}

// mag bounds the function's values, apart from five roundings.
func (a *Model) mag() float64 { return a.size() + max(-a.R.Lo, a.R.Hi) }

// grow widens the remainder by err, which has room for its own rounding, and by that of
// the ends.
func (a *Model) grow(err float64) {
	err += 2*u*a.R.Mag() + tiny
	a.R.Lo -= err
	a.R.Hi += err
}

// Grow returns a for functions that may be another err >= 0 off.
func (a *Model) Grow(err float64) Model {
	b := *a
	b.R = b.R.Grow(err)
	return b
}

// Add returns a + b. Five sums, each of which errs by u of its terms.
func (a *Model) Add(b *Model) Model {
	var m Model
	for i := range m.C {
		m.C[i] = a.C[i] + b.C[i]
	}
	m.R = interval.I{Lo: a.R.Lo + b.R.Lo, Hi: a.R.Hi + b.R.Hi}
	m.grow(4 * u * (a.mag() + b.mag()))
	return m
}

// Sub returns a - b.
func (a *Model) Sub(b *Model) Model {
	n := b.Neg()
	return a.Add(&n)
}

// Neg returns -a, exactly.
func (a *Model) Neg() Model {
	return Model{C: [4]float64{-a.C[0], -a.C[1], -a.C[2], -a.C[3]}, R: a.R.Neg()}
}

// Scale returns k a.
func (a *Model) Scale(k float64) Model {
	zero := Model{}
	return lin(a, &zero, &zero, k, 0, 0)
}

// AddConst returns a + k.
func (a *Model) AddConst(k float64) Model {
	m := *a
	m.C[0] += k
	m.grow(4 * u * math.Abs(m.C[0]))
	return m
}

// lin returns x a + y b + z c.
//
// Three products and two sums a coefficient and an end of the remainder: 5 u of the
// sizes.
func lin(a, b, c *Model, x, y, z float64) Model {
	var m Model
	for i := range m.C {
		m.C[i] = x*a.C[i] + y*b.C[i] + z*c.C[i]
	}
	al, ah := ends(a, x)
	bl, bh := ends(b, y)
	cl, ch := ends(c, z)
	m.R = interval.I{Lo: al + bl + cl, Hi: ah + bh + ch}
	m.grow(16 * u * (math.Abs(x)*a.mag() + math.Abs(y)*b.mag() + math.Abs(z)*c.mag()))
	return m
}

// ends returns those of the remainder times k.
func ends(a *Model, k float64) (lo, hi float64) {
	if k < 0 {
		return k * a.R.Hi, k * a.R.Lo
	}
	return k * a.R.Lo, k * a.R.Hi
}
