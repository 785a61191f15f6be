package spheretree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// u is the largest relative error of one float64 operation.
const u = 0x1p-53

// Rounding of one query. Everything is seen from tree a; b's points are at R x + P,
// whose exact value is what is meant: the pose counts as given. Let S be the reach of
// a, of b, and |P| together, so that no point of the query, and no distance between
// two, is more than 2 S, and none of those named below more than S.
//
//	placed point      three products, three sums, each coordinate: 4u (|R||x| + |P|),
//	                  as a vector 4u (sqrt(3) |x| + |P|)                      7u S
//	distance of       difference u, squares 2u, sums 2u, halved by the root,
//	centres           the root u: relative 3.5u of at most S                  4u S
//	less the radii    two differences of numbers of at most 2 S               4u S
//	less the slack    one more                                                2u S
//
// makes 17u S for balls. For triangles along a direction n from a point p of them
// (leaf.go), where n·(v - p) is worked out for the corners v of either:
//
//	placed corner                                                             7u S
//	n·(v - p) / |n|   difference u, product u, two sums 2u: 4u |v - p| for
//	                  each of two triangles, |v - p| at most 2 S             16u S
//	their difference  one rounding                                            2u S
//	over |n|          norm 3.5u, quotient u, of at most 2 S                   9u S
//	less the slack    two                                                     4u S
//
// makes 38u S. A witness is a point of package tri: a corner, or a combination of
// corners whose coefficients, as computed, are in order. It lies in its triangle but
// for the rounding of the combination: that of an edge is a corner and a part of it,
// 3u of at most 2 S; one inside is a corner and parts of the longest edge and of the
// altitude, which itself errs by 3u of twice the edge and whose foot errs by 6u of the
// edge, while the test that it is inside errs by 6u of either; together at most 32u S
// for each of the two, and the placed corners 7u S, the distance 4u S: 75u S.
//
// R is a rotation only nearly: it lengthens by a factor of at most 1 + stretch, which
// a ball's radius must be grown by.
const (
	lowerRounding = 40 * u
	upperRounding = 80 * u
)

// underflow is more than what numbers too small for float64 lose: a norm is at most
// 2^-510 short where squares vanish, and a product of a direction (longer than 2^-466,
// see separation) and a length at most 2^-600 of the length, over that of the direction.
const underflow = 0x1p-500

// Rounding times the sum of both trees' Reach and the length of the pose's translation
// is how far the bounds of a distance without Alpha may be apart.
const Rounding = lowerRounding + upperRounding + 2*pieceRounding + 8*u

// maxStretch is how much a rotation may be off; one that is off by more is none.
const maxStretch = 0x1p-20

// stretch returns an upper bound of |R| - 1. With e the norm of Rᵀ R - 1, |R| is at
// most sqrt(1 + e) < 1 + e/2; of its nine entries each errs by at most 4u (three
// products and sums of numbers of at most 1, and the difference), which makes 12u. NaN
// where R is not finite.
func stretch(r *geom.Rot) float64 {
	xx := r.XX*r.XX + r.YX*r.YX + r.ZX*r.ZX - 1
	yy := r.XY*r.XY + r.YY*r.YY + r.ZY*r.ZY - 1
	zz := r.XZ*r.XZ + r.YZ*r.YZ + r.ZZ*r.ZZ - 1
	xy := r.XX*r.XY + r.YX*r.YY + r.ZX*r.ZY
	xz := r.XX*r.XZ + r.YX*r.YZ + r.ZX*r.ZZ
	yz := r.XY*r.XZ + r.YY*r.YZ + r.ZY*r.ZZ
	return math.Sqrt(xx*xx+yy*yy+zz*zz+2*(xy*xy+xz*xz+yz*yz))/2 + 8*u
}
