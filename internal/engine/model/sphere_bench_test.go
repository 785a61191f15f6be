package model

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// globe is a sphere's mesh of about n vertices, by rings of latitude.
func globe(n int) *mesh.Mesh {
	rings := int(math.Sqrt(float64(n) / 2))
	around := 2 * rings
	m := &mesh.Mesh{Vertices: []geom.Vec{{Z: 1}}}
	for i := 1; i < rings; i++ {
		w, z := math.Sincos(math.Pi * float64(i) / float64(rings))
		for j := range around {
			y, x := math.Sincos(2 * math.Pi * float64(j) / float64(around))
			m.Vertices = append(m.Vertices, geom.Vec{X: w * x, Y: w * y, Z: z})
		}
	}
	m.Vertices = append(m.Vertices, geom.Vec{Z: -1})
	last := int32(len(m.Vertices) - 1)
	at := func(ring, j int) int32 { return int32(1 + (ring-1)*around + j%around) }
	for j := range around {
		m.Triangles = append(m.Triangles, [3]int32{0, at(1, j), at(1, j+1)}, [3]int32{last, at(rings-1, j+1), at(rings-1, j)})
		for i := 1; i < rings-1; i++ {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			m.Triangles = append(m.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return m
}

// What a convex mesh costs whose vertices are all corners of its hull.
func BenchmarkGlobe(b *testing.B) {
	for _, n := range []int{500, 1000, 3000, 12000, 50000} {
		s := &shape.Shape{Kind: shape.Mesh, Mesh: globe(n), Source: "made in the test"}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				f, err := newForm(context.Background(), s, nil)
				if err != nil || !f.exact {
					b.Fatal(f.exact, err)
				}
			}
		})
	}
}
