package defaultpairs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// robot is a base with a slide on it, an arm on the slide and a lamp on the base:
// the arm overlaps the base at 0 and the slide always.
func robot() *urdf.Robot {
	link := func(name string, joint int, at geom.Vec) urdf.Link {
		return urdf.Link{Name: name, ParentJoint: joint, Collisions: []urdf.Collision{{
			PoseLS: geom.Translation(at), Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 1, Y: 1, Z: 1}},
		}}}
	}
	joint := func(name string, kind urdf.JointType, parent, child int) urdf.Joint {
		return urdf.Joint{Name: name, Type: kind, Parent: parent, Child: child, PosePC: geom.IdentityPose(), Axis: geom.Vec{X: 1}, Limit: urdf.Limit{Bounded: true, Lower: -9, Upper: 9}}
	}
	return &urdf.Robot{
		Name: "r",
		Links: []urdf.Link{
			link("base", -1, geom.Vec{}), link("slide", 0, geom.Vec{X: 0.5}), link("arm", 1, geom.Vec{X: 0.9}), link("lamp", 2, geom.Vec{X: -5}),
		},
		Joints: []urdf.Joint{joint("a", urdf.Prismatic, 0, 1), joint("b", urdf.Prismatic, 1, 2), joint("c", urdf.Fixed, 0, 3)},
	}
}

func TestDefaults(t *testing.T) {
	adjacentPairs := []LeftOut{{0, 1, Adjacent}, {0, 3, Adjacent}, {1, 2, Adjacent}}
	for _, tc := range []struct {
		name  string
		state []float64
		want  []LeftOut
	}{
		{"arm in the base", []float64{0, 0}, append(adjacentPairs[:3:3], LeftOut{0, 2, TouchAtRest})},
		{"arm away", []float64{3, 3}, adjacentPairs},
		{"arm in the lamp", []float64{-3, -3}, append(adjacentPairs[:3:3], LeftOut{2, 3, TouchAtRest})},
		{"faces that meet count as touching", []float64{0.1, 0}, append(adjacentPairs[:3:3], LeftOut{0, 2, TouchAtRest})},
		{"a hair apart", []float64{0.1 + 1e-5, 0}, adjacentPairs},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := robot()
			m, err := model.New(r, nil, nil, &model.Library{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Defaults(r, m, tc.state)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
