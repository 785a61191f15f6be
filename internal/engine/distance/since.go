package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// This file takes bounds from one configuration to the next: what a pair was proved to be apart, less
// how far one has moved against the other since then. Most pairs of a robot that moves in small steps
// need no search for several of them.

// further is by how much more than what is asked a search proves a pair apart, so that the bound
// lasts for some steps.
const further = 1.25

// foresee makes a search prove more than is asked, as the questions to come are likely to ask for as much:
// where the limit is that of the pair, and not how close another one happens to be.
func (s *pairSearch) foresee() {
	if s.w.follows {
		s.goal = s.limit * further
	}
}

// since bounds the distance from below by what was proved of the pair before; 0 where that is not more
// than the limit.
//
// Let T0 and T1 be the true poses of b in a's frame then and now, both with exact rotations Q0 and Q1.
// A point x of b's ball, of centre c and radius r, has moved by
//
//	|T1 x - T0 x| <= |T1 c - T0 c| + |Q1 - Q0| r,
//
// and the largest singular value of a difference of rotations is its Frobenius norm over the root of 2,
// as it occurs twice beside 0. The computed poses place c and, with an error of its own rotation, the
// ball within the slack of each time: of both terms together within 1 + sqrt(3/2) times both slacks,
// for which 3 stand; a fourth is for the rounding of the sums, as a slack is 64u of all lengths.
func (s *pairSearch) since() float64 {
	k := &s.known.bound
	if !s.w.follows || !(k.lower > s.limit) {
		return 0
	}
	to, from := &s.poseAB, &k.poseAB
	turn := geom.Rot{
		XX: to.R.XX - from.R.XX, XY: to.R.XY - from.R.XY, XZ: to.R.XZ - from.R.XZ,
		YX: to.R.YX - from.R.YX, YY: to.R.YY - from.R.YY, YZ: to.R.YZ - from.R.YZ,
		ZX: to.R.ZX - from.R.ZX, ZY: to.R.ZY - from.R.ZY, ZZ: to.R.ZZ - from.R.ZZ,
	}
	moved := geom.Norm(r3.Add(turn.Turn(s.b.Center), r3.Sub(to.P, from.P)))
	frobenius := math.Sqrt(turn.XX*turn.XX + turn.XY*turn.XY + turn.XZ*turn.XZ +
		turn.YX*turn.YX + turn.YY*turn.YY + turn.YZ*turn.YZ +
		turn.ZX*turn.ZX + turn.ZY*turn.ZY + turn.ZZ*turn.ZZ)
	moved += frobenius / math.Sqrt2 * s.b.Radius
	return k.lower - moved*(1+16*u) - 4*(s.slack+k.slack)
}

// follow notes what the pair was proved to be apart, for the questions to come. What was taken from a
// question before stays as it is, so that only the way from there counts.
func (s *pairSearch) follow(lower float64) {
	if s.w.follows && !s.taken && lower > 0 && !math.IsInf(lower, 1) {
		s.known.bound = bound{lower, s.poseAB, s.slack}
	}
}
