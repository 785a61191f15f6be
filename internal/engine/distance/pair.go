package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

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

// nodePair is a pair of parts in the distance query, with a lower bound of its
// distance.
type nodePair struct {
	a, b  int32
	lower float64
}

// known is what distance queries remember of a pair from one to the next. All of it
// is guesses: a wrong one costs time.
type known struct {
	asked        uint64   // the question that noted it
	dir          geom.Vec // in a's frame: it parted the hulls; zero for none
	leafA, leafB int32    // where the closest points were
	warm         bool     // they are known
}

// pairSearch is one distance query: the pair, what it knows so far, and directions along
// which its parts may be apart.
//
// The hulls come first (GJK, from the direction that parted them last); where their
// closest points are points of the meshes, nothing else can be closer. Otherwise it
// is Quinlan's search over both hierarchies (SPHERE), nearest children first. Lower
// bounds are support gaps, upper bounds real points of the geometry.
type pairSearch struct {
	w            *Searcher
	pair         int32
	known        *known
	elementA     int
	elementB     int
	a, b         *model.Element
	poseA, poseB *geom.Pose
	slack        float64 // of both sides
	limit        float64 // nothing farther apart matters
	tol          float64 // the upper bound may exceed the lower by this much,
	rel          float64 // and by this part of it (SPHERE, error tolerance)

	// Below the hulls everything is seen from a: composing the poses and applying the
	// product err by less than 40u of what slackOf's 64u allow for.
	poseAB geom.Pose
	hulls  axis // along which the hulls are apart
	last   axis // between the closest points so far
	recent axis // between the leaves last looked at

	lower  float64          // of the elements as a whole
	best   engine.PairTouch // its points and normal in a's frame, until told
	lowest float64          // of all that was left aside
	// guessed tells that best is where one may be inside the other, whose mesh is
	// ambiguous.
	guessed bool
}

// axis is a unit vector from a to b, in a's frame and in b's; zero for none.
type axis struct{ a, b geom.Vec }

// between bounds the distance of pair i at the current time, from below and,
// with a witness, from above, to within tol (or rounding, if that is more) and the
// part rel of it. Nothing farther apart than limit is looked for: where the pair is,
// the witness may be missing (distance +Inf) and lower is limit or more.
func (w *Searcher) between(i int32, limit, tol, rel float64) (lower float64, t engine.PairTouch) {
	s := w.questOf(i, limit, tol, rel)
	if !s.wholes() {
		s.parts()
	}
	return s.answer()
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
	s.poseAB = inverseTimes(s.poseA, s.poseB)
	s.hulls, s.last, s.recent = axis{}, axis{}, axis{}
	s.lower, s.lowest, s.guessed = 0, math.Inf(1), false
	s.best = engine.PairTouch{Pair: i, Touch: engine.Touch{Distance: math.Inf(1)}}
	return s
}

// paused is a pairSearch of which the wholes are known.
type paused struct {
	pair        int32
	lower       float64
	hulls, last axis
	best        engine.PairTouch
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
	if w.known == nil {
		w.known = make([]known, len(w.m.Pairs))
	}
	k := &w.known[i]
	if k.asked < w.warmSince {
		*k = known{}
	}
	k.asked = w.q.Number
	return k
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
	w.search.Dir = between
	if k := s.known; k.dir != (geom.Vec{}) {
		n := toOuter(&s.poseA.R, k.dir)
		if s.leave(convex.Gap(&s.a.Core, s.poseA, &s.b.Core, s.poseB, n)*(1-8*u) - s.slack) {
			return true
		}
		w.search.Dir = n
	}
	fineA, fineB := w.hullOf(s.elementA), w.hullOf(s.elementB)
	coarse := len(fineA.Vertices) > costly || len(fineB.Vertices) > costly
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

// costly is the number of vertices from which on a hull is tried in its simplified
// form first.
const costly = 256

// leave reports whether the elements, lower apart, do not matter.
func (s *pairSearch) leave(lower float64) bool {
	if lower >= s.limit {
		s.lowest = lower
		return true
	}
	return false
}

// hullsApart finds the closest points of two pieces that hold the elements, as far
// as they matter.
func (s *pairSearch) hullsApart(a, b *convex.Core) convex.Result {
	w := s.w
	w.q.Work.Distances++
	r := convex.Bounded(a, s.poseA, b, s.poseB, s.limit+s.slack, &w.search)
	s.hulls = axis{}
	if r.Lower > 0 {
		s.hulls.a = toLocal(&s.poseA.R, r.Normal)
		s.known.dir = s.hulls.a
		s.setAxis(&s.hulls)
	}
	s.lower = r.Lower - s.slack
	return r
}

// setAxis completes an axis of which a's side is known.
func (s *pairSearch) setAxis(x *axis) {
	if x.a != (geom.Vec{}) {
		x.b = toLocal(&s.poseAB.R, x.a)
	}
}

// take notes the closest points of two shapes.
func (s *pairSearch) take(r *convex.Result) {
	s.best = engine.PairTouch{Pair: s.pair, Touch: engine.Touch{
		A: s.poseA.ApplyInv(r.PointA), B: s.poseA.ApplyInv(r.PointB),
		Normal: toLocal(&s.poseA.R, r.Normal), Distance: r.Distance,
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
	pa, pb := s.poseA.ApplyInv(r.PointA), s.poseB.ApplyInv(r.PointB)
	if n, ok := geom.Unit(r3.Sub(r.PointB, r.PointA)); ok { // points of the cores
		pa = r3.Sub(pa, r3.Scale(radiusA, toLocal(&s.poseA.R, n)))
		pb = r3.Add(pb, r3.Scale(radiusB, toLocal(&s.poseB.R, n)))
		if onA, nodeA, ok := s.onSurface(s.a, pa); ok && s.lower > 0 {
			if onB, nodeB, ok := s.onSurface(s.b, pb); ok {
				s.offer(onA, apply(&s.poseAB, onB), nodeA, nodeB)
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
		onA := s.w.nearestOn(s.a.Leaves, apply(&s.poseAB, pb), math.Inf(1))
		if onA.node < 0 {
			return
		}
		onB := s.w.nearestOn(s.b.Leaves, s.poseAB.ApplyInv(onA.at), math.Inf(1))
		if onB.node < 0 {
			return
		}
		pb = onB.at
		s.offer(onA.at, apply(&s.poseAB, pb), onA.node, onB.node)
	}
}

// parts searches the elements' parts, after wholes.
func (s *pairSearch) parts() {
	if s.pointwise() {
		s.points()
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
	t.A, t.B, t.Normal = s.poseA.Apply(t.A), s.poseA.Apply(t.B), toOuter(&s.poseA.R, t.Normal)
	return t
}

func (s *pairSearch) answer() (float64, engine.PairTouch) {
	if s.w.q.Reason != "" {
		return 0, s.told()
	}
	return max(0, min(s.lowest, s.best.Distance)), s.told()
}

// enough is the lower bound from which a pair of parts cannot improve the answer.
// Where the closest points are within the tolerance of touching, it is worth finding
// out whether anything does.
func (s *pairSearch) enough() float64 {
	return min(s.limit, max(s.best.Distance*(1-s.rel)-s.tol, s.best.Distance/2))
}

// descend searches the hierarchies below the whole elements.
func (s *pairSearch) descend() {
	w := s.w
	first := nodePair{volume.Whole, volume.Whole, max(0, s.lower)}
	if !s.a.Exact {
		first.a = 0
	}
	if !s.b.Exact {
		first.b = 0
	}
	w.nodes = append(w.nodes[:0], first)
	for len(w.nodes) > 0 && !w.q.Out() {
		n := w.nodes[len(w.nodes)-1]
		w.nodes = w.nodes[:len(w.nodes)-1]
		switch {
		case n.lower >= s.enough():
			s.lowest = min(s.lowest, n.lower)
			continue
		case volume.IsShape(s.a, n.a) && volume.IsShape(s.b, n.b):
			s.meet(n.a, n.b)
		default:
			s.open(n)
		}
		if s.best.Distance == 0 {
			return // they touch: no distance is smaller
		}
	}
}

// open pushes the children of n, the nearest on top.
func (s *pairSearch) open(n nodePair) {
	w := s.w
	openA := volume.OpensA(s.a, n.a, s.b, n.b)
	node, el := n.b, s.b
	if openA {
		node, el = n.a, s.a
	}
	left := el.Leaves.Tree.Nodes[node].Left
	near, far := n, n
	if openA {
		near.a, far.a = left, left+1
	} else {
		near.b, far.b = left, left+1
	}
	near.lower, far.lower = s.bound(near.a, near.b, n.lower), s.bound(far.a, far.b, n.lower)
	if far.lower < near.lower {
		near, far = far, near
	}
	enough := s.enough()
	for _, n := range [...]nodePair{far, near} {
		if n.lower >= enough {
			s.lowest = min(s.lowest, n.lower)
		} else {
			w.nodes = append(w.nodes, n)
		}
	}
}

// bound bounds the distance of two parts from below: by what holds for their
// parents, by their balls, and by their gaps along the directions at hand and along
// the line of centres. It stops as soon as the parts cannot matter.
func (s *pairSearch) bound(a, b int32, parent float64) float64 {
	enough := s.enough()
	ballA, ra := volume.Ball(s.a, a)
	ballB, rb := volume.Ball(s.b, b)
	x0 := r3.Sub(apply(&s.poseAB, ballB), ballA)
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
	ha, ra := volume.Support(s.a, a, x.a)
	hb, rb := volume.Support(s.b, b, r3.Scale(-1, x.b))
	return (r3.Dot(x.a, s.poseAB.P)-ha-hb-ra-rb)*(1-8*u) - s.slack
}

// again returns the closest points of the parts of a pair that were closest in the
// last query that found any.
func (w *Searcher) again(pair int32) (t engine.PairTouch, ok bool) {
	s := w.questOf(pair, math.Inf(1), 0, 0)
	if !s.known.warm {
		return engine.PairTouch{}, false
	}
	s.meet(s.known.leafA, s.known.leafB)
	return s.told(), true
}
