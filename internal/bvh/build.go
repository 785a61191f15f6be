package bvh

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
)

// builder splits items top-down. The corners of the items stand in the tree's
// order, so that a node's are one stretch of memory.
type builder struct {
	tree    Tree
	corners []geom.Vec // size for each item
	size    int        // corners of an item: 3 or 1
	leaf    int
}

// task is a node whose split is pending.
type task struct{ node, depth int32 }

func build(corners []geom.Vec, size, leaf int) *Tree {
	b := builder{corners: corners, size: size, leaf: min(max(leaf, 1), MaxLeaf)}
	n := len(corners) / size
	if n == 0 {
		return &b.tree
	}
	b.tree.Order = make([]int32, n)
	for i := range b.tree.Order {
		b.tree.Order[i] = int32(i)
	}
	b.tree.Nodes = make([]Node, 0, 2*((n+b.leaf-1)/b.leaf))
	b.tree.Nodes = append(b.tree.Nodes, b.node(0, n))
	stack := []task{{}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		nd := &b.tree.Nodes[t.node]
		if int(nd.Count) <= b.leaf {
			continue
		}
		first, count := int(nd.First), int(nd.Count)
		k := b.split(nd.Box, first, count, int(t.depth))
		left := int32(len(b.tree.Nodes))
		nd.Left = left
		b.tree.Nodes = append(b.tree.Nodes, b.node(first, k), b.node(first+k, count-k))
		stack = append(stack, task{left + 1, t.depth + 1}, task{left, t.depth + 1})
	}
	return &b.tree
}

// node returns the leaf over items first..first+count-1.
func (b *builder) node(first, count int) Node {
	cs := b.corners[first*b.size : (first+count)*b.size]
	box := geom.Box{Min: cs[0], Max: cs[0]}
	for i := 1; i < len(cs); i++ {
		grow(&box, &cs[i])
	}
	ball := convex.MinBall(cs)
	return Node{Center: ball.Center, Radius: ball.Radius, Box: box, Left: -1, First: int32(first), Count: int32(count)}
}

func grow(b *geom.Box, p *geom.Vec) {
	if p.X < b.Min.X {
		b.Min.X = p.X
	}
	if p.X > b.Max.X {
		b.Max.X = p.X
	}
	if p.Y < b.Min.Y {
		b.Min.Y = p.Y
	}
	if p.Y > b.Max.Y {
		b.Max.Y = p.Y
	}
	if p.Z < b.Min.Z {
		b.Min.Z = p.Z
	}
	if p.Z > b.Max.Z {
		b.Max.Z = p.Z
	}
}

// split reorders the node's items and returns how many go left: at least one
// and not all. Items go by their middles, at the median along the axis on which
// the middles spread most.
func (b *builder) split(box geom.Box, first, count, depth int) int {
	_ = depth
	axis := b.widest(first, count)
	k := count / 2
	b.selectNth(first, first+count-1, first+k, axis)
	return k
}

// widest returns the axis along which the items' middles spread most.
func (b *builder) widest(first, count int) int {
	lo := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi := [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := first; i < first+count; i++ {
		for axis := range 3 {
			m := b.middle(i, axis)
			lo[axis], hi[axis] = math.Min(lo[axis], m), math.Max(hi[axis], m)
		}
	}
	best := 0
	for axis := 1; axis < 3; axis++ {
		if hi[axis]-lo[axis] > hi[best]-lo[best] {
			best = axis
		}
	}
	return best
}

// middle returns a coordinate of an item's box's centre, doubled.
func (b *builder) middle(i, axis int) float64 {
	cs := b.corners[i*b.size : (i+1)*b.size]
	lo := coordinate(&cs[0], axis)
	hi := lo
	for k := 1; k < len(cs); k++ {
		c := coordinate(&cs[k], axis)
		if c < lo {
			lo = c
		}
		if c > hi {
			hi = c
		}
	}
	return lo + hi
}

func coordinate(p *geom.Vec, axis int) float64 {
	switch axis {
	case 0:
		return p.X
	case 1:
		return p.Y
	}
	return p.Z
}

func (b *builder) swap(i, j int) {
	b.tree.Order[i], b.tree.Order[j] = b.tree.Order[j], b.tree.Order[i]
	for k := range b.size {
		p, q := i*b.size+k, j*b.size+k
		b.corners[p], b.corners[q] = b.corners[q], b.corners[p]
	}
}

// selectNth partially sorts items lo..hi so that the nth stands where sorting
// would put it, smaller ones before it (Hoare's quickselect, middle of three).
func (b *builder) selectNth(lo, hi, nth, axis int) {
	for lo < hi {
		pivot := median(b.middle(lo, axis), b.middle((lo+hi)/2, axis), b.middle(hi, axis))
		i, j := lo, hi
		for i <= j {
			for b.middle(i, axis) < pivot {
				i++
			}
			for b.middle(j, axis) > pivot {
				j--
			}
			if i <= j {
				b.swap(i, j)
				i++
				j--
			}
		}
		switch {
		case nth <= j:
			hi = j
		case nth >= i:
			lo = i
		default:
			return
		}
	}
}

func median(a, b, c float64) float64 {
	return math.Max(math.Min(a, b), math.Min(math.Max(a, b), c))
}
