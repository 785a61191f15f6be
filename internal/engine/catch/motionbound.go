package catch

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

// ZRLK07, section 6: how fast a link approaches along a direction n, for conservative
// advancement (section 3.4).
//
// The paper's rule advances by d/mu (Equation 4), with mu the largest, over the link's
// points, of the integral over [0, 1] of |v.n| (Equation 6), and bounds that by a sum
// along the chain (Equations 8 to 10). Departures, each of which the tests beside this
// file show to be necessary by a motion that the paper's rule lets through an obstacle:
//
//   - Equations 4 and 6: an integral over [0, 1] is an average. A link that is faster
//     than its average on the way to the obstacle arrives before d/mu, be it at the first
//     step (fast first) or, as every step is divided by the same average, at a later one
//     (slow first). Here speeds are bounded on the step [s0, s1] itself, and the step may
//     not be longer than that. (The right side of Equation 10 bounds the speed at every
//     time if the joints' rates are constant, as the paper's are: there the fault is in
//     Equation 6 and not in what is computed.)
//   - Equation 10: both sums end at i - 1, which leaves out the motion of link i by its own
//     joint. Here the whole chain counts.
//   - Equations 8 and 9: the lever of the last joint is that of the point p about the
//     origin of frame i - 1, taken at time 0. Link i turns about the origin of frame i,
//     from where p may be far though it starts at the origin of i - 1. Here velocities
//     are those of a rigid body's points, wherever these are at the time.
//   - Algorithm 1, lines 12 to 14: one d and one n for a pair of links are sound where both
//     are convex. An L whose foot slides along a wall does not move along n at all, and
//     tunnels into the next wall. Here the bound is that of a volume, a ball around any part
//     of a link, and a caller takes one gap, one n and one bound for each pair of volumes.
//
// The sum of norms (Equation 10) forgets that joints may turn against each other, and the
// sign. Here n.v itself is a Taylor model, in the spirit of section 5: of an arm that
// unfolds it has the speed that is left, and of a link that moves away it is negative.
//
// Proof that a step is safe. Let n be a unit vector, fixed in the base frame, and let
// the parts A and B of two links have the gap g > 0 along n at s0: n.b - n.a >= g for all
// points a of A and b of B. Let mu bound n.v(a) - n.v(b) for all of them on [s0, s1]. Then
// at every s in it n.b - n.a >= g - mu (s - s0), so that for a clearance e, A and B are
// more than e apart until s0 + (g - e)/mu, or all the way to s1 if mu <= 0.
//
// Proof of the bound. A point of the body at x moves at Lin + Ang cross x. With the
// centre c of a ball of radius r that moves along, x = c + y, |y| <= r:
//
//	n.v = n.(Lin + Ang cross c) + n.(Ang cross y) <= n.Lin + c.(n cross Ang) + r |n cross Ang|
//
// The first two terms are one Taylor model, whose largest value on [s0, s1] is found by
// the roots of its derivative.

// Twist is how a frame moves, seen from a base frame: a point of it that is at x moves at
// Lin + Ang cross x, per unit of the piece's own time. Both change, and are Taylor
// vectors.
type Twist struct{ Lin, Ang taylor.Vec }

// Approach bounds n.v, from above and with its sign, for all points of a frame within
// radius of the point center of it, at all times of [s0, s1]: how fast at most that part
// of a link moves along n in the frame base, which is 0 or on the frame's chain. n is a
// vector of that frame, of length 1 to within 8u. Speeds are per unit of the piece's
// own time.
func (b *TaylorBVH) Approach(base, frame int, center geom.Vec, radius float64, n geom.Vec, s0, s1 float64) float64 {
	s := b.during(s0, s1)
	t, pose := b.twist(s, base, frame), b.pose(s, base, frame)
	c := pose.Apply(center)
	turn := t.Ang.CrossFrom(n)
	v, p := t.Lin.Dot(n), c.DotModel(&turn)
	v = v.Add(&p)
	w := turn.Bound()
	spin := math.Sqrt(w.X.Mag()*w.X.Mag() + w.Y.Mag()*w.Y.Mag() + w.Z.Mag()*w.Z.Mag())
	top := v.Bound().Hi + radius*spin*(1+8*roundoff)
	// What n is off length 1, and the sum's own rounding.
	return top + 16*roundoff*(math.Abs(top)+radius*spin)
}

// Length is how fast any point of the ball moves in any direction: |v| in place of n.v.
func (b *TaylorBVH) Length(base, frame int, center geom.Vec, radius float64, s0, s1 float64) float64 {
	s := b.during(s0, s1)
	t, pose := b.twist(s, base, frame), b.pose(s, base, frame)
	c := pose.Apply(center)
	v := t.Ang.Cross(&c)
	v = v.Add(&t.Lin)
	norm := func(x *taylor.Vec) float64 {
		w := x.Bound()
		return math.Sqrt(w.X.Mag()*w.X.Mag() + w.Y.Mag()*w.Y.Mag() + w.Z.Mag()*w.Z.Mag())
	}
	return (norm(&v) + radius*norm(&t.Ang)) * (1 + 16*roundoff)
}

// Step is Equation 4, mended: for how long after s0 two parts with the given gap along n
// stay apart, if their bounds of approach towards each other on [s0, s1] add up to mu. It
// is rounded down, and no more than s1 - s0.
func Step(gap, mu, s0, s1 float64) float64 {
	limit := s1 - s0
	switch {
	case !(gap > 0 && gap <= math.MaxFloat64): // +Inf is what overflowed
		return 0
	case mu <= 0:
		return limit
	case mu > 0:
		return math.Min(limit, gap/mu*(1-8*roundoff))
	}
	return 0 // not a number
}

// TwistBF returns the velocity of a frame in the frame base, which is 0 or on the
// frame's chain. It stays as it is as long as poses do.
func (b *TaylorBVH) TwistBF(base, frame int, s0, s1 float64) *Twist {
	return b.twist(b.during(s0, s1), base, frame)
}

// twist adds up what the joints of the chain contribute: the recursion of Equation 7,
// with velocities about the base's origin instead of each link's, so that no lever has
// to be carried along.
func (b *TaylorBVH) twist(s *timeInterval, base, frame int) *Twist {
	seen := s.from(base)
	t := &seen.twist[frame]
	if seen.hasTwist[frame] {
		return t
	}
	seen.hasTwist[frame] = true
	*t = Twist{}
	if frame == base {
		return t
	}
	*t = *b.twist(s, base, b.tree.Frames[frame].Parent)
	j := &b.joints[frame]
	if j.still {
		return t
	}
	pose, rate := b.pose(s, base, frame), b.rate(s, frame)
	// A slide does not turn its own axis, nor does a turn: the matrix behind the joint
	// may place it. The axis is of length 1 to within 4u.
	axis := pose.R.Apply(j.axis)
	axis = taylor.Vec{X: axis.X.Grow(8 * roundoff), Y: axis.Y.Grow(8 * roundoff), Z: axis.Z.Grow(8 * roundoff)}
	w := axis.Mul(&rate)
	if b.tree.Frames[frame].Prismatic {
		t.Lin = t.Lin.Add(&w)
		return t
	}
	lever := pose.P.Cross(&w)
	t.Ang, t.Lin = t.Ang.Add(&w), t.Lin.Add(&lever)
	return t
}

// rate is the model of a joint's velocity.
func (b *TaylorBVH) rate(s *timeInterval, frame int) taylor.Model {
	f := &b.tree.Frames[frame]
	v := taylor.Rate(b.ctrl[f.Dof], s.lo, s.hi)
	if e := b.ctrlErr[f.Dof].err; e != 0 { // of the difference of two control points, times the degree
		v = v.Grow(2 * float64(len(b.ctrl[f.Dof])) * e)
	}
	return v.Scale(f.Mult)
}
