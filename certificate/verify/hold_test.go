package verify

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A joint that follows another is held by nothing, also where the motion names it.
func TestHoldOfAMimicJoint(t *testing.T) {
	hinge := func(name string, child int) urdf.Joint {
		return urdf.Joint{Name: name, Type: urdf.Revolute, Child: child, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}, Limit: urdf.Limit{Bounded: true, Lower: -1, Upper: 1}}
	}
	link := func(name string, joint int, x, size float64) urdf.Link {
		return urdf.Link{Name: name, ParentJoint: joint, Collisions: []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{X: x}), Shape: box(size, size, size)}}}
	}
	robot := &urdf.Robot{
		Name:   "r",
		Links:  []urdf.Link{link("base", -1, 0, 0.2), link("a", 0, 1, 0.1), link("b", 1, -1, 0.1)},
		Joints: []urdf.Joint{hinge("lead", 1), hinge("follow", 2)},
	}
	robot.Joints[1].Mimic = &urdf.Mimic{Joint: 0, Multiplier: 1}
	m := &motion.Motion{ID: "m", Joints: []string{"lead", "follow"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0, 0.5}, {0, 0.5}}}}}
	p := newProver(t, robot, &scene.Snapshot{}, m)
	p.prove()
	if _, err := p.verify(); err != nil {
		t.Fatal(err)
	}
	p.header.Hold = []certificate.Named{{Name: "follow", Value: 7}}
	if _, err := p.verify(); err == nil || !strings.Contains(err.Error(), "holds joint follow") {
		t.Errorf("a joint that moves is said to be held: %v", err)
	}
}
