package motion

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func TestFeaturesInWords(t *testing.T) {
	with := func(k FeatureKind, change func(f *Feature)) Feature {
		f := NewFeature(0, geom.Vec{X: 1}, geom.Vec{})
		f.Kind = k
		if change != nil {
			change(&f)
		}
		return f
	}
	for _, c := range []struct {
		f    Feature
		want string
	}{
		{Feature{}, "none"},
		{with(NoFeature, nil), "none"},
		{with(Vertex, func(f *Feature) { f.Vertices[0] = 12 }), "vertex 12"},
		{with(Edge, func(f *Feature) { f.Vertices = [2]int{3, 7} }), "edge 3 to 7"},
		{with(Face, func(f *Feature) { f.Triangle = 0 }), "face at triangle 0"},
		{with(Vertex, func(f *Feature) { f.Signs = [3]int8{1, -1, 1} }), "corner +x -y +z"},
		{with(Edge, func(f *Feature) { f.Signs = [3]int8{1, 0, -1} }), "edge +x -z"},
		{with(Face, func(f *Feature) { f.Signs = [3]int8{0, -1, 0} }), "face -y"},
		{with(Rim, func(f *Feature) { f.Signs[2] = -1 }), "rim -z"},
		{with(Side, nil), "side"},
		{with(Ball, func(f *Feature) { f.Index = 4 }), "point 4"},
		{with(Face, func(f *Feature) { f.Index, f.Signs[0] = 4, 1 }), "cell 4, face +x"},
	} {
		if got := c.f.String(); got != c.want {
			t.Errorf("%+v is %q, want %q", c.f, got, c.want)
		}
	}
	w := Witness{Pair: Pair{A: Body{Name: "panda_hand"}, B: Body{Name: "box10"}}}
	if got := w.Features(); got != "" {
		t.Errorf("nothing is %q", got)
	}
	w.FeatureA = with(Vertex, func(f *Feature) { f.Vertices[0], f.Element = 12, 1 })
	if got, want := w.Features(), "vertex 12 of panda_hand (element 1) against the inside of box10"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := FeatureKind(99).String(); got != "feature(99)" {
		t.Error(got)
	}
}
