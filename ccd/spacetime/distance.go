package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/model"
)

// nodePair is a pair of parts in the distance query, with a lower bound of its
// distance.
type nodePair struct {
	a, b  int32
	lower float64
}

// quest is one distance query: the pair, what it knows so far, and the direction
// along which the whole elements' hulls are apart.
//
// It is Quinlan's search over both hierarchies, nearest children first; lower
// bounds are support gaps, upper bounds real points of the geometry.
type quest struct {
	w     *Worker
	pair  int32
	place *placedPair
	a, b  *model.Element
	// Everything is seen from a: composing the poses and applying the product err
	// by less than 40u of what slackOf's 64u allow for.
	poseAB geom.Pose
	// The hulls' axis from a to b, in a and in b; zero where they overlap.
	axisA, axisB geom.Vec
	limit        float64 // nothing farther apart matters
	tol          float64 // the upper bound may exceed the lower by this much,
	rel          float64 // and by this part of it (SPHERE, error tolerance)

	best   touch
	lowest float64 // of everything that was left aside
}

// between bounds the distance of pair i at the current time, from below and,
// with a witness, from above, to within tol and the part rel of it. Nothing farther apart than limit is
// looked for: where the pair is, the witness may be missing (distance +Inf) and
// lower is limit or more.
func (w *Worker) between(i int32, limit, tol, rel float64) (lower float64, t touch) {
	q, p := &w.m.Pairs[i], w.pair(i)
	s := quest{
		w: w, pair: i, place: p, a: &w.m.Elements[q.A], b: &w.m.Elements[q.B],
		poseAB: p.a.pose.Inv().Mul(p.b.pose),
		limit:  limit, tol: tol, rel: rel, lowest: math.Inf(1),
		best: touch{pair: i, distance: math.Inf(1)},
	}
	if root := s.bound(whole, whole, 0); root >= limit {
		return root, s.best
	}
	if isShape(s.a, whole) && isShape(s.b, whole) {
		s.meet(whole, whole)
		return s.answer()
	}
	r := s.search(whole, whole)
	s.axisA, s.axisB = p.a.pose.R.ApplyInv(r.Normal), p.b.pose.R.ApplyInv(r.Normal)
	apart := r.Lower - p.slack
	if apart <= 0 && !s.pointwise() && s.contains(whole, whole) {
		return 0, s.best
	}
	s.startWarm()
	s.descend(max(0, apart))
	return s.answer()
}

func (s *quest) answer() (float64, touch) {
	if s.w.reason != "" {
		return 0, s.best
	}
	return max(0, min(s.lowest, s.best.distance)), s.best
}

// enough is the lower bound from which a pair of parts cannot improve the answer.
func (s *quest) enough() float64 { return min(s.limit, s.best.distance*(1-s.rel)-s.tol) }

// descend searches the hierarchies below the whole elements.
func (s *quest) descend(lower float64) {
	w := s.w
	w.nodes = append(w.nodes[:0], nodePair{whole, whole, lower})
	for len(w.nodes) > 0 && !w.out() {
		n := w.nodes[len(w.nodes)-1]
		w.nodes = w.nodes[:len(w.nodes)-1]
		switch {
		case n.lower >= s.enough():
			s.lowest = min(s.lowest, n.lower)
			continue
		case isShape(s.a, n.a) && isShape(s.b, n.b):
			s.meet(n.a, n.b)
		case s.pointwise() && (n.a == whole || n.b == whole) && s.contains(n.a, n.b):
			return
		default:
			s.open(n)
		}
		if s.best.distance == 0 {
			return // they touch: no distance is smaller
		}
	}
}

// startWarm tries the leaves that were closest in the last query of this pair:
// a good upper bound before anything is opened.
func (s *quest) startWarm() {
	if p := s.place; p.warm {
		s.meet(p.leafA, p.leafB)
		s.lowest = math.Inf(1) // the search comes across these leaves again
	}
}

// meet takes the closest points of two leaves.
func (s *quest) meet(a, b int32) {
	r := s.search(a, b)
	s.lowest = min(s.lowest, r.Lower-s.place.slack)
	d := r.Distance
	if r.Overlap {
		d = 0
	}
	if d < s.best.distance {
		s.best = touch{pair: s.pair, a: r.PointA, b: r.PointB, normal: r.Normal, distance: d}
		s.place.leafA, s.place.leafB, s.place.warm = a, b, true
	}
}

// pointwise reports whether one side is a point cloud, of which every point is
// asked for itself whether it lies inside the other.
func (s *quest) pointwise() bool { return isPoints(s.a) || isPoints(s.b) }

// contains tells whether, at the current time, one solid contains part of the
// other; the distance is then 0. Where that cannot be told the query ends
// without an answer.
func (s *quest) contains(a, b int32) bool {
	w, p := s.w, s.place
	was := p.outside
	p.outside = false
	check := search{w: w}
	e := entry{s.pair, a, b}
	clear := check.checkOutside(e, chooseA(s.a, s.b, e), w.now)
	p.outside = was
	if !clear {
		at := check.res.touch.a
		s.best = touch{pair: s.pair, a: at, b: at}
	}
	return !clear
}

// open pushes the children of n, the nearest on top.
func (s *quest) open(n nodePair) {
	w := s.w
	openA := chooseA(s.a, s.b, entry{s.pair, n.a, n.b})
	node, el := n.b, s.b
	if openA {
		node, el = n.a, s.a
	}
	child := func(c int32) nodePair {
		m := n
		if openA {
			m.a = c
		} else {
			m.b = c
		}
		m.lower = s.bound(m.a, m.b, n.lower)
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

// bound bounds the distance of two parts from below: by what holds for their
// parents, by their balls, and by their gaps along the hulls' axis and along the
// line of centres. It stops as soon as the parts cannot matter.
func (s *quest) bound(a, b int32, parent float64) float64 {
	enough := s.enough()
	ballA, ra := ballOf(s.a, a)
	ballB, rb := ballOf(s.b, b)
	x0 := r3.Sub(s.poseAB.Apply(ballB), ballA)
	d := geom.Norm(x0)
	lower := max(parent, (d-ra-rb)*(1-8*u)-s.place.slack)
	if lower >= enough {
		return lower
	}
	if s.axisA != (geom.Vec{}) {
		if lower = max(lower, s.gap(a, b, s.axisA, s.axisB)); lower >= enough {
			return lower
		}
	}
	if d > 0 {
		n := r3.Scale(1/d, x0)
		lower = max(lower, s.gap(a, b, n, s.poseAB.R.ApplyInv(n)))
	}
	return lower
}

// gap bounds the distance of two parts along the unit vector nA, which is nB in
// b's frame.
func (s *quest) gap(a, b int32, nA, nB geom.Vec) float64 {
	ha, ra := supportOf(s.a, a, nA)
	hb, rb := supportOf(s.b, b, r3.Scale(-1, nB))
	return (r3.Dot(nA, s.poseAB.P)-ha-hb-ra-rb)*(1-8*u) - s.place.slack
}

// search looks for the closest points of two parts' cores.
func (s *quest) search(a, b int32) convex.Result {
	w, p := s.w, s.place
	w.work.Distances++
	ca, cb := coreOf(s.a, a, &w.partA), coreOf(s.b, b, &w.partB)
	w.search.Dir = geom.Vec{} // so that an answer does not depend on the question before
	return convex.Distance(ca, p.a.pose, cb, p.b.pose, &w.search)
}
