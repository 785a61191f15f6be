package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// pointwise reports whether one side is a point cloud, of which every point is
// asked for itself whether it lies inside the other.
func (s *pairSearch) pointwise() bool { return engine.IsPoints(s.a) || engine.IsPoints(s.b) }

// inside notes a point of W that both sides have.
func (s *pairSearch) inside(at geom.Vec) {
	x := s.poseA.MoveBack(at)
	s.best = engine.PairTouch{Pair: s.pair, Touch: engine.Touch{A: x, B: x}}
	s.guessed = engine.IsAmbiguous(s.a) || engine.IsAmbiguous(s.b)
}

// searchTolerance is by how much a lower bound of a distance, less slack, may be below
// the distance of two points for the bounds to be close enough.
//
// With a slack s the lower bound is one of places s off, and so is the distance of the
// points: to that s is added when it is told (ranking.upper). Bounds are then this
// tolerance and s apart at most: tol, or else half of motion.DistanceRounding and 2 s, of which
// the larger one of motion.DistanceRounding and 4 s, which is Distances.Rounding, is no less.
func searchTolerance(tol, slack float64) float64 {
	return max(tol-slack, motion.DistanceRounding/2+slack)
}

// questOf begins a pairSearch; the worker has but one at a time.
func (w *Searcher) questOf(i int32, limit, tol, rel float64) *pairSearch {
	q := &w.m.Pairs[i]
	atA, atB := w.at.Element(q.A), w.at.Element(q.B)
	s := &w.pair
	s.w, s.pair, s.known = w, i, w.knownOf(i)
	s.elementA, s.elementB = q.A, q.B
	s.a, s.b = &w.m.Elements[q.A], &w.m.Elements[q.B]
	s.poseA, s.poseB = &atA.Pose, &atB.Pose
	s.slack = atA.Slack + atB.Slack
	s.limit, s.tol, s.rel = limit, searchTolerance(tol, s.slack), rel
	s.goal = limit
	s.poseAB.Relate(s.poseA, s.poseB)
	s.hulls, s.last, s.recent = axis{}, axis{}, axis{}
	s.lower, s.lowest, s.guessed, s.taken = 0, math.Inf(1), false, false
	s.best = engine.PairTouch{Pair: i, Touch: engine.Touch{Distance: math.Inf(1)}}
	return s
}

func (s *pairSearch) pause() paused { return paused{s.pair, s.lower, s.hulls, s.last, s.best} }

// resume goes on with a pairSearch, of which less may matter by now.
func (w *Searcher) resume(p *paused, limit, tol, rel float64) *pairSearch {
	s := w.questOf(p.pair, limit, tol, rel)
	s.lower, s.hulls, s.last, s.best = p.lower, p.hulls, p.last, p.best
	return s
}

// knownOf returns what is remembered of a pair, nothing where that was noted
// before the answers that this one may depend on.
func (w *Searcher) knownOf(i int32) *known {
	w.prepare()
	page := w.known[i/pagePairs]
	if page == nil {
		page = &knownPage{}
		w.known[i/pagePairs] = page
	}
	k := &page[i%pagePairs]
	if k.asked < w.warmSince {
		*k = known{}
	}
	k.asked = w.q.Number
	return k
}

// leave reports whether the elements, lower apart, do not matter.
func (s *pairSearch) leave(lower float64) bool {
	if lower >= s.limit {
		s.lowest = lower
		return true
	}
	return false
}

// setAxis completes an axis of which a's side is known.
func (s *pairSearch) setAxis(x *axis) {
	if x.a != (geom.Vec{}) {
		x.b = s.poseAB.R.TurnBack(x.a)
	}
}

// offer takes two points of the elements without their radii, in a's frame, as
// closest if they are.
func (s *pairSearch) offer(pa, pb geom.Vec, nodeA, nodeB int32) {
	ra, rb := volume.Radius(s.a), volume.Radius(s.b)
	between := r3.Sub(pb, pa)
	l := geom.Norm(between)
	d := max(0, l-ra-rb)
	if !(d < s.best.Distance) {
		return
	}
	s.known.leafA, s.known.leafB, s.known.warm = nodeA, nodeB, true
	s.best.Distance, s.best.Normal = d, geom.Vec{}
	n, ok := geom.Unit(between)
	if ok {
		s.best.Normal = n
		s.last.a = n
		s.setAxis(&s.last)
	}
	if d > 0 {
		s.best.A, s.best.B = r3.Add(pa, r3.Scale(ra, n)), r3.Sub(pb, r3.Scale(rb, n))
		return
	}
	// At most ra from a and rb from b, so a point of both.
	at := pa
	if ra+rb > 0 {
		at = r3.Add(pa, r3.Scale(ra/(ra+rb), between))
	}
	s.best.A, s.best.B = at, at
}

// told returns the closest points in W.
func (s *pairSearch) told() engine.PairTouch {
	t := s.best
	if math.IsInf(t.Distance, 1) {
		return engine.PairTouch{Pair: s.pair, Touch: engine.Touch{Distance: t.Distance}}
	}
	t.A, t.B, t.Normal = s.poseA.Move(t.A), s.poseA.Move(t.B), s.poseA.R.Turn(t.Normal)
	return t
}

func (s *pairSearch) answer() (float64, engine.PairTouch) {
	if s.w.q.Reason != "" {
		return 0, s.told()
	}
	lower := max(0, min(s.lowest, s.best.Distance))
	s.follow(lower)
	return lower, s.told()
}

// enough is the lower bound from which a pair of parts cannot improve the answer.
// Where the closest points are within the tolerance of touching, it is worth finding
// out whether anything does.
func (s *pairSearch) enough() float64 {
	return min(s.goal, max(s.best.Distance*(1-s.rel)-s.tol, s.best.Distance/2))
}

// bound bounds the distance of two parts from below: by what holds for their
// parents, by their balls, and by their gaps along the directions at hand and along
// the line of centres. It stops as soon as the parts cannot matter.
func (s *pairSearch) bound(a, b int32, parent float64) float64 {
	enough := s.enough()
	ballA, ra := volume.Ball(s.a, a)
	ballB, rb := volume.Ball(s.b, b)
	x0 := r3.Sub(s.poseAB.Move(ballB), ballA)
	d := geom.Norm(x0)
	lower := max(parent, (d-ra-rb)*(1-8*u)-s.slack)
	if lower >= enough {
		return lower
	}
	if s.last.a != (geom.Vec{}) {
		if lower = max(lower, s.gap(a, b, &s.last)); lower >= enough {
			return lower
		}
	}
	if s.hulls.a != (geom.Vec{}) {
		if lower = max(lower, s.gap(a, b, &s.hulls)); lower >= enough {
			return lower
		}
	}
	if s.recent.a != (geom.Vec{}) {
		if lower = max(lower, s.gap(a, b, &s.recent)); lower >= enough {
			return lower
		}
	}
	if d > 0 {
		centers := axis{a: r3.Scale(1/d, x0)}
		s.setAxis(&centers)
		lower = max(lower, s.gap(a, b, &centers))
	}
	return lower
}

// gap bounds the distance of two parts along an axis.
func (s *pairSearch) gap(a, b int32, x *axis) float64 {
	ha, ra := volume.TightSupport(s.a, a, x.a)
	hb, rb := volume.TightSupport(s.b, b, r3.Scale(-1, x.b))
	return (r3.Dot(x.a, s.poseAB.P)-ha-hb-ra-rb)*(1-8*u) - s.slack
}
