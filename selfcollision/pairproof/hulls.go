package pairproof

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// whole stands for an element's convex piece, before its hierarchy is opened.
const whole = int32(-1)

// hullPiece is a convex piece, in its element's frame, that holds a node of the
// element's hierarchy or the whole element.
type hullPiece struct {
	core   *convex.Core
	center geom.Vec // of a ball around it
	radius float64
	points []geom.Vec // the core is in their hull
	left   int32      // its children are the nodes left and left + 1; negative: none
	shape  bool       // it is the shape itself
}

// pieceVertices bounds the hull of a piece.
const pieceVertices = 24

// pieceOf returns a piece and makes it on first use.
func (s *scratch) pieceOf(element, node int32) *hullPiece {
	key := int64(element)<<32 | int64(node+1)
	if p := s.pieces[key]; p != nil {
		return p
	}
	e := &s.m.Elements[element]
	var p *hullPiece
	if node == whole {
		p = &hullPiece{core: &e.Core, center: e.Center, radius: e.Radius, points: outline(&e.Core), left: -1, shape: e.Exact}
		if e.Leaves != nil && e.Leaves.Mesh != nil {
			p.left = 0 // the root of the hierarchy, alone
		}
	} else {
		p = nodeOf(e, node)
	}
	s.pieces[key] = p
	return p
}

// children returns the pieces that replace a piece when it is opened.
func (p *hullPiece) children(node int32) []int32 {
	switch {
	case p.left < 0:
		return nil
	case node == whole:
		return []int32{0}
	}
	return []int32{p.left, p.left + 1}
}

// nodeOf makes the piece of a node: the hull of its triangles' vertices, some of
// them left out where its radius makes up for it.
func nodeOf(e *model.Element, node int32) *hullPiece {
	l := e.Leaves
	n := &l.Tree.Nodes[node]
	p := &hullPiece{center: n.Center, radius: n.Radius + l.Radius + e.Padding, left: n.Left, shape: n.Left < 0}
	var points []geom.Vec
	for _, i := range l.Tree.Order[n.First : n.First+n.Count] {
		for _, v := range l.Mesh.Triangles[i] {
			points = append(points, l.Mesh.Vertices[v])
		}
	}
	core, err := convex.SimplifyHull(points, pieceVertices, n.Radius/200)
	if err != nil || p.shape {
		kind := convex.Hull
		if p.shape && len(points) == 3 {
			kind = convex.Triangle
		}
		core = convex.Core{Kind: kind, Vertices: points}
	}
	core.Radius += l.Radius + e.Padding
	p.core, p.points = &core, core.Vertices
	return p
}

// outline returns points whose hull, grown by the core's radius, holds the piece.
func outline(c *convex.Core) []geom.Vec {
	switch c.Kind {
	case convex.Box:
		var out []geom.Vec
		for k := range 8 {
			sign := func(bit int) float64 { return float64(2*(k>>bit&1) - 1) }
			out = append(out, r3.Add(c.Center, geom.Vec{X: sign(0) * c.Half.X, Y: sign(1) * c.Half.Y, Z: sign(2) * c.Half.Z}))
		}
		return out
	case convex.Cylinder, convex.Cone:
		return around(c)
	}
	return c.Vertices
}

// around returns a prism or pyramid around a cylinder or cone.
func around(c *convex.Core) (out []geom.Vec) {
	const sides = 32
	r := c.CoreRadius / math.Cos(math.Pi/sides) * (1 + 1e-12)
	for k := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
		out = append(out, geom.Vec{X: r * cos, Y: r * sin, Z: -c.HalfLength})
		if c.Kind == convex.Cylinder {
			out = append(out, geom.Vec{X: r * cos, Y: r * sin, Z: c.HalfLength})
		}
	}
	if c.Kind == convex.Cone {
		out = append(out, geom.Vec{Z: c.HalfLength})
	}
	return out
}
