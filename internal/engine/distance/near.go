package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Nearest returns the closest points that are less than limit apart, where the robot is
// placed, to within tol and the part rel of it; of no pair (negative) where there are
// none. starts are the pairs and elements that it is about. It finds an upper bound;
// that nothing is closer, and that nothing of the world encloses a link, is for the
// proof rules to say.
func (w *Searcher) Nearest(starts []Start, limit, tol, rel float64) engine.PairTouch {
	r := w.toNearest(limit, tol, rel)
	last := w.near.last - 1
	if last >= 0 { // likely the closest still
		r.again(last)
	}
	best := &r.kept[0].touch
	for _, of := range starts {
		if w.q.Reason != "" || best.Distance <= 0 {
			break
		}
		if of < 0 {
			r.element(int(^of))
		} else if int32(of) != last {
			r.consider(r.bounded(int32(of)))
		}
	}
	if w.q.Reason == "" && best.Distance > 0 {
		r.search()
	}
	if best.Pair >= 0 {
		w.near.last = best.Pair + 1
	}
	return *best
}

// toNearest starts a ranking of one place, which nothing at the limit holds.
func (w *Searcher) toNearest(limit, tol, rel float64) *ranking {
	n, r := &w.near, &w.ranking
	if n.all == nil {
		n.all = w.oneClass()
	}
	w.prepare()
	w.follows = false // the robot may stray from where it is placed
	n.all.q.Tolerance, n.all.q.Relative, n.all.far = tol, rel, limit
	r.start(w, n.all, &n.seen)
	r.reach.of(r)
	r.keep(found{0, engine.PairTouch{Pair: -1, Touch: engine.Touch{Distance: limit}}})
	n.seen.World.Hi = limit
	return r
}

// oneClass returns a scope of all pairs, in which they share one place.
func (w *Searcher) oneClass() *Scope {
	s := &Scope{q: motion.DistanceQuery{K: 1}, slots: 1, of: make([]scoped, len(w.m.Pairs)), onlyClosest: true}
	for i := range s.of {
		s.of[i] = scoped{world: true, max: math.Inf(1)}
	}
	return s
}

// element looks at one element and all of the world: a point cloud pair by pair.
func (r *ranking) element(i int) {
	w := r.w
	if !engine.IsPoints(&w.m.Elements[i]) {
		r.around(i)
		return
	}
	for _, pair := range w.m.Against[i] {
		if pair >= 0 {
			r.consider(r.bounded(pair))
		}
	}
}

// again looks first at what was closest in the search before.
func (r *ranking) again(pair int32) {
	if e, ok := r.w.besideWorld(pair); !ok {
		r.consider(r.bounded(pair))
	} else if r.reach.remembers(e) {
		r.reach.repeat(e)
	}
}

// besideWorld returns the element of a pair for which the world's tree is searched; ok
// is false where the pair is looked at for itself.
func (w *Searcher) besideWorld(pair int32) (element int, ok bool) {
	q := &w.m.Pairs[pair]
	element = robotSide(w.m, q)
	return element, q.World && !engine.IsPoints(&w.m.Elements[element])
}

// StartOf returns what to look at for a pair.
func (w *Searcher) StartOf(pair int32) Start {
	if e, ok := w.besideWorld(pair); ok {
		return AgainstWorld(e)
	}
	return Start(pair)
}

// Within makes Nearest and Repeat leave out pairs that are farther apart than far says of
// each of the model's pairs; nil leaves out none.
func (w *Searcher) Within(far []float64) {
	n := &w.near
	if n.all == nil {
		n.all = w.oneClass()
	}
	for i := range n.all.of {
		n.all.of[i].max = math.Inf(1)
		if far != nil {
			n.all.of[i].max = far[i]
		}
	}
}

// Shapes names two shapes: a part of each of a pair's elements, or of an element, and an item of the world.
type Shapes struct {
	Of   Start
	A, B int32 // nodes; against the world B is the item
}

// Last returns the shapes that were the closest in the last search that found any.
func (w *Searcher) Last() (s Shapes, ok bool) {
	last := w.near.last - 1
	if last < 0 {
		return Shapes{}, false
	}
	e, ok := w.besideWorld(last)
	if !ok {
		k := w.knownOf(last)
		return Shapes{Start(last), k.leafA, k.leafB}, k.warm
	}
	m := &w.ranking.reach.memo[e]
	return Shapes{AgainstWorld(e), m.part, m.item - 1}, m.item != 0 && m.part != nowhere
}

// ClosestOf returns the closest points of two shapes where the robot is placed.
func (w *Searcher) ClosestOf(s Shapes) engine.PairTouch {
	if s.Of < 0 {
		return w.partAndItem(int(^s.Of), s.A, s.B)
	}
	p := w.questOf(int32(s.Of), math.Inf(1), 0, 0)
	p.meet(s.A, s.B)
	return p.told()
}

// Repeat returns the closest points, where the robot is placed now, of the shapes
// that were the closest in the last search that found any.
func (w *Searcher) Repeat() (t engine.PairTouch, ok bool) {
	s, ok := w.Last()
	if ok {
		t = w.ClosestOf(s)
	}
	return t, ok && t.Distance <= w.near.all.of[t.Pair].max
}

// partAndItem returns the closest points of a shape of an element and an item of the
// world.
func (w *Searcher) partAndItem(element int, node, item int32) engine.PairTouch {
	e, it := &w.m.Elements[element], &w.m.World.Items[item]
	pair := w.m.Against[element][it.Element-w.m.First]
	core, pose := volume.ItemCore(w.m, it, &w.partB)
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{}
	r := convex.Distance(volume.Core(e, node, &w.partA), &w.at.Element(element).Pose, core, pose, &w.search)
	t := touchOf(pair, &r)
	if w.m.Pairs[pair].A != element {
		t.A, t.B, t.Normal = t.B, t.A, r3.Scale(-1, t.Normal)
	}
	return t
}
