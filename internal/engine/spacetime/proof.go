package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// This file is the trusted part of the engine: every Free rests on the functions
// here, on the motion bounds of package kin, on the support mapping of package
// convex and on the containment test. Whatever finds the directions, orders the
// pairs or splits the time may be wrong without harm.
//
// Setting. Time is the parameter of one polynomial piece of the motion; c is the
// middle of the interval I and h >= |t - c| on it. Two elements a and b are seen
// in the body where their chains part, frozen at c; positions at c are written
// in the root link's frame W, which is that frame seen from elsewhere. A side's
// point x has the velocity v(x) = Lin + Ang x x at c; it departs from x + tau v(x)
// by at most A tau²/2 along n, where A is (A), or bendOver, which is smaller on short
// intervals.

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// side is one element of a pair, or a part of it, at c.
type side struct {
	core *convex.Core // a convex piece in E that contains the part
	pose geom.Pose    // of E in W at c
	vel  kin.Twist    // relative to the body where the chains part
	rate kin.Twist    // how vel changes, seen there, where it was asked for
}

// partedBy returns by how much (m) the half-spaces along n part sides a and b at both
// ends of I if their points went straight on: more than clearance, slack and, in bent,
// what they bend away from that proves the pair apart for every t in I. n is a direction
// of W from a to b, of length 1 to within 4u; slack covers the rounding of poses,
// velocities and of these functions (see slackOf).
//
// Proof. For a point x of a core at time t = c + tau, n.x(t) <= n.x(c) + tau n.v(x) +
// A tau²/2. The first two terms are (n + tau n x Ang).x + tau n.Lin, linear in x, so
// their maximum over the core is its support in that direction. The maximum over x is
// convex in tau, so on [-h, h] it is largest at an end; the sum of both sides' maxima at
// the same tau likewise. A ball of fixed radius around each point of a core turns about
// its own centre and adds its radius. If the sum of n over a and -n over b, with
// A h²/2, stays below -clearance, the gap along n exceeds clearance: the pair is apart.
func partedBy(n geom.Vec, a, b *side, h, clearance, slack float64) float64 {
	gap := gapAt(n, a, b, h)
	if h > 0 {
		gap = max(gap, gapAt(n, a, b, -h))
	}
	return finite(-clearance*(1+8*u) - slack - a.core.Radius - b.core.Radius - gap)
}

// finite returns what a proof has to spare, or that it has nothing where that
// overflowed: +Inf is larger than any number, whatever it should have been.
func finite(spare float64) float64 {
	if spare <= math.MaxFloat64 {
		return spare
	}
	return math.Inf(-1)
}

// bent bounds how far a point departs from the straight line within h of c: A h²/2.
func bent(accel, h float64) float64 { return accel * h * h * (0.5 * (1 + 8*u)) }

// bendOver bounds, from bend, which n.x” does not exceed at c for any point x of a
// side (or for the sum of two), and the jerk |x”'| on I, what stands for A on I.
//
// Proof. By Taylor's theorem n.x(c + tau) <= n.x + tau n.v + tau²/2 n.x”(c) +
// |tau|³/6 jerk, and the last two are at most tau²/2 (max(0, bend) + jerk h/3).
func bendOver(bend, jerk, h float64) float64 { return (max(0, bend) + jerk*h*(1./3)) * (1 + 8*u) }

// bendAlong returns the largest n.x”(c) over the points of the side's core: a ball
// around one of them turns about it and reaches no farther along n for that.
//
// Proof. x” = rate.Lin + rate.Ang x x + Ang x (Lin + Ang x x), so that n.x” is g.x and
// what does not depend on x, g = n x rate.Ang + Ang (n.Ang) - n |Ang|²; it is linear
// in x, and its maximum over the core is the support along g.
func bendAlong(n geom.Vec, s *side) float64 {
	w := s.vel.Ang
	g := r3.Add(r3.Cross(n, s.rate.Ang), r3.Sub(r3.Scale(r3.Dot(n, w), w), r3.Scale(r3.Norm2(w), n)))
	return s.core.SupportValue(s.pose.R.ApplyInv(g)) + r3.Dot(g, s.pose.P) +
		r3.Dot(n, r3.Add(s.rate.Lin, r3.Cross(w, s.vel.Lin)))
}

// gapAt returns the largest n.(x + tau v(x)) over a's core less the smallest over
// b's: negative where the plane with normal n parts them.
func gapAt(n geom.Vec, a, b *side, tau float64) float64 {
	return reachAlong(n, a, tau) + reachAlong(r3.Scale(-1, n), b, tau)
}

// reachAlong returns the largest n.(x + tau v(x)) over the side's core.
func reachAlong(n geom.Vec, s *side, tau float64) float64 {
	m := r3.Add(n, r3.Scale(tau, r3.Cross(n, s.vel.Ang)))
	local := s.pose.R.ApplyInv(m)
	return s.core.SupportValue(local) + r3.Dot(m, s.pose.P) + tau*r3.Dot(n, s.vel.Lin)
}

// apartBalls proves the same for two balls with the centre difference x0 and the
// difference of the centres' velocities x1: rule (B). accel bounds the sum of
// both centres' accelerations with all s = 1, or is bendOver the size of their
// difference at c; far is both sides' displacement, radii the sum of the radii.
//
// Proof. A ball that turns about its own centre is the same point set, so only
// the centres' paths matter. The difference of the centres at c + s is within
// accel s²/2 of x0 + s x1, so it is at least the distance from the origin to
// that segment less accel h²/2; it is also at least |x0| less the displacement.
func apartBalls(x0, x1 geom.Vec, h, accel, far, radii, clearance, slack float64) bool {
	need := radii + clearance + slack
	d := geom.Norm(x0)
	if !(d <= math.MaxFloat64) {
		return false // its square overflowed: nobody knows how long it is
	}
	if d*(1-8*u) > (need+far)*(1+8*u) {
		return true
	}
	return distanceToSegment(x0, x1, h) > (need+accel*h*h*0.5)*(1+8*u)
}

// distanceToSegment returns a lower bound of |x0 + s x1| over |s| <= h, up to
// 32u |x0|, which slack covers.
//
// The nearest parameter s errs by at most 8u |x0|/|x1| before clamping, which
// moves the point by at most 8u |x0|; the norm and the sum err by less than
// 8u(|x0| + h |x1|), and where h |x1| exceeds |x0| the clamped s does not. Where
// |x1|² overflows the bound is 0; where it is lost, h |x1| is less than slack's floor.
func distanceToSegment(x0, x1 geom.Vec, h float64) float64 {
	s := 0.0
	if v2 := r3.Norm2(x1); v2 > 0 {
		if !(v2 <= math.MaxFloat64) {
			return 0
		}
		s = max(-h, min(h, -r3.Dot(x0, x1)/v2))
	}
	return finite(geom.Norm(r3.Add(x0, r3.Scale(s, x1))))
}

// apartStill proves a pair apart by displacement alone: at c (h = 0) half-spaces part it
// by more than clearance and slack and the given length, and no point moves farther than
// far, the sum of both sides' bounds. Nothing but delta enters, so it holds on boxes in
// joint space too.
func apartStill(by, far float64) bool { return far*(1+8*u) < by }

// sweptBox returns a box that, for every t in I, holds a ball that is at c about
// the given centre, which moves with velocity v and acceleration bend there: rule (B)
// read along the coordinate axes. accel bounds the centre's acceleration on I with all
// s = 1, jerk its jerk, far its displacement; radius includes the clearance and the
// slack.
//
// Proof. Along an axis the centre is within h |v_i| + A h²/2 of where it is at c,
// by Taylor's theorem, A as in bendOver where that is less, and within its
// displacement; the ball turns about it.
//
// What overflows is somewhere: the box is then all of space, as one with a NaN in
// it would meet nothing.
func sweptBox(center, v, bend geom.Vec, h, accel, jerk, far, radius float64) geom.Box {
	along := func(v, bend float64) float64 {
		curve := bent(min(accel, bendOver(math.Abs(bend), jerk, h)), h)
		return (min(h*math.Abs(v)+curve, far) + radius) * (1 + 8*u)
	}
	x, y, z := along(v.X, bend.X), along(v.Y, bend.Y), along(v.Z, bend.Z)
	if sum := center.X + center.Y + center.Z + x + y + z; math.IsNaN(sum) || math.IsInf(sum, 0) {
		inf := math.Inf(1)
		return geom.Box{Min: geom.Vec{X: -inf, Y: -inf, Z: -inf}, Max: geom.Vec{X: inf, Y: inf, Z: inf}}
	}
	return geom.Box{
		Min: geom.Vec{X: center.X - x, Y: center.Y - y, Z: center.Z - z},
		Max: geom.Vec{X: center.X + x, Y: center.Y + y, Z: center.Z + z},
	}
}

// reachOver returns the largest n.x(t) over the side, its radius included, and over
// all t in I, in W, if its points went straight on; with bent added it is the
// half-space rule for one side, where the other stands still in W and adds the same at
// every tau. Together with sweptBox it makes the swept k-DOP with quadratic error,
// where RKLM04 has interval AABBs.
func reachOver(n geom.Vec, s *side, h float64) float64 {
	reach := reachAlong(n, s, h)
	if h > 0 {
		reach = max(reach, reachAlong(n, s, -h))
	}
	return reach + s.core.Radius
}

// beyond reports whether what stands still with n.x >= least all over it is more
// than clearance apart from a side that gets no farther than reach along n; slack is
// that of both.
func beyond(least, reach, clearance, slack float64) bool {
	return finite(least-reach) > clearance*(1+8*u)+slack
}

// safeStep returns for how long after c two sides stay apart that have a gap there,
// beyond clearance and slack, along a fixed direction, close it at c by at most
// closing (closingRate; negative where it opens), and bend by at most accel along
// it: the step of conservative advancement (ZRLK07, equation 4), of second order.
// accel and slack hold from c on for longer than the step; +Inf if nothing closes
// the gap. The end itself is not proved.
//
// Proof. By Taylor's theorem the gap at c + s is at least gap - closing s - accel
// s²/2, which is positive before its positive root s = 2 gap / (closing + root),
// root = sqrt(closing² + 2 accel gap), or (root - closing) / accel, whichever loses
// no digits; 16u covers the roundings of either.
func safeStep(gap, closing, accel float64) float64 {
	if !(gap > 0) {
		return 0
	}
	root := math.Sqrt(closing*closing + 2*accel*gap)
	switch {
	case closing >= 0 && closing+root > 0:
		return 2 * gap / (closing + root) * (1 - 16*u)
	case closing < 0 && accel > 0:
		return (root - closing) / accel * (1 - 16*u)
	}
	return math.Inf(1)
}

// closingRate bounds how fast two sides close a gap along n, from a to b, at c: the
// largest n.v over all points of a, and -n.v of b, radii included; slack covers the
// rounding.
func closingRate(n geom.Vec, a, b *side) float64 {
	return fastest(n, a) + fastest(r3.Scale(-1, n), b)
}

// fastest returns the largest n.v(x) over the side: n.(Ang x x) = (n x Ang).x.
func fastest(n geom.Vec, s *side) float64 {
	m := r3.Cross(n, s.vel.Ang)
	return s.core.SupportValue(s.pose.R.ApplyInv(m)) + r3.Dot(m, s.pose.P) + geom.Norm(m)*s.core.Radius + r3.Dot(n, s.vel.Lin)
}

// slackOf bounds the error of one side's terms in the rules above: of the poses
// and velocities that kin computed, and of the rules' own arithmetic, for points
// within rho of E's origin, anywhere on the piece, and |t - c| <= h: see within.
//
// A point is placed with an error of ErrP + ErrR |p|, p its coordinates in F,
// |p| <= |P_FE| + rho; composing with the element's own pose errs like one more
// joint: 160u and 16u |P|. That pose itself errs by the element's ErrP and ErrR,
// which, as it is fixed in F, moves the point's whole path no farther than the
// point.
//
// The velocity at x, |x| <= X, errs by ErrV of the frame and of the base it is
// taken relative to, which is no larger; as it is no faster, its size is at most
// Speed. The arithmetic: turning the direction (6u each for the cross product and
// the transposed product), the support value (8u, convex), the dot product with
// the position (3u) and the sums (8u) act on numbers of at most X + h (|Lin| +
// |Ang| X) in size: 32u, and twice that for the directions' second order and the
// bounds' own rounding. Squares and products that are lost as they are too small, 2^-1075
// each, make no more of a length than 2^-530: for them there is the floor.
func slackOf(st *kin.State, e *model.Element, rho float64) slackTerms {
	p := geom.Norm(e.PoseFE.P) + rho
	x := st.Far[e.Frame] + p
	place := st.ErrP[e.Frame] + (st.ErrR[e.Frame]+160*u)*p + 16*u*x + e.ErrP + e.ErrR*rho
	v, speed := st.ErrV[e.Frame], st.Speed[e.Frame].Lin+st.Speed[e.Frame].Ang*x
	const floor = 0x1p-500
	return slackTerms{place + 64*u*x + floor, 2*(v.Lin+v.Ang*x) + 64*u*speed, bendErr(st, e.Frame, x)}
}

// slackTerms is what slackOf says: of places, and what grows with h and with h².
type slackTerms struct{ place, slide, bend float64 }

// within is the slack of an interval.
func (s *slackTerms) within(h float64) float64 { return (s.place + h*(s.slide+h*s.bend)) * (1 + 8*u) }

// bendErr bounds half the error of n.x” in the rules above, for points of frame f
// within x of W's origin, relative to any base: of Rate of both and of the bracket
// that seen from the base is taken off it, of Ang x v, and of the arithmetic.
//
// With V and E for the speed |Lin| + |Ang| x of the frame and its error, and ang and
// err for those of Ang, each of the products Ang x v, at most four in all with twice
// the frame's size in both factors at worst, errs by 4 (err V + ang E). They and the
// two Rates are sums of at most 64 roundings.
func bendErr(st *kin.State, f int, x float64) float64 {
	ang, err := st.Speed[f].Ang, st.ErrV[f].Ang
	v, e := st.Speed[f].Lin+ang*x, st.ErrV[f].Lin+err*x
	rate, rush := st.ErrRate[f].Lin+st.ErrRate[f].Ang*x, st.Rush[f].Lin+st.Rush[f].Ang*x
	return rate + 8*(err*v+ang*e) + 64*u*(rush+8*ang*v)
}
