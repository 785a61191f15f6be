package convex

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/heap"
)

// SimplifyHull returns a piece that encloses the convex hull of points with at
// most maxVertices vertices: some of the points, and a Radius that is verified as
// HullOf's is. Vertices are added, the farthest point first, until the Radius is at
// most maxRadius or there are maxVertices; the caller reads the Radius to see
// which. Where the hull has no more vertices than that, it is HullOf.
//
// The piece is the true hull grown by up to Radius: a proof that it is free holds for the
// hull, and a contact with it must be confirmed on a finer shape.
func SimplifyHull(points []geom.Vec, maxVertices int, maxRadius float64) (Core, error) {
	if maxVertices < 1 {
		return Core{}, fmt.Errorf("a hull of at most %d vertices: at least 1 is needed", maxVertices)
	}
	full, err := HullOf(points)
	if err != nil {
		return full, err
	}
	return full.Simplified(maxVertices, maxRadius), nil
}

// Simplified is SimplifyHull for points whose hull is made already: full, which
// HullOf returned. maxVertices is at least 1.
func (full *Core) Simplified(maxVertices int, maxRadius float64) Core {
	if len(full.Vertices) <= maxVertices {
		return *full
	}
	q := newFarQueue(coreOf(full.Vertices, []int32{0}), full.Vertices[1:])
	q.grow(maxVertices, maxRadius-full.Radius)
	radius := (q.bound() + full.Radius) * (1 + ballRounding) // the sum is rounded, too
	c := q.core
	c.measure()
	c.Radius = radius
	return c
}

// farPoint is a point and what is known of its distance to a core.
type farPoint struct {
	p        geom.Vec
	measured int     // how many vertices the core had when the distance was measured
	near     simplex // of the vertices that are nearest, as the search found them
}

// farQueue orders points by their distances to a core, the farthest first. The
// core only grows, so that a distance once measured stays an upper bound: the point
// on top is the farthest as soon as its distance is fresh.
type farQueue struct {
	core   Core
	all    []farPoint
	points heap.Min[int32] // of all, by their distances, negated
}

func newFarQueue(c Core, points []geom.Vec) *farQueue {
	q := &farQueue{core: c, all: make([]farPoint, len(points))}
	items := make([]heap.Item[int32], len(points))
	for i, p := range points {
		q.all[i].p = p
		items[i] = heap.Item[int32]{Key: -q.all[i].measure(&q.core), Value: int32(i)}
	}
	q.points.Build(items)
	return q
}

// measure returns a verified bound of the distance of the point to the core, as reach does. The
// search goes on from where it ended when the core was smaller.
func (f *farPoint) measure(c *Core) float64 {
	var g search
	g.s = f.near
	d := g.nearby(c, f.p)
	f.measured, f.near = len(c.Vertices), g.s
	return d
}

// fresh reports that the vertices that the core got since the point was measured bring the core no
// closer to it: they are beyond the plane through its nearest point.
func (f *farPoint) fresh(c *Core) bool {
	toward := f.near.v
	least := dot(toward, toward)
	for _, v := range c.Vertices[f.measured:] {
		if !(dot(toward, sub(v, f.p)) >= least) {
			return false
		}
	}
	f.measured = len(c.Vertices)
	return true
}

// grow makes the farthest points vertices of the core until it has maxVertices or
// no point is farther than maxRadius. The vertices stay in the order in which they came.
func (q *farQueue) grow(maxVertices int, maxRadius float64) {
	vs := make([]geom.Vec, len(q.core.Vertices), max(maxVertices, len(q.core.Vertices)))
	copy(vs, q.core.Vertices)
	for len(vs) < maxVertices && q.bound() > maxRadius {
		vs = append(vs, q.all[q.points.Pop().Value].p)
		q.core = Core{Kind: kindOf(len(vs)), Vertices: vs}
		q.core.measureInOrder()
	}
}

// bound returns the distance of the farthest point, measuring the one on top until
// that is fresh; 0 if there are no points.
func (q *farQueue) bound() float64 {
	if q.points.Len() == 0 {
		return 0
	}
	for {
		top := &q.all[q.points.Top().Value]
		if top.measured == len(q.core.Vertices) || top.fresh(&q.core) {
			return -q.points.Top().Key
		}
		q.points.SetTop(-top.measure(&q.core))
	}
}
