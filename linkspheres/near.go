package linkspheres

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// Within reports whether it is proved that the body has a point within r of p: whether the
// upper bound of Distance is at most r, as far as rounding tells. It is faster, because any
// part of the body that is close enough will do.
func (b *Body) Within(p geom.Vec, r float64) bool {
	box := grown(b.bounds, r)
	if !within(&box, p) {
		return false
	}
	if b.tree != nil && b.surfaceWithin(p, r-b.soupErr) {
		return true
	}
	for _, s := range b.solids {
		box := s.box()
		if _, mesh := s.(*meshSolid); mesh && !within(&box, p) {
			continue // its surface is too far away
		}
		if _, hi := s.signed(p); hi <= r {
			return true
		}
	}
	return false
}

// surfaceWithin reports whether a triangle has a point within r of p.
func (b *Body) surfaceWithin(p geom.Vec, r float64) bool {
	var stack [2 * bvh.MaxDepth]int32
	for top := 1; top > 0; {
		top--
		n := &b.tree.Nodes[stack[top]]
		if boxDistance(&n.Box, p) > r {
			continue
		}
		if !n.Leaf() {
			l, right := n.Left, n.Left+1
			if boxDistance(&b.tree.Nodes[l].Box, p) < boxDistance(&b.tree.Nodes[right].Box, p) {
				l, right = right, l
			}
			stack[top], stack[top+1] = l, right
			top += 2
			continue
		}
		for _, k := range b.tree.Order[n.First : n.First+n.Count] {
			if c := corners(b.soup, k); reachOf(&c, p) <= r {
				return true
			}
		}
	}
	return false
}
