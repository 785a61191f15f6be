package articulate

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// How far a piece reaches along a direction is never less than it does at any time, and
// over an interval of no length not much more.
func TestReachAlongHoldsAllAlong(t *testing.T) {
	kinds := map[convex.Kind]int{}
	for i := range 120 {
		d := newChance(13, uint64(i))
		r := randomTrial(t, d)
		w := r.w
		w.course = r.course
		w.load(0, &defaultQuery)
		for e := range w.p.parts {
			s := w.sideFor(e, 0)
			leaf := int32(d.IntN(len(s.part.tree.Order)))
			var vs [3]geom.Vec
			core := s.part.core(leaf, &vs)
			kinds[core.Kind]++
			n := d.unit()
			lo := d.in(0, 0.9)
			for _, hi := range []float64{lo, lo + 1e-3, 1} {
				w.look(lo, hi)
				reach := reachAlong(s.part, &w.poses(s, &w.span, &s.over).pose, leaf, n)
				for k := range 5 {
					pose := w.poseW(s, lo+(hi-lo)*float64(k)/4)
					got := r3.Dot(n, pose.Apply(core.Support(pose.R.ApplyInv(n))))
					if got > reach+1e-12 {
						t.Fatalf("trial %d: a piece of kind %d reaches %g along a direction, bounded by %g", i, core.Kind, got, reach)
					}
					if hi == lo && reach > got+1e-9 {
						t.Fatalf("trial %d: a piece of kind %d that stands still reaches %g along a direction, bounded by %g", i, core.Kind, got, reach)
					}
				}
			}
		}
	}
	for k := convex.Point; k <= convex.Cone; k++ {
		if kinds[k] == 0 {
			t.Errorf("no piece of kind %d was looked at", k)
		}
	}
}

// A hull of many vertices is bounded by its support and its radius.
func TestReachOfHullsOfManyVertices(t *testing.T) {
	d := newChance(14, 0)
	r := newTrial(t, modelOf(t, arm(2, sphereMesh(d, 200)), worldOf(sphereMesh(d, 40))), turning([]string{"j0", "j1"}, 0.5, 0.5))
	w := r.w
	w.course = r.course
	w.load(0, &defaultQuery)
	seen := 0
	for e := range w.p.parts {
		s := w.sideFor(e, 0)
		c := &s.part.element.Core
		if c.Kind != convex.Hull || len(c.Vertices) <= fewVertices || !s.part.element.Exact {
			t.Fatalf("element %d is no hull of many vertices: kind %d, %d vertices", e, c.Kind, len(c.Vertices))
		}
		for range 300 {
			seen++
			n, lo := d.unit(), d.in(0, 0.9)
			hi := lo + d.in(0, 0.1)
			w.look(lo, hi)
			reach := reachAlong(s.part, &w.poses(s, &w.span, &s.over).pose, 0, n)
			pose := w.poseW(s, d.in(lo, hi))
			if got := r3.Dot(n, pose.Apply(c.Support(pose.R.ApplyInv(n)))); got > reach+1e-12 {
				t.Fatalf("a hull reaches %g along a direction, bounded by %g", got, reach)
			}
		}
	}
	if seen == 0 {
		t.Error("nothing was looked at")
	}
}
