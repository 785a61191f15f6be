package tri

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// ClosestOnSegment returns the point of the segment from a to b nearest to p.
func ClosestOnSegment(a, b, p geom.Vec) geom.Vec {
	d := sub(b, a)
	dd := dot(d, d)
	if !(dd > 0) {
		return a
	}
	// Measured from the nearer end, so that the position loses least to rounding.
	ta, tb := dot(sub(p, a), d), dot(sub(b, p), d)
	switch {
	case ta <= 0:
		return a
	case tb <= 0:
		return b
	case ta < tb:
		return along(a, ta/dd, d)
	}
	return along(b, -tb/dd, d)
}

// ClosestPoint returns the point of t nearest to p.
func ClosestPoint(t *Triangle, p geom.Vec) geom.Vec {
	var f face
	f.set(t)
	return f.closest(p)
}

// face is a triangle prepared for closest points: corners from the start of its
// longest edge, edges v[i] to v[i+1], and the altitude h on the longest from its
// foot, a fraction of that edge.
//
// Coordinates along the longest edge and the altitude are orthogonal: in a needle,
// rounding then moves a point across (by no more than the needle's width) but not
// along.
type face struct {
	v, edge [3]geom.Vec
	square  [3]float64 // of the edges' lengths
	h       geom.Vec
	hh      float64
	foot    float64
}

func (f *face) set(t *Triangle) {
	a, b, c := t[0], t[1], t[2]
	ab, bc, ca := square(b, a), square(c, b), square(a, c)
	switch {
	case bc > ab && bc >= ca:
		a, b, c = b, c, a
		ab, bc, ca = bc, ca, ab
	case ca > ab:
		a, b, c = c, a, b
		ab, bc, ca = ca, ab, bc
	}
	f.v = [3]geom.Vec{a, b, c}
	f.edge = [3]geom.Vec{sub(b, a), sub(c, b), sub(a, c)}
	f.square = [3]float64{ab, bc, ca}
	f.foot = -dot(f.edge[2], f.edge[0]) / ab
	f.h = along(sub(c, a), -f.foot, f.edge[0])
	f.hh = dot(f.h, f.h)
}

// closest returns the face's point nearest to p.
func (f *face) closest(p geom.Vec) geom.Vec {
	r := sub(p, f.v[0])
	x := dot(r, f.edge[0]) / f.square[0]
	y := dot(along(r, -x, f.edge[0]), f.h) / f.hh
	alpha, beta := 1-x-y*(1-f.foot), x-y*f.foot
	if alpha >= 0 && beta >= 0 && y >= 0 { // false where the triangle has no area
		return along(along(f.v[0], x, f.edge[0]), y, f.h)
	}
	// The nearest point is on an edge that p projects beyond, one across from a
	// coordinate that is negative (or NaN, without area).
	var best geom.Vec
	dd := math.Inf(1)
	if !(alpha >= 0) {
		best = f.onEdge(1, p)
		if beta >= 0 && y >= 0 {
			return best
		}
		dd = square(best, p)
	}
	if !(beta >= 0) {
		if q := f.onEdge(2, p); square(q, p) < dd {
			best, dd = q, square(q, p)
		}
	}
	if !(y >= 0) {
		if q := f.onEdge(0, p); square(q, p) < dd {
			best = q
		}
	}
	return best
}

// onEdge is ClosestOnSegment for edge i.
func (f *face) onEdge(i int, p geom.Vec) geom.Vec {
	a, b, d := &f.v[i], &f.v[next(i)], &f.edge[i]
	ta := dot(sub(p, *a), *d)
	if !(ta > 0) {
		return *a
	}
	if ta+ta < f.square[i] {
		return along(*a, ta/f.square[i], *d)
	}
	tb := dot(sub(*b, p), *d)
	if !(tb > 0) {
		return *b
	}
	return along(*b, -tb/f.square[i], *d)
}

// inner returns the closest points of two segments if they lie inside both, and
// their squared distance; infinity if the closest points may be at an end.
//
// The position on the first line comes from the common normal n = d1 x d2 and is
// off by rounding/sin(angle); the other point is the nearest to it, so that their
// distance is off by the sine of that: by rounding alone.
func inner(p0, p1, q0, q1 geom.Vec) (onP, onQ geom.Vec, dd float64) {
	d1, d2, r := sub(p1, p0), sub(q1, q0), sub(q0, p0)
	n := cross(d1, d2)
	nn := dot(n, n)
	s := dot(cross(r, d2), n)
	if !(s >= 0 && s <= nn && nn > 0) {
		return onP, onQ, math.Inf(1)
	}
	onP = along(p0, s/nn, d1)
	t, d22 := dot(sub(onP, q0), d2), dot(d2, d2)
	if !(t >= 0 && t <= d22) {
		return onP, onQ, math.Inf(1)
	}
	onQ = along(q0, t/d22, d2)
	return onP, onQ, square(onP, onQ)
}

// ClosestOnSegments returns the closest points of the segments p0 p1 and q0 q1.
func ClosestOnSegments(p0, p1, q0, q1 geom.Vec) (onP, onQ geom.Vec) {
	b := nobody
	b.offer(inner(p0, p1, q0, q1))
	b.offerPoint(p0, ClosestOnSegment(q0, q1, p0))
	b.offerPoint(p1, ClosestOnSegment(q0, q1, p1))
	b.offerPoint(ClosestOnSegment(p0, p1, q0), q0)
	b.offerPoint(ClosestOnSegment(p0, p1, q1), q1)
	return b.p, b.q
}

// pair is the closest pair of points found so far.
type pair struct {
	p, q geom.Vec
	dd   float64
}

var nobody = pair{dd: math.Inf(1)}

func (b *pair) offer(p, q geom.Vec, dd float64) {
	if dd < b.dd {
		*b = pair{p, q, dd}
	}
}

func (b *pair) offerPoint(p, q geom.Vec) { b.offer(p, q, square(p, q)) }
