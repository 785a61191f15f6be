package setting

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// crane is a head that x moves along the rail and z moves up.
const crane = `<robot name="crane"><link name="rail"/><link name="trolley"/><link name="head"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="plate"/><joint name="bolt" type="fixed"><parent link="rail"/><child link="plate"/></joint>
<joint name="x" type="prismatic"><parent link="rail"/><child link="trolley"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="100"/></joint>
<joint name="z" type="prismatic"><parent link="trolley"/><child link="head"/><axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="100"/></joint></robot>`

// wall is a cube of 1 m whose face is at x = 1, at a height.
func wall(t *testing.T, height float64) *scene.Snapshot {
	t.Helper()
	w, err := scene.New("", scene.NewBox("wall", geom.Translation(geom.Vec{X: 1.5, Z: height}), geom.Vec{X: 1, Y: 1, Z: 1}))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// along is a motion of x from 0 to 1.2, which touches a wall at the height of the head.
func along(t *testing.T) *motion.Motion {
	t.Helper()
	m, err := motion.Between([]string{"x"}, []float64{0}, []float64{1.2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What was given holds, unless the file has its own; the start state that was given takes precedence over the file's.
func TestCheckerOf(t *testing.T) {
	robot, err := urdf.Parse([]byte(crane), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	base, err := ccd.New(robot, wall(t, 0), ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	above := func() (*scene.Snapshot, error) { return wall(t, 5), nil }
	up := map[string]float64{"z": 5}
	for name, tc := range map[string]struct {
		s    Setting
		l    motionfile.Loaded
		want motion.Status
	}{
		"what was given":                      {Setting{}, motionfile.Loaded{}, motion.Contact},
		"a start state":                       {Setting{}, motionfile.Loaded{Start: up}, motion.Free},
		"a start state that was given, too":   {Setting{State: map[string]float64{"z": 0}}, motionfile.Loaded{Start: up}, motion.Contact},
		"obstacles":                           {Setting{}, motionfile.Loaded{Obstacles: above}, motion.Free},
		"obstacles and a start state":         {Setting{}, motionfile.Loaded{Obstacles: above, Start: up}, motion.Contact},
		"obstacles, which the scene replaces": {Setting{Scene: true}, motionfile.Loaded{Obstacles: above}, motion.Contact},
	} {
		tc.s.Checker, tc.l.Motion = base, along(t)
		c, notes, err := tc.s.CheckerOf(&tc.l)
		if err != nil || len(notes) > 0 {
			t.Fatalf("%s: %v, notes %q", name, err, notes)
		}
		if v, err := c.Check(context.Background(), tc.l.Motion, motion.Query{}); err != nil || v.Status != tc.want {
			t.Errorf("%s: %v, want %v (%v)", name, v.Status, tc.want, err)
		}
	}
}

// raised moves z up and then x to the wall, which is below the head by then, or above it.
const raised = `{"trajectory_start": {"joint_state": {"name": ["x", "z"], "position": [0, 0]}}, "trajectory": [
{"joint_trajectory": {"joint_names": ["z"], "points": [{"positions": [0], "time_from_start": 0}, {"positions": [5], "time_from_start": 1}]}},
{"joint_trajectory": {"joint_names": ["x"], "points": [{"positions": [0], "time_from_start": 0}, {"positions": [1.2], "time_from_start": 1}]}}]}`

// The state that was given is that before the first trajectory of a file.
func TestCheckerOfFollowingTrajectories(t *testing.T) {
	robot, err := urdf.Parse([]byte(crane), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]float64{"x": 0, "z": 0}
	c, err := ccd.New(robot, wall(t, 5), ccd.Options{State: given})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := motionfile.Parse("f", []byte(raised), motionfile.Options{Start: given})
	if err != nil {
		t.Fatal(err)
	}
	s := Setting{Checker: c, State: given}
	for i, want := range []motion.Status{motion.Free, motion.Contact} {
		c, _, err := s.CheckerOf(&loaded[i])
		if err != nil {
			t.Fatal(err)
		}
		if v, err := c.Check(context.Background(), loaded[i].Motion, motion.Query{}); err != nil || v.Status != want {
			t.Errorf("trajectory %d: %v, want %v (%v)", i+1, v.Status, want, err)
		}
	}
}

// Transforms of a root link are in the parent frame of its joint.
func TestCheckerOfRootFrame(t *testing.T) {
	parse := func(text string) *urdf.Robot {
		robot, err := urdf.Parse([]byte(text), urdf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return robot
	}
	virtual, err := urdf.ParseSRDF(parse(crane), []byte(`<robot name="crane"><virtual_joint name="drive" type="floating" parent_frame="hall" child_link="rail"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	floating := parse(`<robot name="r"><link name="ground"/><link name="body"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<joint name="drive" type="floating"><parent link="ground"/><child link="body"/></joint></robot>`)
	for _, tc := range []struct {
		robot *urdf.Robot
		frame string
		fault string
	}{
		{virtual, "", ""},
		{virtual, "hall", ""},
		{virtual, "rail", "hall"},
		{virtual, "map", "hall"},
		{floating, "ground", ""},
		{floating, "map", "ground"},
	} {
		c, err := ccd.New(tc.robot, nil, ccd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := Setting{Checker: c}
		_, _, err = s.CheckerOf(&motionfile.Loaded{Motion: along(t), RootJoint: "drive", RootFrame: tc.frame})
		if (err != nil) != (tc.fault != "") || err != nil && !strings.Contains(err.Error(), "its parent frame is "+tc.fault) {
			t.Errorf("frame %q: %v", tc.frame, err)
		}
	}
}

// Joints that the robot lacks or has fixed are noted, those that the motion moves are not of the start state, and the
// file's own map stays what it is.
func TestCheckerOfForeignJoints(t *testing.T) {
	robot, err := urdf.Parse([]byte(crane), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	base, err := ccd.New(robot, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := Setting{Checker: base}
	l := motionfile.Loaded{Motion: along(t), Start: map[string]float64{"x": 7, "z": 2, "gripper": 1, "bolt": 1}}
	c, notes, err := s.CheckerOf(&l)
	if err != nil || len(notes) != 1 || !strings.HasSuffix(notes[0], ": bolt, gripper") || len(l.Start) != 4 {
		t.Fatalf("%q, %v, start %v", notes, err, l.Start)
	}
	if state := c.State(); state["z"] != 2 || state["x"] != 0 {
		t.Errorf("state %v", state)
	}
	none := errors.New("no obstacles")
	for name, l := range map[string]motionfile.Loaded{
		"root joint":   {Motion: along(t), RootJoint: "floating"},
		"no obstacles": {Motion: along(t), Obstacles: func() (*scene.Snapshot, error) { return nil, none }},
	} {
		if c, _, err := s.CheckerOf(&l); err == nil || c != nil && name == "root joint" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !slices.Equal(base.ActiveJoints(), []string{"x", "z"}) || base.State()["z"] != 0 {
		t.Errorf("the checker that was given has changed: %v", base.State())
	}
}
