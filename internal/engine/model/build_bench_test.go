package model

import (
	"context"
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
