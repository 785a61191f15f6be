package convex

import (
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// sphere returns n points that are spread evenly over a unit sphere.
func sphere(n int) []geom.Vec {
	out := make([]geom.Vec, n)
	for k := range out {
		z := 1 - (2*float64(k)+1)/float64(n)
		y, x := math.Sincos(float64(k) * math.Pi * (3 - math.Sqrt(5)))
		w := math.Sqrt(1 - z*z)
		out[k] = geom.Vec{X: w * x, Y: w * y, Z: z}
	}
	return out
}

// What a hull costs of which every point is a vertex.
func BenchmarkHullOfSphere(b *testing.B) {
	for _, n := range []int{500, 1000, 3000, 12000, 50000} {
		ps := sphere(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := HullOf(ps); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
