package convex

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// benchCore is a healthy core of about the same size whatever its kind; hulls have
// 50 vertices on an ellipsoid.
func benchCore(r *rand.Rand, k Kind) Core {
	c := Core{Kind: k}
	switch k {
	case Point, Segment, Triangle:
		for range int(k) + 1 {
			c.Vertices = append(c.Vertices, randomVec(r, 0.3))
		}
	case Hull:
		for range 50 {
			u, _ := geom.Unit(randomVec(r, 1))
			c.Vertices = append(c.Vertices, geom.Vec{X: 0.5 * u.X, Y: 0.4 * u.Y, Z: 0.3 * u.Z})
		}
	case Box:
		c.Half = geom.Vec{X: 0.2 + 0.3*r.Float64(), Y: 0.2 + 0.3*r.Float64(), Z: 0.2 + 0.3*r.Float64()}
	default:
		c.CoreRadius, c.HalfLength = 0.2+0.2*r.Float64(), 0.2+0.3*r.Float64()
	}
	c.measure()
	return c
}

// BenchmarkDistance measures pairs about a piece's size apart: one in five overlaps.
func BenchmarkDistance(b *testing.B) {
	for _, k := range [][2]Kind{
		{Box, Box},
		{Triangle, Triangle},
		{Hull, Hull},
		{Hull, Triangle},
		{Hull, Box},
		{Box, Triangle},
		{Segment, Box},
		{Point, Box},
		{Cylinder, Box},
		{Cylinder, Cylinder},
	} {
		b.Run(k[0].name()+"-"+k[1].name(), func(b *testing.B) {
			r := rand.New(rand.NewSource(1))
			const n = 128
			var as, bs [n]Core
			var pa, pb [n]geom.Pose
			for i := range n {
				as[i], bs[i] = benchCore(r, k[0]), benchCore(r, k[1])
				pa[i], pb[i] = randomPose(r, 0.6), randomPose(r, 0.6)
			}
			b.ReportAllocs()
			var steps, over int
			ws := make([]Workspace, n)
			b.Run("cold", func(b *testing.B) {
				for i := range b.N {
					var w Workspace
					got := Distance(&as[i%n], &pa[i%n], &bs[i%n], &pb[i%n], &w)
					ws[i%n] = w
					steps += w.Iterations
					if got.Overlap {
						over++
					}
				}
				b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
				b.ReportMetric(float64(over)/float64(b.N), "overlap/op")
				steps, over = 0, 0
			})
			b.Run("warm", func(b *testing.B) {
				for i := range b.N {
					w := ws[i%n]
					Distance(&as[i%n], &pa[i%n], &bs[i%n], &pb[i%n], &w)
					steps += w.Iterations
				}
				b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
				steps = 0
			})
		})
	}
}

// BenchmarkSupport compares the plain scan with groups.
func BenchmarkSupport(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{8, 50, 64, 200, 1500, 5000} {
		var vs []geom.Vec
		for range n {
			u, _ := geom.Unit(randomVec(r, 1))
			vs = append(vs, geom.Vec{X: 0.5 * u.X, Y: 0.4 * u.Y, Z: 0.3 * u.Z})
		}
		c, err := New(Core{Kind: Hull, Vertices: vs})
		if err != nil {
			b.Fatal(err)
		}
		plain := Core{Kind: Hull, Vertices: vs}
		var ds [64]geom.Vec
		for i := range ds {
			ds[i] = randomVec(r, 1)
		}
		var sink float64
		b.Run(fmt.Sprintf("%d/scan", n), func(b *testing.B) {
			for i := range b.N {
				sink += plain.SupportValue(ds[i&63])
			}
		})
		b.Run(fmt.Sprintf("%d/groups", n), func(b *testing.B) {
			for i := range b.N {
				sink += c.SupportValue(ds[i&63])
			}
		})
	}
}
