package model

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// PartExtent is the extent of a connected part: its box, and the vertices farthest along the
// axes, in order -x, x, -y, y, -z, z.
type PartExtent struct {
	Box     geom.Box
	Extreme [6]geom.Vec
}

// lazySurface holds what distance queries need of a mesh besides its hierarchy, made on first
// use and shared by all models with the mesh.
type lazySurface struct {
	hull, parts sync.Once
	core        convex.Core
	keep        keeper // of the hull
	extents     []PartExtent
}

// Hull returns a piece that contains the mesh tightly: its Vertices are the mesh's, and every
// other one is within Radius, a few roundings, of their hull. Padding is not included. It has
// no Vertices if there is no such piece.
func (l *Leaves) Hull() *convex.Core {
	s := &l.surface
	s.hull.Do(func() {
		if h, err := s.keep.hull(l.Mesh.Vertices); err == nil {
			s.core = h
		}
	})
	return &s.core
}

// tight (m) is how far a hull may be from its mesh to be worth no tighter one.
const tight = 1e-9

// Loose reports whether the mesh of a link or an attached object has a hull that is tighter than the core.
func (e *Element) Loose() bool {
	return !e.Exact && e.Leaves != nil && e.Leaves.Mesh != nil && e.Frame != 0 && e.Core.Radius-e.Padding > tight
}

// PrepareHulls makes the tight hulls of all links and attached objects, on all processors.
func (m *Model) PrepareHulls() {
	var pool errgroup.Group
	pool.SetLimit(runtime.GOMAXPROCS(0))
	for i := range m.Elements[:m.Real] {
		if e := &m.Elements[i]; e.Loose() {
			pool.Go(func() error {
				e.Leaves.Hull()
				return nil
			})
		}
	}
	_ = pool.Wait() // no function fails
}

// keeper has the hull of a mesh where that was needed before, or remembers it in a store.
type keeper struct {
	made  *convex.Core // while the mesh was compiled, if it was
	store *cache.Store // may be nil
	key   cache.Key
}

// hull is convex.HullOf. A plan from the store is taken only if the hull that it gives is as
// tight.
func (k *keeper) hull(points []geom.Vec) (convex.Core, error) {
	if data, ok := k.store.Load(k.key, planBytes(len(points), 0)); ok {
		if p, ok := decodePlan(data); ok {
			if c, err := p.hull.Core(points); err == nil && c.Radius <= 2*convex.HullTolerance(points) {
				return c, nil
			}
		}
	}
	c, err := k.compute(points)
	if err == nil && k.store != nil {
		k.store.Save(k.key, (&plan{hull: convex.PlanOf(points, &c)}).encode())
	}
	return c, err
}

func (k *keeper) compute(points []geom.Vec) (convex.Core, error) {
	if k.made != nil {
		return *k.made, nil
	}
	return convex.HullOf(points)
}

// Extents returns the extents of the mesh's Parts, in their order.
func (l *Leaves) Extents() []PartExtent {
	s := &l.surface
	s.parts.Do(func() {
		s.extents = make([]PartExtent, len(l.Parts))
		for i := range l.Parts {
			s.extents[i] = l.extentOf(i)
		}
	})
	return s.extents
}

func (l *Leaves) extentOf(part int) PartExtent {
	e := PartExtent{Box: geom.EmptyBox()}
	first := true
	for _, t := range l.Parts[part].Triangles {
		for _, v := range l.Mesh.Triangles[t] {
			e.take(l.Mesh.Vertices[v], first)
			first = false
		}
	}
	return e
}

func (e *PartExtent) take(p geom.Vec, first bool) {
	if first {
		e.Extreme = [6]geom.Vec{p, p, p, p, p, p}
	}
	e.Box = e.Box.Extend(p)
	at, x := [3]float64{p.X, p.Y, p.Z}, &e.Extreme
	for k, of := range [3]func(geom.Vec) float64{
		func(v geom.Vec) float64 { return v.X },
		func(v geom.Vec) float64 { return v.Y },
		func(v geom.Vec) float64 { return v.Z },
	} {
		if at[k] < of(x[2*k]) {
			x[2*k] = p
		}
		if at[k] > of(x[2*k+1]) {
			x[2*k+1] = p
		}
	}
}
