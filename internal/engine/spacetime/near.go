package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// near looks for the smallest distance at the current time, over all pairs at
// once: each is left aside as soon as it cannot be the closest, and what stands
// still is descended into nearest boxes first. It is an untrusted search: what it
// finds is two points of a pair, an upper bound; that nothing is closer is for the
// proof rules to say.
type near struct {
	w    *Worker
	tol  float64 // what is closer by less than this need not be found
	rel  float64 // and by this part of the distance
	best touch   // its distance is the running bound

	last  entry // where best was found: a self pair, or an element and an item
	node  int32 // and that element's part
	spots []spot
	nodes []spot
	from  sweep // only its centre, from which directions are guessed
}

// spot is a node or an item of the world's tree, or a node of an element's
// hierarchy, and a lower bound of its distance.
type spot struct {
	at    int32
	lower float64
}

// nearest returns the closest points of any pair that are less than limit apart, to
// within tol and the part rel of it; of no pair (negative) where there are none.
func (w *Worker) nearest(limit, tol, rel float64) touch {
	s := &w.near
	s.w, s.tol, s.rel = w, tol, rel
	s.best = touch{pair: -1, distance: limit}
	warm := s.last
	if warm.a == whole { // a search before found it: likely the closest still
		s.try(warm)
	}
	for _, e := range w.startFronts {
		if w.reason != "" || s.best.distance <= 0 {
			break
		}
		if warm.a == whole && e.pair == warm.pair && e.pair >= 0 {
			continue
		}
		s.try(entry{pair: e.pair, a: whole, b: e.b})
	}
	return s.best
}

// repeat returns the closest points, at the current time, of the two parts that
// were the closest in the last search that found any.
func (w *Worker) repeat() (t touch, ok bool) {
	s := &w.near
	if s.last.a != whole {
		return touch{}, false
	}
	s.w, s.tol, s.rel = w, 0, 0
	s.best = touch{pair: -1, distance: math.Inf(1)}
	if s.last.pair < 0 {
		element := int(^s.last.pair)
		s.part(element, s.node, s.last.b, w.m.Against[element][w.m.World.Items[^s.last.b].Element-w.m.First])
		return s.best, s.best.pair >= 0
	}
	return w.again(s.last.pair)
}

// enough is the lower bound from which something cannot be the closest.
func (s *near) enough() float64 { return s.best.distance*(1-s.rel) - s.tol }

// try looks at a self pair, or at an element and a node or item of the world.
func (s *near) try(e entry) {
	switch {
	case e.pair >= 0:
		s.self(e.pair)
	case e.b < 0:
		s.item(int(^e.pair), e.b)
	default:
		s.world(int(^e.pair))
	}
}

func (s *near) self(pair int32) {
	w := s.w
	q := &w.m.Pairs[pair]
	between := r3.Sub(w.element(q.A).center, w.element(q.B).center)
	if geom.Norm(between)-w.m.Elements[q.A].Radius-w.m.Elements[q.B].Radius >= s.enough() {
		return
	}
	if _, t := w.between(pair, s.enough(), s.tol, s.rel); t.distance < s.best.distance {
		s.best, s.last = t, entry{pair: pair, a: whole, b: whole}
	}
}

// world descends into the world's tree, nearest boxes first.
func (s *near) world(element int) {
	w := s.w
	center, radius := w.element(element).center, w.m.Elements[element].Radius
	s.spots = append(s.spots[:0], spot{0, 0})
	for len(s.spots) > 0 && !w.out() {
		top := s.spots[len(s.spots)-1]
		s.spots = s.spots[:len(s.spots)-1]
		switch {
		case top.lower >= s.enough():
		case top.at < 0:
			s.item(element, top.at)
		default:
			n := &w.m.World.Tree.Nodes[top.at]
			first := len(s.spots)
			for i := range int(n.Count) {
				if lower := distanceToBox(center, n, i) - radius; lower < s.enough() {
					s.spots = insert(s.spots, first, spot{n.Child[i], lower})
				}
			}
		}
	}
}

// insert adds a spot such that those from first on stay sorted, the nearest last.
func insert(spots []spot, first int, x spot) []spot {
	spots = append(spots, x)
	i := len(spots) - 1
	for ; i > first && spots[i-1].lower < x.lower; i-- {
		spots[i] = spots[i-1]
	}
	spots[i] = x
	return spots
}

// distanceToBox returns how far x is from a child's box.
func distanceToBox(x geom.Vec, n *bvh.WideNode, child int) float64 {
	out := func(x float64, lo, hi float32) float64 {
		return max(0, max(float64(lo)-x, x-float64(hi)))
	}
	return geom.Norm(geom.Vec{
		X: out(x.X, n.Lo[0][child], n.Hi[0][child]),
		Y: out(x.Y, n.Lo[1][child], n.Hi[1][child]),
		Z: out(x.Z, n.Lo[2][child], n.Hi[2][child]),
	})
}

// item looks at an element and an item of the world, by its code in the tree.
func (s *near) item(element int, code int32) {
	w := s.w
	it := &w.m.World.Items[^code]
	pair := w.m.Against[element][it.Element-w.m.First]
	if pair < 0 {
		return
	}
	e := &w.m.Elements[element]
	s.nodes = append(s.nodes[:0], spot{whole, math.Inf(-1)})
	for len(s.nodes) > 0 && !w.out() {
		top := s.nodes[len(s.nodes)-1]
		s.nodes = s.nodes[:len(s.nodes)-1]
		switch {
		case top.lower >= s.enough():
		case top.at != whole && canOpen(e, top.at):
			left, first := e.Leaves.Tree.Nodes[top.at].Left, len(s.nodes)
			s.nodes = insert(s.nodes, first, s.spotOf(element, left, code))
			s.nodes = insert(s.nodes, first, s.spotOf(element, left+1, code))
		case s.part(element, top.at, code, pair) && top.at == whole && canOpen(e, whole):
			s.nodes = append(s.nodes, s.spotOf(element, 0, code))
		}
	}
}

// spotOf bounds the distance of a part and an item along one guessed direction.
func (s *near) spotOf(element int, node, code int32) spot {
	w := s.w
	it, e, at := &w.m.World.Items[^code], &w.m.Elements[element], w.element(element)
	center, _ := ballOf(e, node)
	s.from.center = at.pose.Apply(center)
	n, ok := w.guess(&s.from, it)
	if !ok {
		return spot{node, math.Inf(-1)}
	}
	h, radius := supportOf(e, node, at.pose.R.ApplyInv(n))
	return spot{node, least(w.m, it, n) - h - r3.Dot(n, at.pose.P) - radius}
}

// part looks at a part of an element and an item, and takes their closest points
// where the part is a shape; it reports whether something of it may be closer.
func (s *near) part(element int, node, code, pair int32) bool {
	w := s.w
	e, at := &w.m.Elements[element], w.element(element)
	if node == whole && s.spotOf(element, node, code).lower >= s.enough() {
		return false
	}
	core, pose := itemCore(w.m, &w.m.World.Items[^code], &w.partB)
	w.work.Distances++
	w.search.Dir = geom.Vec{}
	r := convex.Distance(coreOf(e, node, &w.partA), at.pose, core, *pose, &w.search)
	if r.Lower >= s.enough() || !isShape(e, node) {
		return r.Lower < s.enough()
	}
	if r.Overlap {
		r.Distance = 0
	}
	if r.Distance < s.best.distance {
		s.best = touch{pair: pair, a: r.PointA, b: r.PointB, normal: r.Normal, distance: r.Distance}
		if w.m.Pairs[pair].A != element {
			s.best.a, s.best.b, s.best.normal = r.PointB, r.PointA, r3.Scale(-1, r.Normal)
		}
		s.last, s.node = entry{pair: ^int32(element), a: whole, b: code}, node
	}
	return true
}
