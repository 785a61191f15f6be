package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"gonum.org/v1/gonum/spatial/r3"
)

// sweep is the volume that a part of an element sweeps on the current interval, as
// far as it was asked for: a box, and the half-spaces that hold it, one for each
// direction that parted it from something of the world.
type sweep struct {
	stamp     uint64
	element   int
	node      int32
	clearance float64 // that the box includes
	rise      float64 // that the half-spaces are for

	at     *placedElement
	side   side
	part   part
	center geom.Vec // of the part's ball, in W
	radius float64
	box    bvh.Box32
	slack  float64 // of the element and of the world

	planes [planesKept]plane
	count  int
	// hints are those of the element when the sweep was started, not yet tried.
	hints [hintsKept]geom.Vec
	tried int
}

// planesKept is how many half-spaces a sweep has at most.
const planesKept = 6

// plane says n.x(t) <= reach for every point of the part and every t in I.
type plane struct {
	n        geom.Vec
	reach    float64
	straight float64 // without what the points' paths bend
	sharp    bool    // reach has the least bend that is known
}

// sweepOf returns what a part of an element sweeps.
func (w *Worker) sweepOf(element int, node int32) *sweep {
	sw := &w.swept
	if sw.stamp == w.stamp && sw.element == element && sw.node == node &&
		sw.clearance == w.clearance && sw.rise == w.rise {
		return sw
	}
	e, at := &w.m.Elements[element], w.element(element)
	sw.stamp, sw.element, sw.node, sw.clearance, sw.rise = w.stamp, element, node, w.clearance, w.rise
	w.bendOf(element)
	sw.at, sw.count, sw.hints, sw.tried = at, 0, at.hints, 0
	sw.slack = at.slack + w.m.World.Err + at.tube*(1+8*u)
	vel, bend := at.vel, at.bend
	sw.center = at.center
	sw.radius = e.Radius
	twist := &w.state.Twist[e.Frame]
	if node != whole {
		var c geom.Vec
		c, sw.radius = ballOf(e, node)
		sw.center = at.pose.Apply(c)
		vel = twist.At(sw.center)
		if w.h > 0 {
			bend = kin.AccelerationAt(twist, &w.state.Rate[e.Frame], sw.center)
		}
	}
	sw.side.core, sw.side.pose, sw.side.vel = coreOf(e, node, &sw.part), at.pose, *twist
	sw.box = bvh.Outward(sweptBox(sw.center, vel, bend, w.h, at.accel, at.jerk, at.far, sw.radius+w.clearance+sw.slack))
	return sw
}

// plane adds the half-space along the unit vector n and returns it.
func (w *Worker) plane(sw *sweep, n geom.Vec) *plane {
	accel := 0.0
	if w.h > 0 {
		accel = w.state.AccelerationAlong(w.m.Elements[sw.element].Frame, 0, sw.at.radii, n)
	}
	k := sw.count
	if k == planesKept {
		k = planesKept - 1
	} else {
		sw.count++
	}
	p := &sw.planes[k]
	*p = plane{n: n, straight: reachOver(n, &sw.side, w.h), sharp: w.h == 0}
	if w.rise != 0 {
		before, after := w.clearances()
		p.straight = reachBelow(n, &sw.side, w.h, before, after)
	}
	p.reach = p.straight + bent(accel, w.h)
	return p
}

// parts reports whether a plane leaves out what has n.x >= least all over it, working
// out the bend of the paths where that may help.
func (w *Worker) parts(sw *sweep, p *plane, least float64) bool {
	if beyond(least, p.reach, w.clearance, sw.slack) {
		return true
	}
	if p.sharp || !beyond(least, p.straight, w.clearance, sw.slack) {
		return false
	}
	p.sharp = true
	sw.side.rate = w.state.Rate[w.m.Elements[sw.element].Frame]
	p.reach = min(p.reach, p.straight+bent(bendOver(bendAlong(p.n, &sw.side), sw.at.jerk, w.h), w.h))
	return beyond(least, p.reach, w.clearance, sw.slack)
}

// hint remembers a direction that parted an element from the world.
func (p *placedElement) hint(n geom.Vec) {
	k := 0
	for k < hintsKept-1 && p.hints[k] != n {
		k++
	}
	copy(p.hints[1:k+1], p.hints[:k])
	p.hints[0] = n
}

// least returns the smallest n.x over an item, its radius included.
func least(m *model.Model, it *model.Item, n geom.Vec) float64 {
	e := &m.Elements[it.Element]
	v := &it.Vertices
	switch {
	case it.Leaf < 0:
		back := r3.Scale(-1, n)
		return -(e.Core.SupportValue(e.PoseFE.R.ApplyInv(back)) + r3.Dot(back, e.PoseFE.P)) - e.Core.Radius
	case e.Leaves.Mesh != nil:
		return min(r3.Dot(v[0], n), min(r3.Dot(v[1], n), r3.Dot(v[2], n))) - it.Radius
	case e.Leaves.Cells != nil:
		c, half := e.Leaves.Cells[it.Leaf].Center(), e.Leaves.Cells[it.Leaf].Half()
		local := e.PoseFE.R.ApplyInv(n)
		return r3.Dot(n, e.PoseFE.P) + r3.Dot(c, local) - half.X*math.Abs(local.X) - half.Y*math.Abs(local.Y) - half.Z*math.Abs(local.Z) - it.Radius
	}
	return r3.Dot(v[0], n) - it.Radius
}

var identity = geom.IdentityPose()

// itemCore returns an item as a core and its pose in W; the core is made in p.
func itemCore(m *model.Model, it *model.Item, p *part) (*convex.Core, *geom.Pose) {
	e := &m.Elements[it.Element]
	p.core.Radius = it.Radius
	switch {
	case it.Leaf < 0:
		return &e.Core, &e.PoseFE
	case e.Leaves.Mesh != nil:
		p.core.Kind, p.vertices = convex.Triangle, it.Vertices
		p.core.Vertices = p.vertices[:]
		return &p.core, &identity
	case e.Leaves.Cells != nil:
		b := &e.Leaves.Cells[it.Leaf]
		p.core.Kind, p.core.Center, p.core.Half = convex.Box, b.Center(), b.Half()
		return &p.core, &e.PoseFE
	}
	p.core.Kind, p.vertices[0] = convex.Point, it.Vertices[0]
	p.core.Vertices = p.vertices[:1]
	return &p.core, &identity
}
