package verify

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The scene's frame is one in which the motion says where the root link is.
func TestFrames(t *testing.T) {
	robot := &urdf.Robot{
		Links: []urdf.Link{{Name: "base", ParentJoint: -1}},
		Semantic: &urdf.Semantic{VirtualJoints: []urdf.VirtualJoint{
			{Name: "v", Type: "fixed", ParentFrame: "hall", ChildLink: "base"},
			{Name: "w", Type: "floating", ParentFrame: "odom", ChildLink: "base"},
		}},
	}
	for _, c := range []struct {
		frame, placedBy string
		rests, moves    string // part of the error, if any
	}{
		{"", "", "", ""},
		{"", "w", "", "where joint w placed it"},
		{"hall", "", "", "is fixed in the scene's frame"},
		{"odom", "", "floats in the scene's frame", ""},
		{"elsewhere", "", "give them in that frame", "give them in that frame"},
	} {
		for moves, want := range map[bool]string{false: c.rests, true: c.moves} {
			m := &motion.Motion{}
			if moves {
				m.Root = []motion.RootPiece{{}}
			}
			v := &verifier{robot: robot, world: &scene.Snapshot{Frame: c.frame, PlacedBy: c.placedBy}, motion: m}
			if err := v.frame(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%+v, the root link moves: %v: %v", c, moves, err)
			}
		}
	}
}

// What is attached to a root link that is only a name for the world does not move with the robot.
func TestAttachedToTheWorld(t *testing.T) {
	robot := &urdf.Robot{
		Links:  []urdf.Link{{Name: "world", ParentJoint: -1}, {Name: "base"}},
		Joints: []urdf.Joint{{Name: "floats", Type: urdf.Floating, Child: 1, PosePC: geom.IdentityPose()}},
	}
	for _, c := range []struct {
		moves          bool
		placed, on     string
		certainlyWrong bool
	}{
		{false, "", "world", false},
		{true, "", "world", true},
		{false, "floats", "world", true},
		{true, "", "base", false},
		{false, "floats", "base", false},
	} {
		m := &motion.Motion{}
		if c.moves {
			m.Root = []motion.RootPiece{{}}
		}
		v := &verifier{robot: robot, world: &scene.Snapshot{PlacedBy: c.placed, Objects: []scene.Object{{ID: "table", AttachedTo: c.on}}}, motion: m}
		if err := v.frame(); (err != nil) != c.certainlyWrong {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
