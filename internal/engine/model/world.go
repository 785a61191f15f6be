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

// newWorld collects the world's elements: those of frame 0 that belong to objects.
func newWorld(m *Model) *World {
	w := &World{Box: geom.EmptyBox(), First: m.First}
	var boxes []geom.Box
	for i := range m.Elements {
		if m.Bodies[m.Elements[i].Body].Link >= 0 {
			continue
		}
		e := &m.Elements[i]
		w.Err = max(w.Err, e.standing())
		w.gather(e, int32(i), func(it Item, solid *mesh.Solid, box geom.Box) {
			w.Items, w.Solid = append(w.Items, it), append(w.Solid, solid)
			w.Encloses = w.Encloses || solid != nil
			w.Box = w.Box.Union(box)
			boxes = append(boxes, box)
		})
	}
	w.Tree = bvh.NewWide(boxes)
	w.sort()
	return w
}

// sort puts the items in the tree's order, so that those of one node are contiguous in memory.
func (w *World) sort() {
	items, solid := make([]Item, len(w.Items)), make([]*mesh.Solid, len(w.Items))
	for at, i := range w.Tree.Order {
		items[at], solid[at] = w.Items[i], w.Solid[i]
	}
	w.Items, w.Solid = items, solid
}

// standing bounds the error of the element's points in W for a static element: of its pose, of
// placing a point (16u of the sizes) and of the inner products and sums of a rule (as for a
// moving body: 64u).
func (e *Element) standing() float64 {
	const u = 0x1p-53
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	return e.ErrP + e.ErrR*rho + 80*u*(geom.Norm(e.PoseFE.P)+rho)
}

// gather passes on the pieces of an element, each with the solid that it bounds together with
// others and a box around it.
func (w *World) gather(e *Element, index int32, add func(Item, *mesh.Solid, geom.Box)) {
	l := e.Leaves
	if e.Exact {
		add(Item{Element: index, Leaf: -1}, nil, boxOf(&e.Core, e.PoseFE))
		return
	}
	radius := l.Radius + e.Padding
	if l.Mesh == nil {
		for i := range max(len(l.Points), len(l.Cells)) {
			it := Item{Element: index, Leaf: int32(i), Radius: radius}
			core := convex.Core{Kind: convex.Point, Radius: radius, Vertices: it.Vertices[:1]}
			if l.Cells != nil {
				core = convex.BoxOf(l.Cells[i])
				core.Radius += radius
			} else {
				it.Vertices[0] = e.PoseFE.Apply(l.Points[i])
				core.Vertices = []geom.Vec{l.Points[i]}
			}
			add(it, nil, boxOf(&core, e.PoseFE))
		}
		return
	}
	vertices := make([]geom.Vec, len(l.Mesh.Vertices))
	for i, v := range l.Mesh.Vertices {
		vertices[i] = e.PoseFE.Apply(v)
	}
	for i, t := range l.Mesh.Triangles {
		it := Item{Element: index, Leaf: int32(i), Radius: radius}
		box := geom.EmptyBox()
		for k := range t {
			it.Vertices[k] = vertices[t[k]]
			box = box.Extend(it.Vertices[k])
		}
		var solid *mesh.Solid
		if l.Solid.Bounds(it.Leaf) {
			solid = l.Solid
		}
		add(it, solid, widened(box, radius))
	}
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
