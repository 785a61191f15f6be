package ccd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// anyShape is a primitive, or a mesh of a few hundred triangles.
func anyShape(r *rand.Rand) *shape.Shape {
	size := func() float64 { return 0.03 + 0.1*r.Float64() }
	switch r.IntN(5) {
	case 0:
		return &shape.Shape{Kind: shape.Sphere, Radius: size()}
	case 1:
		return &shape.Shape{Kind: shape.Cylinder, Radius: size(), Length: size()}
	case 2:
		return &shape.Shape{Kind: shape.Mesh, Mesh: ring(12, size(), size()/4)}
	}
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: size(), Y: size(), Z: size()}}
}

// ring is a torus about z.
func ring(n int, radius, thick float64) *shape.TriangleMesh {
	m := &shape.TriangleMesh{}
	for i := range n {
		for k := range n {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			u, v := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			m.Vertices = append(m.Vertices, geom.Vec{X: (radius + thick*v) * c, Y: (radius + thick*v) * s, Z: thick * u})
		}
	}
	at := func(i, k int) int32 { return int32(i%n*n + k%n) }
	for i := range n {
		for k := range n {
			m.Triangles = append(m.Triangles, [3]int32{at(i, k), at(i+1, k), at(i+1, k+1)}, [3]int32{at(i, k), at(i+1, k+1), at(i, k+1)})
		}
	}
	return m
}

func anyPose(r *rand.Rand) geom.Pose {
	for {
		p := geom.Vec{X: 4*r.Float64() - 2, Y: 4*r.Float64() - 2, Z: 3*r.Float64() - 1}
		if geom.Norm(p) > 0.8 {
			return geom.Pose{R: geom.RPY(r.Float64(), r.Float64(), r.Float64()), P: p}
		}
	}
}

// crowd is n obstacles around a robot.
func crowd(r *rand.Rand, n int) []scene.Object {
	out := make([]scene.Object, n)
	for i := range out {
		out[i] = scene.Object{ID: fmt.Sprintf("object_%03d", i), PoseWS: anyPose(r), Shape: anyShape(r)}
	}
	return out
}

// edits are changes of one object of many. Each returns the world after it.
func edits(hand string) map[string]func(r *rand.Rand, s *scene.Snapshot) (*scene.Snapshot, error) {
	one := func(r *rand.Rand, s *scene.Snapshot) scene.Object { return s.Objects[r.IntN(len(s.Objects))] }
	return map[string]func(r *rand.Rand, s *scene.Snapshot) (*scene.Snapshot, error){
		"moved": func(r *rand.Rand, s *scene.Snapshot) (*scene.Snapshot, error) {
			o := one(r, s)
			o.PoseWS, o.AttachedTo, o.TouchLinks = anyPose(r), "", nil
			return s.With(o)
		},
		"replaced": func(r *rand.Rand, s *scene.Snapshot) (*scene.Snapshot, error) {
			o := one(r, s)
			o.Shape = anyShape(r)
			return s.With(o)
		},
		"removed": func(r *rand.Rand, s *scene.Snapshot) (*scene.Snapshot, error) { return s.Without(one(r, s).ID) },
		"attached": func(r *rand.Rand, s *scene.Snapshot) (*scene.Snapshot, error) {
			o := one(r, s)
			o.PoseWS, o.AttachedTo, o.TouchLinks = geom.Pose{R: geom.Identity(), P: geom.Vec{Z: 0.15}}, hand, nil
			return s.With(o)
		},
	}
}

// BenchmarkWithNextWorld measures the change of one object among 200 for real robots. It reports
// the median and the 99th percentile.
func BenchmarkWithNextWorld(b *testing.B) {
	for name, hand := range map[string]string{"g1/g1": "left_wrist_yaw_link", "panda/panda": "panda_hand"} {
		file := "../../shared/robots/" + name + ".urdf"
		robot, err := urdf.Load(file, urdf.Options{})
		if err != nil {
			b.Skip(err)
		}
		for what, edit := range edits(hand) {
			b.Run(name[:len(name)/2]+"/"+what, func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				first, err := scene.New("", crowd(r, 200)...)
				if err != nil {
					b.Fatal(err)
				}
				c, err := New(robot, first, Options{})
				if err != nil {
					b.Fatal(err)
				}
				var took []float64
				b.ReportAllocs()
				for b.Loop() {
					after, err := edit(r, first)
					if err != nil {
						b.Fatal(err)
					}
					begin := time.Now()
					if _, err := c.WithNextWorld(context.Background(), after); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(begin).Seconds())
				}
				slices.Sort(took)
				b.ReportMetric(1e3*took[len(took)/2], "median-ms")
				b.ReportMetric(1e3*took[len(took)*99/100], "p99-ms")
			})
		}
	}
}
