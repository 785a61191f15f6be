package model

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// plan holds expensive results about a shape: which points form its hull, how its hierarchy is
// split, where its ball has its centre. They are only candidates. Everything that a proof
// rests on - radii, boxes, what a mesh encloses and whether it is convex - is computed from
// the shape whenever a form is made from a plan, so that a plan from a file needs no trust.
type plan struct {
	exact  bool // the mesh may be convex
	center geom.Vec
	hull   convex.Plan // of a mesh
	rough  []int32     // the vertices of a rough hull, as indices of the hull's; none where that is the same
	tree   bvh.Plan    // unless exact
}

// errNotConvex says that the hull cannot replace the mesh.
var errNotConvex = errors.New("the mesh is not convex")

// mesh makes the form of m, whose inside is solid, with its connected parts.
func (p *plan) mesh(m *mesh.Mesh, solid *mesh.Solid, parts []mesh.Component) (*form, error) {
	if p.exact {
		return p.convex(m, solid)
	}
	tree, err := p.tree.OfTriangles(m, 1)
	if err != nil {
		return nil, err
	}
	return p.over(tree, m, solid, parts)
}

// convex makes the form of a mesh that its hull stands for.
func (p *plan) convex(m *mesh.Mesh, solid *mesh.Solid) (*form, error) {
	f, err := p.hullForm(m.Vertices)
	if err != nil {
		return nil, err
	}
	if !isConvex(m, solid, &f.core) {
		return nil, errNotConvex
	}
	f.open, f.ambiguous, f.exact = solid.Open(), solid.Ambiguous, true
	return f, nil
}

// isConvex reports whether the mesh is one closed surface that is convex, by its hull.
func isConvex(m *mesh.Mesh, solid *mesh.Solid, hull *convex.Core) bool {
	surface, one := solid.Surface(m)
	if !one {
		return false
	}
	_, yes := convex.Convexity(surface, nil, hull, convexEnough)
	return yes
}

// over makes the form of a mesh with a tree over its triangles.
func (p *plan) over(tree *bvh.Tree, m *mesh.Mesh, solid *mesh.Solid, parts []mesh.Component) (*form, error) {
	f, err := p.hullForm(m.Vertices)
	if err != nil {
		return nil, err
	}
	f.open, f.ambiguous = solid.Open(), solid.Ambiguous
	f.radius = holding(tree, f.center, f.radius)
	f.leaves = &Leaves{Tree: tree, Mesh: m, Parts: parts, Solid: solid}
	if f.rough = f.core; len(p.rough) > 0 {
		f.rough, err = f.core.Part(p.rough)
	}
	return f, err
}

// cells makes the form of cells. A box is tested before their hierarchy: objects near a map
// are mostly inside its hull, which would have tens of thousands of vertices.
func (p *plan) cells(cells []geom.Box) (*form, error) {
	tree, err := p.tree.OfBoxes(cells, 1)
	if err != nil {
		return nil, err
	}
	f := &form{core: convex.BoxOf(tree.Nodes[0].Box)}
	f.rough = f.core
	ball := f.core.Ball()
	f.center, f.radius = ball.Center, holding(tree, ball.Center, ball.Radius)
	f.leaves = &Leaves{Tree: tree, Cells: cells}
	return f, nil
}

var errCenter = errors.New("the plan of a form has no centre")

// hullForm makes the common part of all forms: hull and ball.
func (p *plan) hullForm(points []geom.Vec) (*form, error) {
	ball := convex.BallAround(p.center, points)
	if !(ball.Radius-ball.Radius == 0) {
		return nil, errCenter
	}
	core, err := p.hull.Core(points)
	if err != nil {
		return nil, err
	}
	return &form{core: core, center: ball.Center, radius: ball.Radius}, nil
}

// drawMesh makes a plan for m and its form. Between its steps, which may take seconds each for
// a large mesh, it checks whether ctx is done.
func drawMesh(ctx context.Context, m *mesh.Mesh, solid *mesh.Solid, parts []mesh.Component) (*plan, *form, error) {
	p := &plan{center: convex.MinBall(m.Vertices).Center}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	full, err := convex.HullOf(m.Vertices)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	if isConvex(m, solid, &full) { // else the plan of a hull of many vertices would take long
		p.exact, p.hull = true, convex.PlanOf(m.Vertices, &full)
		f, err := p.convex(m, solid)
		if !errors.Is(err, errNotConvex) {
			return p, f, err
		}
		p.exact = false
	}
	core := full.Simplified(hullVertices, hullSlack)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	tree := bvh.OfTriangles(m, 1)
	p.hull, p.rough, p.tree = convex.PlanOf(m.Vertices, &core), roughly(&core), tree.Plan()
	f, err := p.over(tree, m, solid, parts)
	if err == nil {
		f.leaves.surface.keep.made = &full
	}
	return p, f, err
}

// drawCells is like drawMesh for cells.
func drawCells(cells []geom.Box) (*plan, *form, error) {
	p := &plan{tree: bvh.OfBoxes(cells, 1).Plan()}
	f, err := p.cells(cells)
	return p, f, err
}

// remembered makes a form from the plan, of at most most bytes, that the store has under the
// key, or makes a new plan and stores it.
func remembered(store *cache.Store, most int64, key func() cache.Key, by func(*plan) (*form, error), draw func() (*plan, *form, error)) (*form, error) {
	if store == nil {
		_, f, err := draw()
		return f, err
	}
	k := key()
	if data, ok := store.Load(k, most); ok {
		if p, ok := decodePlan(data); ok {
			if f, err := by(p); err == nil {
				return f, nil
			}
		}
	}
	p, f, err := draw()
	if err == nil {
		store.Save(k, p.encode())
	}
	return f, err
}
