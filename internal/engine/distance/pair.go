package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// between bounds the distance of pair i at the current time, from below and,
// with a witness, from above, to within tol (or rounding, if that is more) and the
// part rel of it. Nothing farther apart than limit is looked for: where the pair is,
// the witness may be missing (distance +Inf) and lower is limit or more.
func (w *Searcher) between(i int32, limit, tol, rel float64) (lower float64, t engine.PairTouch) {
	s := w.questOf(i, limit, tol, rel)
	s.foresee()
	if !s.wholes() {
		s.parts()
	}
	return s.answer()
}

// wholes compares the elements as a whole, by their balls and hulls. It reports
// whether that settles the question; if not, it looks for close points all the same.
func (s *pairSearch) wholes() bool {
	w := s.w
	atA, atB := w.at.Element(s.elementA), w.at.Element(s.elementB)
	between := r3.Sub(atB.Center, atA.Center)
	if s.leave((geom.Norm(between)-s.a.Radius-s.b.Radius)*(1-8*u) - s.slack) {
		return true
	}
	if s.leave(s.since()) {
		s.taken = true
		return true
	}
	w.search.Dir = between
	dear := costly
	if k := s.known; k.dir != (geom.Vec{}) {
		n := s.poseA.R.Turn(k.dir)
		if s.leave(convex.Gap(&s.a.Core, s.poseA, &s.b.Core, s.poseB, n)*(1-8*u) - s.slack) {
			return true
		}
		w.search.Dir, dear = n, costlyFrom
	}
	fineA, fineB := w.hullOf(s.elementA), w.hullOf(s.elementB)
	coarse := len(fineA.Vertices) > dear || len(fineB.Vertices) > dear
	var r convex.Result
	if coarse {
		if s.hullsApart(&s.a.Core, &s.b.Core); s.leave(s.lower) {
			return true
		}
	}
	if r = s.hullsApart(fineA, fineB); s.leave(s.lower) {
		return true
	}
	if volume.IsShape(s.a, volume.Whole) && volume.IsShape(s.b, volume.Whole) {
		s.take(&r)
		return true
	}
	if s.pointwise() {
		return false
	}
	s.approach(&r, fineA.Radius, fineB.Radius)
	if d := s.best.Distance; s.lower > 0 && d < math.Inf(1) && d-s.lower <= max(s.tol, s.rel*d) {
		s.lowest = s.lower
		return true
	}
	return false
}

// Hulls of more than costly vertices are compared in their simplified form first. Where a direction is
// known, the simplified hulls were tried along it already: then only those of more than costlyFrom.
const (
	costly     = 256
	costlyFrom = 1024
)

// hullsApart finds the closest points of two pieces that hold the elements, as far
// as they matter.
func (s *pairSearch) hullsApart(a, b *convex.Core) convex.Result {
	w := s.w
	w.q.Work.Distances++
	r := convex.Roughly(a, s.poseA, b, s.poseB, s.goal+s.slack, min(s.rel/4, 1e-3), &w.search)
	s.hulls = axis{}
	if r.Lower > 0 {
		s.hulls.a = s.poseA.R.TurnBack(r.Normal)
		s.known.dir = s.hulls.a
		s.setAxis(&s.hulls)
	}
	s.lower = r.Lower - s.slack
	return r
}

// take notes the closest points of two shapes.
func (s *pairSearch) take(r *convex.Result) {
	s.best = engine.PairTouch{Pair: s.pair, Touch: engine.Touch{
		A: s.poseA.MoveBack(r.PointA), B: s.poseA.MoveBack(r.PointB),
		Normal: s.poseA.R.TurnBack(r.Normal), Distance: r.Distance,
	}}
	if r.Overlap {
		s.best.Distance = 0
	}
	s.lowest = s.lower
	s.known.leafA, s.known.leafB, s.known.warm = volume.Whole, volume.Whole, true
}

// approach looks for close points of the elements: the hulls' closest points, where
// they are points of the surfaces; those that were closest in the last query of this
// pair; and back and forth between the surfaces.
func (s *pairSearch) approach(r *convex.Result, radiusA, radiusB float64) {
	pa, pb := s.poseA.MoveBack(r.PointA), s.poseB.MoveBack(r.PointB)
	if n, ok := geom.Unit(r3.Sub(r.PointB, r.PointA)); ok { // points of the cores
		pa = r3.Sub(pa, r3.Scale(radiusA, s.poseA.R.TurnBack(n)))
		pb = r3.Add(pb, r3.Scale(radiusB, s.poseB.R.TurnBack(n)))
		if onA, nodeA, ok := s.onSurface(s.a, pa); ok && s.lower > 0 {
			if onB, nodeB, ok := s.onSurface(s.b, pb); ok {
				s.offer(onA, s.poseAB.Move(onB), nodeA, nodeB)
				return
			}
		}
	}
	if k := s.known; k.warm {
		s.meet(k.leafA, k.leafB)
		s.lowest = math.Inf(1) // the search comes across these leaves again
	}
	if s.a.Exact || s.b.Exact {
		return
	}
	const rounds = 2
	for range rounds {
		onA := s.w.nearestOn(s.a.Leaves, s.poseAB.Move(pb), math.Inf(1))
		if onA.node < 0 {
			return
		}
		onB := s.w.nearestOn(s.b.Leaves, s.poseAB.MoveBack(onA.at), math.Inf(1))
		if onB.node < 0 {
			return
		}
		pb = onB.at
		s.offer(onA.at, s.poseAB.Move(pb), onA.node, onB.node)
	}
}

// parts searches the elements' parts, after wholes.
func (s *pairSearch) parts() {
	if s.pointwise() {
		if k := s.known; k.warm {
			s.meet(k.leafA, k.leafB)
			s.lowest = math.Inf(1) // the search comes across these leaves again
		}
		s.descend()
		return
	}
	if s.best.Distance > 0 {
		s.descend()
	}
	if s.lower <= 0 && s.best.Distance > 0 && s.w.q.Reason == "" {
		s.enclosed()
	}
}

// onSurface returns the point of an element, radius not included, next to a point
// of its hull.
func (s *pairSearch) onSurface(e *model.Element, x geom.Vec) (p geom.Vec, node int32, ok bool) {
	if e.Exact {
		return x, volume.Whole, true
	}
	const near = 1e-7 // m: no proof rests on it
	f := s.w.nearestOn(e.Leaves, x, near*near)
	return f.at, f.node, f.node >= 0
}
