// Package bvh is flat static hierarchies over the triangles of a mesh, over points
// or over boxes: every node has an axis-aligned box and a ball, and both enclose the
// geometry below it, not its children's volumes (a compact sphere tree, SPHERE
// II-B), so that a child's ball may stick out of its parent's.
package bvh

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Node is one node of a [Tree]. Center, Radius and Box are in the frame of the
// mesh. The ball's radius is rounded outward: all of every triangle (or point, or
// box) below the node is inside; the box's sides are coordinates of vertices (or of
// the boxes), exactly.
type Node struct {
	Center geom.Vec
	Radius float64
	Box    geom.Box
	Left   int32 // the left child; the right one is Left+1; negative: a leaf
	First  int32 // the node's items are Order[First : First+Count]
	Count  int32
}

// Leaf reports whether the node has no children.
func (n *Node) Leaf() bool { return n.Left < 0 }

// Tree is a hierarchy over items 0..n-1, the triangles, points or boxes it was
// built from. The root is Nodes[0]; there are none if there were no items. It is
// immutable and may be shared.
type Tree struct {
	Nodes []Node
	Order []int32
}

// MaxDepth bounds the depth of every tree (the root has depth 0), so that a query
// can keep its stack in an array: 2 MaxDepth entries are always enough.
const MaxDepth = 64

// MaxLeaf is the largest number of items in a leaf.
const MaxLeaf = 4

// OfTriangles returns the tree over the triangles of m with at most leaf of them
// in each leaf (clamped to 1..MaxLeaf). The caller guarantees that m is valid:
// vertices finite, indices in range.
func OfTriangles(m *mesh.Mesh, leaf int) *Tree {
	b := triangles(m, leaf)
	defer b.release()
	return b.build()
}

// OfPoints returns the tree over points, as OfTriangles does over triangles.
func OfPoints(points []geom.Vec, leaf int) *Tree {
	kept := spare.Get().(*buffers)
	b := &builder{n: len(points), size: 1, points: points, leaf: leafSize(leaf), kept: kept}
	defer b.release()
	b.boxes, b.corners = of(&kept.boxes, b.n), of(&kept.corners, b.n)
	for i, p := range points {
		b.boxes[i] = geom.Box{Min: p, Max: p}
	}
	return b.build()
}

// OfBoxes returns the tree over axis-aligned boxes, as OfTriangles does over
// triangles. The caller guarantees that they are finite and not empty. The box of a
// leaf of one item is that item.
func OfBoxes(boxes []geom.Box, leaf int) *Tree { return ofBoxes(boxes, leaf).build() }

func triangles(m *mesh.Mesh, leaf int) *builder {
	kept := spare.Get().(*buffers)
	b := &builder{n: len(m.Triangles), size: 3, mesh: m, leaf: leafSize(leaf), kept: kept}
	b.boxes, b.corners = of(&kept.boxes, b.n), of(&kept.corners, 3*b.n)
	for i, t := range m.Triangles {
		b.boxes[i] = boxOfThree(&m.Vertices[t[0]], &m.Vertices[t[1]], &m.Vertices[t[2]])
	}
	return b
}

func ofBoxes(boxes []geom.Box, leaf int) *builder {
	return &builder{n: len(boxes), boxes: slices.Clone(boxes), leaf: leafSize(leaf)}
}
