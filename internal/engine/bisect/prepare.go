package bisect

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/rsstree"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// Prepared is what the method makes of a model once: a tree of rectangle swept spheres
// for every element. It is immutable, and any number of workers share it.
type Prepared struct {
	m       *model.Model
	objects []object
}

// object is an element of the model as the method takes it.
type object struct {
	tree  *rsstree.Tree
	grown float64 // radius of the balls around the tree's pieces: of points, cores, padding
	rho   float64 // no point of it is farther from its frame's origin
	last  float64 // of the joint that moves it: no point is farther from the axis; negative where unknown
}

// Prepare makes the hierarchies of a model. It fails on a model without tree or where a
// shape is none.
func Prepare(m *model.Model) (*Prepared, error) {
	p := &Prepared{m: m, objects: make([]object, m.Real)}
	for i := range p.objects {
		e := &m.Elements[i]
		o := &p.objects[i]
		switch {
		case e.Leaves != nil:
			tree := e.Leaves.Derived(rssTree{}, func() any { return treeOf(e.Leaves) })
			o.tree, o.grown = tree.(*rsstree.Tree), e.Leaves.Radius+e.Padding
		default:
			core := e.Core
			o.tree, o.grown = rsstree.OfCore(&core), core.Radius
		}
		if len(o.tree.Nodes) == 0 {
			return nil, fmt.Errorf("%s: its shape has no pieces", m.Bodies[e.Body].Name)
		}
		o.rho = o.tree.Extent() + o.grown
		o.last = p.lastLever(e, o)
	}
	return p, nil
}

// rssTree is the key of a shape's tree.
type rssTree struct{}

func treeOf(l *model.Leaves) *rsstree.Tree {
	switch {
	case l.Mesh != nil:
		return rsstree.OfMesh(l.Mesh)
	case l.Cells != nil:
		return rsstree.OfCells(l.Cells)
	}
	return rsstree.OfPoints(l.Points)
}

// corners returns points of E whose hull holds the element, its radius left out; nil
// where its shape is round.
func corners(e *model.Element) []geom.Vec {
	switch {
	case e.Leaves != nil && e.Leaves.Mesh != nil:
		return e.Leaves.Mesh.Vertices
	case e.Leaves != nil:
		return e.Leaves.Points // nil of cells
	case e.Core.Kind == convex.Cylinder || e.Core.Kind == convex.Cone || e.Core.Kind == convex.Box:
		return nil
	}
	return e.Core.Vertices
}
