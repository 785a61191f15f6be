package articulate

// Elementary contacts of two triangles: RKLM04, Eq. 13 and 14.
//
// Two triangles that are apart and move until they touch do so with a vertex of one in
// the other or with two edges crossing: at that instant a plane lies between them, what
// either has in it is a vertex, an edge or all of it, and two such sets in one plane
// meet in a vertex of one or where edges cross. This holds for triangles without area
// as well. At the touch, with d from a point of one to a point of the other,
//
//	edge/edge    d . (ab x cd) = 0                                                (13)
//	vertex/face  d . (bc x bd) = 0                                                (14)
//
// Departures. A root says only that a plane or two lines are met. The paper asks at the
// end, once, at one instant of an interval as short as its threshold, whether the vertex
// is inside the triangle then, and drops the root where it is not: a tip that passes the
// corner of a face touches it at another instant of that interval, and is dropped
// (literal_test.go). Here the same conditions are inequalities that an interval of time
// can refute as a whole, as it can (13) and (14); a touch is never refuted. What is left
// at the threshold is decided by a distance (solve.go). An equation also falls where
// boxes around the two features stay apart, and a vertex or an edge that several
// triangles have is looked at once, for one of them.

import (
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Kinds of equation.
const (
	vertexFace uint8 = iota // a vertex of A and a face of B
	faceVertex              // a face of A and a vertex of B
	edgeEdge
	convexGap // no equation: two convex pieces that must be shown apart (leaf.go)
)

// equation is an elementary test of a pair of elements that may have a root.
type equation struct {
	kind         uint8
	pair         int32      // of Worker.active
	a, b         int32      // slots of the features; of convexGap an index of Worker.gaps and nothing
	leafA, leafB int32      // the pieces of either element that stand for it
	window       interval.I // outside of it the features do not touch
	long         float64    // of an interval over which bounds are worth the work
}

// views returns how both sides are seen over the interval, or at an instant in it.
func (w *Worker) views(e *equation, instant bool) (a, b view) {
	p := &w.active[e.pair]
	if instant {
		return view{w, p.a, &w.instant, &p.a.at, true}, view{w, p.b, &w.instant, &p.b.at, true}
	}
	return view{w, p.a, &w.span, &p.a.over, false}, view{w, p.b, &w.span, &p.b.over, false}
}

// value bounds the left side of (13) or (14); ok is false where the features cannot
// touch in the interval, for another reason than its sign.
func (w *Worker) value(e *equation) (f interval.I, possible bool) {
	a, b := w.views(e, false)
	switch e.kind {
	case vertexFace:
		return vertexFaceValue(&a, e.a, &b, e.b)
	case faceVertex:
		return vertexFaceValue(&b, e.b, &a, e.a)
	}
	return edgeEdgeValue(&a, e.a, &b, e.b)
}

// vertexFaceValue bounds (p - b) . n for a vertex p and a face with a vertex b.
func vertexFaceValue(x *view, vertex int32, y *view, face int32) (f interval.I, possible bool) {
	t := &y.s.faces.items[face]
	p := x.point(vertex)
	q := [3]*interval.Vec{y.point(t.ends[0]), y.point(t.ends[1]), y.point(t.ends[2])}
	if !p.Overlaps(q[0].Hull(*q[1]).Hull(*q[2])) {
		return f, false
	}
	n := y.direction(t)
	d := p.Sub(*q[0])
	if f = d.Dot(*n); f.Lo > 0 || f.Hi < 0 {
		return f, true
	}
	// In the triangle, p is on the inner side of every edge: (p - q) . (n x edge) >= 0.
	for k := range q {
		edge := y.s.vertices.items[t.ends[next[k]]].own.Sub(y.s.vertices.items[t.ends[k]].own)
		inward := y.turned(t.own.Cross(edge))
		if p.Sub(*q[k]).Dot(inward).Hi < 0 {
			return f, false
		}
	}
	return f, true
}

// turned turns a direction in the element's frame.
func (v *view) turned(d interval.Vec) interval.Vec { return v.w.poses(v.s, v.l, v.p).pose.R.Apply(d) }

// edgeEdgeValue bounds (c - a) . (ab x cd).
func edgeEdgeValue(x *view, first int32, y *view, second int32) (f interval.I, possible bool) {
	e, g := &x.s.edges.items[first], &y.s.edges.items[second]
	a, b := x.point(e.ends[0]), x.point(e.ends[1])
	c, d := y.point(g.ends[0]), y.point(g.ends[1])
	if !a.Hull(*b).Overlaps(c.Hull(*d)) {
		return f, false
	}
	ab, cd := x.direction(e), y.direction(g)
	n, ac := ab.Cross(*cd), c.Sub(*a)
	if f = ac.Dot(n); f.Lo > 0 || f.Hi < 0 {
		return f, true
	}
	// They meet at a + s ab = c + t cd, where s |n|^2 = (ac x cd) . n and t |n|^2 = (ac x
	// ab) . n; of the other ends s - 1 and t - 1.
	switch {
	case ac.Cross(*cd).Dot(n).Hi < 0, c.Sub(*b).Cross(*cd).Dot(n).Lo > 0,
		ac.Cross(*ab).Dot(n).Hi < 0, d.Sub(*a).Cross(*ab).Dot(n).Lo > 0:
		return f, false
	}
	return f, true
}

// rate bounds the derivative of value on the interval.
func (w *Worker) rate(e *equation) interval.I {
	a, b := w.views(e, false)
	switch e.kind {
	case vertexFace:
		return vertexFaceRate(&a, e.a, &b, e.b)
	case faceVertex:
		return vertexFaceRate(&b, e.b, &a, e.a)
	}
	return edgeEdgeRate(&a, e.a, &b, e.b)
}

func vertexFaceRate(x *view, vertex int32, y *view, face int32) interval.I {
	t := &y.s.faces.items[face]
	d := x.point(vertex).Sub(*y.point(t.ends[0]))
	rate := x.pointRate(vertex).Sub(*y.pointRate(t.ends[0]))
	return rate.Dot(*y.direction(t)).Add(d.Dot(*y.directionRate(t)))
}

func edgeEdgeRate(x *view, first int32, y *view, second int32) interval.I {
	e, g := &x.s.edges.items[first], &y.s.edges.items[second]
	ab, cd := x.direction(e), y.direction(g)
	ac := y.point(g.ends[0]).Sub(*x.point(e.ends[0]))
	rate := y.pointRate(g.ends[0]).Sub(*x.pointRate(e.ends[0]))
	turn := x.directionRate(e).Cross(*cd).Add(ab.Cross(*y.directionRate(g)))
	return rate.Dot(ab.Cross(*cd)).Add(ac.Dot(turn))
}

// valueAt bounds value at the instant.
func (w *Worker) valueAt(e *equation) interval.I {
	a, b := w.views(e, true)
	switch e.kind {
	case vertexFace:
		return planeValue(&a, e.a, &b, e.b)
	case faceVertex:
		return planeValue(&b, e.b, &a, e.a)
	}
	x, y := &a.s.edges.items[e.a], &b.s.edges.items[e.b]
	ac := b.point(y.ends[0]).Sub(*a.point(x.ends[0]))
	return ac.Dot(a.direction(x).Cross(*b.direction(y)))
}

func planeValue(x *view, vertex int32, y *view, face int32) interval.I {
	t := &y.s.faces.items[face]
	return x.point(vertex).Sub(*y.point(t.ends[0])).Dot(*y.direction(t))
}

// equations appends the elementary tests of a pair of triangles: six of a vertex and a
// face, nine of two edges, but for those that another triangle stands for.
func (w *Worker) equations(pair int32, leafA, leafB int32, window interval.I) {
	p := &w.active[pair]
	w.use(p.a)
	w.use(p.b)
	fa, fb := p.a.part.faces, p.b.part.faces
	add := func(kind uint8, a, b int32) {
		w.items = append(w.items, equation{kind: kind, pair: pair, a: a, b: b, leafA: leafA, leafB: leafB, window: window, long: 2 * window.Width()})
	}
	ownA, ownB := fa.own[leafA], fb.own[leafB]
	for k := range 3 {
		if ownA&(1<<k) != 0 {
			add(vertexFace, p.a.vertexSlot(fa.faces[leafA][k]), p.b.faceSlot(leafB))
		}
		if ownB&(1<<k) != 0 {
			add(faceVertex, p.a.faceSlot(leafA), p.b.vertexSlot(fb.faces[leafB][k]))
		}
	}
	for i := range 3 {
		for j := range 3 {
			if ownA&(8<<i) != 0 && ownB&(8<<j) != 0 {
				add(edgeEdge, p.a.edgeSlot(fa.sides[leafA][i]), p.b.edgeSlot(fb.sides[leafB][j]))
			}
		}
	}
}

// use notes that equations mention features of a side.
func (w *Worker) use(s *side) {
	if len(s.vertices.items) == 0 {
		w.used = append(w.used, s)
	}
}
