package linkspheres

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Within says what the bounds of Distance say, for meshes, primitives and both.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	at := func() geom.Pose {
		return geom.Pose{R: geom.RPY(r.Float64()*6, r.Float64()*6, r.Float64()*6), P: geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}}
	}
	found := map[bool]int{}
	for range 40 {
		l := &urdf.Link{Name: "l", Collisions: []urdf.Collision{
			{PoseLS: at(), Shape: &shape.Shape{Kind: shape.Mesh, Mesh: meshes.Block(geom.Vec{X: 0.1 + r.Float64(), Y: 0.1 + r.Float64(), Z: 0.1 + r.Float64()})}},
			{PoseLS: at(), Shape: &shape.Shape{Kind: shape.Cylinder, Radius: 0.1 + r.Float64(), Length: 1}},
			{PoseLS: at(), Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 1, Y: 0.3, Z: 0.2}}},
		}[r.IntN(3):]}
		b, err := NewBody(l)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			p := r3.Add(l.Collisions[0].PoseLS.P, geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
			lo, hi := b.Distance(p)
			near := max(0, hi) * math.Exp(r.NormFloat64()/4)
			is := b.Within(p, near)
			if is && lo > near || !is && hi < near-1e-9 {
				t.Fatalf("%v is %g to %g away, and within %g: %v", p, lo, hi, near, is)
			}
			found[is]++
		}
	}
	if found[true] < 2000 || found[false] < 1000 {
		t.Errorf("drawn: %v", found)
	}
}
