// Package rules holds the proof rules: functions that decide, from bounds of the motion of two
// bodies during an interval of time, that they stay apart throughout. Each has its proof in
// its comment.
//
// This is the trusted part of the engine: every Free rests on the functions here, on the
// motion bounds of package kin, on the support mapping of package convex and on the
// containment test. Code that finds the directions, orders the pairs or splits the time may be
// wrong without harm.
//
// Setting. Time is the parameter of one polynomial piece of the motion; c is the middle of the
// interval I and h >= |t - c| on it. Two elements a and b are seen in the body at which their
// chains part, frozen at c; positions at c are written in the root link's frame W, a fixed
// transform of that frame. A side's point x has the velocity v(x) = Lin + Ang x x and the
// acceleration a(x) at c; it departs from x + tau v(x) by at most A tau²/2 along n, where A is
// bound (A) of package kin, or BendOver, which is smaller on short intervals.
// package kin, or BendOver, which is smaller on short intervals.
package rules

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// Side is one element of a pair, or a part of it, at c.
type Side struct {
	Core *convex.Core // a convex piece in E that contains the part
	Pose geom.Pose    // of E in W at c
	Vel  kin.Twist    // relative to the body where the chains part
	Rate kin.Twist    // how Vel changes, seen there, where it was asked for
}

// Margin is how far apart two sides must be proved to be (m).
type Margin struct {
	Clearance float64 // the distance that must be exceeded
	// Slack covers the rounding of poses, velocities and of the rules themselves (see
	// SlackOf), and how far joints may stray.
	Slack float64
}

// PartedBy returns by how much (m) the half-spaces along n part sides a and b at both
// ends of I if their points went straight on, beyond the margin. Where that exceeds what
// their paths bend (Bent), the pair is apart for every t in I. n is a direction of W from
// a to b, of length 1 to within 4u.
//
// Proof. For a point x of a core at time t = c + tau, n.x(t) <= n.x(c) + tau n.v(x) +
// A tau²/2. The first two terms are (n + tau n x Ang).x + tau n.Lin, linear in x, so
// their maximum over the core is its support in that direction. The maximum over x is
// convex in tau, so on [-h, h] it is largest at an end; the sum of both sides' maxima at
// the same tau likewise. A ball of fixed radius around each point of a core turns about
// its own centre and adds its radius. If the sum of n over a and -n over b, with
// A h²/2, stays below -clearance, the gap along n exceeds clearance: the pair is apart.
func PartedBy(n geom.Vec, a, b *Side, h float64, m Margin) float64 {
	gap := gapAt(n, a, b, h)
	if h > 0 {
		gap = max(gap, gapAt(n, a, b, -h))
	}
	return finite(-m.Clearance*(1+8*u) - m.Slack - a.Core.Radius - b.Core.Radius - gap)
}

// finite returns what a proof has to spare, or that it has nothing where that
// overflowed: +Inf is larger than any number, whatever it should have been.
func finite(spare float64) float64 {
	if spare <= math.MaxFloat64 {
		return spare
	}
	return math.Inf(-1)
}

// Bent bounds how far a point departs from the straight line within h of c: A h²/2.
func Bent(accel, h float64) float64 { return accel * h * h * (0.5 * (1 + 8*u)) }

// BendOver bounds what stands for A on I, from bend, which n.a(x) does not exceed at c
// for any point x of a side (or for the sum of two), and from a bound of the jerk on I.
//
// Proof. By Taylor's theorem n.x(c + tau) <= n.x + tau n.v + tau²/2 n.a(x) +
// |tau|³/6 jerk, and the last two are at most tau²/2 (max(0, bend) + jerk h/3).
func BendOver(bend, jerk, h float64) float64 { return (max(0, bend) + jerk*h*(1./3)) * (1 + 8*u) }

// BendAlong returns the largest n.a(x) at c over the points of the side's core: a ball
// around one of them turns about it and reaches no farther along n for that.
//
// Proof. a(x) = Rate.Lin + Rate.Ang x x + Ang x (Lin + Ang x x), so that n.a(x) is g.x
// and what does not depend on x, g = n x rate.Ang + Ang (n.Ang) - n |Ang|²; it is linear
// in x, and its maximum over the core is the support along g.
func BendAlong(n geom.Vec, s *Side) float64 {
	w := s.Vel.Ang
	g := r3.Add(r3.Cross(n, s.Rate.Ang), r3.Sub(r3.Scale(r3.Dot(n, w), w), r3.Scale(r3.Norm2(w), n)))
	return s.Core.SupportValue(s.Pose.R.TurnBack(g)) + r3.Dot(g, s.Pose.P) +
		r3.Dot(n, r3.Add(s.Rate.Lin, r3.Cross(w, s.Vel.Lin)))
}

// gapAt returns the largest n.(x + tau v(x)) over a's core less the smallest over
// b's: negative where the plane with normal n parts them.
func gapAt(n geom.Vec, a, b *Side, tau float64) float64 {
	return ReachAlong(n, a, tau) + ReachAlong(r3.Scale(-1, n), b, tau)
}

// ReachAlong returns the largest n.(x + tau v(x)) over the side's core.
func ReachAlong(n geom.Vec, s *Side, tau float64) float64 {
	m := r3.Add(n, r3.Scale(tau, r3.Cross(n, s.Vel.Ang)))
	local := s.Pose.R.TurnBack(m)
	return s.Core.SupportValue(local) + r3.Dot(m, s.Pose.P) + tau*r3.Dot(n, s.Vel.Lin)
}

// Bounds bound how a point moves during I, or the difference of two points, of one body
// each: then each bound is the sum of both points' bounds.
type Bounds struct {
	H     float64
	Accel float64 // of the acceleration with all s = 1, or BendOver its size at c
	Jerk  float64 // of the jerk; BallsApart does not ask for it
	Far   float64 // of the displacement
}

// BallsApart proves that two balls stay apart by more than the margin for every t in I:
// rule (B). x0 and x1 are the differences of their centres and of the centres' velocities
// at c, b bounds the motion of the centres, radii is the sum of the radii.
//
// Proof. A ball that turns about its own centre is the same point set, so only
// the centres' paths matter. The difference of the centres at c + s is within
// Accel s²/2 of x0 + s x1, so it is at least the distance from the origin to
// that segment less Accel H²/2; it is also at least |x0| less the displacement.
//
// The arguments are small structs, which the compiler keeps in registers: this is the
// function called most.
func BallsApart(x0, x1 geom.Vec, b Bounds, radii float64, m Margin) bool {
	need := radii + m.Clearance + m.Slack
	d := geom.Norm(x0)
	if !(d <= math.MaxFloat64) {
		return false // its square overflowed: its length is unknown
	}
	if d*(1-8*u) > (need+b.Far)*(1+8*u) {
		return true
	}
	return DistanceToSegment(x0, x1, b.H) > (need+b.Accel*b.H*b.H*0.5)*(1+8*u)
}

// DistanceToSegment returns a lower bound of |x0 + s x1| over |s| <= h, up to
// 32u |x0|, which slack covers.
//
// The nearest parameter s errs by at most 8u |x0|/|x1| before clamping, which
// moves the point by at most 8u |x0|; the norm and the sum err by less than
// 8u(|x0| + h |x1|), and where h |x1| exceeds |x0| the clamped s does not. Where
// |x1|² overflows the bound is 0; where it is lost, h |x1| is less than slack's floor.
func DistanceToSegment(x0, x1 geom.Vec, h float64) float64 {
	s := 0.0
	if v2 := r3.Norm2(x1); v2 > 0 {
		if !(v2 <= math.MaxFloat64) {
			return 0
		}
		s = max(-h, min(h, -r3.Dot(x0, x1)/v2))
	}
	return finite(geom.Norm(r3.Add(x0, r3.Scale(s, x1))))
}

// ApartStill proves a pair apart by displacement alone: at c (h = 0) half-spaces part it
// by more than clearance and slack and the given length, and no point moves farther than
// far, the sum of both sides' bounds. Nothing but delta enters, so it holds on boxes in
// joint space too.
func ApartStill(by, far float64) bool { return far*(1+8*u) < by }

// SweptBox returns a box that holds a ball for every t in I: rule (B) read along the
// coordinate axes. vel and bend are the velocity and the acceleration of its centre at c,
// b bounds the motion of the centre, radius includes the clearance and the slack.
//
// Proof. Along an axis the centre is within H |v_i| + A H²/2 of where it is at c,
// by Taylor's theorem, A as in BendOver where that is less, and within its
// displacement; the ball turns about it.
//
// What overflows is somewhere: the box is then all of space, as one with a NaN in
// it would meet nothing.
func SweptBox(center, vel, bend geom.Vec, b Bounds, radius float64) geom.Box {
	x, y, z := b.along(vel.X, bend.X, radius), b.along(vel.Y, bend.Y, radius), b.along(vel.Z, bend.Z, radius)
	if sum := center.X + center.Y + center.Z + x + y + z; math.IsNaN(sum) || math.IsInf(sum, 0) {
		inf := math.Inf(1)
		return geom.Box{Min: geom.Vec{X: -inf, Y: -inf, Z: -inf}, Max: geom.Vec{X: inf, Y: inf, Z: inf}}
	}
	return geom.Box{
		Min: geom.Vec{X: center.X - x, Y: center.Y - y, Z: center.Z - z},
		Max: geom.Vec{X: center.X + x, Y: center.Y + y, Z: center.Z + z},
	}
}

// along returns how far from its centre at c a ball gets along an axis.
func (b Bounds) along(v, bend, radius float64) float64 {
	curve := Bent(min(b.Accel, BendOver(math.Abs(bend), b.Jerk, b.H)), b.H)
	return (min(b.H*math.Abs(v)+curve, b.Far) + radius) * (1 + 8*u)
}

// ReachOver returns the largest n.x(t) over the side, its radius included, and over
// all t in I, in W, if its points went straight on; with bent added it is the
// half-space rule for one side, where the other stands still in W and adds the same at
// every tau. Together with SweptBox it makes the swept k-DOP with quadratic error,
// where RKLM04 has interval AABBs.
func ReachOver(n geom.Vec, s *Side, h float64) float64 {
	reach := ReachAlong(n, s, h)
	if h > 0 {
		reach = max(reach, ReachAlong(n, s, -h))
	}
	return reach + s.Core.Radius
}

// Beyond reports whether what stands still with n.x >= least all over it is more
// than the margin apart from a side that gets no farther than reach along n; the slack
// is that of both.
func Beyond(least, reach float64, m Margin) bool {
	return finite(least-reach) > m.Clearance*(1+8*u)+m.Slack
}

// SafeStep returns for how long after c two sides stay apart that have a gap there,
// beyond clearance and slack, along a fixed direction, close it at c by at most
// closing (ClosingRate; negative where it opens), and bend by at most accel along
// it: the step of conservative advancement (ZRLK07, equation 4), of second order.
// accel and slack hold from c on for longer than the step; +Inf if nothing closes
// the gap. The end itself is not proved.
//
// Proof. By Taylor's theorem the gap at c + s is at least gap - closing s - accel
// s²/2, which is positive before its positive root s = 2 gap / (closing + root),
// root = sqrt(closing² + 2 accel gap), or (root - closing) / accel, whichever loses
// no digits; 16u covers the roundings of either.
func SafeStep(gap, closing, accel float64) float64 {
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

// ClosingRate bounds how fast two sides close a gap along n, from a to b, at c: the
// largest n.v over all points of a, and -n.v of b, radii included; slack covers the
// rounding.
func ClosingRate(n geom.Vec, a, b *Side) float64 {
	return Fastest(n, a) + Fastest(r3.Scale(-1, n), b)
}

// Fastest returns the largest n.v(x) over the side: n.(Ang x x) = (n x Ang).x.
func Fastest(n geom.Vec, s *Side) float64 {
	m := r3.Cross(n, s.Vel.Ang)
	return s.Core.SupportValue(s.Pose.R.TurnBack(m)) + r3.Dot(m, s.Pose.P) + geom.Norm(m)*s.Core.Radius + r3.Dot(n, s.Vel.Lin)
}

// SlackOf bounds the error of one side's terms in the rules above: of the poses
// and velocities that kin computed, and of the rules' own arithmetic, for points
// within rho of E's origin, anywhere on the piece, and |t - c| <= h: see Slack.Within.
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
func SlackOf(st *kin.State, e *model.Element, rho float64) Slack {
	p := geom.Norm(e.PoseFE.P) + rho
	x := st.Far[e.Frame] + p
	place := st.ErrP[e.Frame] + (st.ErrR[e.Frame]+160*u)*p + 16*u*x + e.ErrP + e.ErrR*rho
	v, speed := st.ErrV[e.Frame], st.Speed[e.Frame].Lin+st.Speed[e.Frame].Ang*x
	const floor = 0x1p-500
	return Slack{Place: place + 64*u*x + floor, slide: 2*(v.Lin+v.Ang*x) + 64*u*speed, bend: bendErr(st, e.Frame, x)}
}

// Slack is what SlackOf says: of places, and what grows with h and with h².
type Slack struct{ Place, slide, bend float64 }

// Within is the slack of an interval.
func (s *Slack) Within(h float64) float64 { return (s.Place + h*(s.slide+h*s.bend)) * (1 + 8*u) }

// bendErr bounds half the error of n.a(x) in the rules above, for points of frame f
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
