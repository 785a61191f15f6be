package spheretree

import (
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Node is one node of a [Tree]: a ball, in the tree's frame, and what is below it.
type Node struct {
	Center geom.Vec
	Radius float64
	Left   int32 // the left child; the right one is Left+1; negative: a leaf
	// First and Count tell the node's pieces, a stretch of the tree's; a leaf has one.
	// In a greedy tree First of nodes that are no leaves is -1, as theirs need not be a
	// stretch.
	First, Count int32
}

// Leaf reports whether the node has no children.
func (n *Node) Leaf() bool { return n.Left < 0 }

// Tree is a sphere tree over pieces of triangles, in flat arrays with siblings
// adjacent; the root is Nodes[0]. It is immutable and may be shared.
//
// In a compact tree every node's ball provably holds what is below it: all of a
// triangle of which all pieces are below, and of others the parts that the pieces
// stand for. In a greedy one leaves do, and other nodes' balls provably hold their
// children's.
//
// The geometry is the triangles grown by Radius (a ball rolled along them), out of
// which it may reach by Deviation and no more: that is how primitives with round
// sides are told (see [OfShape]). Both are zero of plain triangles.
type Tree struct {
	Nodes   []Node
	Corners []geom.Vec // three for each piece
	Order   []int32    // of each piece, the number of its triangle among those given

	Radius, Deviation float64

	blur  float64 // how far pieces are from what they stand for, at most
	reach float64 // no ball or corner reaches farther from the origin
}

// Triangle returns a piece by its place in the tree's own order. The caller does not
// change it.
func (t *Tree) Triangle(i int32) *tri.Triangle { return (*tri.Triangle)(t.Corners[3*i : 3*i+3]) }

// Len returns the number of pieces.
func (t *Tree) Len() int { return len(t.Order) }

// Reach returns a distance from the frame's origin that no ball and no corner exceeds.
func (t *Tree) Reach() float64 { return t.reach }

// Root returns the ball around everything, Radius and Deviation included.
func (t *Tree) Root() (center geom.Vec, radius float64) {
	n := &t.Nodes[0]
	return n.Center, (n.Radius + t.Radius + t.Deviation) * (1 + 4*u)
}

// maxCoordinate keeps the squares and products below from overflowing, and the exact
// predicates of package tri within their range.
const maxCoordinate = 1e30

// valid returns what keeps triangles from making a tree.
func valid(triangles []tri.Triangle) error {
	switch {
	case len(triangles) == 0:
		return errors.New("a sphere tree needs at least one triangle")
	case len(triangles) > maxPieces:
		return fmt.Errorf("%d triangles are too many for one sphere tree: split the mesh", len(triangles))
	}
	for i := range triangles {
		for _, v := range triangles[i] {
			if !(math.Abs(v.X) <= maxCoordinate && math.Abs(v.Y) <= maxCoordinate && math.Abs(v.Z) <= maxCoordinate) {
				return fmt.Errorf("triangle %d has the corner %v: give finite coordinates of at most %g", i, v, maxCoordinate)
			}
		}
	}
	return nil
}

// measure sets how far balls and corners reach.
func (t *Tree) measure() *Tree {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		t.reach = max(t.reach, geom.Norm(n.Center)+n.Radius)
	}
	for _, v := range t.Corners {
		t.reach = max(t.reach, geom.Norm(v))
	}
	t.reach *= 1 + 8*u // three roundings of a norm, one of the sum
	return t
}
