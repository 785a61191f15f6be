package mesh

import (
	"math"
	"math/big"
)

// point is a corner of a polygon in the plane.
type point struct{ x, y float64 }

// turn returns the sign of the turn from a over b to c, exactly: 1 if it is
// counterclockwise, -1 if clockwise, 0 if the points are on one line. They are
// finite.
func turn(a, b, c point) int {
	ux, uy := b.x-a.x, b.y-a.y
	vx, vy := c.x-a.x, c.y-a.y
	if (ux == 0 || vy == 0) && (uy == 0 || vx == 0) {
		return 0 // a difference is 0 only between equals: along an axis it is exact
	}
	l, r := ux*vy, uy*vx
	size := math.Abs(l) + math.Abs(r)
	if d := l - r; size > turnUnderflow && math.Abs(d) > turnRounding*size {
		return sign(d)
	}
	return turnExact(a, b, c)
}

// turnRounding times size bounds the rounding error of l - r. Each product has an error of
// three roundings, its own and those of its factors, and l - r has one more: (1+u)^4 - 1 with
// u = 2^-53. The size is computed with as many; hence 5u with their squares. Above
// turnUnderflow the effect of underflow, at most 2^-1074 for each product, is below the
// squares. Overflow makes the comparison false.
const (
	turnRounding  = 5 * 0x1p-53
	turnUnderflow = 0x1p-900
)

// turnExact is turn in numbers long enough for every product of differences of
// two float64: multiples of 2^-1074 below 2^1025 have 2099 bits.
func turnExact(a, b, c point) int {
	sub := func(x, y float64) *big.Float {
		return new(big.Float).SetPrec(2*2099).Sub(big.NewFloat(x), big.NewFloat(y))
	}
	l, r := sub(b.x, a.x), sub(b.y, a.y)
	l.Mul(l, sub(c.y, a.y))
	r.Mul(r, sub(c.x, a.x))
	return l.Cmp(r)
}

func sign(x float64) int {
	if x < 0 {
		return -1
	}
	return 1
}

// bounds returns the corners of the box around three points.
func bounds(a, b, c point) (lo, hi point) {
	return point{min(a.x, b.x, c.x), min(a.y, b.y, c.y)}, point{max(a.x, b.x, c.x), max(a.y, b.y, c.y)}
}

func between(a, p, b float64) bool { return a < p && p < b || a > p && p > b }
