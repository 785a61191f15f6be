package place

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Plane computes half-spaces in W along about n that contain what an element sweeps in each step, with the
// clearance and all errors, the world's among them. The normal is no longer than 1.
//
// At a time of the lanes the largest n.x is that of a corner, which errs by its slack: what Support
// rounds is in it. In between it is no larger than at both ends, but for the bend. An inner product with a point of
// the world, in float32, errs by 3v of how far that is, products of numbers too small for float32 by less than above adds.
func (l *Lanes) Plane(element int, n geom.Vec, clearance float64, p *lanes.HalfSpace) {
	p.N = short(n)
	s := &l.shapes[element]
	var dir lanes.Point
	var at lanes.Row
	l.poses[0].Direct(&p.N, &dir)
	l.poses[l.r.M.Elements[element].Frame].Support(s.corners, &dir, &at)
	more := (s.radius + s.bend + s.slack + clearance + l.r.M.World.Err + l.worldErr) * (1 + 0x1p-20)
	for k := range lanes.Steps {
		p.Reach[k] = above(float64(max(at[k], at[l.ends[k]&7])) + more)
	}
}

// above returns a float32 that is not less than x, subnormal numbers included.
func above(x float64) float32 { return float32(x + 2*v*math.Abs(x) + 0x1p-140) }

// short returns a unit vector in float32, no longer than 1: rounding makes it longer by less
// than 2v.
func short(n geom.Vec) [3]float32 {
	const k = 1 - 4*v
	return [3]float32{float32(k * n.X), float32(k * n.Y), float32(k * n.Z)}
}

// Parted returns the steps in which a plane parts a pair by more than the clearance: one that is fixed
// in the body where the chains of both part, and has about the normal n in W, from A to B, at one of the times.
//
// In that body's frame the normal is no longer than 1 and does not move. In W, where the gap along it is
// computed, it errs by the body's turn, which counts for as much as the points' distance from each other.
// The gap of two points changes linearly in a step but for the bends of their paths relative to the body.
func (l *Lanes) Parted(q *model.Pair, n geom.Vec, time int, clearance float64) (steps uint8) {
	normal, ok := l.inBase(q, n, time)
	if !ok {
		return 0
	}
	var along, back lanes.Point
	l.poses[q.Base].Direct(&normal, &along)
	for i := range along {
		for k, x := range along[i] {
			back[i][k] = -x
		}
	}
	a, b := &l.shapes[q.A], &l.shapes[q.B]
	fa, fb := l.r.M.Elements[q.A].Frame, l.r.M.Elements[q.B].Frame
	var atA, atB lanes.Row
	l.poses[fa].Support(a.corners, &along, &atA)
	l.poses[fb].Support(b.corners, &back, &atB)
	rot, far := l.errs[q.Base].rot, l.errs[fa].far+a.rho+l.errs[fb].far+b.rho
	need := clearance + a.radius + b.radius + l.slackOf(q.A) + l.slackOf(q.B)
	need += l.BendFrom(q.A, q.Parting) + l.BendFrom(q.B, q.Parting) + (rot+32*v)*far
	need *= 1 + 0x1p-20 + rot
	var gap [lanes.Times]float64
	for k := range gap {
		gap[k] = -float64(atA[k]) - float64(atB[k])
	}
	for k := range lanes.Steps {
		if min(gap[k], gap[l.ends[k]&7]) > need {
			steps |= 1 << k
		}
	}
	return steps
}

// Beside returns the steps in which boxes part a pair by more than the clearance: the box around one element in
// the frame of the body where the chains of both part, if that is its own, and what sweeps the other seen from
// there. The axes of that frame are normals like Parted's, and err as those do. Seen from there own stands still,
// so only the other bends; own's slack is for the base's position.
//
// What is rounded is, of all distances and sizes: each entry of the turn of the other, 3v, which together turn its
// box by less than 6v; products with the box and with the way, 3v and 4v; and the sums after them, 4v. That is less
// than 16v. Boxes themselves are rounded by v, and slacks hold 32v.
func (l *Lanes) Beside(q *model.Pair, clearance float64) (steps uint8) {
	own, other, from := q.A, q.B, q.Parting
	switch q.Base {
	case l.r.M.Elements[own].Frame:
	case l.r.M.Elements[other].Frame:
		own, other = other, own
	default:
		return 0
	}
	i, k := l.row[own], l.row[other]
	if i < 0 || k < 0 {
		return 0
	}
	f := l.r.M.Elements[other].Frame
	a, b, base := &l.shapes[own], &l.shapes[other], &l.errs[q.Base]
	grow := clearance + a.radius + b.radius + a.slack + b.slack + l.BendFrom(other, from)
	grow += (base.rot + 64*v) * (base.far + a.rho + l.errs[f].far + b.rho)
	grow *= 1 + 0x1p-20 + base.rot
	return lanes.Beside(&l.poses[q.Base], &l.boxes[i], &l.poses[f], &l.boxes[k], &l.ends, above(grow))
}

// inBase returns a direction of W at one of the times in the frame of the body where a pair parts.
func (l *Lanes) inBase(q *model.Pair, n geom.Vec, time int) (own [3]float32, ok bool) {
	r := &l.poses[q.Base].R
	col := func(j int) float64 {
		return float64(r[j][time])*n.X + float64(r[3+j][time])*n.Y + float64(r[6+j][time])*n.Z
	}
	unit, ok := geom.Unit(geom.Vec{X: col(0), Y: col(1), Z: col(2)})
	return short(unit), ok && math.Abs(unit.X) <= 1
}

// slackOf bounds the error of the position of an element's corners.
func (l *Lanes) slackOf(element int) float64 {
	if l.row[element] < 0 {
		return 32 * v * l.shapes[element].rho
	}
	return l.shapes[element].slack
}
