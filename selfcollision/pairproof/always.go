package pairproof

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// staysInside proves that a point x of one link is inside the other, for every
// configuration in a box. This file's functions staysInside, wander and depthIn are
// trusted: every Always of links that move rests on them.
//
// depth is that of the point inside the other link's solid at c: the ball of that
// radius about it is in the solid. path is the joints between the two, from the
// first link, nearest to the point, down to where the chains part and up to the
// other link.
//
// Proof. Seen from the other link, the point is at the end of the chain of all those
// joints; the other link's own turn and slide the other way, about axes that are the
// same at c. Moved one by one, the one nearest to the point first, each moves while
// those between it and the other link still stand at c: a slide by delta at most, a
// turn by the chord times the distance from its axis, which is what it was at c and
// the way come so far, at most. The point that has wandered less than depth has not
// left the ball.
func staysInside(x geom.Vec, depth float64, path []joint, slack float64) bool {
	return depth-wander(x, path) > slack
}

// wander bounds how far x moves; see staysInside.
func wander(x geom.Vec, path []joint) float64 {
	far := 0.0
	for i := range path {
		j := &path[i]
		if j.prismatic {
			far += j.delta
			continue
		}
		far += (geom.Norm(r3.Cross(r3.Sub(x, j.origin), j.axis)) + far) * j.chord
	}
	return far * grown
}

// solid is the volume that an element encloses: its core, if that is the shape and not a
// hull, or what its mesh encloses.
type solid struct {
	core *convex.Core
	mesh *mesh.Mesh
	tree *bvh.Tree
	of   *mesh.Solid
}

// solidOf returns the solid of an element; ok is false if it encloses nothing.
func solidOf(e *model.Element, m *mesh.Mesh) (s solid, ok bool) {
	if m == nil {
		return solid{core: &e.Core}, e.Leaves == nil
	}
	s = solid{mesh: m, of: mesh.SolidOf(m)}
	if !s.of.Encloses() || s.of.Ambiguous {
		return s, false // an assumed solid proves no overlap
	}
	if s.tree = treeOf(e); s.tree == nil {
		s.tree = bvh.OfTriangles(m, 1)
	}
	return s, true
}

func treeOf(e *model.Element) *bvh.Tree {
	if e.Leaves != nil {
		return e.Leaves.Tree
	}
	return nil
}

// inexact is the relative error that a distance without a proved bound may have.
const inexact = 0x1p-40

// depthIn returns a radius such that the ball about x, in the element's frame, is in the
// solid. It is negative if x is outside or not known to be inside.
//
// A ball about a point inside a closed surface is inside if it reaches no triangle.
// Padding only enlarges the solid.
func (s *solid) depthIn(x geom.Vec) float64 {
	if s.core != nil {
		return depthInCore(s.core, x)
	}
	if inside, ok := bvh.Inside(s.tree, s.mesh, s.of, x); inside && ok {
		return s.toSurface(x) * (1 - inexact)
	}
	return -1
}

// depthInCore is depthIn for primitives; a hull has none, as what is known of it is
// its vertices.
func depthInCore(c *convex.Core, x geom.Vec) float64 {
	xy := math.Hypot(x.X, x.Y)
	size := (geom.Norm(x) + c.Extent() + c.Radius) * inexact
	switch c.Kind {
	case convex.Point:
		return c.Radius - geom.Norm(r3.Sub(x, c.Vertices[0])) - size
	case convex.Segment:
		return c.Radius - geom.Norm(r3.Sub(x, tri.ClosestOnSegment(c.Vertices[0], c.Vertices[1], x))) - size
	case convex.Box:
		d := r3.Sub(x, c.Center)
		return min(c.Half.X-math.Abs(d.X), c.Half.Y-math.Abs(d.Y), c.Half.Z-math.Abs(d.Z)) - size
	case convex.Cylinder:
		return min(c.CoreRadius-xy, c.HalfLength-math.Abs(x.Z)) - size
	case convex.Cone:
		// To the side: of the line from the rim to the tip, whose normal is (2h, r).
		h, r := c.HalfLength, c.CoreRadius
		side := ((h-x.Z)*r - 2*h*xy) / math.Hypot(2*h, r)
		return min(side, x.Z+h) - size
	}
	return -1
}

// toSurface returns the distance to the nearest triangle.
func (s *solid) toSurface(x geom.Vec) float64 {
	best := math.Inf(1)
	var visit func(node int32)
	visit = func(node int32) {
		n := &s.tree.Nodes[node]
		if toBox(x, &n.Box) >= best {
			return
		}
		if n.Leaf() {
			for _, i := range s.tree.Order[n.First : n.First+n.Count] {
				t := s.mesh.Triangles[i]
				at := tri.ClosestPoint(&tri.Triangle{s.mesh.Vertices[t[0]], s.mesh.Vertices[t[1]], s.mesh.Vertices[t[2]]}, x)
				best = min(best, geom.Norm(r3.Sub(x, at)))
			}
			return
		}
		near, far := n.Left, n.Left+1
		if toBox(x, &s.tree.Nodes[far].Box) < toBox(x, &s.tree.Nodes[near].Box) {
			near, far = far, near
		}
		visit(near)
		visit(far)
	}
	visit(0)
	return best
}

// toBox returns the distance to a box, rounded down.
func toBox(x geom.Vec, b *geom.Box) float64 {
	out := func(x, lo, hi float64) float64 { return max(0, lo-x, x-hi) }
	return geom.Norm(geom.Vec{
		X: out(x.X, b.Min.X, b.Max.X), Y: out(x.Y, b.Min.Y, b.Max.Y), Z: out(x.Z, b.Min.Z, b.Max.Z),
	}) * (1 - inexact)
}
