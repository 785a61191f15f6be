package bvh

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// builder splits items top-down, by their boxes. Then the corners of the items are put into the
// tree's order, so that a node's are one stretch of memory.
type builder struct {
	tree    Tree
	n       int        // items
	boxes   []geom.Box // one for each item; nil where the tree follows a plan of triangles
	size    int        // corners of an item: 3, 1, or 0 where the items are boxes
	corners []geom.Vec // size for each item, in the tree's order
	mesh    *mesh.Mesh // of the triangles; nil where size is not 3
	points  []geom.Vec // nil where size is not 1
	leaf    int
	bins    [3]bins
	scratch []geom.Vec // corners of a few boxes
	kept    *buffers   // what corners and boxes are in, for the next builder; or nil
}

// task is a node whose split is pending.
type task struct{ node, depth int32 }

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
	b.grow()
	for i := len(b.tree.Nodes) - 1; i >= 0; i-- { // children stand after their parent
		nd := &b.tree.Nodes[i]
		if nd.Leaf() {
			b.fetch(nd)
			b.boundLeaf(nd)
		} else {
			nd.Box = b.tree.Nodes[nd.Left].Box
			unite(&nd.Box, &b.tree.Nodes[nd.Left+1].Box)
		}
		nd.ball(b.minBall(int32(i)))
	}
	return &b.tree
}

// grow makes the nodes without their boxes and balls.
func (b *builder) grow() {
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
		k := int32(b.split(int(nd.First), int(nd.Count), int(t.depth)))
		first, count, left := nd.First, nd.Count, int32(len(b.tree.Nodes))
		nd.Left = left
		b.tree.Nodes = append(b.tree.Nodes, Node{Left: -1, First: first, Count: k}, Node{Left: -1, First: first + k, Count: count - k})
		stack = append(stack, task{left + 1, t.depth + 1}, task{left, t.depth + 1})
	}
}

// fetch fills in the corners of a leaf's items.
func (b *builder) fetch(nd *Node) {
	for i := nd.First; i < nd.First+nd.Count; i++ {
		switch k := b.tree.Order[i]; b.size {
		case 3:
			t, c := &b.mesh.Triangles[k], b.corners[3*i:3*i+3]
			c[0], c[1], c[2] = b.mesh.Vertices[t[0]], b.mesh.Vertices[t[1]], b.mesh.Vertices[t[2]]
		case 1:
			b.corners[i] = b.points[k]
		}
	}
}

// boundLeaf makes the box of a leaf.
func (b *builder) boundLeaf(nd *Node) {
	switch {
	case b.size == 3 && nd.Count == 1:
		c := b.corners[3*nd.First:]
		nd.Box = boxOfThree(&c[0], &c[1], &c[2])
		return
	case b.size > 0: // corners of all items together
		nd.Box = boxOf(b.around(nd))
		return
	}
	nd.Box = b.boxes[nd.First]
	for k := nd.First + 1; k < nd.First+nd.Count; k++ {
		unite(&nd.Box, &b.boxes[k])
	}
}

func (n *Node) ball(b convex.Ball) { n.Center, n.Radius = b.Center, b.Radius }

// manyBoxes is the number of boxes from which the ball around their common box replaces the
// smallest ball around their corners, which are eight times as many.
const manyBoxes = 64

// around returns points whose hull holds the node's items.
func (b *builder) around(nd *Node) []geom.Vec {
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

// boxOfThree is boxOf a triangle's corners, of which no branch can tell beforehand which is where.
func boxOfThree(a, b, c *geom.Vec) geom.Box {
	return geom.Box{
		Min: geom.Vec{X: min(a.X, b.X, c.X), Y: min(a.Y, b.Y, c.Y), Z: min(a.Z, b.Z, c.Z)},
		Max: geom.Vec{X: max(a.X, b.X, c.X), Y: max(a.Y, b.Y, c.Y), Z: max(a.Z, b.Z, c.Z)},
	}
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

// bins are the items of a node by the bins of one axis: how many, and a box around them.
type bins struct {
	cut   cut
	count [maxBins]int32
	box   [maxBins]geom.Box // where there are any
}

// cheapest returns the cut of least cost, if any leaves items on both sides.
func (b *builder) cheapest(first, count int, lo, hi [3]float64) (best cut, ok bool) {
	n := min(count, maxBins)
	axes := 0
	for axis := range 3 {
		c := cut{axis: axis, n: n, lo: lo[axis], scale: float64(n) / (hi[axis] - lo[axis])}
		if !(c.scale > 0) || math.IsInf(c.scale, 0) {
			continue
		}
		b.bins[axes].cut = c
		clear(b.bins[axes].count[:n])
		axes++
	}
	for i := first; i < first+count; i++ {
		box := &b.boxes[i]
		m := middles(box)
		for a := range axes {
			s := &b.bins[a]
			k := s.cut.bin([3]float64{m.X, m.Y, m.Z}[s.cut.axis])
			if s.count[k]++; s.count[k] == 1 {
				s.box[k] = *box
			} else {
				unite(&s.box[k], box)
			}
		}
	}
	cost := math.Inf(1)
	for a := range axes {
		if k, at := b.bins[a].sweep(count); k < cost {
			b.bins[a].cut.at = at
			cost, best, ok = k, b.bins[a].cut, true
		}
	}
	return best, ok
}

// sweep returns the least cost of a cut between the bins of count items and where it is.
func (s *bins) sweep(count int) (cost float64, at int) {
	var right [maxBins]float64 // cost of bins k.. together
	n := s.cut.n
	sum, all := int32(0), geom.EmptyBox()
	for k := n - 1; k > 0; k-- {
		if s.count[k] > 0 {
			sum += s.count[k]
			unite(&all, &s.box[k])
		}
		right[k] = float64(sum) * area(&all)
	}
	cost = math.Inf(1)
	sum, all = 0, geom.EmptyBox()
	for k := 1; k < n; k++ {
		if s.count[k-1] == 0 {
			continue // as at k-1, or nothing is left of it
		}
		sum += s.count[k-1]
		unite(&all, &s.box[k-1])
		if sum == int32(count) {
			break
		}
		if l := float64(sum)*area(&all) + right[k]; l < cost {
			cost, at = l, k
		}
	}
	return cost, at
}

// unite grows a to hold b.
func unite(a, b *geom.Box) {
	a.Min.X, a.Min.Y, a.Min.Z = min(a.Min.X, b.Min.X), min(a.Min.Y, b.Min.Y), min(a.Min.Z, b.Min.Z)
	a.Max.X, a.Max.Y, a.Max.Z = max(a.Max.X, b.Max.X), max(a.Max.Y, b.Max.Y), max(a.Max.Z, b.Max.Z)
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
