package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// whole stands for an element's convex piece, before its hierarchy is opened.
const whole = int32(-1)

// entry is a pair of parts not yet proved apart: nodes of both elements'
// hierarchies, or whole.
type entry struct{ pair, a, b int32 }

// ballOf returns a ball, in E, around the part.
func ballOf(e *model.Element, node int32) (geom.Vec, float64) {
	if node == whole {
		return e.Center, e.Radius
	}
	n := &e.Leaves.Tree.Nodes[node]
	return n.Center, n.Radius + e.Leaves.Radius + e.Padding
}

// few is how many triangles a node may have for its piece to be the hull of their
// vertices: tighter than a box, which where much is close by saves more than the
// vertices cost.
const few = 16

// isFew reports whether the node's piece is the hull of its triangles' vertices.
func isFew(l *model.Leaves, n *bvh.Node) bool {
	return n.Left >= 0 && n.Count <= few && l.Mesh != nil
}

// canOpen reports whether the part has smaller parts.
func canOpen(e *model.Element, node int32) bool {
	if node == whole {
		return !e.Exact
	}
	return e.Leaves.Tree.Nodes[node].Left >= 0
}

// isShape reports whether the part's core is the shape itself and not a hull
// around it: what touches it touches the element.
func isShape(e *model.Element, node int32) bool { return !canOpen(e, node) }

// isMesh reports whether what stands behind the element's convex piece is a mesh.
func isMesh(e *model.Element) bool { return e.Leaves != nil && e.Leaves.Mesh != nil }

// coreOf returns a convex piece, in E, that contains the part, made in p: to
// within 2u of rho, as the box's middle and half sides and the sum of the radii
// are rounded to nearest, which slackOf allows for.
func coreOf(e *model.Element, node int32, p *part) *convex.Core {
	if node == whole {
		return &e.Core
	}
	l := e.Leaves
	n := &l.Tree.Nodes[node]
	p.core.Radius = l.Radius + e.Padding
	if isFew(l, n) {
		hull := p.few[:0]
		for _, i := range l.Tree.Order[n.First : n.First+n.Count] {
			t := &l.Mesh.Triangles[i]
			hull = append(hull, l.Mesh.Vertices[t[0]], l.Mesh.Vertices[t[1]], l.Mesh.Vertices[t[2]])
		}
		p.core.Kind, p.core.Vertices = convex.Hull, hull
		return &p.core
	}
	if n.Left >= 0 || l.Cells != nil { // a leaf's box is its cell
		p.core.Kind, p.core.Center, p.core.Half = convex.Box, n.Box.Center(), n.Box.Half()
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

// supportOf returns the support value along n of the part's core, and the radius
// to add: as coreOf and SupportValue together, without making the core.
func supportOf(e *model.Element, node int32, n geom.Vec) (h, radius float64) {
	if node == whole {
		return e.Core.SupportValue(n), e.Core.Radius
	}
	l := e.Leaves
	radius = l.Radius + e.Padding
	at := &l.Tree.Nodes[node]
	if isFew(l, at) {
		h = math.Inf(-1)
		for _, i := range l.Tree.Order[at.First : at.First+at.Count] {
			t, v := &l.Mesh.Triangles[i], l.Mesh.Vertices
			h = max(h, max(r3.Dot(v[t[0]], n), max(r3.Dot(v[t[1]], n), r3.Dot(v[t[2]], n))))
		}
		return h, radius
	}
	if at.Left >= 0 || l.Cells != nil {
		c, half := at.Box.Center(), at.Box.Half()
		return r3.Dot(c, n) + half.X*math.Abs(n.X) + half.Y*math.Abs(n.Y) + half.Z*math.Abs(n.Z), radius
	}
	leaf := l.Tree.Order[at.First]
	if l.Mesh == nil {
		return r3.Dot(l.Points[leaf], n), radius
	}
	t, v := l.Mesh.Triangles[leaf], l.Mesh.Vertices
	return max(r3.Dot(v[t[0]], n), max(r3.Dot(v[t[1]], n), r3.Dot(v[t[2]], n))), radius
}
