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
//
// Coordinates are taken along the longest edge and the altitude on it, which are
// orthogonal: in a needle, rounding then moves the point across (by no more than
// the needle's width) but not along.
func ClosestPoint(t *Triangle, p geom.Vec) geom.Vec {
	a, b, c := t[0], t[1], t[2]
	e, f, g := sub(b, a), sub(c, a), sub(c, b)
	ee, ff, gg := dot(e, e), dot(f, f), dot(g, g)
	switch {
	case gg > ee && gg >= ff: // bc is the longest: b c a
		a, b, c = b, c, a
		e, f, ee = g, sub(c, a), gg
	case ff > ee: // ca is the longest: c a b
		a, b, c = c, a, b
		e, f, ee = sub(b, a), sub(c, a), ff
	}
	foot := dot(f, e) / ee
	h := along(f, -foot, e)
	hh := dot(h, h)
	r := sub(p, a)
	s := dot(r, e) / ee
	k := dot(along(r, -s, e), h) / hh
	alpha, beta := 1-s-k*(1-foot), s-k*foot
	if alpha >= 0 && beta >= 0 && k >= 0 { // false where the triangle has no area
		return along(along(a, s, e), k, h)
	}
	return onEdges(a, b, c, p, alpha, beta, k)
}

// onEdges returns the nearest point among the edges beyond which p projects, those
// across from a coordinate that is negative (or NaN, where there is no area): the
// triangle's nearest point is there.
func onEdges(a, b, c, p geom.Vec, alpha, beta, gamma float64) geom.Vec {
	best := nobody
	if !(alpha >= 0) {
		best.offerPoint(ClosestOnSegment(b, c, p), p)
	}
	if !(beta >= 0) {
		best.offerPoint(ClosestOnSegment(c, a, p), p)
	}
	if !(gamma >= 0) {
		best.offerPoint(ClosestOnSegment(a, b, p), p)
	}
	return best.p
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
