package model

import (
	"context"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// form is a shape compiled for the engines. It does not depend on the pose of the shape.
type form struct {
	core   convex.Core
	rough  convex.Core // some of core's points; core itself if that is exact or simple
	exact  bool
	leaves *Leaves
	center geom.Vec
	radius float64
	open   bool // a mesh that encloses nothing

	ambiguous bool // a mesh whose inside is not determined exactly
}

// newForm compiles a valid shape: primitives become exact cores, a convex mesh its hull, any
// other mesh a hull and a hierarchy of its triangles. Expensive results are looked up in the
// store, which may be nil.
func newForm(ctx context.Context, s *shape.Shape, store *cache.Store) (*form, error) {
	f := &form{exact: true}
	half := s.Length / 2
	switch s.Kind {
	case shape.Box:
		f.core = convex.Core{Kind: convex.Box, Half: r3.Scale(0.5, s.Size)}
		f.radius = r3.Norm(f.core.Half)
	case shape.Sphere:
		f.core = convex.Core{Kind: convex.Point, Radius: s.Radius, Vertices: []geom.Vec{{}}}
		f.radius = s.Radius
	case shape.Cylinder:
		f.core = convex.Core{Kind: convex.Cylinder, CoreRadius: s.Radius, HalfLength: half}
		f.radius = math.Hypot(s.Radius, half)
	case shape.Cone:
		f.core = convex.Core{Kind: convex.Cone, CoreRadius: s.Radius, HalfLength: half}
		f.radius = math.Hypot(s.Radius, half)
	case shape.Capsule:
		f.core = convex.Core{Kind: convex.Segment, Radius: s.Radius, Vertices: []geom.Vec{{Z: -half}, {Z: half}}}
		f.radius = half + s.Radius
	case shape.Mesh:
		return meshForm(ctx, s.Mesh, store)
	case shape.Points:
		return pointsForm(s)
	case shape.Cells:
		return cellsForm(s.Cells, store)
	}
	f.radius *= 1 + roundRadius
	return f, nil
}

// roundRadius covers the three roundings of a norm and the one of its product.
const roundRadius = 0x1p-50

// hullVertices bounds the size of a hull in front of a hierarchy: a support evaluation costs
// about a nanosecond per vertex, and a little slack in the hull only opens the hierarchy a
// little earlier.
const hullVertices, hullSlack = 128, 1e-4

// convexEnough is how far a mesh may deviate from its hull for the hull to replace it:
// single-precision files place the vertices of a flat face, a metre from the origin, this far
// off its plane.
const convexEnough = 1e-7

func meshForm(ctx context.Context, m *mesh.Mesh, store *cache.Store) (*form, error) {
	solid, parts := mesh.Topology(m)
	var key cache.Key
	f, err := remembered(store, planBytes(len(m.Vertices), len(m.Triangles)),
		func() cache.Key { key = meshKey(m); return key },
		func(p *plan) (*form, error) { return p.mesh(m, solid, parts) },
		func() (*plan, *form, error) { return drawMesh(ctx, m, solid, parts) },
	)
	if err == nil && f.leaves != nil {
		f.leaves.surface.keep.store, f.leaves.surface.keep.key = store, hullKey(key)
	}
	return f, err
}

func pointsForm(s *shape.Shape) (*form, error) {
	ball := convex.MinBall(s.Points)
	core, err := convex.SimplifyHull(s.Points, hullVertices, hullSlack)
	if err != nil {
		return nil, err
	}
	core.Radius += s.Radius
	tree := bvh.OfPoints(s.Points, 1)
	return &form{
		core: core, rough: rough(&core), center: ball.Center, radius: holding(tree, ball.Center, ball.Radius) + s.Radius,
		leaves: &Leaves{Tree: tree, Points: s.Points, Radius: s.Radius},
	}, nil
}

func cellsForm(cells []geom.Box, store *cache.Store) (*form, error) {
	return remembered(store, planBytes(0, len(cells)),
		func() cache.Key { return cellsKey(cells) },
		func(p *plan) (*form, error) { return p.cells(cells) },
		func() (*plan, *form, error) { return drawCells(cells) },
	)
}

// holding returns the radius of a ball about center that contains the given one and the
// centres of all balls of the tree: motion bounds hold within an element's ball, and the ball
// rule follows those centres. They are in the hull of their points except for rounding, which
// for slivers far from the origin may exceed their size.
func holding(t *bvh.Tree, center geom.Vec, radius float64) float64 {
	far := 0.0 // squared
	for i := range t.Nodes {
		d := r3.Sub(t.Nodes[i].Center, center)
		far = max(far, d.X*d.X+d.Y*d.Y+d.Z*d.Z)
	}
	return max(radius, math.Sqrt(far)*(1+roundRadius))
}

// asBox returns a hull of eight vertices as an axis-aligned box, if it is one exactly: many
// meshes are, and a box's supports and nearest points are faster.
func asBox(c *convex.Core) (convex.Core, bool) {
	if c.Kind != convex.Hull || len(c.Vertices) != 8 {
		return convex.Core{}, false
	}
	box := geom.EmptyBox()
	for _, v := range c.Vertices {
		box = box.Extend(v)
	}
	seen := 0
	for _, v := range c.Vertices {
		x, y, z := v.X == box.Max.X, v.Y == box.Max.Y, v.Z == box.Max.Z
		if !(x || v.X == box.Min.X) || !(y || v.Y == box.Min.Y) || !(z || v.Z == box.Min.Z) {
			return convex.Core{}, false
		}
		bit := func(b bool, n int) int {
			if b {
				return 1 << n
			}
			return 0
		}
		seen |= 1 << (bit(x, 0) | bit(y, 1) | bit(z, 2))
	}
	if seen != 255 {
		return convex.Core{}, false
	}
	b := convex.BoxOf(box)
	b.Radius += c.Radius
	return b, true
}

// roughVertices is the number of vertices of a hull for searching directions.
const roughVertices = 24

// rough returns a hull of few of the core's vertices; other cores are simple.
func rough(c *convex.Core) convex.Core {
	if !isMany(c) {
		return *c
	}
	r := c.Simplified(roughVertices, 0)
	r.Radius = c.Radius
	return r
}

func isMany(c *convex.Core) bool { return c.Kind == convex.Hull && len(c.Vertices) > roughVertices*3/2 }

// roughly returns the indices of the vertices of a rough hull, or none where that is the core.
func roughly(c *convex.Core) []int32 {
	if !isMany(c) {
		return nil
	}
	at := make(map[geom.Vec]int32, len(c.Vertices))
	for i, v := range c.Vertices {
		at[v] = int32(i)
	}
	r := rough(c)
	out := make([]int32, len(r.Vertices))
	for i, v := range r.Vertices {
		out[i] = at[v]
	}
	return out
}
