package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
)

// nodePair is a pair of parts in the distance query, with a lower bound of its
// distance.
type nodePair struct {
	a, b  int32
	lower float64
}

// between bounds the distance of pair i at the current time, from below and,
// with a witness, from above. Nothing closer than limit is looked for: where the
// pair is farther apart than that, the witness may be missing (upper +Inf) and
// lower is limit or more.
//
// It is Quinlan's search over both hierarchies, nearest children first; lower
// bounds are support gaps, upper bounds real points of the geometry.
func (w *Worker) between(i int32, limit float64) (lower float64, t touch) {
	q, p := &w.m.Pairs[i], w.pair(i)
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	t = touch{pair: i, distance: math.Inf(1)}
	upper, lowest := limit, math.Inf(1)
	w.nodes = append(w.nodes[:0], nodePair{whole, whole, w.lowerBound(i, whole, whole)})
	for len(w.nodes) > 0 {
		n := w.nodes[len(w.nodes)-1]
		w.nodes = w.nodes[:len(w.nodes)-1]
		if n.lower >= upper {
			lowest = math.Min(lowest, n.lower)
			continue
		}
		if w.out() {
			return 0, t
		}
		if isShape(ea, n.a) && isShape(eb, n.b) {
			r := w.closestPoints(i, n.a, n.b)
			lowest = math.Min(lowest, r.Lower-p.slack)
			d := r.Distance
			if r.Overlap {
				d = 0
			}
			if d < t.distance {
				t = touch{pair: i, a: r.PointA, b: r.PointB, normal: r.Normal, distance: d}
				upper = math.Min(upper, d)
			}
			continue
		}
		if (n.a == whole || n.b == whole) && n.lower <= 0 {
			if inside, at := w.contains(i, n.a, n.b); inside {
				return 0, touch{pair: i, a: at, b: at}
			}
		}
		w.openNearestLast(i, n)
	}
	return math.Max(0, math.Min(lowest, upper)), t
}

// openNearestLast pushes the children of n, the nearest on top.
func (w *Worker) openNearestLast(i int32, n nodePair) {
	q := &w.m.Pairs[i]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	openA := chooseA(ea, eb, entry{i, n.a, n.b})
	node, el := n.b, eb
	if openA {
		node, el = n.a, ea
	}
	child := func(c int32) nodePair {
		m := n
		if openA {
			m.a = c
		} else {
			m.b = c
		}
		// A child lies within its parent: both lower bounds hold.
		m.lower = math.Max(n.lower, w.lowerBound(i, m.a, m.b))
		return m
	}
	if node == whole {
		w.nodes = append(w.nodes, child(0))
		return
	}
	left := el.Leaves.Tree.Nodes[node].Left
	near, far := child(left), child(left+1)
	if far.lower < near.lower {
		near, far = far, near
	}
	w.nodes = append(w.nodes, far, near)
}

// lowerBound bounds the distance of two parts at the current time from below:
// the better of their balls' gap and the gap along the line of centres.
func (w *Worker) lowerBound(i, a, b int32) float64 {
	q, p := &w.m.Pairs[i], w.pair(i)
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	ballA, ra := ballOf(ea, a)
	ballB, rb := ballOf(eb, b)
	x0 := r3.Sub(p.b.pose.Apply(ballB), p.a.pose.Apply(ballA))
	gap := r3.Norm(x0) - ra - rb
	if n, ok := geom.Unit(x0); ok {
		p.a.core, p.b.core = coreOf(ea, a, &w.partA), coreOf(eb, b, &w.partB)
		gap = math.Max(gap, -gapAt(n, &p.a, &p.b, 0)-p.a.core.Radius-p.b.core.Radius)
	}
	return gap*(1-8*u) - p.slack
}

// closestPoints searches the closest points of two parts' cores.
func (w *Worker) closestPoints(i, a, b int32) convex.Result {
	q, p := &w.m.Pairs[i], w.pair(i)
	w.work.Distances++
	w.search.Dir = geom.Vec{} // so that an answer does not depend on the question before
	ca := coreOf(&w.m.Elements[q.A], a, &w.partA)
	cb := coreOf(&w.m.Elements[q.B], b, &w.partB)
	return convex.Distance(ca, p.a.pose, cb, p.b.pose, &w.search)
}

// contains tells whether, at the current time, one solid of pair i contains part
// of the other. Where that cannot be told the pair counts as touching: a
// distance is never too large.
func (w *Worker) contains(i, a, b int32) (bool, geom.Vec) {
	s := search{w: w}
	was := w.pairs[i].outside
	w.pairs[i].outside = false
	q := &w.m.Pairs[i]
	e := entry{i, a, b}
	clear := s.checkOutside(e, chooseA(&w.m.Elements[q.A], &w.m.Elements[q.B], e))
	w.pairs[i].outside = was
	if clear {
		return false, geom.Vec{}
	}
	return true, s.res.touch.a
}

// nearest lowers best to the smallest distance at the current time.
func (w *Worker) nearest(best *closest) {
	for _, e := range w.startFronts {
		if w.reason != "" {
			return
		}
		if _, t := w.between(e.pair, best.best.distance); t.distance < best.best.distance {
			best.lower(w, t, w.c)
		}
	}
}
