package taylor

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
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
	var m Model
	m.grow(m.gather(a, b))
	return m
}

// dot2 returns a b + c d. The second product's roundings are followed by one more.
func dot2(a, b, c, d *Model) Model {
	var m Model
	err := m.gather(a, b)
	m.grow(err + m.gather(c, d))
	return m
}

// dot3 returns a b + c d + e f.
func dot3(a, b, c, d, e, f *Model) Model {
	var m Model
	err := m.gather(a, b)
	err += m.gather(c, d)
	m.grow(err + m.gather(e, f))
	return m
}

// gather adds a b to m and returns what the rounding of that is at most, m's own
// apart, which err of the other products has room for.
func (m *Model) gather(a, b *Model) (err float64) {
	p, q := &a.C, &b.C
	m.C[0] += p[0] * q[0]
	m.C[1] += p[0]*q[1] + p[1]*q[0]
	m.C[2] += p[0]*q[2] + p[1]*q[1] + p[2]*q[0]
	m.C[3] += p[0]*q[3] + p[1]*q[2] + p[2]*q[1] + p[3]*q[0]
	d4 := p[1]*q[3] + p[2]*q[2] + p[3]*q[1]
	d5 := p[2]*q[3] + p[3]*q[2]
	d6 := p[3] * q[3]
	above := aboveThird(d4, d5, d6)

	na := math.Abs(p[1]) + math.Abs(p[2]) + math.Abs(p[3])
	nb := math.Abs(q[1]) + math.Abs(q[2]) + math.Abs(q[3])
	psLo, psHi := product(p[0]-na, p[0]+na, b.R.Lo, b.R.Hi)
	qrLo, qrHi := product(q[0]-nb+b.R.Lo, q[0]+nb+b.R.Hi, a.R.Lo, a.R.Hi)
	m.R.Lo += above.Lo + psLo + qrLo
	m.R.Hi += above.Hi + psHi + qrHi
	return 64 * u * (math.Abs(p[0]) + na + a.R.Mag()) * (math.Abs(q[0]) + nb + b.R.Mag())
}

// aboveThird bounds d4 x^4 + d5 x^5 + d6 x^6, rounding left to the caller: and what is
// not a number, which the caller's bound of rounding is then as well.
func aboveThird(d4, d5, d6 float64) (r interval.I) {
	q0, q2 := d4-d5+d6, d4+d5+d6 // with the middle one, control points over [-1, 1]
	for _, q := range [3]float64{q0, d4 - d6, q2} {
		if q < r.Lo {
			r.Lo = q
		}
		if q > r.Hi {
			r.Hi = q
		}
	}
	return r
}

// product returns the ends of [a, b] [c, d], rounded to nearest, and as aboveThird does.
func product(a, b, c, d float64) (lo, hi float64) {
	lo, hi = a*c, a*c
	for _, x := range [3]float64{a * d, b * c, b * d} {
		if x < lo {
			lo = x
		}
		if x > hi {
			hi = x
		}
	}
	return lo, hi
}
