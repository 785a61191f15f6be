package model

import (
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
)

// A cluster reaches exactly as far as the triangles below its node, in every direction, whichever
// goroutine asks for it first.
func TestClustersHoldTheirTriangles(t *testing.T) {
	rng := chance.New(1, 7)
	m := &mesh.Mesh{}
	for range 400 {
		m.Vertices = append(m.Vertices, geom.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
	}
	for range 900 {
		m.Triangles = append(m.Triangles, [3]int32{rng.Int32N(400), rng.Int32N(400), rng.Int32N(400)})
	}
	l := &Leaves{Tree: bvh.OfTriangles(m, 1), Mesh: m}
	var made [4][]*convex.Core
	var wg sync.WaitGroup
	for k := range made {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for node := range l.Tree.Nodes {
				made[k] = append(made[k], l.Cluster(int32(node)))
			}
		}()
	}
	wg.Wait()
	for node := range l.Tree.Nodes {
		c := made[0][node]
		for k := range made {
			if made[k][node] != c {
				t.Fatalf("node %d has two clusters", node)
			}
		}
		if c.Radius != 0 || len(c.Vertices) > len(m.Vertices) {
			t.Fatalf("node %d: radius %g, %d vertices of %d", node, c.Radius, len(c.Vertices), len(m.Vertices))
		}
		for range 20 {
			n := r3.Unit(geom.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
			far := math.Inf(-1)
			of := l.Tree.Nodes[node]
			for _, i := range l.Tree.Order[of.First : of.First+of.Count] {
				for _, v := range m.Triangles[i] {
					far = max(far, r3.Dot(m.Vertices[v], n))
				}
			}
			if got := c.SupportValue(n); math.Abs(got-far) > 1e-14 {
				t.Fatalf("node %d of %d triangles reaches %v, its triangles %v", node, of.Count, got, far)
			}
		}
	}
}
