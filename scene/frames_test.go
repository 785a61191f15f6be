package scene_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The root link world carries base_link 0.5 m above it, which turns arm about z by j1; hand is
// 0.3 m along arm, and finger follows j1 by half.
const armURDF = `<robot name="arm">
  <link name="world"/>
  <link name="base_link"/><link name="arm"/><link name="hand"/><link name="finger"/>
  <joint name="stand" type="fixed"><parent link="world"/><child link="base_link"/><origin xyz="0 0 0.5"/></joint>
  <joint name="j1" type="revolute"><parent link="base_link"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0.3 0 0"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/><mimic joint="j1" multiplier="0.5" offset="0.1"/></joint>
</robot>`

func armRobot(t *testing.T, virtual string) *urdf.Robot {
	t.Helper()
	robot, err := urdf.Parse([]byte(armURDF), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if virtual != "" {
		if robot, err = urdf.ParseSRDF(robot, []byte(`<robot name="arm">`+virtual+`</robot>`)); err != nil {
			t.Fatal(err)
		}
	}
	return robot
}

const (
	fixedToMap  = `<virtual_joint name="v" type="fixed" parent_frame="map" child_link="world"/>`
	floatsInMap = `<virtual_joint name="v" type="floating" parent_frame="map" child_link="world"/>`
)

// ballAt is a collision object: a ball 1 m along x of a frame.
func ballAt(id, frame string) string {
	return fmt.Sprintf("    - {id: %s, header: {frame_id: %q}, pose: {position: {x: 1, y: 0, z: 0}}, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: [{}], subframe_names: [top], subframe_poses: [{position: {x: 0, y: 0, z: 0.2}}]}\n", id, frame)
}

// Frames of a PlanningScene are resolved as MoveIt does: links at the scene's robot state, objects
// and subframes, fixed transforms, and what the SRDF fixes the root link to.
func TestFramesOfTheRobot(t *testing.T) {
	const (
		world   = "world:\n  collision_objects:\n"
		none    = "fixed_frame_transforms: []\n"
		turned  = "robot_state: {joint_state: {name: [j1], position: [1.5707963267948966]}}\n"
		cell    = "fixed_frame_transforms: [{header: {frame_id: world}, child_frame_id: cell, transform: {translation: {x: 5, y: 0, z: 0}}}]\n"
		placed  = "robot_state: {multi_dof_joint_state: {header: {frame_id: map}, joint_names: [v], transforms: [{translation: {x: 1, y: 0, z: 0}}]}}\n"
		half    = math.Pi / 2
		printed = "fixed_frame_transforms:\n- header:\n    stamp:\n      sec: 0\n      nanosec: 0\n    frame_id: world\n  child_frame_id: world\n  transform:\n    translation:\n      x: 0.0\n      y: 0.0\n      z: 0.0\n    rotation:\n      x: 0.0\n      y: 0.0\n      z: 0.0\n      w: 1.0\n"
	)
	for _, c := range []struct {
		name, virtual, text string
		frame               string
		at                  []geom.Vec // the objects
		fails               []string
	}{
		{name: "no transforms", text: none + world + ballAt("a", "world"), frame: "world", at: []geom.Vec{{X: 1}}},
		{name: "no transforms, a frame that the SRDF fixes", virtual: fixedToMap, text: none + world + ballAt("a", "map"), frame: "map", at: []geom.Vec{{X: 1}}},
		{name: "root and what it is fixed to", virtual: fixedToMap, text: printed + world + ballAt("a", "map") + ballAt("b", "world") + ballAt("c", ""), frame: "world", at: []geom.Vec{{X: 1}, {X: 1}, {X: 1}}},
		{name: "a link fixed to the root", text: world + ballAt("a", "base_link"), frame: "world", at: []geom.Vec{{X: 1, Z: 0.5}}},
		{name: "both", text: none + world + ballAt("a", "base_link") + ballAt("b", "world"), frame: "world", at: []geom.Vec{{X: 1, Z: 0.5}, {X: 1}}},
		{name: "a link that moves", text: turned + world + ballAt("a", "hand"), frame: "world", at: []geom.Vec{{Y: 1.3, Z: 0.5}}},
		{name: "a link that follows", text: turned + world + ballAt("a", "finger"), frame: "world", at: []geom.Vec{{Y: 1.4 + half/2, Z: 0.5}}},
		{name: "of unknown position", text: world + ballAt("a", "hand"), fails: []string{"object a", "link hand", "joint j1", "robot_state.joint_state"}},
		{name: "an object", text: world + ballAt("a", "base_link") + ballAt("b", "a") + ballAt("c", "a/top"), frame: "world", at: []geom.Vec{{X: 1, Z: 0.5}, {X: 2, Z: 0.5}, {X: 2, Z: 0.7}}},
		{name: "a subframe that is not there", text: world + ballAt("a", "world") + ballAt("b", "a/tip"), fails: []string{"object b", "frame a/tip"}},
		{name: "a transform", text: cell + world + ballAt("a", "cell") + ballAt("b", "base_link"), frame: "world", at: []geom.Vec{{X: 6}, {X: 1, Z: 0.5}}},
		{name: "misspelt", text: cell + world + ballAt("a", "base_lnik"), fails: []string{"object a", "frame base_lnik", `did you mean "base_link"?`}},
		{name: "alone and unknown", text: none + world + ballAt("a", "wrld"), fails: []string{"object a", "frame wrld", `did you mean "world"?`, "in the root link world"}},
		{name: "misspelt before another", text: world + ballAt("a", "base_lnik") + ballAt("b", "world"), fails: []string{"object a", `did you mean "base_link"?`}},
		{name: "one of two that the SRDF names", virtual: floatsInMap + `<virtual_joint name="w" type="fixed" parent_frame="hall" child_link="world"/>`, text: world + ballAt("a", "hall"), frame: "hall", at: []geom.Vec{{X: 1}}},
		{name: "unknown beside the root", text: world + ballAt("a", "world") + ballAt("b", "odom"), fails: []string{"object b", "frame odom"}},
		{name: "floating", virtual: floatsInMap, text: none + world + ballAt("a", "map"), frame: "map", at: []geom.Vec{{X: 1}}},
		{name: "floating, all on the robot", virtual: floatsInMap, text: none + world + ballAt("a", "base_link") + ballAt("b", "world"), frame: "world", at: []geom.Vec{{X: 1, Z: 0.5}, {X: 1}}},
		{name: "floating, here and there", virtual: floatsInMap, text: none + world + ballAt("a", "map") + ballAt("b", "base_link"), fails: []string{"object b", "multi_dof_joint_state"}},
		{name: "placed", virtual: floatsInMap, text: placed + world + ballAt("a", "map") + ballAt("b", "base_link"), frame: "", at: []geom.Vec{{}, {X: 1, Z: 0.5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scene.Parse("f", []byte(c.text), scene.Options{Robot: armRobot(t, c.virtual)})
			if c.fails != nil {
				wantError(t, err, c.fails...)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if s.Frame != c.frame {
				t.Errorf("frame %q, want %q", s.Frame, c.frame)
			}
			for i, want := range c.at {
				if d := cmp.Diff(want, s.Objects[i].PoseWS.P, sameObjects); d != "" {
					t.Errorf("object %s: %s", s.Objects[i].ID, d)
				}
			}
		})
	}
}

// A floating joint below a root link that stands for the world places what it carries: the root
// link's frame stays that of the obstacles.
func TestFramesBelowAFloatingJoint(t *testing.T) {
	const walker = `<robot name="walker"><link name="world"/><link name="trunk"><collision><geometry><sphere radius="0.1"/></geometry></collision></link><link name="foot"/>
		<joint name="free" type="floating"><parent link="world"/><child link="trunk"/></joint>
		<joint name="leg" type="fixed"><parent link="trunk"/><child link="foot"/><origin xyz="0 0 -1"/></joint></robot>`
	robot, err := urdf.Parse([]byte(walker), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"", "header: {frame_id: world}, "} {
		text := "robot_state: {multi_dof_joint_state: {" + header + "joint_names: [free], transforms: [{translation: {x: 10, y: 0, z: 0}}]}}\nworld:\n  collision_objects:\n" +
			ballAt("a", "world") + ballAt("b", "foot") + ballAt("c", "")
		s, err := scene.Parse("f", []byte(text), scene.Options{Robot: robot})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(map[string]string{"a": "-9 0 0", "b": "1 0 -1", "c": "-9 0 0"}, places(s)); d != "" || s.PlacedBy != "free" {
			t.Errorf("placed by %q: %s", s.PlacedBy, d)
		}
	}
}

// An attached object may be given in any frame that does not move against its link, or whose
// pose the robot state tells.
func TestAttachedInOtherFrames(t *testing.T) {
	scenes := func(state, link, frame string) string {
		return "robot_state: {" + state + "attached_collision_objects: [{link_name: " + link + ", object: {id: a, header: {frame_id: " + frame + "}, pose: {position: {x: 1, y: 0, z: 0}}, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: [{}]}}]}\n"
	}
	const turned = "joint_state: {name: [j1], position: [1.5707963267948966]}, "
	for _, c := range []struct {
		name, text string
		at         geom.Vec
		fails      []string
	}{
		{name: "the same body", text: scenes("", "hand", "arm"), at: geom.Vec{X: 0.7}},
		{name: "a fixed link", text: scenes(turned, "hand", "base_link"), at: geom.Vec{X: -0.3, Y: -1}},
		{name: "the world", text: scenes(turned, "arm", "world"), at: geom.Vec{Y: -1, Z: -0.5}},
		{name: "of unknown position", text: scenes("", "hand", "base_link"), fails: []string{"object a", "link hand", "frame base_link", "joint j1"}},
		{name: "unknown", text: scenes(turned, "hand", "bse_link"), fails: []string{"object a", "bse_link", "did you mean"}},
		{name: "on an unknown link", text: scenes(turned, "hnad", "world"), fails: []string{"object a", "link hnad", `did you mean "hand"?`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scene.Parse("f", []byte(c.text), scene.Options{Robot: armRobot(t, "")})
			if c.fails != nil {
				wantError(t, err, c.fails...)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.at, s.Objects[0].PoseWS.P, sameObjects); d != "" {
				t.Error(d)
			}
		})
	}
}

// A scene of any format in the frame of a link that is fixed to the root is moved there.
func TestScenesInFixedLinks(t *testing.T) {
	text := func(frame string) string {
		return "frame: " + frame + "\nobjects: [{id: a, type: sphere, radius: 0.1, xyz: [1, 0, 0]}, {id: b, type: sphere, radius: 0.1, attached_to: hand}]\n"
	}
	robot := armRobot(t, "")
	s, err := scene.Parse("f", []byte(text("base_link")), scene.Options{Robot: robot})
	if err != nil {
		t.Fatal(err)
	}
	if s.Frame != "world" || s.Version != 1 || s.Objects[0].PoseWS.P != (geom.Vec{X: 1, Z: 0.5}) || s.Objects[1].PoseWS.P != (geom.Vec{}) {
		t.Errorf("%+v", s)
	}
	_, err = scene.Parse("f", []byte(text("hand")), scene.Options{Robot: robot})
	wantError(t, err, "f: ", "frame hand", "joint j1")
	for _, frame := range []string{"world", "elsewhere"} {
		if s, err = scene.Parse("f", []byte(text(frame)), scene.Options{Robot: robot}); err != nil || s.Frame != frame || s.Objects[0].PoseWS.P != (geom.Vec{X: 1}) {
			t.Errorf("frame %s: %+v, %v", frame, s, err)
		}
	}
}

// A pair that the scene has checked and the SRDF leaves out is told.
func TestMatrixAgainstSRDF(t *testing.T) {
	const matrix = "allowed_collision_matrix: {entry_names: [arm, hand, finger], entry_values: [[true, %[1]v, true], [%[1]v, true, false], [true, false, true]]}\nworld: {}\n"
	robot := armRobot(t, `<disable_collisions link1="hand" link2="arm" reason="Adjacent"/>`)
	for allowed, want := range map[bool]int{true: 0, false: 1} {
		s, err := scene.Parse("f", []byte(fmt.Sprintf(matrix, allowed)), scene.Options{Robot: robot})
		if err != nil || len(s.Warnings) != want || want == 1 && !strings.Contains(s.Warnings[0], "arm and hand checked, and the SRDF leaves them out") {
			t.Errorf("allowed %v: %v, %v", allowed, s, err)
		}
	}
}

// Joint positions are read only as they are meant, and a scene of another robot is told.
func TestRobotStates(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"half a state", "robot_state: {joint_state: {name: [j1], position: []}}\n", "1 names and 0 positions"},
		{"NaN", "robot_state: {joint_state: {name: [j1], position: [.nan]}}\n", "finite"},
	} {
		_, err := scene.Parse("f", []byte(c.text), scene.Options{Robot: armRobot(t, "")})
		wantError(t, err, "f:1", c.want)
	}
	s, err := scene.Parse("f", []byte("robot_model_name: leg\nworld: {}\n"), scene.Options{Robot: armRobot(t, "")})
	if err != nil || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "robot leg, and this robot is called arm") {
		t.Errorf("%v, %v", s, err)
	}
}
