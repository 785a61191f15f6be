package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// BenchmarkForms makes the forms of whole robots, with the meshes already read: as
// found out, and as remembered.
func BenchmarkForms(b *testing.B) {
	for _, file := range []string{"g1/g1.urdf", "baxter/baxter.urdf", "../scenes/iai_apartment/apartment.urdf"} {
		path := "../../../../shared/robots/" + file
		if _, err := os.Stat(path); err != nil {
			b.Skipf("%s is not there", path)
		}
		robot, err := urdf.Load(path, urdf.Options{})
		if err != nil {
			b.Fatal(err)
		}
		var shapes []*shape.Shape
		for i := range robot.Links {
			for _, c := range robot.Links[i].Collisions {
				shapes = append(shapes, c.Shape)
			}
		}
		b.Run(robot.Name+"/new", func(b *testing.B) {
			for b.Loop() {
				var l Library
				l.prepare(context.Background(), shapes)
			}
		})
		b.Run(robot.Name+"/remembered", func(b *testing.B) {
			dir := b.TempDir()
			first := Library{Store: cache.Open(dir)}
			first.prepare(context.Background(), shapes)
			for b.Loop() {
				l := Library{Store: cache.Open(dir)}
				l.prepare(context.Background(), shapes)
				if l.Store.Err() != nil {
					b.Fatal(l.Store.Err())
				}
			}
		})
	}
}

// BenchmarkLargeMesh makes the form of one mesh, bumpy all over, as found out and as remembered.
func BenchmarkLargeMesh(b *testing.B) {
	for _, n := range []int{91, 289, 500} { // 100,000, a million and three million triangles
		s := &shape.Shape{Kind: shape.Mesh, Mesh: grid(n, 0.01, rand.New(rand.NewPCG(5, 6)))}
		dir := b.TempDir()
		for name, store := range map[string]*cache.Store{"new": nil, "remembered": cache.Open(dir)} {
			if _, err := newForm(context.Background(), s, store); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%d/%s", len(s.Mesh.Triangles), name), func(b *testing.B) {
				for b.Loop() {
					if _, err := newForm(context.Background(), s, store); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(len(s.Mesh.Triangles))*1e9, "ns/triangle")
			})
		}
	}
}
