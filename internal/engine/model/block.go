package model

import (
	"sync"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// block is the pieces of one element of the world where it stands, in their tree's order. It is
// immutable and shared by the worlds that have the element.
type block struct {
	bvh.Part
	of       likeness
	items    []Item // their Element is not set
	solid    []*mesh.Solid
	encloses bool
	err      float64 // standing
}

// likeness identifies what an element consists of and where it is. Elements of the same likeness
// differ only in the body that they belong to.
type likeness struct {
	form       *form
	poseFE     geom.Pose
	errR, errP float64
	padding    float64
}

func (e *Element) likeness() likeness {
	return likeness{e.form, e.PoseFE, e.ErrR, e.ErrP, e.Padding}
}

// blocks returns the blocks of a world, which may be nil, by their likeness.
func (w *World) blocks() map[likeness]*block {
	if w == nil {
		return nil
	}
	known := make(map[likeness]*block, len(w.own))
	for _, b := range w.own {
		known[b.of] = b
	}
	return known
}

// block collects the element's pieces.
func (e *Element) block() *block {
	b := &block{of: e.likeness(), err: e.standing()}
	b.Box = geom.EmptyBox()
	n := e.pieceCount()
	boxes := make([]geom.Box, 0, n)
	b.items, b.solid = make([]Item, 0, n), make([]*mesh.Solid, 0, n)
	e.gather(func(it Item, solid *mesh.Solid, box geom.Box) {
		b.items, b.solid = append(b.items, it), append(b.solid, solid)
		b.encloses = b.encloses || solid != nil
		b.Box = b.Box.Union(box)
		boxes = append(boxes, box)
	})
	if len(boxes) < 2 {
		return b
	}
	b.Tree = e.Leaves.pieces().Refit(boxes)
	items, solid := make([]Item, len(b.items)), make([]*mesh.Solid, len(b.items))
	for at, i := range b.Tree.Order {
		items[at], solid[at] = b.items[i], b.solid[i]
	}
	b.items, b.solid = items, solid
	return b
}

// lazyTree is a tree that is made on first use.
type lazyTree struct {
	once sync.Once
	tree *bvh.Wide
}

// pieces returns a tree over the leaves, in the shape's frame. It is the same wherever the shape
// stands, so that moving an obstacle costs no more than new boxes.
func (l *Leaves) pieces() *bvh.Wide {
	l.wide.once.Do(func() {
		boxes := l.Cells
		if l.Mesh != nil {
			boxes = make([]geom.Box, len(l.Mesh.Triangles))
			for i, t := range l.Mesh.Triangles {
				boxes[i] = geom.EmptyBox().Extend(l.Mesh.Vertices[t[0]]).Extend(l.Mesh.Vertices[t[1]]).Extend(l.Mesh.Vertices[t[2]])
			}
		}
		for _, p := range l.Points {
			boxes = append(boxes, geom.EmptyBox().Extend(p))
		}
		l.wide.tree = bvh.NewWide(boxes)
	})
	return l.wide.tree
}

// pieceCount is how many pieces the element has.
func (e *Element) pieceCount() int {
	switch l := e.Leaves; {
	case e.Exact:
		return 1
	case l.Mesh != nil:
		return len(l.Mesh.Triangles)
	default:
		return max(len(l.Points), len(l.Cells))
	}
}

// gather passes on the element's pieces, each with the solid that it bounds together with others
// and a box around it.
func (e *Element) gather(add func(Item, *mesh.Solid, geom.Box)) {
	l := e.Leaves
	if e.Exact {
		add(Item{Leaf: -1}, nil, boxOf(&e.Core, e.PoseFE))
		return
	}
	radius := l.Radius + e.Padding
	if l.Mesh == nil {
		for i := range e.pieceCount() {
			it := Item{Leaf: int32(i), Radius: radius}
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
		it := Item{Leaf: int32(i), Radius: radius}
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
