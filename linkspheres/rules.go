package linkspheres

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Ball is a closed ball in a link's frame, in metres.
type Ball struct {
	Center geom.Vec
	Radius float64
}

// u is the largest relative error of one operation on float64.
const u = 0x1p-53

// rootRounding bounds the relative error of a distance: each difference 1 u, squared 2,
// product 1, two sums 2, which the root halves to 2.5, and the root itself 1; the rest covers
// the rounding of later operations.
const rootRounding = 8 * u

// tiny is below every distance that matters here, and above the effect of underflowing
// squares: sqrt(2^-1022) is 2^-511.
const tiny = 0x1p-500

// above returns an upper bound of the length of a vector whose coordinates are computed
// differences of two numbers.
func above(x, y, z float64) float64 {
	return math.Sqrt(x*x+y*y+z*z)*(1+rootRounding) + tiny
}

// below is the corresponding lower bound.
func below(x, y, z float64) float64 {
	return math.Sqrt(x*x+y*y+z*z)*(1-rootRounding) - tiny
}

// reach returns the radius that a ball about c needs to contain every point within err of p.
// The error of the sum and of the product with 1 + 4u is 2u.
func reach(c, p geom.Vec, err float64) float64 {
	return (above(p.X-c.X, p.Y-c.Y, p.Z-c.Z) + err) * (1 + 4*u)
}

// holdsBox reports that the box is inside b, because its farthest corner is.
func (b *Ball) holdsBox(c *geom.Box) bool {
	return above(farther(c.Min.X, c.Max.X, b.Center.X), farther(c.Min.Y, c.Max.Y, b.Center.Y), farther(c.Min.Z, c.Max.Z, b.Center.Z))*(1+4*u) <= b.Radius
}

// farther returns the larger of the distances from x to lo and hi.
func farther(lo, hi, x float64) float64 { return math.Max(math.Abs(lo-x), math.Abs(hi-x)) }

// beatenBy reports that |x - a|^2 - ra^2 < |x - b|^2 - rb^2 for all x in the box: b is not the
// ball with the least power there. The second minus the first is
//
//	sum over k of (a_k - b_k)(2 x_k - a_k - b_k) + ra^2 - rb^2,
//
// which must be positive; each summand is linear in its own coordinate and least at an end.
//
// Rounding: a difference (1u), 2x exact, two more differences (2u of their sizes, of
// which S_k bounds the sum), the product 1, sums of five terms 4; relative to the
// terms' sizes less than 16 u.
func (b *Ball) beatenBy(a *Ball, c *geom.Box) bool {
	sx, wx := leastTerm(a.Center.X, b.Center.X, c.Min.X, c.Max.X)
	sy, wy := leastTerm(a.Center.Y, b.Center.Y, c.Min.Y, c.Max.Y)
	sz, wz := leastTerm(a.Center.Z, b.Center.Z, c.Min.Z, c.Max.Z)
	ra, rb := a.Radius*a.Radius, b.Radius*b.Radius
	return sx+sy+sz+ra-rb > 16*u*(wx+wy+wz+ra+rb)+tiny
}

// leastTerm returns the least value of (a - b)(2x - a - b) for x in [lo, hi], and the size of
// the terms it was computed from.
func leastTerm(a, b, lo, hi float64) (least, size float64) {
	d := a - b
	x := lo
	if d < 0 {
		x = hi
	}
	return d * (2*x - a - b), (math.Abs(a) + math.Abs(b)) * (2*math.Max(math.Abs(lo), math.Abs(hi)) + math.Abs(a) + math.Abs(b))
}

// recedes reports that (x - p).d > 0 for all x in the box: moving along d leads away from p.
// Each of the three terms is least at one end; the error of a difference, a product and two
// sums is 4u of the terms' sizes.
func recedes(c *geom.Box, p, d geom.Vec) bool {
	tx, ty, tz := nearTerm(c.Min.X, c.Max.X, p.X, d.X), nearTerm(c.Min.Y, c.Max.Y, p.Y, d.Y), nearTerm(c.Min.Z, c.Max.Z, p.Z, d.Z)
	return tx+ty+tz > 8*u*(math.Abs(tx)+math.Abs(ty)+math.Abs(tz))+tiny
}

func nearTerm(lo, hi, p, d float64) float64 {
	if d < 0 {
		return (hi - p) * d
	}
	return (lo - p) * d
}
