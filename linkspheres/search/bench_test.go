package search

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// BenchmarkCover covers a robot of primitives and small meshes, made here.
func BenchmarkCover(b *testing.B) {
	r, err := urdf.Load("../../../testdata/spheres/mixed.urdf", urdf.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i := range r.Links {
			body, err := linkspheres.NewBody(&r.Links[i])
			if err != nil {
				b.Fatal(err)
			}
			if body.Empty() {
				continue
			}
			if _, err := Cover(context.Background(), body, Options{Balls: 4}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
