package bvh

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// builder splits items top-down. The corners of the items stand in the tree's
// order, so that a node's are one stretch of memory.
type builder struct {
	tree    Tree
	n       int        // items
	corners []geom.Vec // size for each item
	boxes   []geom.Box // one for each item; nil where the tree follows a plan of corners
	size    int        // corners of an item: 3, 1, or 0 where the items are boxes
	leaf    int
	scratch []geom.Vec // corners of a few boxes
	kept    *buffers   // what corners and boxes are in, for the next builder; or nil
}

// task is a node whose split is pending.
type task struct{ node, depth int32 }

// ofCorners returns the builder of items of size corners each, in the memory that is kept.
func ofCorners(kept *buffers, corners []geom.Vec, size, leaf int) *builder {
	n := len(corners) / size
	b := &builder{n: n, corners: corners, size: size, leaf: leafSize(leaf), kept: kept}
	b.boxes = of(&kept.boxes, n)
	for i := range b.boxes {
		b.boxes[i] = boxOf(corners[i*size : (i+1)*size])
	}
	return b
}

func leafSize(leaf int) int { return min(max(leaf, 1), MaxLeaf) }

// build makes the tree of the builder's items.
func (b *builder) build() *Tree {
	if b.n == 0 {
		return &b.tree
	}
	b.tree.Order = make([]int32, b.n)
	for i := range b.n {
		b.tree.Order[i] = int32(i)
	}
	b.grow(func(nd *Node, depth int) int { return b.split(int(nd.First), int(nd.Count), depth) })
	for i := range b.tree.Nodes {
		b.tree.Nodes[i].ball(b.minBall(int32(i)))
	}
	return &b.tree
}

// grow makes the nodes without their balls. For an inner node, divide returns how many of its
// items go left, at least one and not all, having moved those first; 0 aborts.
func (b *builder) grow(divide func(nd *Node, depth int) int) (ok bool) {
	b.tree.Nodes = make([]Node, 0, 2*((b.n+b.leaf-1)/b.leaf))
	b.tree.Nodes = append(b.tree.Nodes, Node{Left: -1, Count: int32(b.n)})
	stack := []task{{}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		nd := &b.tree.Nodes[t.node]
		if int(nd.Count) <= b.leaf {
			continue
		}
		k := int32(divide(nd, int(t.depth)))
		if k == 0 {
			return false
		}
		first, count, left := nd.First, nd.Count, int32(len(b.tree.Nodes))
		nd.Left = left
		b.tree.Nodes = append(b.tree.Nodes, Node{Left: -1, First: first, Count: k}, Node{Left: -1, First: first + k, Count: count - k})
		stack = append(stack, task{left + 1, t.depth + 1}, task{left, t.depth + 1})
	}
	b.bound()
	return true
}

// bound makes the boxes of the nodes.
func (b *builder) bound() {
	for i := len(b.tree.Nodes) - 1; i >= 0; i-- { // children stand after their parent
		nd := &b.tree.Nodes[i]
		if !nd.Leaf() {
			nd.Box = b.tree.Nodes[nd.Left].Box
			unite(&nd.Box, &b.tree.Nodes[nd.Left+1].Box)
			continue
		}
		if b.size > 0 { // corners of all items together
			nd.Box = boxOf(b.points(nd))
			continue
		}
		nd.Box = b.boxes[nd.First]
		for k := nd.First + 1; k < nd.First+nd.Count; k++ {
			unite(&nd.Box, &b.boxes[k])
		}
	}
}

func (n *Node) ball(b convex.Ball) { n.Center, n.Radius = b.Center, b.Radius }

// manyBoxes is the number of boxes from which the ball around their common box replaces the
// smallest ball around their corners, which are eight times as many.
const manyBoxes = 64

// points returns points whose hull holds the node's items.
func (b *builder) points(nd *Node) []geom.Vec {
	first, count := int(nd.First), int(nd.Count)
	if b.size > 0 {
		return b.corners[first*b.size : (first+count)*b.size]
	}
	b.scratch = b.scratch[:0]
	if count > manyBoxes {
		b.scratch = appendCorners(b.scratch, &nd.Box)
		return b.scratch
	}
	for i := first; i < first+count; i++ {
		b.scratch = appendCorners(b.scratch, &b.boxes[i])
	}
	return b.scratch
}

func appendCorners(to []geom.Vec, b *geom.Box) []geom.Vec {
	for _, x := range [2]float64{b.Min.X, b.Max.X} {
		for _, y := range [2]float64{b.Min.Y, b.Max.Y} {
			to = append(to, geom.Vec{X: x, Y: y, Z: b.Min.Z}, geom.Vec{X: x, Y: y, Z: b.Max.Z})
		}
	}
	return to
}

// boxOf returns the box of points, of which there is at least one.
func boxOf(points []geom.Vec) geom.Box {
	box := geom.Box{Min: points[0], Max: points[0]}
	for i := 1; i < len(points); i++ {
		grow(&box, &points[i])
	}
	return box
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

// medianDepth is the depth from which nodes are split in half: 2^31 items then
// need no more than 31 levels more, which keeps MaxDepth.
const medianDepth = MaxDepth - 32

// split reorders the node's items and returns how many go left: at least one
// and not all.
//
// Items are ordered by the middles of their boxes. The surface area heuristic (MacDonald,
// Booth 1990) over a few bins finds the cheapest plane; the median is used if all middles fall
// in one bin, or if the tree grows too deep.
func (b *builder) split(first, count, depth int) int {
	lo, hi := b.spread(first, count)
	if depth < medianDepth && count > 2 {
		if c, ok := b.cheapest(first, count, lo, hi); ok {
			return b.partition(first, count, c)
		}
	}
	axis := 0
	for k := 1; k < 3; k++ {
		if hi[k]-lo[k] > hi[axis]-lo[axis] {
			axis = k
		}
	}
	b.selectNth(first, first+count-1, first+count/2, axis)
	return count / 2
}

// spread returns the range of the items' middles.
func (b *builder) spread(first, count int) (lo, hi [3]float64) {
	m := middles(&b.boxes[first])
	box := geom.Box{Min: m, Max: m}
	for i := first + 1; i < first+count; i++ {
		m := middles(&b.boxes[i])
		grow(&box, &m)
	}
	return [3]float64{box.Min.X, box.Min.Y, box.Min.Z}, [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
}

// middles returns the middle of an item's box, doubled.
func middles(b *geom.Box) geom.Vec {
	return geom.Vec{X: b.Min.X + b.Max.X, Y: b.Min.Y + b.Max.Y, Z: b.Min.Z + b.Max.Z}
}

// maxBins is the number of bins for large nodes; small ones have one per item.
const maxBins = 16

// cut is a plane between two of n bins along an axis: middles in bins below at go
// left.
type cut struct {
	axis, at, n int
	lo, scale   float64
}

// bin returns the bin of a middle; with the clamp, even rounding keeps it in range.
func (c *cut) bin(m float64) int {
	return min(max(int((m-c.lo)*c.scale), 0), c.n-1)
}

// cheapest returns the cut of least cost, if any leaves items on both sides.
func (b *builder) cheapest(first, count int, lo, hi [3]float64) (best cut, ok bool) {
	cost := math.Inf(1)
	for axis := range 3 {
		n := min(count, maxBins)
		c := cut{axis: axis, n: n, lo: lo[axis], scale: float64(n) / (hi[axis] - lo[axis])}
		if !(c.scale > 0) || math.IsInf(c.scale, 0) {
			continue
		}
		if k, at := b.sweep(first, count, c); k < cost {
			c.at = at
			cost, best, ok = k, c, true
		}
	}
	return best, ok
}

// sweep returns the least cost of a cut along c's axis and where it is.
func (b *builder) sweep(first, count int, c cut) (cost float64, at int) {
	var n [maxBins]int
	var box [maxBins]geom.Box
	for i := first; i < first+count; i++ {
		k := c.bin(b.middle(i, c.axis))
		if n[k]++; n[k] == 1 {
			box[k] = b.boxes[i]
		} else {
			unite(&box[k], &b.boxes[i])
		}
	}
	var right [maxBins]float64 // cost of bins k.. together
	sum, all := 0, geom.EmptyBox()
	for k := c.n - 1; k > 0; k-- {
		if n[k] > 0 {
			sum += n[k]
			unite(&all, &box[k])
		}
		right[k] = float64(sum) * area(&all)
	}
	cost = math.Inf(1)
	sum, all = 0, geom.EmptyBox()
	for k := 1; k < c.n; k++ {
		if n[k-1] > 0 {
			sum += n[k-1]
			unite(&all, &box[k-1])
		}
		if sum == 0 || sum == count {
			continue
		}
		if l := float64(sum)*area(&all) + right[k]; l < cost {
			cost, at = l, k
		}
	}
	return cost, at
}

// unite grows a to hold b.
func unite(a, b *geom.Box) {
	if b.Min.X < a.Min.X {
		a.Min.X = b.Min.X
	}
	if b.Max.X > a.Max.X {
		a.Max.X = b.Max.X
	}
	if b.Min.Y < a.Min.Y {
		a.Min.Y = b.Min.Y
	}
	if b.Max.Y > a.Max.Y {
		a.Max.Y = b.Max.Y
	}
	if b.Min.Z < a.Min.Z {
		a.Min.Z = b.Min.Z
	}
	if b.Max.Z > a.Max.Z {
		a.Max.Z = b.Max.Z
	}
}

// area returns half the surface of b, 0 if it is empty.
func area(b *geom.Box) float64 {
	x, y, z := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y, b.Max.Z-b.Min.Z
	if x < 0 {
		return 0
	}
	return x*y + y*z + z*x
}

// partition moves the items below the cut to the front and returns their number.
func (b *builder) partition(first, count int, c cut) int {
	i, j := first, first+count-1
	for i <= j {
		if c.bin(b.middle(i, c.axis)) < c.at {
			i++
			continue
		}
		b.swap(i, j)
		j--
	}
	return i - first
}

// middle returns a coordinate of the middle of an item's box, doubled.
func (b *builder) middle(i, axis int) float64 {
	box := &b.boxes[i]
	switch axis {
	case 0:
		return box.Min.X + box.Max.X
	case 1:
		return box.Min.Y + box.Max.Y
	}
	return box.Min.Z + box.Max.Z
}

func (b *builder) swap(i, j int) {
	b.tree.Order[i], b.tree.Order[j] = b.tree.Order[j], b.tree.Order[i]
	b.boxes[i], b.boxes[j] = b.boxes[j], b.boxes[i]
	for k := range b.size {
		p, q := i*b.size+k, j*b.size+k
		b.corners[p], b.corners[q] = b.corners[q], b.corners[p]
	}
}

// selectNth partially sorts items lo..hi so that the nth is at its sorted position, smaller
// ones before it (Hoare's quickselect, median of three).
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
