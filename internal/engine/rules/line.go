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

// at returns about the height of a line at a part of the interval, from 0 to 1.
func (l Line) at(part float64) float64 { return l.Before + part*(l.After-l.Before) }

// Split returns about the two parts of a line: each of them errs by less than 4u of the line's height.
func (l Line) Split(part float64) (first, second Line) {
	middle := l.at(part)
	return Line{l.Before, middle}, Line{middle, l.After}
}

// Crossing returns at which part of the interval two lines cross, of which a is the lower one before; ok is false where they do not.
func Crossing(a, b Line) (part float64, ok bool) {
	before, after := b.Before-a.Before, a.After-b.After
	return before / (before + after), before > 0 && after > 0
}

// Below returns a line below two that follow each other, of which the first has the given part of both; ok is false where that
// is below zero.
func Below(a, b Line, part float64) (l Line, ok bool) {
	chord := Line{a.Before, b.After}
	less := max(0, chord.at(part)-min(a.After, b.Before)) + 16*u*highest(a, b)
	l = Line{a.Before - less, b.After - less}
	return l, l.Before >= 0 && l.After >= 0
}

// Above returns a line above two that follow each other, of which the first has the given part of both.
func Above(a, b Line, part float64) Line {
	chord := Line{a.Before, b.After}
	more := max(0, max(a.After, b.Before)-chord.at(part)) + 16*u*highest(a, b)
	return Line{a.Before + more, b.After + more}
}

// highest is what the rounding of two lines is in proportion to.
func highest(a, b Line) float64 { return max(a.Before, a.After, b.Before, b.After) }

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

// Slide are the closest points of two convex shapes at both ends of an interval, which may be others at each: the
// points of the shapes that lie between them bound the distance from above.
type Slide struct {
	Bend   float64 // by how much points of both shapes together depart from their chords, at most
	Turned float64 // how far each shape turns (rad), times the way between its two points, of both together
	Slack  float64 // of both shapes' positions
}

// AboveDistance returns a line that the shapes' distance does not exceed on the interval, at whose ends it is before
// and after.
//
// Proof. Let x and y be the points of one shape, in its frame, and T its pose, seen in the body where the chains part.
// z(s) = x + s (y - x) is in the shape, as that is convex, for s from 0 to 1 over the interval. T(s) z(s) is
// (1-s) T(s) x + s T(s) y, within Bend of
//
//	(1-s)² T(0) x + (1-s) s (T(1) x + T(0) y) + s² T(1) y,
//
// which departs from the chord (1-s) T(0) x + s T(1) y by (1-s) s (R(1) - R(0)) (y - x), R being T's rotation: by
// no more than a quarter of the shape's turn times |y - x|. The distance of two points on chords is convex in s, so it is
// below the line through its values at both ends.
func (l *Slide) AboveDistance(before, after float64) Line {
	more := (l.Bend+l.Turned/4)*(1+8*u) + l.Slack
	return Line{Before: before*(1+8*u) + more, After: after*(1+8*u) + more}
}
