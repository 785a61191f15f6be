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
	q.core.Radius = (q.bound() + full.Radius) * (1 + ballRounding) // the sum is rounded, too
	return q.core
}

// grown returns c with one more vertex.
func grown(c *Core, p geom.Vec) Core {
	vs := append(append(make([]geom.Vec, 0, len(c.Vertices)+1), c.Vertices...), p)
	g := Core{Kind: Hull, Vertices: vs}
	if n := len(vs); n <= 3 {
		g.Kind = Kind(n-1) + Point
	}
	g.measure()
	return g
}

// farPoint is a point and how many vertices the core had when the point's distance was
// measured.
type farPoint struct {
	p        geom.Vec
	measured int
}

// farQueue orders points by their distances to a core, the farthest first. The
// core only grows, so that a distance once measured stays an upper bound: the point
// on top is the farthest as soon as its distance is fresh.
type farQueue struct {
	core   Core
	points heap.Min[farPoint] // by their distances, negated
}

func newFarQueue(c Core, points []geom.Vec) *farQueue {
	q := &farQueue{core: c}
	items := make([]heap.Item[farPoint], len(points))
	for i, p := range points {
		items[i] = heap.Item[farPoint]{Key: -c.reach(p), Value: farPoint{p: p, measured: len(c.Vertices)}}
	}
	q.points.Build(items)
	return q
}

// grow makes the farthest points vertices of the core until it has maxVertices or
// no point is farther than maxRadius.
func (q *farQueue) grow(maxVertices int, maxRadius float64) {
	for len(q.core.Vertices) < maxVertices && q.bound() > maxRadius {
		p := q.points.Pop().Value.p
		q.core = grown(&q.core, p)
	}
}

// bound returns the distance of the farthest point, measuring the one on top until
// that is fresh; 0 if there are no points.
func (q *farQueue) bound() float64 {
	if q.points.Len() == 0 {
		return 0
	}
	for q.points.Top().Value.measured < len(q.core.Vertices) {
		top := &q.points.Top().Value
		top.measured = len(q.core.Vertices)
		q.points.SetTop(-q.core.reach(top.p))
	}
	return -q.points.Top().Key
}
