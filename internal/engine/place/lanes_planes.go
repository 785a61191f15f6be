package place

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Plane computes half-spaces in W along about n that contain what an element of the robot sweeps in each step, with the
// clearance and all errors, the world's among them. The normal is no longer than 1.
//
// At a time of the lanes the largest n.x is that of a corner, which errs by its slack: what Support
// rounds is in it. In between it is no larger than at both ends, but for the bend. An inner product with a point of
// the world, in float32, errs by 3v of how far that is, products of numbers too small for float32 by less than above adds.
func (l *Lanes) Plane(element int, n geom.Vec, clearance float64, p *lanes.HalfSpace) {
	s := l.shape(element)
	l.plane(element, &s.Part, s.slack, n, clearance, p)
}

// PlaneOfPart is Plane for a part of an element.
func (l *Lanes) PlaneOfPart(element int, part *Part, n geom.Vec, clearance float64, p *lanes.HalfSpace) {
	l.plane(element, part, l.slackOf(element, part), n, clearance, p)
}

// slackOf bounds the error of the positions of a part's corners.
func (l *Lanes) slackOf(element int, p *Part) float64 {
	return l.errs[l.r.M.Elements[element].Frame].slackAt(p.rho)
}

func (l *Lanes) plane(element int, part *Part, slack float64, n geom.Vec, clearance float64, p *lanes.HalfSpace) {
	p.N = short(n)
	var dir lanes.Point
	var at lanes.Row
	l.poses[0].Direct(&p.N, &dir)
	l.poses[l.r.M.Elements[element].Frame].Support(part.corners, &dir, &at)
	more := l.more(element, part, slack, clearance)
	for k := range lanes.Steps {
		end := l.ends[k] & 7
		p.Reach[k] = above(max(float64(at[k])-l.Less[k], float64(at[end])-l.Less[end]) + more)
	}
}

// more is by how much a part sweeps more than its corners do where the steps end, with the clearance and all errors.
func (l *Lanes) more(element int, p *Part, slack, clearance float64) float64 {
	bend := 0.0
	if row := l.row[element]; row >= 0 {
		bend = l.bendAt(int(row))
	}
	return (p.radius + bend + slack + clearance + l.r.M.World.Err + l.worldErr) * (1 + 0x1p-20)
}

// above returns a float32 that is not less than x, subnormal numbers included.
func above(x float64) float32 { return float32(x + 2*v*math.Abs(x) + 0x1p-140) }

// short returns a unit vector in float32, no longer than 1: rounding makes it longer by less
// than 2v.
func short(n geom.Vec) [3]float32 {
	const k = 1 - 4*v
	return [3]float32{float32(k * n.X), float32(k * n.Y), float32(k * n.Z)}
}

// Parted returns the steps in which a plane parts a pair of the robot's by more than the clearance: one that is fixed
// in the body where the chains of both part, and has about the normal n in W, from A to B, at one of the times.
func (l *Lanes) Parted(q *model.Pair, n geom.Vec, time int, clearance float64) (steps uint8) {
	normal, ok := l.Normal(q, n, time)
	if !ok {
		return 0
	}
	return l.PartsParted(q, &l.shape(q.A).Part, &l.shape(q.B).Part, &normal, clearance)
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
	a, b, base := l.shape(own), l.shape(other), &l.errs[q.Base]
	grow := clearance + a.radius + b.radius + a.slack + b.slack + l.BendFrom(other, from)
	grow += (base.rot + 64*v) * (base.far + a.rho + l.errs[f].far + b.rho)
	grow *= 1 + 0x1p-20 + base.rot
	return lanes.Beside(&l.poses[q.Base], &l.boxes[i], &l.poses[f], &l.boxes[k], &l.ends, above(grow))
}
