package model

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// World is all static geometry as one tree: the triangles, points and cells of all objects,
// and the convex objects themselves, in the root link's frame W.
type World struct {
	Tree  *bvh.Wide
	Items []Item // in the tree's order

	// Err bounds the error of an item's points, and the rounding of an inner product with one.
	Err float64
	// Encloses says that some item bounds a solid, so that a body may be inside it without
	// touching any item. Solid[i] is the solid that item i bounds together with others; nil if
	// it bounds only itself.
	Encloses bool
	Solid    []*mesh.Solid
	Box      geom.Box // of all items
	First    int32    // the model's
	opening  opening

	// own are the pieces of the world's elements, in the elements' order, elements their indices.
	own      []*block
	elements []int32
}

// Item is a convex piece of an object.
type Item struct {
	Element int32
	// Leaf is the triangle, point or cell of the element, -1 for the whole of it.
	Leaf int32
	// Vertices in W: the three of a triangle, the first for a point, otherwise none.
	Vertices [3]geom.Vec
	Radius   float64 // around the vertices
}

// Kind returns the kind of an item's piece.
func (it *Item) Kind(m *Model) convex.Kind {
	e := &m.Elements[it.Element]
	switch {
	case it.Leaf < 0:
		return e.Core.Kind
	case e.Leaves.Mesh != nil:
		return convex.Triangle
	case e.Leaves.Cells != nil:
		return convex.Box
	}
	return convex.Point
}

// Far bounds the distance of items from the root's origin.
func (w *World) Far() float64 {
	if len(w.Items) == 0 {
		return 0
	}
	far := func(lo, hi float64) float64 { return max(-lo, hi) }
	b := &w.Box
	return geom.Norm(geom.Vec{X: far(b.Min.X, b.Max.X), Y: far(b.Min.Y, b.Max.Y), Z: far(b.Min.Z, b.Max.Z)}) * (1 + 1e-6)
}

// newWorld collects the world's elements: those of frame 0 that belong to objects. The pieces of
// those that prev has too are taken from there; prev may be nil.
func newWorld(m *Model, prev *World) *World {
	w := &World{Box: geom.EmptyBox(), First: m.First}
	known := prev.blocks()
	var parts []bvh.Part
	items, fresh := 0, 0
	for i := range m.Elements {
		if m.Bodies[m.Elements[i].Body].Link >= 0 {
			continue
		}
		e := &m.Elements[i]
		of := known[e.likeness()]
		if of == nil {
			if of = e.block(); of.encloses {
				fresh += len(of.items)
			}
		}
		w.own, w.elements = append(w.own, of), append(w.elements, int32(i))
		w.Err = max(w.Err, of.err)
		w.Encloses = w.Encloses || of.encloses
		w.Box = w.Box.Union(of.Box)
		parts = append(parts, of.Part)
		items += len(of.items)
	}
	tree, order := bvh.Join(parts)
	w.Tree, w.Items, w.Solid = tree, make([]Item, 0, items), make([]*mesh.Solid, 0, items)
	for _, k := range order {
		of, first := w.own[k], len(w.Items)
		w.Items, w.Solid = append(w.Items, of.items...), append(w.Solid, of.solid...)
		for i := range w.Items[first:] {
			w.Items[first+i].Element = w.elements[k]
		}
	}
	if w.opening.follow(w, prev); fresh >= openAtOnce {
		w.makeOpenAtOnce()
	}
	return w
}

// standing bounds the error of the element's points in W for a static element: of its pose, of
// placing a point (16u of the sizes) and of the inner products and sums of a rule (as for a
// moving body: 64u).
func (e *Element) standing() float64 {
	const u = 0x1p-53
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	return e.ErrP + e.ErrR*rho + 80*u*(geom.Norm(e.PoseFE.P)+rho)
}

// boxOf returns a box around a piece at a pose.
func boxOf(c *convex.Core, pose geom.Pose) geom.Box {
	along := func(n geom.Vec) float64 {
		local := pose.R.ApplyInv(n)
		return c.SupportValue(local) + c.SupportError(local)
	}
	x, y, z := geom.Vec{X: 1}, geom.Vec{Y: 1}, geom.Vec{Z: 1}
	nx, ny, nz := geom.Vec{X: -1}, geom.Vec{Y: -1}, geom.Vec{Z: -1}
	return widened(geom.Box{
		Min: geom.Vec{X: pose.P.X - along(nx), Y: pose.P.Y - along(ny), Z: pose.P.Z - along(nz)},
		Max: geom.Vec{X: pose.P.X + along(x), Y: pose.P.Y + along(y), Z: pose.P.Z + along(z)},
	}, c.Radius)
}

// widened adds r and a few roundings on every side.
func widened(b geom.Box, r float64) geom.Box {
	out := func(x float64) float64 {
		if x < 0 {
			x = -x
		}
		return r + 0x1p-50*(x+r)
	}
	return geom.Box{
		Min: geom.Vec{X: b.Min.X - out(b.Min.X), Y: b.Min.Y - out(b.Min.Y), Z: b.Min.Z - out(b.Min.Z)},
		Max: geom.Vec{X: b.Max.X + out(b.Max.X), Y: b.Max.Y + out(b.Max.Y), Z: b.Max.Z + out(b.Max.Z)},
	}
}
