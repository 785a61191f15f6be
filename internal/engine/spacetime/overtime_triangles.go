package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Two triangles are looked at at all times at once, in vector instructions: what is found are points of both, and where those
// may not be the closest, the closest are looked for once more.

// findClosest looks for the closest points of two shapes at all times, and reports whether they are triangles: of others it
// finds none.
func (o *overTime) findClosest(of distance.Shapes) bool {
	w, f := o.s.w, &o.looked
	if of.A == volume.Whole {
		return false
	}
	if of.Of < 0 {
		element, it := int(^of.Of), &w.m.World.Items[of.B]
		if !volume.IsMesh(&w.m.Elements[element]) || it.Leaf < 0 || !volume.IsMesh(&w.m.Elements[it.Element]) {
			return false
		}
		w.stepped.lanes.ClosestToWorld(element, w.stepped.part(w, element, of.A), &it.Vertices, &f.triangles)
		return true
	}
	q := &w.m.Pairs[of.Of]
	if of.B == volume.Whole || !volume.IsMesh(&w.m.Elements[q.A]) || !volume.IsMesh(&w.m.Elements[q.B]) {
		return false
	}
	w.stepped.lanes.ClosestOf(q, w.stepped.part(w, q.A, of.A), w.stepped.part(w, q.B, of.B), &f.triangles)
	return true
}

// measureTriangles is measure for triangles of a pair.
func (o *overTime) measureTriangles(q *model.Pair, k int, c *closeAt) {
	w, f := o.s.w, &o.looked
	l := w.stepped.lanes
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	ta, tb := volume.Triangle(ea.Leaves, c.of.A), volume.Triangle(eb.Leaves, c.of.B)
	radiusA, radiusB := volume.Radius(ea), volume.Radius(eb)
	if f.triangles.Is(k) {
		atA, atB := f.triangles.Weights(k)
		a, b := w.stepped.part(w, q.A, c.of.A), w.stepped.part(w, q.B, c.of.B)
		if c.take(l.At(q.A, a, &atA, k), l.At(q.B, b, &atB, k), radiusA, radiusB); radiusA+radiusB == 0 {
			c.onA, c.onB = weighted(&ta, &atA), weighted(&tb, &atB)
			return
		}
	}
	poseA, poseB := l.Pose(q.A, k), l.Pose(q.B, k)
	if !f.triangles.Is(k) {
		placed(&ta, &poseA)
		placed(&tb, &poseB)
		r := tri.Distance(&ta, &tb)
		c.take(r.PointA, r.PointB, radiusA, radiusB)
	}
	c.onA, c.onB = poseA.MoveBack(c.onA), poseB.MoveBack(c.onB)
}

// measureTriangleOfWorld is measureTriangles for an element and an item of the world.
func (o *overTime) measureTriangleOfWorld(element int, it *model.Item, k int, c *closeAt) {
	w, f := o.s.w, &o.looked
	l, e := w.stepped.lanes, &w.m.Elements[element]
	t, item := volume.Triangle(e.Leaves, c.of.A), tri.Triangle(it.Vertices)
	radius := volume.Radius(e)
	if f.triangles.Is(k) {
		at, atItem := f.triangles.Weights(k)
		part := w.stepped.part(w, element, c.of.A)
		if c.take(l.At(element, part, &at, k), weighted(&item, &atItem), radius, it.Radius); radius == 0 {
			c.onA = weighted(&t, &at)
			return
		}
	}
	own := l.Pose(element, k)
	if !f.triangles.Is(k) {
		placed(&t, &own)
		r := tri.Distance(&t, &item)
		c.take(r.PointA, r.PointB, radius, it.Radius)
	}
	c.onA = own.MoveBack(c.onA)
}

// weighted returns the sum of a triangle's corners by their weights.
func weighted(t *tri.Triangle, w *[3]float64) (sum geom.Vec) {
	for i, x := range t {
		sum = r3.Add(sum, r3.Scale(w[i], x))
	}
	return sum
}

// placed moves a triangle to where its element is.
func placed(t *tri.Triangle, pose *geom.Pose) {
	for i, x := range t {
		t[i] = pose.Move(x)
	}
}
