package bvh

import (
	"math"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Width is the number of children of a node of a Wide tree.
const Width = 8

// Wide is a static tree over boxes, for static geometry: eight children per node, their boxes
// in float32, rounded outward, side by side. It is immutable.
type Wide struct {
	Nodes []WideNode
	// Order lists the items such that the items below any node stand together.
	Order []int32
}

// WideNode is one node of a Wide tree: Count children, each a node (Child >= 0) or
// the item Order[^Child]. Below it are the items Order[First : First+Items].
type WideNode struct {
	Lo, Hi       [3][Width]float32
	Child        [Width]int32
	Count        int32
	First, Items int32
	Box          Box32 // around all children's
}

// Box32 is a box in float32.
type Box32 struct{ Lo, Hi [3]float32 }

// NewWide returns the tree over the boxes, item i having box i. The caller
// guarantees that they are finite and not empty.
func NewWide(boxes []geom.Box) *Wide { return newWide(boxes, largeNode) }

func newWide(boxes []geom.Box, large int) *Wide {
	b := wideBuilder{t: &Wide{}, large: large}
	b.boxes = slices.Clone(boxes) // they are put in order as the items are
	b.tree.Order = make([]int32, len(boxes))
	for i := range boxes {
		b.tree.Order[i] = int32(i)
	}
	if len(boxes) > 0 {
		b.node(0, len(boxes), 0)
	}
	b.t.Order = b.tree.Order
	return b.t
}

// Meets reports whether the boxes have a point in common.
func (b *Box32) Meets(c *Box32) bool {
	return b.Lo[0] <= c.Hi[0] && b.Hi[0] >= c.Lo[0] &&
		b.Lo[1] <= c.Hi[1] && b.Hi[1] >= c.Lo[1] &&
		b.Lo[2] <= c.Hi[2] && b.Hi[2] >= c.Lo[2]
}

// Outward returns a float32 box that contains b.
func Outward(b geom.Box) Box32 {
	return Box32{
		Lo: [3]float32{below(b.Min.X), below(b.Min.Y), below(b.Min.Z)},
		Hi: [3]float32{above(b.Max.X), above(b.Max.Y), above(b.Max.Z)},
	}
}

// below and above subtract and add twice the maximum rounding error of float32, including that
// of subnormal numbers. Values beyond the largest float32 are below +Inf.
func below(x float64) float32 {
	return min(float32(x-math.Abs(x)*0x1p-23-0x1p-140), math.MaxFloat32)
}

func above(x float64) float32 {
	return max(float32(x+math.Abs(x)*0x1p-23+0x1p-140), -math.MaxFloat32)
}

// Meets reports which children's boxes have a point in common with b: bit i for
// child i.
func (n *WideNode) Meets(b *Box32) (children uint32) {
	for i := int32(0); i < n.Count; i++ {
		j := i & (Width - 1)
		if n.Lo[0][j] <= b.Hi[0] && n.Hi[0][j] >= b.Lo[0] &&
			n.Lo[1][j] <= b.Hi[1] && n.Hi[1][j] >= b.Lo[1] &&
			n.Lo[2][j] <= b.Hi[2] && n.Hi[2][j] >= b.Lo[2] {
			children |= 1 << j
		}
	}
	return children
}

// ChildBox32 returns a child's box.
func (n *WideNode) ChildBox32(i int) Box32 {
	return Box32{Lo: [3]float32{n.Lo[0][i], n.Lo[1][i], n.Lo[2][i]}, Hi: [3]float32{n.Hi[0][i], n.Hi[1][i], n.Hi[2][i]}}
}

// ChildBox returns the middle and the half sides of a child's box, exactly, as
// sums and halves of float32 numbers of like size are float64 numbers; and to half
// a unit in the last place where their sizes are far apart.
func (n *WideNode) ChildBox(i int) (center, half geom.Vec) {
	lo := geom.Vec{X: float64(n.Lo[0][i]), Y: float64(n.Lo[1][i]), Z: float64(n.Lo[2][i])}
	hi := geom.Vec{X: float64(n.Hi[0][i]), Y: float64(n.Hi[1][i]), Z: float64(n.Hi[2][i])}
	return geom.Vec{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2, Z: (lo.Z + hi.Z) / 2},
		geom.Vec{X: (hi.X - lo.X) / 2, Y: (hi.Y - lo.Y) / 2, Z: (hi.Z - lo.Z) / 2}
}

// wideBuilder collapses the splits of a binary tree.
type wideBuilder struct {
	builder
	t     *Wide
	large int // from how many items on what is below a node is made by several goroutines
}

// largeNode is how many items make a millisecond's work.
const largeNode = 1 << 13

// node makes the node over Order[first : first+count] and returns its index.
func (b *wideBuilder) node(first, count, depth int) int32 {
	at := int32(len(b.t.Nodes))
	b.t.Nodes = append(b.t.Nodes, WideNode{First: int32(first), Items: int32(count)})
	groups := b.groups(first, count, depth)
	var below [Width]*Wide
	if count >= b.large {
		b.below(groups, &below)
	}
	for i, g := range groups {
		child := ^int32(g.first)
		switch {
		case below[i] != nil:
			child = b.adopt(below[i])
		case g.count > 1:
			child = b.node(g.first, g.count, g.depth)
		}
		n := &b.t.Nodes[at]
		n.Child[i], n.Count = child, int32(i+1)
		n.hold(i, Outward(g.box))
	}
	return at
}

// below makes the nodes over groups on all processors: no two groups share items.
func (b *wideBuilder) below(groups []stretch, out *[Width]*Wide) {
	var all sync.WaitGroup
	for i, g := range groups {
		if g.count == 1 {
			continue
		}
		all.Add(1)
		go func() {
			defer all.Done()
			part := wideBuilder{builder: b.builder, t: &Wide{}, large: b.large}
			part.node(g.first, g.count, g.depth)
			out[i] = part.t
		}()
	}
	all.Wait()
}

// adopt appends nodes that were made apart, and returns the index of the first.
func (b *wideBuilder) adopt(t *Wide) int32 {
	at := int32(len(b.t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		for k, child := range n.Child[:n.Count] {
			if child >= 0 {
				n.Child[k] = child + at
			}
		}
	}
	b.t.Nodes = append(b.t.Nodes, t.Nodes...)
	return at
}

// stretch is a range of consecutive items, and their box.
type stretch struct {
	first, count, depth int
	box                 geom.Box
}

func (b *wideBuilder) stretch(first, count, depth int) stretch {
	box := b.boxes[first]
	for i := first + 1; i < first+count; i++ {
		unite(&box, &b.boxes[i])
	}
	return stretch{first, count, depth, box}
}

// groups cuts a stretch into at most Width: single items where they are as few,
// else by splitting again and again what has the largest surface.
func (b *wideBuilder) groups(first, count, depth int) []stretch {
	if count <= Width {
		out := make([]stretch, count)
		for i := range out {
			out[i] = b.stretch(first+i, 1, depth)
		}
		return out
	}
	out := []stretch{b.stretch(first, count, depth)}
	for len(out) < Width {
		widest, size := -1, -1.0
		for i := range out {
			if s := area(&out[i].box); out[i].count > Width && s > size {
				widest, size = i, s
			}
		}
		if widest < 0 {
			break
		}
		g := out[widest]
		left := b.split(g.first, g.count, g.depth)
		out[widest] = b.stretch(g.first, left, g.depth+1)
		out = append(out, b.stretch(g.first+left, g.count-left, g.depth+1))
	}
	return out
}
