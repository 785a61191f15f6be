package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/model"
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

// coreOf returns a convex piece, in E, that contains the part, made in p.
func coreOf(e *model.Element, node int32, p *part) *convex.Core {
	if node == whole {
		return &e.Core
	}
	l := e.Leaves
	n := &l.Tree.Nodes[node]
	p.core.Radius = l.Radius + e.Padding
	if n.Left >= 0 {
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
