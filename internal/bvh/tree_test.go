package bvh

import (
	"math"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/mesh"
)

// bumpySphere is a closed mesh of 2 n (n-1) triangles.
func bumpySphere(n int, seed int64) *mesh.Mesh {
	r := rand.New(rand.NewSource(seed))
	var m mesh.Mesh
	at := func(i, j int) int32 {
		switch i {
		case 0:
			return 0
		case n:
			return 1
		}
		return int32(2 + (i-1)*n + j%n)
	}
	point := func(i, j int) geom.Vec {
		st, ct := math.Sincos(math.Pi * float64(i) / float64(n))
		sp, cp := math.Sincos(2 * math.Pi * float64(j) / float64(n))
		k := 1 + 0.1*r.Float64()
		return geom.Vec{X: k * st * cp, Y: k * st * sp, Z: k * ct}
	}
	m.Vertices = append(m.Vertices, point(0, 0), point(n, 0))
	for i := 1; i < n; i++ {
		for j := range n {
			m.Vertices = append(m.Vertices, point(i, j))
		}
	}
	for i := range n {
		for j := range n {
			if i > 0 {
				m.Triangles = append(m.Triangles, [3]int32{at(i, j), at(i+1, j), at(i, j+1)})
			}
			if i < n-1 {
				m.Triangles = append(m.Triangles, [3]int32{at(i, j+1), at(i+1, j), at(i+1, j+1)})
			}
		}
	}
	return &m
}

func BenchmarkBuild220k(b *testing.B) {
	m := bumpySphere(332, 1)
	b.ReportMetric(float64(len(m.Triangles)), "triangles")
	for range b.N {
		OfTriangles(m, 1)
	}
}
