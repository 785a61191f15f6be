package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// boxBeyond reports whether some half-space of the sweep leaves out a child's box.
func (w *prover) boxBeyond(sw *sweep, n *bvh.WideNode, child int) bool {
	center, half := n.ChildBox(child)
	for i := 0; i < sw.count; i++ {
		p := &sw.planes[i]
		if rules.Beyond(r3.Dot(center, p.n)-half.X*abs(p.n.X)-half.Y*abs(p.n.Y)-half.Z*abs(p.n.Z), p.reach, w.margin(sw.slack)) {
			w.noteBeyond(sw, p.n, n.Child[child])
			return true
		}
	}
	return false
}

// sweepOf returns what a part of an element sweeps.
func (w *prover) sweepOf(element int, node int32) *sweep {
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
		if w.at.Span > 0 {
			bend = kin.AccelerationAt(twist, &w.at.State.Rate[e.Frame], sw.center)
		}
	}
	sw.side.Core, sw.side.Pose, sw.side.Vel = volume.Core(e, node, &sw.part), at.Pose, *twist
	bounds := rules.Bounds{H: w.at.Span, Accel: at.Accel, Jerk: at.Jerk, Far: at.Far}
	sw.box = bvh.Outward(rules.SweptBox(sw.center, vel, bend, bounds, sw.radius+w.clearance+sw.slack))
	return sw
}

// plane adds the half-space along the unit vector n and returns it.
func (w *prover) plane(sw *sweep, n geom.Vec) *plane {
	k := sw.count
	if k == planesKept {
		k = planesKept - 1
	} else {
		sw.count++
	}
	p := &sw.planes[k]
	*p = plane{n: n, straight: rules.ReachOver(n, &sw.side, w.at.Span), sharp: w.at.Span == 0}
	if w.rise != 0 {
		p.straight = rules.ReachBelow(n, &sw.side, w.at.Span, w.clearances())
	}
	p.reach = p.straight + rules.Bent(w.at.AccelAlong(sw.element, n), w.at.Span)
	return p
}

// parts reports whether a plane leaves out what has n.x >= least all over it, working
// out the bend of the paths where that may help.
func (w *prover) parts(sw *sweep, p *plane, least float64) bool {
	if rules.Beyond(least, p.reach, w.margin(sw.slack)) {
		return true
	}
	if p.sharp || !rules.Beyond(least, p.straight, w.margin(sw.slack)) {
		return false
	}
	p.sharp = true
	sw.side.Rate = w.at.State.Rate[w.m.Elements[sw.element].Frame]
	p.reach = min(p.reach, p.straight+rules.Bent(rules.BendOver(rules.BendAlong(p.n, &sw.side), sw.at.Jerk, w.at.Span), w.at.Span))
	return rules.Beyond(least, p.reach, w.margin(sw.slack))
}

// gapBeyond returns by how much more than the clearance an item is apart at c along the direction that
// was tried last, 0 if there is none.
func (w *prover) gapBeyond(sw *sweep, it *model.Item) float64 {
	if sw.count == 0 {
		return 0
	}
	n := sw.planes[sw.count-1].n
	return volume.ItemLeast(w.m, it, n) - rules.ReachOver(n, &sw.side, 0) - w.clearance - sw.slack
}
