package model

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The members of a group stand by size, the largest first, and equal ones as they were given.
func TestMembersStandBySize(t *testing.T) {
	robot := &urdf.Robot{
		Name: "hand", Links: []urdf.Link{{Name: "root", ParentJoint: -1}, {Name: "hand"}},
		Joints: []urdf.Joint{{Name: "j", Type: urdf.Prismatic, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{X: 1}, Limit: urdf.Limit{Bounded: true, Upper: 1}}},
	}
	for _, radius := range []float64{0.1, 0.3, 0.2, 0.3, 0.1} {
		robot.Links[1].Collisions = append(robot.Links[1].Collisions, urdf.Collision{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Sphere, Radius: radius}})
	}
	m, err := New(robot, nil, func(string) float64 { return 0 }, &Library{})
	if err != nil {
		t.Fatal(err)
	}
	groups := m.Elements[m.Real:]
	if len(groups) != 1 || len(groups[0].Members) != 5 {
		t.Fatalf("groups %+v", groups)
	}
	of := groups[0].Members
	for i, b := range of[1:] {
		if x, y := m.Elements[of[i]].Radius, m.Elements[b].Radius; x < y || x == y && of[i] > b {
			t.Errorf("member %d has the radius %g, and after it is %d with %g", of[i], x, b, y)
		}
	}
}
