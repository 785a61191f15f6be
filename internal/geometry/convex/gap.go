package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Gap returns a true lower bound of n·q - n·p over all points p of piece a and q
// of piece b (radii included), with the pieces at the given poses in a frame W
// and n in W: rounding is already subtracted. Where it is positive, the pieces
// are at least Gap/|n| apart; NaN proves nothing. n needs no particular length.
//
// This is the trusted end of [Distance]. It takes the poses as they are, each
// point at R x + P; R must be a rotation to within 2^-20 in norm, as any product
// of rotations is.
func Gap(a *Core, poseWA *geom.Pose, b *Core, poseWB *geom.Pose, n geom.Vec) float64 {
	d := sub(poseWB.P, poseWA.P)
	back := neg(n)
	ha := a.SupportValue(poseWA.R.TurnBack(n))
	hb := b.SupportValue(poseWB.R.TurnBack(back))
	radii := a.Radius + b.Radius
	length := norm(n)
	size := a.Extent() + b.Extent() + norm(d) + radii
	rounding := gapRounding * size * (length + underflow)
	if !(rounding <= mostRounding) {
		return math.NaN()
	}
	return dot(n, d) - ha - hb - radii*length - rounding
}

// mostRounding bounds the rounding, and so all that Gap computes with, to what does not
// overflow: else the supports and their sum might be any number.
const mostRounding = 0x1p800

// gapRounding bounds the rounding of Gap relative to |n| times the sum of both
// extents (E), the distance of the origins (D) and the radii (r), in u = 2^-53:
//
//	turned direction  each component is off by g(3) sum |R_ij n_i|, so the vector
//	                  by g(3) |R|_F |n| = 3 sqrt(3) u |n|      5.2 E
//	support           supportRounding, derived there           8   E
//	n·d               one difference, 3 products, 2 sums       4   D
//	radii |n|         sum, norm (3), product                   5   r
//	three sums        each rounds a number <= E + D + r        3 (E + D + r)
//
// 16.2 at most; the rest covers R not being quite a rotation (2^-20 relative),
// second order, and the rounding of the bound itself.
const gapRounding = 20 * 0x1p-53
