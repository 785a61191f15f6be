package convex

import (
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
					got := Distance(&as[i%n], pa[i%n], &bs[i%n], pb[i%n], &w)
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
					Distance(&as[i%n], pa[i%n], &bs[i%n], pb[i%n], &w)
					steps += w.Iterations
				}
				b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
				steps = 0
			})
		})
	}
}
