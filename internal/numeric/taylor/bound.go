package taylor

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Bound returns an interval that contains every value of the function on [-1, 1]: the range of
// the cubic, exact except for rounding, and the remainder.
//
// Source: ZRLK07, section 5.2, footnote 4 ("simple analysis").
func (a *Model) Bound() interval.I {
	return a.BoundSums(nil)
}

// BoundSums bounds all of a + b[0] + b[1] + b[2], a + b[0] + b[1] - b[2], ...: with any
// signs. Each cubic has its own range; their remainders are taken together.
func (a *Model) BoundSums(b []Model) interval.I {
	all := [8][4]float64{a.C}
	n := 1
	size, lo, hi := a.mag(), a.R.Lo, a.R.Hi
	for i := range b {
		size += b[i].mag()
		r := b[i].R.Mag()
		lo, hi = lo-r, hi+r
		for k := range n {
			for l, x := range b[i].C {
				all[n+k][l] = all[k][l] - x
				all[k][l] += x
			}
		}
		n *= 2
	}
	most := interval.I{}
	for k := range n {
		l, h := rangeOf(&all[k])
		if k == 0 || l < most.Lo {
			most.Lo = l
		}
		if k == 0 || h > most.Hi {
			most.Hi = h
		}
	}
	err := 64*u*size + tiny // three sums for each coefficient and for the remainder
	lo, hi = most.Lo+lo-err, most.Hi+hi+err
	if !(lo <= hi) || math.IsInf(size, 0) {
		return interval.I{Lo: math.Inf(-1), Hi: math.Inf(1)}
	}
	return interval.I{Lo: lo, Hi: hi}
}

// rangeOf returns the minimum and the maximum of a cubic on [-1, 1], wrong by at most 32 u of
// the sum of its coefficients' magnitudes and wider by no more than that.
//
// A polynomial lies between the least and the largest of its control points, on any
// stretch, and so the range is sound wherever [-1, 1] is cut. Cut where the derivative
// vanishes it is exact: on a stretch where the derivative does not change its sign and
// vanishes at an end, or takes its least value there, the derivative's control points
// have that sign as well, and so the cubic's are in order and the outer ones, which are
// values, are the largest and the least. The roots need not be exact for that: an error
// of one moves a control point by as much as the cubic rises on the way.
func rangeOf(c *[4]float64) (lo, hi float64) {
	odd, even := c[1]+c[3], c[0]+c[2]
	first, last := even-odd, even+odd
	third := c[0] - c[2]/3
	slope := c[1]/3 - c[3]
	lo, hi = min(first, last), max(first, last)
	if p, q := third-slope, third+slope; min(p, q) >= lo && max(p, q) <= hi {
		return lo, hi
	}
	return rangeCut(c, lo, hi)
}

// rangeCut is rangeOf where the control points over all of [-1, 1] are not in order.
func rangeCut(c *[4]float64, lo, hi float64) (float64, float64) {
	x, y := turns(c)
	from := -1.0
	for _, to := range [3]float64{x, y, 1} {
		if !(to > from && to <= 1) { // not inside, or not a number
			continue
		}
		third := (to - from) / 3
		a, da := at(c, from)
		b, db := at(c, to)
		p, q := a+third*da, b-third*db
		lo, hi = min(lo, a, b, p, q), max(hi, a, b, p, q)
		from = to
	}
	return lo, hi
}

// turns returns where the derivative c1 + 2 c2 x + 3 c3 x^2 vanishes, the lesser first,
// or else where its size is least, twice; about.
func turns(c *[4]float64) (x, y float64) {
	disc := c[2]*c[2] - 3*c[1]*c[3]
	if disc <= 0 {
		x = -c[2] / (3 * c[3])
		return x, x
	}
	q := -(c[2] + math.Copysign(math.Sqrt(disc), c[2]))
	x, y = q/(3*c[3]), c[1]/q
	if x > y || x != x { // a quadratic has but one: c3 is 0
		x, y = y, x
	}
	return x, y
}

// at returns the cubic and its derivative at x.
func at(c *[4]float64, x float64) (value, slope float64) {
	return c[0] + x*(c[1]+x*(c[2]+x*c[3])), c[1] + x*(2*c[2]+x*(3*c[3]))
}
