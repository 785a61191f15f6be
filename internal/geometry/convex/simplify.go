package convex

import (
	"container/heap"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// SimplifyHull returns a piece that encloses the convex hull of points with at
// most maxVertices vertices: some of the points, and a Radius that is verified as
// HullOf's is. Vertices are added, the farthest point first, until the Radius is at
// most maxRadius or there are maxVertices; the caller reads the Radius to see
// which. Where the hull has no more vertices than that, it is HullOf.
//
// The piece is the true hull grown by up to Radius: what it proves free is free,
// and a contact with it must be confirmed on something finer.
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

// farPoint is a point and a bound of its distance to the core when that had
// measured vertices.
type farPoint struct {
	p        geom.Vec
	bound    float64
	measured int
}

// farQueue orders points by their distances to a core, the farthest first. The
// core only grows, so that a distance once measured stays an upper bound: the point
// on top is the farthest as soon as its distance is fresh.
type farQueue struct {
	core   Core
	points []farPoint
}

func newFarQueue(c Core, points []geom.Vec) *farQueue {
	q := &farQueue{core: c}
	for _, p := range points {
		q.points = append(q.points, farPoint{p: p, bound: c.reach(p), measured: len(c.Vertices)})
	}
	heap.Init(q)
	return q
}

// grow makes the farthest points vertices of the core until it has maxVertices or
// no point is farther than maxRadius.
func (q *farQueue) grow(maxVertices int, maxRadius float64) {
	for len(q.core.Vertices) < maxVertices && q.bound() > maxRadius {
		p := heap.Pop(q).(farPoint).p
		q.core = grown(&q.core, p)
	}
}

// bound returns the distance of the farthest point, measuring the one on top until
// that is fresh; 0 if there are no points.
func (q *farQueue) bound() float64 {
	if len(q.points) == 0 {
		return 0
	}
	for q.points[0].measured < len(q.core.Vertices) {
		top := &q.points[0]
		top.bound, top.measured = q.core.reach(top.p), len(q.core.Vertices)
		heap.Fix(q, 0)
	}
	return q.points[0].bound
}

// Len, Less, Swap, Push and Pop are heap.Interface.
func (q *farQueue) Len() int           { return len(q.points) }
func (q *farQueue) Less(i, j int) bool { return q.points[i].bound > q.points[j].bound }
func (q *farQueue) Swap(i, j int)      { q.points[i], q.points[j] = q.points[j], q.points[i] }
func (q *farQueue) Push(x any)         { q.points = append(q.points, x.(farPoint)) }

// Pop removes the last.
func (q *farQueue) Pop() any {
	last := q.points[len(q.points)-1]
	q.points = q.points[:len(q.points)-1]
	return last
}
