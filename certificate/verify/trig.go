package verify

import (
	"fmt"
	"math"
)

// maxAngle in rad: no joint position exceeds a hundred thousand turns.
const maxAngle = 1 << 20

// sinCos returns intervals around the sine and the cosine of every angle in q.
func sinCos(q interval) (sin, cos interval, err error) {
	x := q.mid()
	if !(math.Abs(x) <= maxAngle) {
		return sin, cos, fmt.Errorf("an angle of %g rad is beyond %d", x, maxAngle)
	}
	sin, cos = sinCosAt(x)
	r := q.rad() // neither changes faster than the angle
	spread := interval{-r, r}
	return sin.add(spread), cos.add(spread), nil
}

// pi/2 is halfPi + halfPiTail to within 2^-107.
const (
	halfPi     = 0x1.921fb54442d18p+0
	halfPiTail = 0x1.1a62633145c07p-54
)

// sinCosAt subtracts quarter turns, sums the Taylor series of the remainder, and adds the
// quarter turns again. x - k halfPi has an exact difference except for one rounding (the fused
// multiply-add), which the interval includes.
func sinCosAt(x float64) (sin, cos interval) {
	k := math.RoundToEven(x / halfPi)
	d := math.FMA(-k, halfPi, x)
	r := interval{down(d), up(d)}
	tail := interval{halfPiTail - 0x1p-106, halfPiTail + 0x1p-106}
	r = r.sub(exactly(k).mul(tail))
	s, c := taylor(r)
	switch int64(k) & 3 {
	case 1:
		return c, s.neg()
	case 2:
		return s.neg(), c.neg()
	case 3:
		return c.neg(), s
	}
	return s, c
}

// taylor sums sin r = r (1 - r²/(2·3) (1 - r²/(4·5) (...))) and likewise the
// cosine, for |r| < 1. The terms alternate and fall, so that the sum cut off
// differs from the series by less than the next term: r^21/21! and r^20/20! are
// below 2^-61.
func taylor(r interval) (sin, cos interval) {
	rr := r.mul(r)
	rr.lo = math.Max(rr.lo, 0)
	one := exactly(1)
	sin, cos = one, one
	for k := 18.0; k > 0; k -= 2 {
		sin = one.sub(rr.mul(sin).over(k * (k + 1)))
		cos = one.sub(rr.mul(cos).over(k * (k - 1)))
	}
	rest := interval{-0x1p-61, 0x1p-61}
	return r.mul(sin).add(rest), cos.add(rest)
}
