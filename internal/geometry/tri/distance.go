package tri

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Result is the closest points of two sets and their distance.
type Result struct {
	// Distance is 0 exactly if the sets were found to intersect, otherwise that of the two
	// points.
	Distance       float64
	PointA, PointB geom.Vec
}

// Distance returns the closest points of two triangles. If they intersect, which is decided
// exactly for triangles that are not segments or points, the distance is 0 and the points are
// one except for rounding.
//
// Closest points of disjoint triangles are a vertex and a point of the other triangle, or
// inner points of two edges: the distance is the smallest of those 6 + 9, without case
// distinctions.
func Distance(s, t *Triangle) Result {
	b := nobody
	var fs, ft face
	fs.set(s)
	ft.set(t)
	for i := range 3 {
		b.offerPoint(s[i], ft.closest(s[i]))
		b.offerPoint(fs.closest(t[i]), t[i])
	}
	if certified(s, t, &b) {
		return b.result()
	}
	for i := range 3 {
		for j := range 3 {
			b.offer(inner(s[i], s[next(i)], t[j], t[next(j)]))
		}
	}
	if certified(s, t, &b) {
		return b.result()
	}
	if p, q, ok := meet(s, t); ok {
		return Result{PointA: p, PointB: q}
	}
	return b.result()
}

func (b *pair) result() Result {
	return Result{Distance: math.Sqrt(b.dd), PointA: b.p, PointB: b.q}
}

// certified reports whether the support gap of the triangles along the best pair's
// direction is its distance to within 2^-46: then nothing is closer.
func certified(s, t *Triangle, b *pair) bool {
	n := sub(b.q, b.p)
	gap := math.Inf(1)
	for i := range t {
		gap = lesser(gap, dot(n, sub(t[i], b.p)))
	}
	for i := range s {
		gap = lesser(gap, dot(n, sub(b.q, s[i])))
	}
	return gap >= b.dd*(1-0x1p-46) && b.dd > 0
}

func lesser(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}

// meet returns a common point, as one of each triangle, if an edge of one meets
// the other.
func meet(s, t *Triangle) (onS, onT geom.Vec, ok bool) {
	for i := range 3 {
		if p, q, ok := pierce(s[i], s[next(i)], t); ok {
			return p, q, true
		}
		if q, p, ok := pierce(t[i], t[next(i)], s); ok {
			return p, q, true
		}
	}
	return onS, onT, false
}

// pierce returns where the segment p q meets t, as a point of each.
func pierce(p, q geom.Vec, t *Triangle) (onP, onT geom.Vec, ok bool) {
	if !SegmentMeets(p, q, t) {
		return onP, onT, false
	}
	b := nobody
	b.offerPoint(p, ClosestPoint(t, p))
	b.offerPoint(q, ClosestPoint(t, q))
	n := cross(sub(t[1], t[0]), sub(t[2], t[0]))
	hp, hq := dot(n, sub(p, t[0])), dot(n, sub(q, t[0]))
	if k := hp / (hp - hq); k > 0 && k < 1 {
		x := along(p, k, sub(q, p))
		b.offerPoint(x, ClosestPoint(t, x))
	}
	for i := range 3 {
		b.offerPoint(ClosestOnSegment(p, q, t[i]), t[i])
		b.offer(inner(p, q, t[i], t[next(i)]))
	}
	if b.close(extent(p, q, t)) {
		return b.p, b.q, true
	}
	// Where they cross flat, or either is a needle, all of these may miss by more than
	// rounding.
	x := common(p, q, t)
	b.offerPoint(x, x)
	return b.p, b.q, true
}

func next(i int) int {
	if i == 2 {
		return 0
	}
	return i + 1
}
