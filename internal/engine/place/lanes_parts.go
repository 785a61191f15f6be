package place

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Part is a convex piece of an element as the hull of corners, in the turned frame, which is grown by radius.
type Part struct {
	corners [][3]float32
	radius  float64
	rho     float64 // bounds the distance of corners from the origin; of a whole element, of the box around them
	reach   fanReach
}

// Corners is how many the part has.
func (p *Part) Corners() int { return len(p.corners) }

// NewPart returns the hull of points of an element's frame F, grown by radius (Element.OutlineOf).
func (l *Lanes) NewPart(element int, points []geom.Vec, radius float64) Part {
	turn := &l.frames[l.r.M.Elements[element].Frame].turn
	p := Part{corners: make([][3]float32, 0, len(points)), radius: radius}
	for _, x := range points {
		at := turn.TurnBack(x)
		p.corners = append(p.corners, [3]float32{float32(at.X), float32(at.Y), float32(at.Z)})
		p.rho = max(p.rho, geom.Norm(at)*(1+1e-9))
	}
	return p
}

// Normal is a direction in the frame of the body where a pair parts, no longer than 1.
type Normal [3]float32

// Normal returns a direction of W at one of the times in the frame of the body where a pair parts.
func (l *Lanes) Normal(q *model.Pair, n geom.Vec, time int) (own Normal, ok bool) {
	r := &l.poses[q.Base].R
	col := func(j int) float64 {
		return float64(r[j][time])*n.X + float64(r[3+j][time])*n.Y + float64(r[6+j][time])*n.Z
	}
	return ToNormal(geom.Vec{X: col(0), Y: col(1), Z: col(2)})
}

// ToNormal returns a direction of W as a normal of the root.
func ToNormal(n geom.Vec) (own Normal, ok bool) {
	unit, ok := geom.Unit(n)
	return short(unit), ok && math.Abs(unit.X) <= 1
}

// Between returns the direction from which two normals are as far as the weight of the other says.
func (n Normal) Between(other Normal, weight float64) (middle Normal, ok bool) {
	return ToNormal(geom.Vec{
		X: float64(n[0])*weight + float64(other[0])*(1-weight), Y: float64(n[1])*weight + float64(other[1])*(1-weight), Z: float64(n[2])*weight + float64(other[2])*(1-weight),
	})
}

// PartsParted returns the steps in which a plane parts a part of each of a pair's elements by more than the
// clearance: one that is fixed in the body where the chains of both part, with a normal from A to B.
//
// In that body's frame the normal is no longer than 1 and does not move. In W, where the gap along it is
// computed, it errs by the body's turn, which counts for as much as the points' distance from each other.
// The gap of two points changes linearly in a step but for the bends of their paths relative to the body.
func (l *Lanes) PartsParted(q *model.Pair, a, b *Part, normal *Normal, clearance float64) (steps uint8) {
	var along lanes.Point
	var gap lanes.Row
	l.poses[q.Base].Direct((*[3]float32)(normal), &along)
	l.gap(q, a, b, &along, &gap)
	need := l.need(q, a, b, clearance)
	for k := range lanes.Steps {
		end := l.ends[k] & 7
		if min(l.Less[k]+float64(gap[k]), l.Less[end]+float64(gap[end])) > need {
			steps |= 1 << k
		}
	}
	return steps
}

// gap computes how far two parts are apart along directions of W at each of the times.
func (l *Lanes) gap(q *model.Pair, a, b *Part, along *lanes.Point, gap *lanes.Row) {
	fa, fb := l.r.M.Elements[q.A].Frame, l.r.M.Elements[q.B].Frame
	lanes.Gap(&l.poses[fa], a.corners, &l.poses[fb], b.corners, along, gap)
}

// need returns the gap that proves two parts apart by more than the clearance. Of 34v of how far they are, 2v are for the
// difference that the gap is.
func (l *Lanes) need(q *model.Pair, a, b *Part, clearance float64) float64 {
	fa, fb := l.r.M.Elements[q.A].Frame, l.r.M.Elements[q.B].Frame
	rot, far := l.errs[q.Base].rot, l.errs[fa].far+a.rho+l.errs[fb].far+b.rho
	need := clearance + a.radius + b.radius + l.errs[fa].slackAt(a.rho) + l.errs[fb].slackAt(b.rho)
	need += l.BendOfPair(q) + (rot+34*v)*far
	return need * (1 + 0x1p-20 + rot)
}

// slackAt bounds the error of the position of a corner of the frame that is within rho of its origin.
func (e *laneErr) slackAt(rho float64) float64 { return e.pos + e.rot*rho + 32*v*(e.far+rho) }

// SlackOfPart bounds the error of the positions of a part of an element, as Pose places it.
func (l *Lanes) SlackOfPart(element int, p *Part) float64 {
	e := &l.r.M.Elements[element]
	return l.slackOf(element, p) + e.ErrP + e.ErrR*2*(geom.Norm(e.Center)+e.Radius) + 64*u*p.rho
}

// Between returns about the way from a point of a pair's first element to one of the second, each given in its
// element, at one of the times.
func (l *Lanes) Between(q *model.Pair, a, b geom.Vec, time int) geom.Vec {
	poseA, poseB := l.Pose(q.A, time), l.Pose(q.B, time)
	return r3.Sub(poseB.Move(b), poseA.Move(a))
}

// ClosestOf looks for the closest points of two parts that are triangles, one of each of a pair's elements, where the lanes
// place them.
func (l *Lanes) ClosestOf(q *model.Pair, a, b *Part, out *lanes.Closest) {
	fa, fb := l.r.M.Elements[q.A].Frame, l.r.M.Elements[q.B].Frame
	lanes.FindClosest(&l.poses[fa], a.triangle(), &l.poses[fb], b.triangle(), out)
}

// ClosestToWorld is ClosestOf for a triangle of an element and one of W.
func (l *Lanes) ClosestToWorld(element int, p *Part, t *[3]geom.Vec, out *lanes.Closest) {
	var other lanes.Triangle
	for i, at := range t {
		other[i] = [3]float32{float32(at.X), float32(at.Y), float32(at.Z)}
	}
	lanes.FindClosest(&l.poses[l.r.M.Elements[element].Frame], p.triangle(), &l.poses[0], &other, out)
}

// At returns where the lanes place a point of a part that is a triangle, given by the weights of its corners, at one of the times.
// It errs by SlackOfPart.
func (l *Lanes) At(element int, p *Part, weights *[3]float64, time int) geom.Vec {
	var own [3]float64
	for i, w := range weights {
		for j, x := range p.corners[i] {
			own[j] += w * float64(x)
		}
	}
	pose := &l.poses[l.r.M.Elements[element].Frame]
	along := func(i int) float64 {
		return float64(pose.R[3*i][time])*own[0] + float64(pose.R[3*i+1][time])*own[1] + float64(pose.R[3*i+2][time])*own[2] + float64(pose.P[i][time])
	}
	return geom.Vec{X: along(0), Y: along(1), Z: along(2)}
}

func (p *Part) triangle() *lanes.Triangle { return (*lanes.Triangle)(p.corners) }
