//go:build gl && cgo

package sweptgl

import (
	"math"
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// node is a node of the world's tree as the shader takes it.
type node struct {
	lo, hi [24]float32
	child  [bvh.Width]int32
	count  [4]int32
}

// world is the static world in float32. It is immutable and shared.
type world struct {
	model *model.Model
	nodes []node
	solid []solid // per item
	sole  []int32 // per node: the element that all of it is of, -1 for several
}

func newWorld(m *model.Model) *world {
	w := &world{model: m, nodes: make([]node, len(m.World.Tree.Nodes)), solid: make([]solid, len(m.World.Items)), sole: make([]int32, len(m.World.Tree.Nodes))}
	for i := range m.World.Tree.Nodes {
		n := &m.World.Tree.Nodes[i]
		to := &w.nodes[i]
		for k := range 3 {
			copy(to.lo[8*k:], n.Lo[k][:])
			copy(to.hi[8*k:], n.Hi[k][:])
		}
		to.child, to.count[0] = n.Child, n.Count
		for j := range int(n.Count) {
			if child := n.Child[j]; child < 0 {
				box := n.ChildBox32(j)
				w.solid[^child] = ofItem(m, &m.World.Items[^child], &box)
			}
		}
		w.sole[i] = m.World.Items[n.First].Element
		for _, it := range m.World.Items[n.First : n.First+n.Items] {
			if it.Element != w.sole[i] {
				w.sole[i] = -1
				break
			}
		}
	}
	return w
}

// finite reports whether every piece is.
func (w *world) finite() bool {
	for i := range w.solid {
		if !w.solid[i].finite() {
			return false
		}
	}
	return true
}

// margin is what a volume must be farther from a piece than.
func (w *world) margin(clearance float64) float64 {
	return (clearance + w.model.World.Err) * (1 + 0x1p-50)
}

// walk calls found with every item whose box meets the box.
func (w *world) walk(box *bvh.Box32, stack []int32, wanted func(element int32) bool, found func(item int32)) []int32 {
	tree := w.model.World.Tree
	stack = append(stack[:0], 0)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if w.sole[at] >= 0 && !wanted(w.sole[at]) {
			continue
		}
		n := &tree.Nodes[at]
		for mask := n.Meets(box); mask != 0; mask &= mask - 1 {
			if child := n.Child[bits.TrailingZeros32(mask)]; child >= 0 {
				stack = append(stack, child)
			} else if wanted(w.model.World.Items[^child].Element) {
				found(^child)
			}
		}
	}
	return stack
}

// solidsOf appends the slices of a volume; ok is false if one says nothing in float32.
func (w *world) solidsOf(to []solid, v *articulate.SweptVolume, clearance float64) (_ []solid, ok bool) {
	margin := w.margin(clearance)
	if !(margin >= 0) || math.IsInf(margin, 0) {
		return to, false
	}
	for i := range v.Slices {
		s := ofSlice(&v.Slices[i], margin)
		if !s.finite() {
			return to, false
		}
		to = append(to, s)
	}
	return to, true
}
