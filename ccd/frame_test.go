package ccd

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A scene in a frame of which nothing is known is refused: its obstacles would be
// looked for in the wrong place.
func TestScenesAreInTheRootsFrame(t *testing.T) {
	robot := slider()
	fixed := *robot
	fixed.Semantic = &urdf.Semantic{VirtualJoints: []urdf.VirtualJoint{
		{Name: "v", Type: "fixed", ParentFrame: "world", ChildLink: "base"},
		{Name: "w", Type: "floating", ParentFrame: "odom", ChildLink: "base"},
	}}
	for _, c := range []struct {
		robot *urdf.Robot
		frame string
		good  bool
	}{
		{robot, "", true},
		{robot, "base", true},
		{robot, "x_link", false},
		{robot, "world", false},
		{&fixed, "world", true},
		{&fixed, "odom", false},
	} {
		world := worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))
		world.Frame = c.frame
		if _, err := New(c.robot, world, Options{}); (err == nil) != c.good {
			t.Errorf("frame %q: %v", c.frame, err)
		}
		empty, err := New(c.robot, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := empty.WithWorld(world); (err == nil) != c.good {
			t.Errorf("later, frame %q: %v", c.frame, err)
		}
	}
}
