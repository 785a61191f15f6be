package model

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// The corners of a box along the axes are a box, and nothing else is.
func TestHullsThatAreBoxes(t *testing.T) {
	corners := func(turn geom.Rot) (vs []geom.Vec) {
		for k := range 8 {
			vs = append(vs, turn.Apply(geom.Vec{X: 0.1 + 0.3*float64(k&1), Y: float64(k>>1&1) - 2, Z: 0.7 * float64(k>>2)}))
		}
		return vs
	}
	straight := corners(geom.Identity())
	b, is := asBox(&convex.Core{Kind: convex.Hull, Radius: 0.01, Vertices: straight})
	if !is || b.Kind != convex.Box || b.Radius < 0.01 {
		t.Fatalf("%v, %+v", is, b)
	}
	for _, v := range straight {
		for _, n := range []geom.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			if s := b.SupportValue(n); s < v.X*n.X+v.Y*n.Y+v.Z*n.Z {
				t.Errorf("the box leaves %v out along %v", v, n)
			}
		}
	}
	dented := corners(geom.Identity())
	dented[3].Z += 1e-9
	doubled := corners(geom.Identity())
	doubled[5] = doubled[4]
	for name, vs := range map[string][]geom.Vec{
		"turned": corners(geom.RPY(0, 0, 0.1)), "dented": dented, "one corner twice": doubled, "seven corners": straight[:7],
	} {
		if _, is := asBox(&convex.Core{Kind: convex.Hull, Vertices: vs}); is {
			t.Errorf("%s: taken for a box", name)
		}
	}
}
