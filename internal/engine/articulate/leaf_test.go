package articulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
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
		w.load(0, &motion.Query{})
		for e := range w.p.parts {
			s := w.sideFor(e, 0)
			leaf := int32(d.IntN(len(s.part.tree.Order)))
			var vs [3]geom.Vec
			core := s.part.core(leaf, &vs)
			kinds[core.Kind]++
			n := d.Unit()
			lo := d.In(0, 0.9)
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
	w.load(0, &motion.Query{})
	seen := 0
	for e := range w.p.parts {
		s := w.sideFor(e, 0)
		c := &s.part.element.Core
		if c.Kind != convex.Hull || len(c.Vertices) <= fewVertices || !s.part.element.Exact {
			t.Fatalf("element %d is no hull of many vertices: kind %d, %d vertices", e, c.Kind, len(c.Vertices))
		}
		for range 300 {
			seen++
			n, lo := d.Unit(), d.In(0, 0.9)
			hi := lo + d.In(0, 0.1)
			w.look(lo, hi)
			reach := reachAlong(s.part, &w.poses(s, &w.span, &s.over).pose, 0, n)
			pose := w.poseW(s, d.In(lo, hi))
			if got := r3.Dot(n, pose.Apply(c.Support(pose.R.ApplyInv(n)))); got > reach+1e-12 {
				t.Fatalf("a hull reaches %g along a direction, bounded by %g", got, reach)
			}
		}
	}
	if seen == 0 {
		t.Error("nothing was looked at")
	}
}

// sphereMesh is a closed mesh whose vertices, a little more than n, are on a sphere: it is
// its own hull.
func sphereMesh(d chance, n int) *shape.Shape {
	rows := int(math.Sqrt(float64(n)/2)) + 2
	m := &mesh.Mesh{Vertices: []geom.Vec{{Z: -0.2}, {Z: 0.2}}}
	cols := int32(2 * rows)
	turn := d.In(0, 1)
	for i := 1; i < rows; i++ {
		lat := math.Pi * (float64(i)/float64(rows) - 0.5)
		for j := range cols {
			lon := turn + 2*math.Pi*float64(j)/float64(cols)
			m.Vertices = append(m.Vertices, geom.Vec{X: 0.2 * math.Cos(lat) * math.Cos(lon), Y: 0.2 * math.Cos(lat) * math.Sin(lon), Z: 0.2 * math.Sin(lat)})
		}
	}
	at := func(i, j int32) int32 { return 2 + i*cols + j%cols }
	last := int32(rows - 2)
	for j := range cols {
		m.Triangles = append(m.Triangles, [3]int32{0, at(0, j+1), at(0, j)}, [3]int32{1, at(last, j), at(last, j+1)})
		for i := range last {
			m.Triangles = append(m.Triangles, [3]int32{at(i, j), at(i, j+1), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i+1, j)})
		}
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}
