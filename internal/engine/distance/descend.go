package distance

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
)

// descend searches the hierarchies below the whole elements. Each point or cell of a
// point cloud is a solid of its own: it may lie inside the other element, which is asked
// before that is opened.
func (s *pairSearch) descend() {
	w := s.w
	pointwise := s.pointwise()
	first := nodePair{volume.Whole, volume.Whole, max(0, s.lower)}
	if !pointwise && !s.a.Exact {
		first.a = 0
	}
	if !pointwise && !s.b.Exact {
		first.b = 0
	}
	w.nodes = append(w.nodes[:0], first)
	for len(w.nodes) > 0 && !w.q.Out() && s.best.Distance > 0 { // no distance is smaller than 0
		n := w.nodes[len(w.nodes)-1]
		w.nodes = w.nodes[:len(w.nodes)-1]
		switch {
		case n.lower >= s.enough():
			s.lowest = min(s.lowest, n.lower)
		case volume.IsShape(s.a, n.a) && volume.IsShape(s.b, n.b):
			s.meet(n.a, n.b)
		case !pointwise:
			s.open(n)
		case (n.a == volume.Whole || n.b == volume.Whole) && s.contains(n.a, n.b):
			return
		default:
			s.openPoints(n)
		}
	}
}

// openPoints is open where a side may still be whole.
func (s *pairSearch) openPoints(n nodePair) {
	openA := volume.OpensA(s.a, n.a, s.b, n.b)
	switch {
	case openA && n.a == volume.Whole:
		n.a = 0
	case !openA && n.b == volume.Whole:
		n.b = 0
	default:
		s.open(n)
		return
	}
	n.lower = s.bound(n.a, n.b, n.lower)
	s.w.nodes = append(s.w.nodes, n)
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
