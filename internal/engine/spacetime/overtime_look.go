package spacetime

import (
	"math/bits"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
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

// look returns the closest points of two shapes at one of the times.
func (o *overTime) look(of distance.Shapes, k int) closeAt {
	c := &o.looked
	if c.of != of {
		c.of, c.known, c.searched = of, 0, false
	}
	if c.known>>k&1 == 0 {
		c.known |= 1 << k
		c.at[k] = o.measure(of, k)
	}
	return c.at[k]
}

// measure is look for what was not looked at last.
func (o *overTime) measure(of distance.Shapes, k int) (c closeAt) {
	w := o.s.w
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{} // what was asked before has no effect
	if of.Of < 0 {
		return o.measureItem(of, k)
	}
	q := &w.m.Pairs[of.Of]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	poseA, poseB := o.pose(0, q.A, k), o.pose(1, q.B, k)
	c.of, c.slack = of, o.slack(of)
	if of.A != volume.Whole && of.B != volume.Whole && volume.IsMesh(ea) && volume.IsMesh(eb) {
		if o.looked.begins() {
			w.stepped.lanes.ClosestOf(q, w.stepped.part(w, q.A, of.A), w.stepped.part(w, q.B, of.B), &o.looked.triangles)
		}
		ta, tb := volume.Triangle(ea.Leaves, of.A), volume.Triangle(eb.Leaves, of.B)
		o.looked.points(k, &c, &ta, &tb, poseA, poseB, volume.Radius(ea), volume.Radius(eb))
		return c
	}
	r := convex.Distance(volume.Core(ea, of.A, &w.partA), *poseA, volume.Core(eb, of.B, &w.partB), *poseB, &w.search)
	c.takeResult(&r)
	c.onA, c.onB = poseA.ApplyInv(c.onA), poseB.ApplyInv(c.onB)
	return c
}

// measureItem is measure for a shape of an element and an item of the world.
func (o *overTime) measureItem(of distance.Shapes, k int) (c closeAt) {
	w := o.s.w
	element := int(^of.Of)
	e, it := &w.m.Elements[element], &w.m.World.Items[of.B]
	own := o.pose(0, element, k)
	c.of, c.slack = of, o.slack(of)
	if of.A != volume.Whole && volume.IsMesh(e) && it.Leaf >= 0 && volume.IsMesh(&w.m.Elements[it.Element]) {
		if o.looked.begins() {
			w.stepped.lanes.ClosestToWorld(element, w.stepped.part(w, element, of.A), &it.Vertices, &o.looked.triangles)
		}
		t, item, still := volume.Triangle(e.Leaves, of.A), tri.Triangle(it.Vertices), geom.IdentityPose()
		o.looked.points(k, &c, &t, &item, own, &still, volume.Radius(e), it.Radius)
		return c
	}
	core, pose := volume.ItemCore(w.m, it, &w.partB)
	r := convex.Distance(volume.Core(e, of.A, &w.partA), *own, core, *pose, &w.search)
	c.takeResult(&r)
	c.onA = own.ApplyInv(c.onA)
	return c
}

// begins reports whether two triangles are looked at for the first time.
func (f *looked) begins() bool {
	had := f.searched
	f.searched = true
	return !had
}

// points sets the closest points of two triangles at one of the times, each grown by a radius. Where those that were searched at
// all times may not be the closest, it searches once more, in float64.
func (f *looked) points(k int, c *closeAt, a, b *tri.Triangle, poseA, poseB *geom.Pose, radiusA, radiusB float64) {
	if f.triangles.Is(k) {
		weightsA, weightsB := f.triangles.Weights(k)
		x, y := weighted(a, &weightsA), weighted(b, &weightsB)
		if c.take(poseA.Apply(x), poseB.Apply(y), radiusA, radiusB); radiusA == 0 && radiusB == 0 {
			c.onA, c.onB = x, y
			return
		}
	} else {
		ta, tb := placed(a, poseA), placed(b, poseB)
		r := tri.Distance(&ta, &tb)
		c.take(r.PointA, r.PointB, radiusA, radiusB)
	}
	c.onA, c.onB = poseA.ApplyInv(c.onA), poseB.ApplyInv(c.onB)
}

// weighted returns the sum of a triangle's corners by their weights.
func weighted(t *tri.Triangle, w *[3]float64) (sum geom.Vec) {
	for i, x := range t {
		sum = r3.Add(sum, r3.Scale(w[i], x))
	}
	return sum
}

func placed(t *tri.Triangle, pose *geom.Pose) (at tri.Triangle) {
	for i, x := range t {
		at[i] = pose.Apply(x)
	}
	return at
}

// take sets the closest points of shapes that are grown by radii, given those of their cores; all in W.
func (c *closeAt) take(a, b geom.Vec, radiusA, radiusB float64) {
	between := r3.Sub(b, a)
	length := geom.Norm(between)
	if c.distance = max(0, length-radiusA-radiusB); c.distance == 0 {
		return
	}
	c.normal = r3.Scale(1/length, between)
	c.onA, c.onB = r3.Add(a, r3.Scale(radiusA, c.normal)), r3.Sub(b, r3.Scale(radiusB, c.normal))
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
		o.lowerTo(k, &c)
	}
	return c.normal
}
