package ccd

import (
	"context"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
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
		{&fixed, "odom", true}, // but see TestRootsThatFloat
		{&fixed, "map", false},
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

// Where the root link floats in the scene's frame a motion has to say where it
// is, and nowhere else may it move.
func TestRootsThatFloat(t *testing.T) {
	robot := *slider()
	robot.Semantic = &urdf.Semantic{VirtualJoints: []urdf.VirtualJoint{
		{Name: "v", Type: "fixed", ParentFrame: "world", ChildLink: "base"},
		{Name: "w", Type: "planar", ParentFrame: "odom", ChildLink: "base"},
	}}
	rests, err := motion.Between([]string{"x"}, []float64{0}, []float64{0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	moves := *rests
	moves.Root = []motion.RootPiece{{Start: geom.IdentityPose(), Velocity: geom.Vec{Y: 1}}}
	for _, c := range []struct {
		frame         string
		rests, moving string // part of the error, if any
	}{
		{"", "", ""},
		{"base", "", "the scene's poses are in its frame"},
		{"world", "", "which the SRDF fixes"},
		{"odom", "in which the root link base floats", ""},
	} {
		world := worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))
		world.Frame = c.frame
		checker, err := New(&robot, world, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, resting := checker.Check(context.Background(), rests, motion.Query{})
		_, moving := checker.Check(context.Background(), &moves, motion.Query{})
		_, distance := checker.Distance(context.Background(), nil, motion.DistanceQuery{})
		for _, e := range []struct {
			what, want string
			got        error
		}{{"rests", c.rests, resting}, {"moves", c.moving, moving}, {"is asked for its distance", c.rests, distance}} {
			if (e.got == nil) != (e.want == "") || e.got != nil && !strings.Contains(e.got.Error(), e.want) {
				t.Errorf("frame %q, the root link %s: error %v, want %q", c.frame, e.what, e.got, e.want)
			}
		}
	}
}

// A scene that was moved into the root link by the pose of a joint is nothing for a motion that
// moves the root link in another frame: its obstacles would be elsewhere.
func TestPlacedScenesAreNoFrameOfMotions(t *testing.T) {
	robot := *slider()
	robot.Semantic = &urdf.Semantic{VirtualJoints: []urdf.VirtualJoint{{Name: "w", Type: "planar", ParentFrame: "odom", ChildLink: "base"}}}
	rests, err := motion.Between([]string{"x"}, []float64{0}, []float64{0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	moves := *rests
	moves.Root = []motion.RootPiece{{Start: geom.IdentityPose(), Velocity: geom.Vec{Y: 1}}}
	world := worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))
	world.PlacedBy = "w"
	checker, err := New(&robot, world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := checker.Check(context.Background(), rests, motion.Query{}); err != nil {
		t.Error(err)
	}
	if _, err := checker.Check(context.Background(), &moves, motion.Query{}); err == nil || !strings.Contains(err.Error(), "where joint w placed it") {
		t.Errorf("a motion that moves the root link: %v", err)
	}
}

func TestCheckRootJoint(t *testing.T) {
	plain, virtual := slider(), *slider()
	virtual.Semantic = &urdf.Semantic{VirtualJoints: []urdf.VirtualJoint{
		{Name: "glue", Type: "fixed", ParentFrame: "world", ChildLink: "base"},
		{Name: "walk", Type: "floating", ParentFrame: "odom", ChildLink: "base"},
		{Name: "hand", Type: "floating", ParentFrame: "odom", ChildLink: "x_link"},
	}}
	based := chainOf(
		chainJoint{name: "free", kind: urdf.Floating, origin: geom.IdentityPose()},
		chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: ball(0.1), at: pose(0, 0, 0)},
		chainJoint{name: "y", kind: urdf.Floating, origin: geom.IdentityPose()},
	)
	shifted, shaped := *based, *based
	shifted.Joints = append([]urdf.Joint(nil), based.Joints...)
	shifted.Joints[0].PosePC = pose(1, 0, 0)
	shaped.Links = append([]urdf.Link(nil), based.Links...)
	shaped.Links[0].Collisions = []urdf.Collision{{PoseLS: pose(0, 0, -3), Shape: ball(0.1)}}
	for _, c := range []struct {
		robot *urdf.Robot
		joint string
		want  string // part of the error, if any
	}{
		{plain, "free", "give the SRDF"},
		{plain, "x", "give the SRDF"},
		{&virtual, "walk", ""},
		{&virtual, "glue", "no floating or planar virtual joint"},
		{&virtual, "hand", "no floating or planar virtual joint"},
		{&virtual, "x", "no floating or planar virtual joint"},
		{based, "free", ""},
		{based, "y", "give the SRDF"},
		{&shifted, "free", "give the SRDF"},
		{&shaped, "free", "give the SRDF"},
	} {
		err := newChecker(t, c.robot, nil).CheckRootJoint(c.joint)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("joint %s: %v, want %q", c.joint, err, c.want)
		}
	}
}

// standsInTheWorld is a robot whose root link stands for the world, and on whose floating joint it hangs.
const standsInTheWorld = `<robot name="mobile"><link name="world"/>
<link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="arm"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="floating_base" type="floating"><parent link="world"/><child link="base"/></joint>
<joint name="j" type="prismatic"><parent link="base"/><child link="arm"/><origin xyz="0 0 2"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
</robot>`

// What is attached to the link that stands for the world does not move with the robot.
func TestAttachedToTheLinkThatStandsForTheWorld(t *testing.T) {
	robot := parsed(t, standsInTheWorld)
	rests := straight(t, "j", []float64{0}, []float64{0})
	moves := *rests
	moves.Root = []motion.RootPiece{{Start: geom.IdentityPose(), Velocity: geom.Vec{X: 3}}}
	for _, attached := range []bool{false, true} {
		table := object("table", box(0.2, 2, 2), pose(3, 0, 0))
		if attached {
			table.AttachedTo = "world"
		}
		for _, frame := range []string{"", "world"} {
			world := worldOf(table)
			world.Frame = frame
			c, err := New(robot, world, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if v := ask(t, c, rests, motion.Query{}); v.Status != motion.Free {
				t.Errorf("attached %t: at rest %v", attached, v.Status)
			}
			switch v, err := c.Check(context.Background(), &moves, motion.Query{}); {
			case attached && (err == nil || !strings.Contains(err.Error(), "object table is attached to link world, which stands for the world")):
				t.Errorf("frame %q: driven into the table that is attached to the world: %v, %v", frame, v.Status, err)
			case !attached && (err != nil || v.Status != motion.Contact):
				t.Errorf("frame %q: driven into the table: %v, %v", frame, v.Status, err)
			}
		}
		world := worldOf(table)
		world.PlacedBy = "floating_base"
		if _, err := New(robot, world, Options{}); (err == nil) == attached {
			t.Errorf("attached %t, in a scene that places the robot: %v", attached, err)
		}
	}
}
