package pairproof

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// This file is trusted: every Never rests on the functions here, on the motion
// bounds of package kin and on the support mapping of package convex. Whatever
// finds directions, orders boxes or splits them may be wrong without harm.
//
// Setting. A box of joint positions is its centre c and, for each joint k between
// the two links, delta_k >= |q_k - c_k|. Everything is seen in the body where the
// links' chains part, frozen at c; positions are written in the root link's frame
// W at c, which is that body's seen from elsewhere. Joints of a side are numbered
// outward; axis u_k and origin o_k are those at c.
//
// At c + q a point x of a side is where E_1 E_2 ... E_m takes its place at c, E_k
// the turn by q_k about (o_k, u_k), or the slide by q_k along u_k, all of them
// where the axes are at c: moving the deepest joint first, each joint moves while
// those before it still stand at c.

// joint is an elementary joint of one side.
type joint struct {
	axis, origin geom.Vec
	prismatic    bool
	delta, chord float64
	variable     int     // of the pair
	radius       float64 // R_k: no point of the side's piece is ever farther from the axis in the box

	// The arc of directions is cut into parts, none to bound the joint by its chord
	// alone; see reach.
	parts int
	turns []turn  // parts + 1 of them
	loss  float64 // >= 1 - cos of half a part
}

// turn is the sine and cosine of an angle.
type turn struct{ sin, cos float64 }

// side is a convex piece of one link and the joints that move it.
type side struct {
	core   *convex.Core // in E; holds the piece
	pose   geom.Pose    // of E in W at c
	joints []joint
	slack  float64 // see slackOf
}

// grown covers the few dozen roundings of a sum of products of numbers that are
// zero or more, relative to it.
const grown = 1 + 0x1p-41

// apartInBox proves that the pieces of a and b stay more than clearance apart for
// every configuration in the box. n is a direction of W from a to b, of length 1 to
// within 4u.
//
// Proof. reach bounds n.x over all points of a's core and -n.x over those of b's,
// each over the whole box. A ball of fixed radius around each point of a core adds
// its radius. Where the sum stays below -clearance, the gap along n exceeds it at
// every configuration, even if a variable moves both sides.
func apartInBox(n geom.Vec, a, b *side, clearance float64) bool {
	return gapInBox(n, a, b) > clearance*(1+8*u)
}

// gapInBox returns how far apart, at least, the pieces stay along n, of which it
// may be wrong by the factor 1 + 4u.
func gapInBox(n geom.Vec, a, b *side) float64 {
	return -(reach(n, a.joints, a) + reach(r3.Scale(-1, n), b.joints, b) + (a.core.Radius+b.core.Radius)*(1+8*u) + a.slack + b.slack)
}

// apartBallsInBox proves the same for balls around both pieces, whose centres are
// in the sides' and whose radii are given in sum: no point of either moves farther
// than moved, the sum of R_k chord_k over its joints.
func apartBallsInBox(a, b *limb, radii, clearance float64) bool {
	d := geom.Norm(r3.Sub(a.center, b.center)) * (1 - 8*u)
	// A length whose square overflowed is larger than anything, and proves nothing.
	return d <= math.MaxFloat64 && d > (radii+a.moved+b.moved+clearance)*grown+a.slack+b.slack
}

// reach bounds n.x over the points x of the side's core and all positions in the
// box of the given joints, the last ones of the side, the others standing at c. n
// has any direction and a length of at most 1 + 8u.
//
// Proof, by the first of the joints, where x' runs over all points that the joints
// after it make of the core:
//
//   - a slide adds q u to x', and so at most delta |n.u|.
//   - a turn bounded by its chord: (R - 1)(x' - o) is at right angles to u and as
//     long as the chord of the angle times the distance from the axis, which is at
//     most the radius. Its part along n is at most |n x u| radius chord.
//   - a turn by parts: n.(o + R (x' - o)) = (n - m).o + m.x' with m the direction n
//     turned back. Between the ends of a part, of half angle e < pi/2 about its
//     middle, let the angle from the middle be f, sin f = t sin e with |t| <= 1. The
//     mean of both ends' turns with weights (1 - t)/2 and (1 + t)/2 is, across the
//     axis, cos e + sin f (u x); the turn by f is cos f + sin f (u x), which differs
//     by cos f - cos e, between 0 and 1 - cos e, times a vector no longer than the
//     radius and at right angles to the axis. So the bound is the larger one of the
//     ends', and |n x u| radius (1 - cos e).
//
// Along the axis a turn changes nothing. The core's own support ends the chain.
func reach(n geom.Vec, joints []joint, s *side) float64 {
	sum := 0.0
	for k := range joints {
		j := &joints[k]
		if j.prismatic {
			sum += math.Abs(r3.Dot(n, j.axis)) * j.delta * grown
			continue
		}
		across := geom.Norm(r3.Cross(n, j.axis)) * j.radius * grown
		if j.parts == 0 {
			sum += across * j.chord
			continue
		}
		far := math.Inf(-1)
		for i := range j.turns {
			m := turnedBack(n, j.axis, j.turns[i])
			far = larger(far, r3.Dot(r3.Sub(n, m), j.origin)+reach(m, joints[k+1:], s))
		}
		return sum + across*j.loss + far
	}
	return sum + s.core.SupportValue(s.pose.R.ApplyInv(n)) + r3.Dot(n, s.pose.P)
}

// larger is the larger of two numbers, NaN if one of them is.
func larger(a, b float64) float64 {
	if a >= b || math.IsNaN(a) {
		return a
	}
	return b
}

// turnedBack returns n turned about the unit axis by the angle less than zero.
func turnedBack(n, axis geom.Vec, t turn) geom.Vec {
	along := r3.Dot(n, axis) * (1 - t.cos)
	c := r3.Cross(n, axis)
	return geom.Vec{
		X: t.cos*n.X + along*axis.X + t.sin*c.X,
		Y: t.cos*n.Y + along*axis.Y + t.sin*c.Y,
		Z: t.cos*n.Z + along*axis.Z + t.sin*c.Z,
	}
}

// cut cuts the joint's arc into parts, each of at most a third of a turn. The arc
// that is covered is wider than delta by more than its ends err.
func (j *joint) cut(parts int) {
	j.parts = parts
	j.turns = j.turns[:0]
	if parts == 0 {
		return
	}
	wide := j.delta * (1 + 16*u)
	for i := range parts + 1 {
		sin, cos := math.Sincos(wide * (2*float64(i)/float64(parts) - 1))
		j.turns = append(j.turns, turn{sin, cos})
	}
	j.loss = sagitta(wide / float64(parts) * (1 + 16*u))
}

// sagitta returns an upper bound of 1 - cos e, which is 2 sin² (e/2), for e up to
// pi/2; math.Sin errs by at most 2^-51.
func sagitta(e float64) float64 {
	if !(e <= math.Pi/2) {
		return math.Inf(1) // the proof of reach ends there
	}
	s := math.Sin(e/2) + 0x1p-51
	return 2 * s * s * (1 + 8*u)
}

// slackOf bounds what rounding adds to a side's bounds: that of the poses and axes
// which kin computed, and that of the rules' own arithmetic, for points within rho
// of E's origin, anywhere in the joint box that the state was bound for.
//
// All points and origins, whatever the joints do, are within x of W's origin. At c
// a point is placed with an error of ErrP + (ErrR + 160u) p + 16u x and what the
// element's own pose errs, p its coordinates' size in the frame. Each joint's axis
// errs by ErrR, which moves a turn's matrix by at most 5 ErrR and so a point by at
// most 10 ErrR x, and its origin by ErrP, which moves a point by twice that. Turning
// a direction costs 40u, on a lever of 2x; the cross product, the difference and the
// sums 32u, on numbers of at most 4x: less than 256u x a joint. The support costs
// 64u x. All that is doubled, for the second order.
func slackOf(st *kin.State, e *model.Element, joints int, rho float64) float64 {
	f := e.Frame
	p := geom.Norm(e.PoseFE.P) + rho
	x := st.Far[f] + p
	place := st.ErrP[f] + (st.ErrR[f]+160*u)*p + 16*u*x + e.ErrP + e.ErrR*rho
	each := 10*st.ErrR[f]*x + 2*st.ErrP[f] + 256*u*x
	return 2 * (place + float64(joints)*each + 64*u*x)
}
