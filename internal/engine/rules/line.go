package rules

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Line is a clearance that changes linearly over [c-h, c+h], given at its ends. All
// rules hold with the larger end throughout; those in this file hold with the line
// itself. The lower bounds of a profile rest on them.
type Line struct{ Before, After float64 }

// PartedAtEnds is PartedBy for a clearance that is a line.
//
// Proof. For a point pair (x, y) let f(tau) = n.x(c) + tau n.v(x) - n.y(c) - tau n.v(y)
// + clearance(tau). It is linear in tau, so the largest over all pairs is convex,
// and below its value at one of the ends; beyond that is A tau²/2 at most, as in
// PartedBy.
func PartedAtEnds(n geom.Vec, a, b *Side, h float64, clearance Line, slack float64) float64 {
	before, after := clearance.Before, clearance.After
	return finite(-slack - a.Core.Radius - b.Core.Radius -
		max(gapAt(n, a, b, h)+after+8*u*math.Abs(after), gapAt(n, a, b, -h)+before+8*u*math.Abs(before)))
}

// ReachBelow is ReachOver for a clearance that is a line: what stands still and is more
// than the larger end beyond what it returns is farther than the line from the side at
// every t in I.
//
// Proof. n.x(t) + line(t) is, but for A tau²/2, linear in tau for each point: the
// largest of it over the side and I is at an end. It is at most reach + clearance.
func ReachBelow(n geom.Vec, s *Side, h float64, line Line) float64 {
	clearance := max(line.Before, line.After)
	at := func(tau, line float64) float64 {
		return ReachAlong(n, s, tau) - (clearance-line)*(1-8*u)
	}
	return max(at(h, line.After), at(-h, line.Before)) + s.Core.Radius
}

// Points are two points that are fixed to their bodies, one of each: their distance
// bounds that of the bodies from above.
type Points struct {
	X0, X1       geom.Vec // the difference of the points and of their velocities at c
	H            float64
	Accel, Slack float64 // bounds of the sum of both points' accelerations on I, with all s = 1
}

// AboveDistance returns a line that the points' distance does not exceed on I.
//
// Proof. Seen in the body where the chains part, their difference is within A s²/2 of
// X0 + s X1 at c+s. |X0 + s X1| is convex in s, so it is below the line through its
// values at both ends.
func (p *Points) AboveDistance() Line {
	more := Bent(p.Accel, p.H) + p.Slack
	at := func(s float64) float64 { return geom.Norm(r3.Add(p.X0, r3.Scale(s, p.X1)))*(1+8*u) + more }
	return Line{Before: at(-p.H), After: at(p.H)}
}
