package spacetime

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// What is closest at the times of steps is looked at where the lanes place it, in float32: its distance errs by their slacks.

// pose returns about the pose of an element at one of the times; side is 0 for the first of a pair, or where there is
// no other, 1 for the second.
func (o *overTime) pose(side, element, k int) *geom.Pose {
	c := &o.seen[side]
	if c.element != element {
		c.element, c.known = element, 0
	}
	if c.known>>k&1 == 0 {
		c.known |= 1 << k
		c.at[k] = o.s.w.stepped.lanes.Pose(element, k)
	}
	return &c.at[k]
}

// look returns the closest points of two shapes at one of the times, until others are looked at at that time.
func (o *overTime) look(of distance.Shapes, k int) *closeAt {
	c := &o.looked
	if c.of != of {
		c.of, c.known = of, 0
	}
	if c.known == 0 {
		c.both = o.findClosest(of)
	}
	if c.known>>k&1 == 0 {
		c.known |= 1 << k
		c.at[k] = closeAt{of: of, slack: o.slack(of)}
		o.measure(&c.at[k], k)
	}
	return &c.at[k]
}

// measure looks at the shapes of c, which were not looked at last.
func (o *overTime) measure(c *closeAt, k int) {
	w, of := o.s.w, c.of
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{} // what was asked before has no effect
	if of.Of < 0 {
		o.measureItem(c, k)
		return
	}
	q := &w.m.Pairs[of.Of]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	if o.looked.both {
		o.measureTriangles(q, k, c)
		return
	}
	poseA, poseB := o.pose(0, q.A, k), o.pose(1, q.B, k)
	r := convex.Distance(volume.Core(ea, of.A, &w.partA), poseA, volume.Core(eb, of.B, &w.partB), poseB, &w.search)
	c.takeResult(&r)
	c.onA, c.onB = poseA.MoveBack(c.onA), poseB.MoveBack(c.onB)
}

// measureItem is measure for a shape of an element and an item of the world.
func (o *overTime) measureItem(c *closeAt, k int) {
	w, of := o.s.w, c.of
	element := int(^of.Of)
	e, it := &w.m.Elements[element], &w.m.World.Items[of.B]
	if o.looked.both {
		o.measureTriangleOfWorld(element, it, k, c)
		return
	}
	own := o.pose(0, element, k)
	core, pose := volume.ItemCore(w.m, it, &w.partB)
	r := convex.Distance(volume.Core(e, of.A, &w.partA), own, core, pose, &w.search)
	c.takeResult(&r)
	c.onA = own.MoveBack(c.onA)
}

func (c *closeAt) takeResult(r *convex.Result) {
	if r.Overlap {
		return
	}
	c.distance, c.onA, c.onB = r.Distance, r.PointA, r.PointB
	c.normal, _ = geom.Unit(r.Normal)
}

// lookAll looks at two shapes at the ends of steps, and returns the normals from one to the other.
func (o *overTime) lookAll(of distance.Shapes, steps uint8) (normals [lanes.Times]geom.Vec) {
	for ends := steps | steps<<1; ends != 0; ends &= ends - 1 {
		k := bits.TrailingZeros8(ends)
		normals[k] = o.note(of, k)
	}
	return normals
}

// note looks at two shapes at one of the times, takes note if they are closer than what came closest so far, and returns
// the normal from one to the other.
func (o *overTime) note(of distance.Shapes, k int) geom.Vec {
	n := &o.near[k]
	if of == n.of {
		return n.normal
	}
	c := o.look(of, k)
	if c.distance < n.distance-o.least {
		o.lowerTo(k, c)
	}
	return c.normal
}
