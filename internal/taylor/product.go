package taylor

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/interval"
)

// Mul returns a b.
//
// With a = P + R and b = Q + S, cubics and remainders, a b = P Q + P S + (Q + S) R. Of
// the product P Q the powers above the third go to the remainder:
//
//	d4 x^4 + d5 x^5 + d6 x^6 = x^4 (d4 + d5 x + d6 x^2)
//
// where x^4 is in [0, 1], so that it lies between 0 and the ends of the quadratic's
// range, which its control points bound. No value stands at the end of more than 20
// roundings of terms that add up to |a| |b|.
func (a *Model) Mul(b *Model) Model {
	p, q := &a.C, &b.C
	m := Model{C: [4]float64{
		p[0] * q[0],
		p[0]*q[1] + p[1]*q[0],
		p[0]*q[2] + p[1]*q[1] + p[2]*q[0],
		p[0]*q[3] + p[1]*q[2] + p[2]*q[1] + p[3]*q[0],
	}}
	d4 := p[1]*q[3] + p[2]*q[2] + p[3]*q[1]
	d5 := p[2]*q[3] + p[3]*q[2]
	d6 := p[3] * q[3]
	m.R = aboveThird(d4, d5, d6)

	na := math.Abs(p[1]) + math.Abs(p[2]) + math.Abs(p[3])
	nb := math.Abs(q[1]) + math.Abs(q[2]) + math.Abs(q[3])
	psLo, psHi := product(p[0]-na, p[0]+na, b.R.Lo, b.R.Hi)
	qrLo, qrHi := product(q[0]-nb+b.R.Lo, q[0]+nb+b.R.Hi, a.R.Lo, a.R.Hi)
	m.R.Lo += psLo + qrLo
	m.R.Hi += psHi + qrHi
	m.grow(64 * u * (math.Abs(p[0]) + na + a.R.Mag()) * (math.Abs(q[0]) + nb + b.R.Mag()))
	return m
}

// aboveThird bounds d4 x^4 + d5 x^5 + d6 x^6, rounding left to the caller.
func aboveThird(d4, d5, d6 float64) interval.I {
	q0, q1, q2 := d4-d5+d6, d4-d6, d4+d5+d6 // control points over [-1, 1]
	return interval.I{Lo: min(0, q0, q1, q2), Hi: max(0, q0, q1, q2)}
}

// product returns the ends of [a, b] [c, d], rounded to nearest.
func product(a, b, c, d float64) (lo, hi float64) {
	w, x, y, z := a*c, a*d, b*c, b*d
	return min(w, x, y, z), max(w, x, y, z)
}
