// Package volume takes the nodes of an element's hierarchy, and the items of the
// world, as convex bounding volumes: their balls, their convex pieces and the support
// values of these. The proof rules and the distance queries compare nothing else.
package volume

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Whole stands for an element's convex piece, before its hierarchy is opened.
const Whole = int32(-1)

// Scratch holds a node as a convex piece, and its vertices, so that making one
// allocates nothing.
type Scratch struct {
	core     convex.Core
	vertices [3]geom.Vec
	few      [3 * scattered]geom.Vec // of a node of few triangles
	cluster  convex.Core
}

// few is how many triangles a node may have for its piece to be the hull of their
// vertices. That hull is tighter than a box, which where much is close by saves more
// than the vertices cost.
const few = 16

// isFew reports whether the node's piece is the hull of its triangles' vertices.
func isFew(l *model.Leaves, n *bvh.Node) bool {
	return n.Left >= 0 && n.Count <= few && l.Mesh != nil
}

// scattered is up to how many triangles a node's vertices are read from the mesh each time; those of more are kept,
// each once and side by side.
const scattered = 4

// isCluster reports whether a node is one of few whose vertices are kept.
func isCluster(l *model.Leaves, n *bvh.Node) bool { return n.Count > scattered && isFew(l, n) }

// Ball returns a ball, in E, around the node.
func Ball(e *model.Element, node int32) (geom.Vec, float64) {
	if node == Whole {
		return e.Center, e.Radius
	}
	n := &e.Leaves.Tree.Nodes[node]
	return n.Center, n.Radius + e.Leaves.Radius + e.Padding
}

// CanOpen reports whether the node has children.
func CanOpen(e *model.Element, node int32) bool {
	if node == Whole {
		return !e.Exact
	}
	return e.Leaves.Tree.Nodes[node].Left >= 0
}

// IsShape reports whether the node's core is the shape itself and not a hull around
// it: what touches it touches the element.
func IsShape(e *model.Element, node int32) bool { return !CanOpen(e, node) }

// IsMesh reports whether what stands behind the element's convex piece is a mesh.
func IsMesh(e *model.Element) bool { return e.Leaves != nil && e.Leaves.Mesh != nil }

// OpensA picks which of two nodes to open: the only one that can be, points before
// meshes (so that containment is asked of single points), else the larger one.
func OpensA(ea *model.Element, a int32, eb *model.Element, b int32) bool {
	canA, canB := CanOpen(ea, a), CanOpen(eb, b)
	if canA != canB {
		return canA
	}
	if pa, pb := engine.IsPoints(ea), engine.IsPoints(eb); pa != pb {
		return pa
	}
	_, ra := Ball(ea, a)
	_, rb := Ball(eb, b)
	return ra >= rb
}

// Core returns a convex piece, in E, that contains the node, made in p: to within 2u
// of the farthest point's distance from E's origin, as the box's middle and half sides
// and the sum of the radii are rounded to nearest. rules.SlackOf allows for that.
func Core(e *model.Element, node int32, p *Scratch) *convex.Core {
	if node == Whole {
		return &e.Core
	}
	l := e.Leaves
	n := &l.Tree.Nodes[node]
	p.core.Radius = l.Radius + e.Padding
	switch {
	case isCluster(l, n):
		return cluster(e, node, p)
	case isFew(l, n):
		hull := p.few[:0]
		for _, i := range l.Tree.Order[n.First : n.First+n.Count] {
			t := &l.Mesh.Triangles[i]
			hull = append(hull, l.Mesh.Vertices[t[0]], l.Mesh.Vertices[t[1]], l.Mesh.Vertices[t[2]])
		}
		p.core.Kind, p.core.Vertices = convex.Hull, hull
		return &p.core
	case n.Left >= 0 || l.Cells != nil: // a leaf's box is its cell
		p.core.Kind = convex.Box
		p.core.Center, p.core.Half = n.Box.Middle()
		return &p.core
	}
	leaf := l.Tree.Order[n.First]
	if l.Mesh == nil {
		p.core.Kind, p.vertices[0] = convex.Point, l.Points[leaf]
		p.core.Vertices = p.vertices[:1]
		return &p.core
	}
	t := l.Mesh.Triangles[leaf]
	p.core.Kind = convex.Triangle
	p.vertices = [3]geom.Vec{l.Mesh.Vertices[t[0]], l.Mesh.Vertices[t[1]], l.Mesh.Vertices[t[2]]}
	p.core.Vertices = p.vertices[:]
	return &p.core
}

// some is how many triangles a node may have for its cluster to be kept. Larger nodes are mostly
// too far from convex for that to tell more than their boxes.
const some = 512

// Tight is Core with the hull of a node's triangles instead of their box where they are not too
// many.
func Tight(e *model.Element, node int32, p *Scratch) *convex.Core {
	if node == Whole {
		return &e.Core
	}
	l := e.Leaves
	if n := &l.Tree.Nodes[node]; l.Mesh == nil || n.Count <= few || n.Count > some {
		return Core(e, node, p)
	}
	return cluster(e, node, p)
}

// cluster is the hull of the triangles of a node.
func cluster(e *model.Element, node int32, p *Scratch) *convex.Core {
	c, radius := e.Leaves.Cluster(node), e.Leaves.Radius+e.Padding
	if radius == c.Radius { // mostly 0, and a core is large
		return c
	}
	p.cluster = *c
	p.cluster.Radius = radius
	return &p.cluster
}

// Rough returns a piece to guess a direction with: fewer points, where the node is a
// hull that stands before a hierarchy; else its core, which is given.
func Rough(e *model.Element, node int32, core *convex.Core) *convex.Core {
	if node == Whole && !e.Exact {
		return &e.Rough
	}
	return core
}

// Support returns the support value along n of the node's core, and the radius to
// add: as Core and SupportValue together, without making the core.
func Support(e *model.Element, node int32, n geom.Vec) (h, radius float64) {
	if node == Whole {
		return e.Core.SupportValue(n), e.Core.Radius
	}
	l := e.Leaves
	radius = l.Radius + e.Padding
	at := &l.Tree.Nodes[node]
	switch {
	case isCluster(l, at):
		return l.Cluster(node).SupportValue(n), radius
	case isFew(l, at):
		h = math.Inf(-1)
		for _, i := range l.Tree.Order[at.First : at.First+at.Count] {
			t, v := &l.Mesh.Triangles[i], l.Mesh.Vertices
			h = max(h, max(r3.Dot(v[t[0]], n), max(r3.Dot(v[t[1]], n), r3.Dot(v[t[2]], n))))
		}
		return h, radius
	case at.Left >= 0 || l.Cells != nil:
		c, half := at.Box.Middle()
		return r3.Dot(c, n) + half.X*math.Abs(n.X) + half.Y*math.Abs(n.Y) + half.Z*math.Abs(n.Z), radius
	}
	leaf := l.Tree.Order[at.First]
	if l.Mesh == nil {
		return r3.Dot(l.Points[leaf], n), radius
	}
	t, v := l.Mesh.Triangles[leaf], l.Mesh.Vertices
	return max(r3.Dot(v[t[0]], n), max(r3.Dot(v[t[1]], n), r3.Dot(v[t[2]], n))), radius
}

// TightSupport is Support of Tight.
func TightSupport(e *model.Element, node int32, n geom.Vec) (h, radius float64) {
	if node == Whole || e.Leaves.Mesh == nil {
		return Support(e, node, n)
	}
	l := e.Leaves
	if at := &l.Tree.Nodes[node]; at.Count <= few || at.Count > some {
		return Support(e, node, n)
	}
	return l.Cluster(node).SupportValue(n), l.Radius + e.Padding
}

// Triangle returns the corners of a leaf's triangle, in E.
func Triangle(l *model.Leaves, node int32) tri.Triangle {
	t, v := &l.Mesh.Triangles[l.Tree.Order[l.Tree.Nodes[node].First]], l.Mesh.Vertices
	return tri.Triangle{v[t[0]], v[t[1]], v[t[2]]}
}

// Radius is what an element's shape is grown by.
func Radius(e *model.Element) float64 {
	if e.Exact {
		return e.Core.Radius
	}
	return e.Leaves.Radius + e.Padding
}
