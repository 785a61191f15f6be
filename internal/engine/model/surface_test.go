package model

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// The tight hull of a mesh is the same from a cache, and one that is not as tight, or of other
// points, is not taken from it.
func TestTightHullsAreRemembered(t *testing.T) {
	m := grid(6, 0.4, rand.New(rand.NewPCG(5, 7)))
	store := cache.Open(t.TempDir())
	key := hullKey(meshKey(m))
	hull := func() *convex.Core {
		t.Helper()
		f, err := meshForm(context.Background(), m, store)
		if err != nil {
			t.Fatal(err)
		}
		return f.leaves.Hull()
	}
	fresh, err := convex.HullOf(m.Vertices)
	if err != nil {
		t.Fatal(err)
	}
	tight := func(what string, c *convex.Core) {
		t.Helper()
		if !slices.Equal(c.Vertices, fresh.Vertices) || c.Radius > 2*convex.HullTolerance(m.Vertices) {
			t.Errorf("%s: %d vertices, radius %g; %d and %g when made", what, len(c.Vertices), c.Radius, len(fresh.Vertices), fresh.Radius)
		}
	}
	tight("first", hull())
	kept, ok := store.Load(key, 1<<20)
	if !ok {
		t.Fatal("nothing is kept")
	}
	tight("from the cache", hull())

	p, ok := decodePlan(kept)
	if !ok {
		t.Fatal("what is kept is no plan")
	}
	// The cache is what the hull is from: another order of its vertices is kept.
	p.hull.Vertices[0], p.hull.Vertices[1] = p.hull.Vertices[1], p.hull.Vertices[0]
	for i := range p.hull.Near {
		for k, v := range p.hull.Near[i] {
			if v == 0 || v == 1 {
				p.hull.Near[i][k] = 1 - v
			}
		}
	}
	store.Save(key, p.encode())
	if c := hull(); c.Vertices[0] != fresh.Vertices[1] {
		t.Error("the hull is not from the cache")
	}
	for i := range p.hull.Near { // every point is said to be at one vertex
		p.hull.Near[i] = [4]int32{0, -1, -1, -1}
	}
	store.Save(key, p.encode())
	tight("from a loose plan", hull())
	store.Save(key, kept[:len(kept)-3])
	tight("from half a plan", hull())
	other := &plan{hull: convex.Plan{Vertices: []int32{0, 1}, Near: [][4]int32{{0, -1, -1, -1}}}}
	store.Save(key, other.encode())
	tight("from a plan of other points", hull())
}
