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
		if w.leavesOut(sw, p, r3.Dot(center, p.n)-half.X*abs(p.n.X)-half.Y*abs(p.n.Y)-half.Z*abs(p.n.Z), alongN) {
			w.noteBeyond(sw, p.n, n.Child[child])
			return true
		}
	}
	return false
}

// sweepOf returns what a part of an element sweeps.
func (w *prover) sweepOf(element int, node int32) *sweep {
	sw := &w.swept[uint32(element<<3^int(node+1))%sweepsKept]
	if sw.stamp == w.at.Stamp() && sw.element == element && sw.node == node &&
		sw.clearance == w.clearance && sw.rise == w.rise {
		if sw.hints[0] != sw.memory.hints[0] { // another part was parted since
			sw.hints, sw.tried = sw.memory.hints, 0
		}
		return sw
	}
	e, at := &w.m.Elements[element], w.at.Element(element)
	sw.stamp, sw.element, sw.node, sw.clearance, sw.rise = w.at.Stamp(), element, node, w.clearance, w.rise
	sw.at, sw.memory = at, w.element(element)
	sw.count, sw.hints, sw.tried = 0, sw.memory.hints, 0
	sw.slack = at.Slack + w.m.World.Err + at.Tube*(1+8*u)
	sw.center, sw.radius, sw.boxed = at.Center, e.Radius, false
	if node != volume.Whole {
		var c geom.Vec
		c, sw.radius = volume.Ball(e, node)
		sw.center = at.Pose.Move(c)
	}
	sw.side.Core, sw.side.Pose, sw.side.Vel = volume.Tight(e, node, &sw.part), at.Pose, w.at.State.Twist[e.Frame]
	return sw
}

// has reports whether n was tried.
func (sw *sweep) has(n geom.Vec) bool {
	for i := range sw.count {
		if sw.planes[i].n == n {
			return true
		}
	}
	return false
}

// boxOf returns the box around a sweep, which single items do without.
func (w *prover) boxOf(sw *sweep) *bvh.Box32 {
	if sw.boxed {
		return &sw.box
	}
	sw.boxed = true
	w.at.EnsureBend(sw.element)
	at := sw.at
	vel, bend := at.Vel, at.Bend
	if sw.node != volume.Whole {
		vel = sw.side.Vel.At(sw.center)
		if w.at.Span > 0 {
			bend = kin.AccelerationAt(&sw.side.Vel, &w.at.State.Rate[w.m.Elements[sw.element].Frame], sw.center)
		}
	}
	bounds := rules.Bounds{H: w.at.Span, Accel: at.Accel, Jerk: at.Jerk, Far: at.Far}
	sw.box = bvh.Outward(rules.SweptBox(sw.center, vel, bend, bounds, sw.radius+w.clearance+sw.slack))
	return &sw.box
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
	*p = plane{n: n, straight: rules.ReachOver(n, &sw.side, w.at.Span)}
	if w.at.Span == 0 {
		p.bound = ofPoints
	}
	if w.rise != 0 {
		p.straight = rules.ReachBelow(n, &sw.side, w.at.Span, w.clearances())
	}
	p.reach = p.straight + rules.Bent(sw.at.Accel, w.at.Span)
	return p
}

// leavesOut reports whether a plane leaves out what has n.x >= least all over it, by bounds
// of the points' acceleration as dear as most where those may help.
func (w *prover) leavesOut(sw *sweep, p *plane, least float64, most curvature) bool {
	margin := w.margin(sw.slack)
	if rules.Beyond(least, p.reach, margin) {
		return true
	}
	if p.bound >= most || !rules.Beyond(least, p.straight, margin) {
		return false
	}
	for p.bound < most {
		p.bound++
		accel := 0.0
		if p.bound == alongN {
			accel = w.at.AccelAlong(sw.element, p.n)
		} else {
			w.at.EnsureBend(sw.element)
			sw.side.Rate = w.at.State.Rate[w.m.Elements[sw.element].Frame]
			accel = rules.BendOver(rules.BendAlong(p.n, &sw.side), sw.at.Jerk, w.at.Span)
		}
		p.reach = min(p.reach, p.straight+rules.Bent(accel, w.at.Span))
		if rules.Beyond(least, p.reach, margin) {
			return true
		}
	}
	return false
}

// parts reports whether a plane leaves out what has n.x >= least all over it.
func (w *prover) parts(sw *sweep, p *plane, least float64) bool {
	return w.leavesOut(sw, p, least, ofPoints)
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
