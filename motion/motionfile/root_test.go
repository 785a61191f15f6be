package motionfile_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/premise"
)

const unmoved = "{translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}"

// wantRoot wants the root link's origin and the direction of its x axis.
func wantRoot(t *testing.T, m *motion.Motion, at float64, origin, x geom.Vec) {
	t.Helper()
	if len(m.Root) == 0 {
		t.Fatal("the root link does not move")
	}
	pose := m.RootAt(at)
	if d := geom.Norm(r3.Sub(pose.P, origin)) + geom.Norm(r3.Sub(pose.R.Apply(geom.Vec{X: 1}), x)); d > 1e-12 {
		t.Errorf("at %g s the root link is at %v, want %v with x along %v", at, pose, origin, x)
	}
}

const walking = `joint_trajectory:
  joint_names: [a]
  points:
  - {positions: [1], velocities: [0], time_from_start: 1}
  - {positions: [2], velocities: [0], time_from_start: 3}
multi_dof_joint_trajectory:
  header: {frame_id: world}
  joint_names: [base]
  points:
  - {transforms: [{translation: {x: 1, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}], velocities: [], time_from_start: 1}
  - {transforms: [{translation: {x: 1, y: 2, z: 0}, rotation: {x: 0, y: 0, z: 0.7071067811865476, w: 0.7071067811865476}}], time_from_start: 3}
`

func TestMultiDOF(t *testing.T) {
	l := one(t, walking, motionfile.Options{})
	wantWarnings(t, l, "first point is at 1 s")
	if l.RootJoint != "base" || len(l.Motion.Pieces[0].Ctrl[0]) != 4 {
		t.Errorf("joint %q, control points %v", l.RootJoint, l.Motion.Pieces[0].Ctrl)
	}
	half := math.Sqrt(0.5)
	wantRoot(t, l.Motion, 1, geom.Vec{X: 1}, geom.Vec{X: 1})
	wantRoot(t, l.Motion, 2, geom.Vec{X: 1, Y: 1}, geom.Vec{X: half, Y: half})
	wantRoot(t, l.Motion, 3, geom.Vec{X: 1, Y: 2}, geom.Vec{Y: 1})

	// Where the root stands before is not known: it waits at its first pose, with a gap.
	l = one(t, walking, motionfile.Options{Start: map[string]float64{"a": 0}})
	wantRoot(t, l.Motion, 0, geom.Vec{X: 1}, geom.Vec{X: 1})
	wantRootGap(t, l.Motion, "base", "is not known")

	displayed := "trajectory:\n- " + strings.ReplaceAll(strings.TrimSpace(walking), "\n", "\n  ") + `
- joint_trajectory: {joint_names: [a], points: [{positions: [5], time_from_start: 1}]}
  multi_dof_joint_trajectory: {joint_names: [base], points: [{transforms: [` + unmoved + `], time_from_start: 1}]}
trajectory_start:
  joint_state: {name: [a], position: [0]}
  multi_dof_joint_state: {joint_names: [base], transforms: [{translation: {x: 0, y: -1, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}]}
`
	loaded := parse(t, "f", displayed, motionfile.Options{})
	wantWarnings(t, loaded[0], "at rest at its start")
	wantRoot(t, loaded[0].Motion, 0, geom.Vec{Y: -1}, geom.Vec{X: 1})
	wantRoot(t, loaded[0].Motion, 1, geom.Vec{X: 1}, geom.Vec{X: 1})
	// The second sets out from where the first has ended.
	wantRoot(t, loaded[1].Motion, 0, geom.Vec{X: 1, Y: 2}, geom.Vec{Y: 1})
	wantRoot(t, loaded[1].Motion, 1, geom.Vec{}, geom.Vec{X: 1})
	for i := range loaded {
		if gaps := loaded[i].Motion.Gaps; len(gaps) != 0 {
			t.Errorf("motion %d has the gaps %v", i, gaps)
		}
	}
}

func wantRootGap(t *testing.T, m *motion.Motion, joint, detail string) {
	t.Helper()
	if len(m.Gaps) != 1 || m.Gaps[0].Kind != premise.Start || !slices.Equal(m.Gaps[0].Names, []string{joint}) || !strings.Contains(m.Gaps[0].Detail, detail) {
		t.Errorf("gaps %+v, want one of the start of %s: %s", m.Gaps, joint, detail)
	}
}

// Where the root link starts and where it moves are poses of one frame.
func TestRootFrames(t *testing.T) {
	text := func(start, first, second string) string {
		moves := func(frame string) string {
			return "- joint_trajectory: {joint_names: [a], points: [{positions: [0], time_from_start: 0}]}\n" +
				"  multi_dof_joint_trajectory: {" + frame + " joint_names: [base], points: [{transforms: [" + unmoved + "], time_from_start: 0}]}\n"
		}
		return "trajectory:\n" + moves(first) + moves(second) + "trajectory_start: {multi_dof_joint_state: {" + start + " joint_names: [base], transforms: [" + unmoved + "]}}\n"
	}
	in := func(frame string) string { return "header: {stamp: {sec: 0, nanosec: 0}, frame_id: " + frame + "}," }
	for _, c := range []struct {
		start, first, second string
		gaps                 [2]bool
	}{
		{in("odom"), in("/odom"), in("odom"), [2]bool{false, false}},
		{"", in("odom"), "", [2]bool{false, false}},
		{in("map"), in("odom"), in("odom"), [2]bool{true, false}},
		{in("odom"), in("odom"), in("map"), [2]bool{false, true}},
	} {
		for i, l := range parse(t, "f", text(c.start, c.first, c.second), motionfile.Options{}) {
			if c.gaps[i] {
				wantRootGap(t, l.Motion, "base", "in the frame map")
			} else if len(l.Motion.Gaps) != 0 {
				t.Errorf("%+v, motion %d: gaps %v", c, i, l.Motion.Gaps)
			}
			if i == 0 && l.RootFrame != "odom" {
				t.Errorf("root frame %q", l.RootFrame)
			}
		}
	}
	_, err := motionfile.Parse("f", []byte(text("header: {frame_id: [map]},", "", "")), motionfile.Options{})
	wantError(t, err, "frame_id")
}

// A robot cannot jump from where it is said to stand to its first pose.
func TestRootStepsAtTheStart(t *testing.T) {
	at := func(x, z string) string {
		return "{translation: {x: " + x + ", y: 0, z: 0}, rotation: {x: 0, y: 0, z: " + z + ", w: 1}}"
	}
	text := func(transform string) string {
		return `trajectory:
- joint_trajectory: {joint_names: [a], points: [{positions: [0], time_from_start: 0}, {positions: [1], time_from_start: 1}]}
  multi_dof_joint_trajectory: {joint_names: [base], points: [{transforms: [` + unmoved + `], time_from_start: 0}, {transforms: [` + unmoved + `], time_from_start: 1}]}
- joint_trajectory: {joint_names: [a], points: [{positions: [1], time_from_start: 0}, {positions: [0], time_from_start: 1}]}
  multi_dof_joint_trajectory: {joint_names: [base], points: [{transforms: [` + transform + `], time_from_start: 0}, {transforms: [` + transform + `], time_from_start: 1}]}
trajectory_start:
  multi_dof_joint_state: {joint_names: [base], transforms: [` + transform + `]}
`
	}
	for _, c := range []struct {
		x, z string
		gap  bool
	}{{"0.000001", "0.000001", false}, {"5", "0", true}, {"0", "0.00001", true}} {
		for i, l := range parse(t, "f", text(at(c.x, c.z)), motionfile.Options{}) {
			if c.gap {
				wantRootGap(t, l.Motion, "base", "the step between")
			} else if len(l.Motion.Gaps) != 0 {
				t.Errorf("motion %d: gaps %v", i, l.Motion.Gaps)
			}
		}
	}
}

func TestMultiDOFErrors(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"two joints":    {"[base]", "[base, arm]", []string{"f:7", "names 2 joints"}},
		"nameless":      {"[base]", `[""]`, []string{"multi_dof"}},
		"points":        {"- {positions: [2], velocities: [0], time_from_start: 3}", "", []string{"2 points", "has 1"}},
		"times":         {"time_from_start: 3}\n", "time_from_start: 4}\n", []string{"at 3 s", "at 4 s"}},
		"no transform":  {"transforms: [{translation: {x: 1, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}]", "transforms: []", []string{"f:10", "0 transforms"}},
		"no rotation":   {", rotation: {x: 0, y: 0, z: 0, w: 1}", "", []string{"f:10", "no rotation"}},
		"no quaternion": {"{x: 0, y: 0, z: 0, w: 1}", "{x: 0, y: 0, z: 0, w: 0}", []string{"f:10", "length 0"}},
		"three numbers": {"{x: 0, y: 0, z: 0, w: 1}", "{x: 0, y: 0, z: 0}", []string{"f:10", "rotation"}},
		"NaN":           {"{x: 1, y: 0, z: 0}", "{x: .nan, y: 0, z: 0}", []string{"f:10", "translation"}},
		"half a turn":   {"z: 0.7071067811865476, w: 0.7071067811865476", "z: 1, w: 0", []string{"half a turn"}},
		"unknown key":   {"velocities: [], time", "wrench: [], time", []string{"f:10", "wrench"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(walking, c.old, c.new, 1)
			if text == walking {
				t.Fatal("nothing was spoilt")
			}
			_, err := motionfile.Parse("f", []byte(text), motionfile.Options{})
			wantError(t, err, c.want...)
		})
	}
}

func TestRootColumns(t *testing.T) {
	text := "time,a,root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw\n0,1,0,0,1,0,0,0,1\n2,2,4,0,1,0,0,0.6,0.8\n"
	l := one(t, text, motionfile.Options{})
	if l.RootJoint != "" || len(l.Motion.Joints) != 1 {
		t.Errorf("root joint %q, joints %v", l.RootJoint, l.Motion.Joints)
	}
	wantRoot(t, l.Motion, 0, geom.Vec{Z: 1}, geom.Vec{X: 1})
	wantRoot(t, l.Motion, 1, geom.Vec{X: 2, Z: 1}, geom.Vec{X: 0.8, Y: 0.6})
	wantRoot(t, l.Motion, 2, geom.Vec{X: 4, Z: 1}, geom.Vec{X: 0.28, Y: 0.96})

	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"one missing":    {"root_qz", "_", []string{"f:1", "6 columns", "root_qz"}},
		"one twice":      {"root_qz", "root_qx", []string{"f:1", "7 columns", "once"}},
		"no quaternion":  {"0.6,0.8", "0.6,0.6", []string{"f:3", "root_qx", "length"}},
		"NaN":            {"0.6,0.8", "nan,0.8", []string{"f:3", "root_qz"}},
		"no joint":       {"time,a", "time,_", []string{"no column named after a joint"}},
		"the root jumps": {"\n2,2,", "\n0,1,", []string{"root link jumps", "waypoints 0 and 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := motionfile.Parse("f", []byte(strings.Replace(text, c.old, c.new, 1)), motionfile.Options{})
			wantError(t, err, c.want...)
		})
	}
}
