package tri

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// intersect reports whether two triangles have a point in common, touching
// included, exactly. A triangle that is a segment or a point has no inside to meet:
// it meets a proper one as its edges do, and two such never (use Distance).
func intersect(s, t *Triangle) bool {
	for i := range 3 {
		if SegmentMeets(s[i], s[next(i)], t) || SegmentMeets(t[i], t[next(i)], s) {
			return true
		}
	}
	return false
}

// distanceToSegment returns the closest points of t (PointA) and the segment p q
// (PointB).
func distanceToSegment(t *Triangle, p, q geom.Vec) Result {
	if x, y, ok := pierce(p, q, t); ok {
		return Result{PointA: y, PointB: x}
	}
	b := nobody
	b.offerPoint(ClosestPoint(t, p), p)
	b.offerPoint(ClosestPoint(t, q), q)
	for i := range 3 {
		b.offerPoint(t[i], ClosestOnSegment(p, q, t[i]))
		b.offer(inner(t[i], t[next(i)], p, q))
	}
	return b.result()
}

func norm(a geom.Vec) float64 { return math.Sqrt(a.X*a.X + a.Y*a.Y + a.Z*a.Z) }
