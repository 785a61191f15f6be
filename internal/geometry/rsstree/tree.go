package rsstree

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Node is one volume of a [Tree]. All that is below it is inside.
type Node struct {
	RSS
	Left  int32 // the left child; the right one is Left+1; negative: a leaf
	First int32 // the node's pieces are Order[First : First+Count]
	Count int32
	rect  rect
	size  float64 // what decides which of two nodes is the bigger
}

// Leaf reports whether the node has no children: it holds one piece.
func (n *Node) Leaf() bool { return n.Left < 0 }

// Size is the diameter of the volume to rounding: of two nodes GREEDY-DIST opens the
// bigger.
func (n *Node) Size() float64 { return n.size }

// Tree is a hierarchy over pieces 0..n-1: triangles, points, cells, or one convex
// piece. The root is Nodes[0]; there is none if there are no pieces. It is immutable
// and may be shared.
type Tree struct {
	Nodes []Node
	Order []int32

	triangles []tri.Triangle // in the tree's order
	points    []geom.Vec     // likewise
	cells     []geom.Box     // likewise
	core      *convex.Core   // the only piece
	extent    float64        // no point of it is farther from the frame's origin
}

// MaxDepth bounds the depth of every tree.
const MaxDepth = 64

// OfMesh returns the tree over the triangles of m. The caller guarantees that m is
// valid: vertices finite, indices in range.
func OfMesh(m *mesh.Mesh) *Tree {
	corners := make([]geom.Vec, 0, 3*len(m.Triangles))
	for _, t := range m.Triangles {
		corners = append(corners, m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]])
	}
	b := newBuilder(corners, 3)
	t := b.build()
	t.triangles = make([]tri.Triangle, len(m.Triangles))
	for i := range t.triangles {
		t.triangles[i] = tri.Triangle(b.corners[3*i : 3*i+3])
	}
	return t
}

// OfPoints returns the tree over finite points.
func OfPoints(points []geom.Vec) *Tree {
	b := newBuilder(append([]geom.Vec(nil), points...), 1)
	t := b.build()
	t.points = b.corners
	return t
}

// OfCells returns the tree over axis-aligned boxes that are finite and not empty.
func OfCells(cells []geom.Box) *Tree {
	corners := make([]geom.Vec, 0, 8*len(cells))
	for i := range cells {
		corners = appendCorners(corners, &cells[i])
	}
	t := newBuilder(corners, 8).build()
	t.cells = make([]geom.Box, len(cells))
	for i, k := range t.Order {
		t.cells[i] = cells[k]
	}
	return t
}

// OfCore returns the tree of one node around a convex piece, which must be valid. Its
// Radius is left out, as that of points is: see Pair.
func OfCore(c *convex.Core) *Tree {
	t := &Tree{Order: []int32{0}, core: c}
	n := Node{Left: -1, Count: 1}
	n.RSS, _ = new(fitter).fit(outline(c))
	n.finish()
	t.Nodes, t.extent = []Node{n}, n.Extent()
	return t
}

// outline returns points whose hull holds the core.
func outline(c *convex.Core) []geom.Vec {
	box := geom.Box{}
	switch c.Kind {
	case convex.Box:
		box = geom.Box{Min: r3.Sub(c.Center, c.Half), Max: r3.Add(c.Center, c.Half)}
	case convex.Cylinder, convex.Cone:
		half := geom.Vec{X: c.CoreRadius, Y: c.CoreRadius, Z: c.HalfLength}
		box = geom.Box{Min: r3.Scale(-1, half), Max: half}
	default:
		return c.Vertices
	}
	grow := 2 * u * (geom.Norm(box.Min) + geom.Norm(box.Max)) // the centre and the half sides were rounded
	by := geom.Vec{X: grow, Y: grow, Z: grow}
	return appendCorners(nil, &geom.Box{Min: r3.Sub(box.Min, by), Max: r3.Add(box.Max, by)})
}

func appendCorners(to []geom.Vec, b *geom.Box) []geom.Vec {
	for _, x := range [2]float64{b.Min.X, b.Max.X} {
		for _, y := range [2]float64{b.Min.Y, b.Max.Y} {
			to = append(to, geom.Vec{X: x, Y: y, Z: b.Min.Z}, geom.Vec{X: x, Y: y, Z: b.Max.Z})
		}
	}
	return to
}

func (n *Node) finish() {
	n.rect = rectOf(&n.RSS)
	n.size = geom.Norm(n.U) + geom.Norm(n.V) + n.Radius
}

// builder splits pieces top-down; their corners stand in the tree's order, so that a
// node's are one stretch of memory.
type builder struct {
	tree    Tree
	corners []geom.Vec
	size    int // corners of a piece
	fitter  fitter
}

func newBuilder(corners []geom.Vec, size int) *builder {
	b := &builder{corners: corners, size: size}
	b.tree.Order = make([]int32, len(corners)/size)
	for i := range b.tree.Order {
		b.tree.Order[i] = int32(i)
	}
	return b
}

func (b *builder) build() *Tree {
	n := len(b.tree.Order)
	if n == 0 {
		return &b.tree
	}
	b.tree.Nodes = make([]Node, 1, 2*n-1)
	type task struct{ node, first, count, depth int }
	stack := []task{{count: n}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		axes := b.volume(t.node, t.first, t.count)
		if t.count == 1 {
			continue
		}
		k, left := b.split(axes[0], t.first, t.count, t.depth), len(b.tree.Nodes)
		b.tree.Nodes[t.node].Left = int32(left)
		b.tree.Nodes = append(b.tree.Nodes, Node{}, Node{})
		stack = append(stack, task{left, t.first, k, t.depth + 1}, task{left + 1, t.first + k, t.count - k, t.depth + 1})
	}
	b.tree.extent = b.tree.Nodes[0].Extent()
	return &b.tree
}

// volume makes a node, a leaf so far, and returns the directions that it was fitted
// along.
func (b *builder) volume(node, first, count int) (axes [3]geom.Vec) {
	n := &b.tree.Nodes[node]
	n.Left, n.First, n.Count = -1, int32(first), int32(count)
	points := b.corners[first*b.size : (first+count)*b.size]
	if count == 1 && b.size == 3 {
		n.RSS = b.fitter.fitTriangle(points)
	} else {
		n.RSS, axes = b.fitter.fit(points)
	}
	n.finish()
	return axes
}

// medianDepth is the depth from which nodes are split in half: 2^31 pieces then need
// no more than 31 levels more.
const medianDepth = MaxDepth - 32

// split puts the pieces whose middle is below the mean along the axis first and
// returns how many they are; half of them where that is all or none, or where the
// tree grows too deep.
func (b *builder) split(axis geom.Vec, first, count, depth int) int {
	mean := 0.0
	for i := first; i < first+count; i++ {
		mean += b.middle(axis, i)
	}
	mean /= float64(count)
	k := first
	if depth < medianDepth {
		for i := first; i < first+count; i++ {
			if b.middle(axis, i) < mean {
				b.swap(i, k)
				k++
			}
		}
	}
	if n := k - first; n > 0 && n < count {
		return n
	}
	return count / 2
}

func (b *builder) middle(axis geom.Vec, i int) float64 {
	sum := 0.0
	for _, p := range b.corners[i*b.size : (i+1)*b.size] {
		sum += r3.Dot(axis, p)
	}
	return sum / float64(b.size)
}

func (b *builder) swap(i, j int) {
	if i == j {
		return
	}
	o := b.tree.Order
	o[i], o[j] = o[j], o[i]
	for k := range b.size {
		x, y := &b.corners[i*b.size+k], &b.corners[j*b.size+k]
		*x, *y = *y, *x
	}
}

// Depth returns how many levels the tree has below its root.
func (t *Tree) Depth() int {
	deepest, stack := 0, [][2]int32{{0, 0}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		deepest = max(deepest, int(at[1]))
		if n := &t.Nodes[at[0]]; !n.Leaf() {
			stack = append(stack, [2]int32{n.Left, at[1] + 1}, [2]int32{n.Left + 1, at[1] + 1})
		}
	}
	return deepest
}

// Extent bounds the distance of the pieces' points from the frame's origin.
func (t *Tree) Extent() float64 { return t.extent }

// sane reports whether the extent is a number that proofs can be made with.
func (t *Tree) sane() bool { return t.extent >= 0 && t.extent < math.MaxFloat64/4 }
