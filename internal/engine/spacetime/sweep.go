package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
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

	at     *place.Element
	memory *elementMemory
	side   rules.Side
	part   volume.Scratch
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
	if sw.stamp == w.at.Stamp() && sw.element == element && sw.node == node &&
		sw.clearance == w.clearance && sw.rise == w.rise {
		return sw
	}
	e, at := &w.m.Elements[element], w.at.Element(element)
	sw.stamp, sw.element, sw.node, sw.clearance, sw.rise = w.at.Stamp(), element, node, w.clearance, w.rise
	w.at.EnsureBend(element)
	sw.at, sw.memory = at, w.element(element)
	sw.count, sw.hints, sw.tried = 0, sw.memory.hints, 0
	sw.slack = at.Slack + w.m.World.Err + at.Tube*(1+8*u)
	vel, bend := at.Vel, at.Bend
	sw.center = at.Center
	sw.radius = e.Radius
	twist := &w.at.State.Twist[e.Frame]
	if node != volume.Whole {
		var c geom.Vec
		c, sw.radius = volume.Ball(e, node)
		sw.center = at.Pose.Apply(c)
		vel = twist.At(sw.center)
		if w.at.H > 0 {
			bend = kin.AccelerationAt(twist, &w.at.State.Rate[e.Frame], sw.center)
		}
	}
	sw.side.Core, sw.side.Pose, sw.side.Vel = volume.Core(e, node, &sw.part), at.Pose, *twist
	ball := rules.Ball{
		Center: sw.center, Vel: vel, Bend: bend, H: w.at.H,
		Accel: at.Accel, Jerk: at.Jerk, Far: at.Far, Radius: sw.radius + w.clearance + sw.slack,
	}
	sw.box = bvh.Outward(ball.SweptBox())
	return sw
}

// plane adds the half-space along the unit vector n and returns it.
func (w *Worker) plane(sw *sweep, n geom.Vec) *plane {
	k := sw.count
	if k == planesKept {
		k = planesKept - 1
	} else {
		sw.count++
	}
	p := &sw.planes[k]
	*p = plane{n: n, straight: rules.ReachOver(n, &sw.side, w.at.H), sharp: w.at.H == 0}
	if w.rise != 0 {
		p.straight = rules.ReachBelow(n, &sw.side, w.at.H, w.clearances())
	}
	p.reach = p.straight + rules.Bent(w.at.AccelAlong(sw.element, n), w.at.H)
	return p
}

// parts reports whether a plane leaves out what has n.x >= least all over it, working
// out the bend of the paths where that may help.
func (w *Worker) parts(sw *sweep, p *plane, least float64) bool {
	if rules.Beyond(least, p.reach, w.margin(sw.slack)) {
		return true
	}
	if p.sharp || !rules.Beyond(least, p.straight, w.margin(sw.slack)) {
		return false
	}
	p.sharp = true
	sw.side.Rate = w.at.State.Rate[w.m.Elements[sw.element].Frame]
	p.reach = min(p.reach, p.straight+rules.Bent(rules.BendOver(rules.BendAlong(p.n, &sw.side), sw.at.Jerk, w.at.H), w.at.H))
	return rules.Beyond(least, p.reach, w.margin(sw.slack))
}

// hint remembers a direction that parted an element from the world.
func (p *elementMemory) hint(n geom.Vec) {
	k := 0
	for k < hintsKept-1 && p.hints[k] != n {
		k++
	}
	copy(p.hints[1:k+1], p.hints[:k])
	p.hints[0] = n
}
