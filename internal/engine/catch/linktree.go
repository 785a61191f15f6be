package catch

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// ZRLK07, section 5.2: the dynamic hierarchy of boxes around an articulated model,
// made bottom-up from the boxes of its links, and its test against the environment.
//
// Its shape is made once: neighbours in it are neighbours in the chain, which stay
// close to each other however the robot stands. The boxes are refitted for each piece
// of a motion. The environment has a static hierarchy, and both are descended together.

// linkTree is a binary tree over elements; the leaves are nodes 0..len(of)-1, in the
// order of the chains, and every other node follows its two children. The last is the
// root.
type linkTree struct {
	of    []int32    // elements
	child [][2]int32 // of the nodes after the leaves
}

// newLinkTree joins neighbours again and again until one node is left.
func newLinkTree(m *model.Model, elements []int32) *linkTree {
	t := &linkTree{of: elements}
	var level []int32
	for i := range elements {
		level = append(level, int32(i))
	}
	next := int32(len(elements))
	for len(level) > 1 {
		var up []int32
		for i := 0; i+1 < len(level); i += 2 {
			t.child = append(t.child, [2]int32{level[i], level[i+1]})
			up, next = append(up, next), next+1
		}
		if len(level)%2 == 1 {
			up = append(up, level[len(level)-1])
		}
		level = up
	}
	return t
}

// refit appends the boxes of all nodes to dst, those of the leaves given by box.
func (t *linkTree) refit(dst []geom.Box, box func(element int32) geom.Box) []geom.Box {
	for _, e := range t.of {
		dst = append(dst, box(e))
	}
	for _, c := range t.child {
		dst = append(dst, dst[c[0]].Union(dst[c[1]]))
	}
	return dst
}

// pairOfNodes is a node of the link tree and one of the environment's, negative for
// an item there.
type pairOfNodes struct{ link, env int32 }

// meet calls found with every element and item whose boxes have a point in common.
func (t *linkTree) meet(boxes []geom.Box, env *bvh.Wide, stack []pairOfNodes, found func(element, item int32)) []pairOfNodes {
	if len(boxes) == 0 || len(env.Nodes) == 0 {
		return stack
	}
	stack = append(stack[:0], pairOfNodes{int32(len(boxes) - 1), 0})
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		box := bvh.Outward(boxes[p.link])
		leaves := int32(len(t.of))
		if p.env < 0 {
			if p.link < leaves {
				found(t.of[p.link], env.Order[^p.env])
			}
			continue
		}
		n := &env.Nodes[p.env]
		if !n.Box.Meets(&box) {
			continue
		}
		if p.link >= leaves { // the links' side first: it has few
			c := t.child[p.link-leaves]
			stack = append(stack, pairOfNodes{c[0], p.env}, pairOfNodes{c[1], p.env})
			continue
		}
		for hits, i := n.Meets(&box), 0; hits != 0; hits, i = hits>>1, i+1 {
			if hits&1 != 0 {
				stack = append(stack, pairOfNodes{p.link, n.Child[i]})
			}
		}
	}
	return stack
}
