package kin

import "math"

// Rounding. u = 2^-53 is the largest relative error of one float64 operation.
// "Real arithmetic about the model that was loaded" is compared with what State
// computes.
//
// Rotations. Composing two rotations makes nine dot products of three terms;
// each errs by at most 3u times the sum of |products|, which over the matrix is
// at most 3u*sqrt(9) = 9u in the Frobenius norm. A joint composes twice: 18u.
// The matrix of an angle has sine and cosine with an absolute error of 2^-51 =
// 4u (math.Sincos, checked by a test on this target) and then at most 4
// roundings an entry: 8u an entry, 24u in the norm; that of a loaded rpy is
// made of three such and two compositions: 90u; a fixed joint in front composes
// once more: 9u; axes are unit to 3u, which the matrix doubles: 6u. Together less
// than 160u a joint, to which the angle's own error adds.
const (
	u             = 0x1p-53
	rotPerJoint   = 160 * u
	posPerJoint   = 16 * u // of the length of the pose's translation: two 3-term dots, an addition, the loaded numbers
	anglePerValue = 24 * u // of the largest |q| on the piece: five interpolations (15), mimic (3), a shift by turns (4)
)

// Bounds are sums of products of numbers that are zero or more. With at most
// maxChain joints no result stands at the end of more than 8*maxChain = 2^11
// dependent roundings, so it is low by a factor of at most (1-u)^(2^11) >
// 1 - 2^-42; scaling by inflate makes it an upper bound again.
const inflate = 1 + 0x1p-41

// farthest is the largest number for bounds of positions, speeds and accelerations. Up to it
// the product of six of them is finite; beyond it ErrP is infinite, and with it the margin
// that each proof must exceed: squares of lengths that overflow would prove that anything is
// apart.
const farthest = 0x1p160

// sincosErr bounds the absolute error of math.Sin for the arguments here.
const sincosErr = 0x1p-51

// chord returns an upper bound of the distance that a point at distance 1 from the axis moves
// while the joint rotates by at most delta.
func chord(delta float64) float64 {
	if delta >= math.Pi {
		return 2
	}
	if delta > 0.4 {
		return min(delta, 2*(math.Sin(delta/2)+sincosErr))
	}
	// The sine's series alternates and shrinks, so it may be cut after a term that
	// is added; 8u of the sum covers the roundings.
	x := delta * delta
	return min(delta, delta*(1-x*(1./24-x*(1./1920-x*(1./322560-x*(1./92897280)))))*(1+8*u))
}

// stepUp returns the smallest float64 above x, so that a sum or difference
// rounded to nearest becomes an upper bound.
func stepUp(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
