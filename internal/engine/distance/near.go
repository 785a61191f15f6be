package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Nearest returns the closest points that are less than limit apart, where the robot is
// placed, to within tol and the part rel of it; of no pair (negative) where there are
// none. starts are the pairs and elements that it is about.
func (w *Searcher) Nearest(starts []Start, limit, tol, rel float64) engine.PairTouch {
	s := &w.near
	s.w, s.tol, s.rel = w, tol, rel
	s.best = engine.PairTouch{Pair: -1, Touch: engine.Touch{Distance: limit}}
	warm := s.last
	if warm.known { // a search before found it: likely the closest still
		s.again(&warm)
	}
	for _, of := range starts {
		switch {
		case w.q.Reason != "" || s.best.Distance <= 0:
			return s.best
		case of < 0:
			s.world(int(^of))
		case !warm.known || of != warm.of:
			s.self(int32(of))
		}
	}
	return s.best
}

// Repeat returns the closest points, where the robot is placed now, of the two parts
// that were the closest in the last search that found any.
func (w *Searcher) Repeat() (t engine.PairTouch, ok bool) {
	s := &w.near
	if !s.last.known {
		return engine.PairTouch{}, false
	}
	s.w, s.tol, s.rel = w, 0, 0
	s.best = engine.PairTouch{Pair: -1, Touch: engine.Touch{Distance: math.Inf(1)}}
	if s.last.of >= 0 {
		return w.again(int32(s.last.of))
	}
	element, item := int(^s.last.of), s.last.item
	s.part(element, s.last.node, item, w.m.Against[element][w.m.World.Items[^item].Element-w.m.First])
	return s.best, s.best.Pair >= 0
}

// again looks first at what was closest in the search before.
func (s *near) again(last *source) {
	if last.of >= 0 {
		s.self(int32(last.of))
		return
	}
	s.item(int(^last.of), last.item)
}

// enough is the lower bound from which something cannot be the closest.
func (s *near) enough() float64 { return s.best.Distance*(1-s.rel) - s.tol }

func (s *near) self(pair int32) {
	w := s.w
	q := &w.m.Pairs[pair]
	between := r3.Sub(w.at.Element(q.A).Center, w.at.Element(q.B).Center)
	if geom.Norm(between)-w.m.Elements[q.A].Radius-w.m.Elements[q.B].Radius >= s.enough() {
		return
	}
	if _, t := w.between(pair, s.enough(), s.tol, s.rel); t.Distance < s.best.Distance {
		s.best, s.last = t, source{known: true, of: Start(pair)}
	}
}

// world descends into the world's tree, nearest boxes first.
func (s *near) world(element int) {
	w := s.w
	center, radius := w.at.Element(element).Center, w.m.Elements[element].Radius
	s.spots = append(s.spots[:0], queued{0, 0})
	for len(s.spots) > 0 && !w.q.Out() {
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
					s.spots = insert(s.spots, first, queued{n.Child[i], lower})
				}
			}
		}
	}
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
	s.nodes = append(s.nodes[:0], queued{volume.Whole, math.Inf(-1)})
	for len(s.nodes) > 0 && !w.q.Out() {
		top := s.nodes[len(s.nodes)-1]
		s.nodes = s.nodes[:len(s.nodes)-1]
		switch {
		case top.lower >= s.enough():
		case top.at != volume.Whole && volume.CanOpen(e, top.at):
			left, first := e.Leaves.Tree.Nodes[top.at].Left, len(s.nodes)
			s.nodes = insert(s.nodes, first, s.spotOf(element, left, code))
			s.nodes = insert(s.nodes, first, s.spotOf(element, left+1, code))
		case s.part(element, top.at, code, pair) && top.at == volume.Whole && volume.CanOpen(e, volume.Whole):
			s.nodes = append(s.nodes, s.spotOf(element, 0, code))
		}
	}
}

// spotOf bounds the distance of a part and an item along one guessed direction.
func (s *near) spotOf(element int, node, code int32) queued {
	w := s.w
	it, e, at := &w.m.World.Items[^code], &w.m.Elements[element], w.at.Element(element)
	center, _ := volume.Ball(e, node)
	n, ok := volume.TowardItem(w.m, it, at.Pose.Apply(center))
	if !ok {
		return queued{node, math.Inf(-1)}
	}
	h, radius := volume.Support(e, node, at.Pose.R.ApplyInv(n))
	return queued{node, volume.ItemLeast(w.m, it, n) - h - r3.Dot(n, at.Pose.P) - radius}
}

// part looks at a part of an element and an item, and takes their closest points
// where the part is a shape; it reports whether something of it may be closer.
func (s *near) part(element int, node, code, pair int32) bool {
	w := s.w
	e, at := &w.m.Elements[element], w.at.Element(element)
	if node == volume.Whole && s.spotOf(element, node, code).lower >= s.enough() {
		return false
	}
	core, pose := volume.ItemCore(w.m, &w.m.World.Items[^code], &w.partB)
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{}
	r := convex.Distance(volume.Core(e, node, &w.partA), at.Pose, core, *pose, &w.search)
	if r.Lower >= s.enough() || !volume.IsShape(e, node) {
		return r.Lower < s.enough()
	}
	if r.Overlap {
		r.Distance = 0
	}
	if r.Distance < s.best.Distance {
		s.best = engine.PairTouch{Pair: pair, Touch: engine.Touch{A: r.PointA, B: r.PointB, Normal: r.Normal, Distance: r.Distance}}
		if w.m.Pairs[pair].A != element {
			s.best.A, s.best.B, s.best.Normal = r.PointB, r.PointA, r3.Scale(-1, r.Normal)
		}
		s.last = source{known: true, of: AgainstWorld(element), item: code, node: node}
	}
	return true
}
