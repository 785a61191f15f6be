package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Two triangles are looked at at all times at once, in vector instructions: what is found are points of both, and where those
// may not be the closest, the closest are looked for once more.

// measureTriangles is measure for triangles of a pair.
func (o *overTime) measureTriangles(q *model.Pair, k int, c *closeAt) {
	w, f := o.s.w, &o.looked
	l := w.stepped.lanes
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	a, b := w.stepped.part(w, q.A, c.of.A), w.stepped.part(w, q.B, c.of.B)
	if !f.searched {
		f.searched = true
		l.ClosestOf(q, a, b, &f.triangles)
	}
	ta, tb := volume.Triangle(ea.Leaves, c.of.A), volume.Triangle(eb.Leaves, c.of.B)
	radiusA, radiusB := volume.Radius(ea), volume.Radius(eb)
	if f.triangles.Is(k) {
		atA, atB := f.triangles.Weights(k)
		c.take(l.At(q.A, a, &atA, k), l.At(q.B, b, &atB, k), radiusA, radiusB)
		if radiusA == 0 && radiusB == 0 {
			c.onA, c.onB = weighted(&ta, &atA), weighted(&tb, &atB)
			return
		}
	} else {
		placed(&ta, o.pose(0, q.A, k))
		placed(&tb, o.pose(1, q.B, k))
		r := tri.Distance(&ta, &tb)
		c.take(r.PointA, r.PointB, radiusA, radiusB)
	}
	c.onA, c.onB = o.pose(0, q.A, k).ApplyInv(c.onA), o.pose(1, q.B, k).ApplyInv(c.onB)
}

// measureTriangleOfWorld is measureTriangles for an element and an item of the world.
func (o *overTime) measureTriangleOfWorld(element int, it *model.Item, k int, c *closeAt) {
	w, f := o.s.w, &o.looked
	l, e := w.stepped.lanes, &w.m.Elements[element]
	part := w.stepped.part(w, element, c.of.A)
	if !f.searched {
		f.searched = true
		l.ClosestToWorld(element, part, &it.Vertices, &f.triangles)
	}
	t, item := volume.Triangle(e.Leaves, c.of.A), tri.Triangle(it.Vertices)
	radius := volume.Radius(e)
	if f.triangles.Is(k) {
		at, atItem := f.triangles.Weights(k)
		c.take(l.At(element, part, &at, k), weighted(&item, &atItem), radius, it.Radius)
		if radius == 0 {
			c.onA = weighted(&t, &at)
			return
		}
	} else {
		placed(&t, o.pose(0, element, k))
		r := tri.Distance(&t, &item)
		c.take(r.PointA, r.PointB, radius, it.Radius)
	}
	c.onA = o.pose(0, element, k).ApplyInv(c.onA)
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
		t[i] = pose.Apply(x)
	}
}
