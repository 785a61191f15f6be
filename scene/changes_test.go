package scene_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// echoed is a message as ros2 topic echo prints it, with an operation as the text of one byte.
func echoed(diff, attached, objects string) string {
	return `name: (noname)+
robot_state:
  joint_state:
    header:
      stamp:
        sec: 12
        nanosec: 5
      frame_id: world
    name:
    - j1
    position:
    - 1.5707963267948966
    velocity: []
    effort: []
  multi_dof_joint_state:
    header:
      stamp:
        sec: 12
        nanosec: 5
      frame_id: world
    joint_names: []
    transforms: []
    twist: []
    wrench: []
  attached_collision_objects: ` + attached + `
  is_diff: ` + diff + `
robot_model_name: arm
fixed_frame_transforms: []
allowed_collision_matrix:
  entry_names: []
  entry_values: []
  default_entry_names: []
  default_entry_values: []
link_padding: []
link_scale: []
object_colors:
- id: a
  color:
    r: 0.0
    g: 1.0
    b: 0.0
    a: 1.0
world:
  collision_objects: ` + objects + `
  octomap:
    header:
      stamp:
        sec: 0
        nanosec: 0
      frame_id: ''
    origin:
      position:
        x: 0.0
        y: 0.0
        z: 0.0
      orientation:
        x: 0.0
        y: 0.0
        z: 0.0
        w: 1.0
    octomap:
      header:
        stamp:
          sec: 0
          nanosec: 0
        frame_id: ''
      binary: false
      id: ''
      resolution: 0.0
      data: []
is_diff: ` + diff + `
---
`
}

// echoedObject is an item of a list of collision objects: a ball at x in a frame.
func echoedObject(indent, id, frame, x, primitives, operation string) string {
	poses := "[]"
	if primitives != "[]" {
		poses = "[{position: {x: 0.0, y: 0.0, z: 0.0}, orientation: {x: 0.0, y: 0.0, z: 0.0, w: 1.0}}]"
	}
	text := `
- header:
    stamp:
      sec: 0
      nanosec: 0
    frame_id: ` + frame + `
  pose:
    position:
      x: ` + x + `
      y: 0.0
      z: 0.0
    orientation:
      x: 0.0
      y: 0.0
      z: 0.0
      w: 1.0
  id: ` + id + `
  type:
    key: ''
    db: ''
  primitives: ` + primitives + `
  primitive_poses: ` + poses + `
  meshes: []
  mesh_poses: []
  planes: []
  plane_poses: []
  subframe_names: []
  subframe_poses: []
  operation: "` + operation + `"`
	return strings.ReplaceAll(text, "\n", "\n"+indent)
}

const (
	ballOf = "[{type: 2, dimensions: [0.1], polygon: {points: []}}]"
	addOp  = `\0`
	delOp  = `\x01`
	appOp  = `\x02`
	moveOp = `\x03`
)

func worldObject(id, frame, x, primitives, operation string) string {
	return echoedObject("  ", id, frame, x, primitives, operation)
}

func carried(id, link, frame, x, primitives, operation string) string {
	object := strings.TrimPrefix(echoedObject("    ", id, frame, x, primitives, operation), "\n    - ")
	return "\n  - link_name: " + link + "\n    object:\n      " + object + "\n    touch_links: []\n    detach_posture:\n      joint_names: []\n      points: []\n    weight: 0.0"
}

// Recorded messages are applied one after the other, as MoveIt does.
func TestRecordedScenes(t *testing.T) {
	whole := echoed("false", "[]", worldObject("a", "world", "1.0", ballOf, addOp)+worldObject("b", "base_link", "2.0", ballOf, addOp))
	diff := func(attached, objects string) string { return echoed("true", attached, objects) }
	for _, c := range []struct {
		name, text string
		want       map[string]string // the objects and where they are: x y z, after @ the link
		gaps       int
		warns      string
		fails      []string
	}{
		{name: "whole", text: whole, want: map[string]string{"a": "1 0 0", "b": "2 0 0.5"}},
		{name: "add", text: whole + diff("[]", worldObject("c", "world", "3.0", ballOf, addOp)), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5", "c": "3 0 0"}},
		{name: "add in place of another", text: whole + diff("[]", worldObject("a", "world", "3.0", ballOf, addOp)), want: map[string]string{"a": "3 0 0", "b": "2 0 0.5"}},
		{name: "remove", text: whole + diff("[]", worldObject("a", "world", "0.0", "[]", delOp)), want: map[string]string{"b": "2 0 0.5"}},
		{name: "remove all", text: whole + diff("[]", worldObject("''", "world", "0.0", "[]", delOp)), want: map[string]string{}},
		{name: "remove what is not there", text: whole + diff("[]", worldObject("z", "world", "0.0", "[]", delOp)), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5"}, warns: "object z: is removed"},
		{name: "move", text: whole + diff("[]", worldObject("a", "base_link", "4.0", "[]", moveOp)), want: map[string]string{"a": "4 0 0.5", "b": "2 0 0.5"}},
		{name: "move with shapes", text: whole + diff("[]", worldObject("a", "world", "4.0", ballOf, moveOp)), want: map[string]string{"a": "4 0 0", "b": "2 0 0.5"}, gaps: 1, warns: "moved by a message with shapes"},
		{name: "move what is not there", text: whole + diff("[]", worldObject("z", "world", "4.0", "[]", moveOp)), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5"}, gaps: 1, warns: "object z: is moved"},
		{name: "append", text: whole + diff("[]", worldObject("a", "world", "1.0", ballOf, appOp)), want: map[string]string{"a#1": "1 0 0", "a#2": "1 0 0", "b": "2 0 0.5"}},
		{name: "append elsewhere", text: whole + diff("[]", worldObject("a", "world", "1.5", ballOf, appOp)), want: map[string]string{"a#1": "1 0 0", "a#2": "1 0 0", "b": "2 0 0.5"}, gaps: 1, warns: "appended by a message with another pose"},
		{name: "append to nothing", text: whole + diff("[]", worldObject("c", "world", "3.0", ballOf, appOp)), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5", "c": "3 0 0"}},
		{name: "attach the world's", text: whole + diff(carried("a", "hand", "hand", "0.0", "[]", addOp), worldObject("a", "world", "0.0", "[]", delOp)), want: map[string]string{"a": "-0.3 -1 -0.5@hand", "b": "2 0 0.5"}},
		{name: "attach with shapes", text: whole + diff(carried("a", "hand", "hand", "0.2", ballOf, addOp), "[]"), want: map[string]string{"a": "0.2 0 0@hand", "b": "2 0 0.5"}},
		{name: "attach nothing", text: whole + diff(carried("z", "hand", "hand", "0.0", "[]", addOp), "[]"), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5"}, gaps: 1, warns: "object z: has no shapes"},
		{name: "attach and append", text: whole + diff(carried("c", "hand", "hand", "0.2", ballOf, addOp), "[]") + diff(carried("c", "hand", "hand", "0.2", ballOf, appOp), "[]"), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5", "c#1": "0.2 0 0@hand", "c#2": "0.2 0 0@hand"}},
		{name: "attach and detach", text: whole + diff(carried("c", "hand", "hand", "0.2", ballOf, addOp), "[]") + diff(carried("c", "''", "hand", "0.0", "[]", delOp), "[]"), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5", "c": "0 0.5 0.5"}},
		{name: "detach all of a link", text: whole + diff(carried("c", "hand", "hand", "0.2", ballOf, addOp), "[]") + diff(carried("''", "hand", "''", "0.0", "[]", delOp), "[]"), want: map[string]string{"a": "1 0 0", "b": "2 0 0.5", "c": "0 0.5 0.5"}},
		{name: "detach from another link", text: whole + diff(carried("c", "hand", "hand", "0.2", ballOf, addOp), "[]") + diff(carried("c", "arm", "hand", "0.0", "[]", delOp), "[]"), fails: []string{"object c", "link arm", "link hand"}},
		{name: "move what is attached", text: whole + diff(carried("c", "hand", "hand", "0.2", ballOf, addOp), "[]") + diff(carried("c", "hand", "hand", "0.0", "[]", moveOp), "[]"), fails: []string{"cannot be moved"}},
		{name: "a whole scene again", text: whole + diff(carried("c", "hand", "hand", "0.2", ballOf, addOp), "[]") + echoed("false", "[]", worldObject("d", "world", "1.0", ballOf, addOp)), want: map[string]string{"d": "1 0 0"}},
		{name: "only a change", text: diff("[]", worldObject("c", "world", "3.0", ballOf, addOp)), want: map[string]string{"c": "3 0 0"}, gaps: 1, warns: "is_diff"},
		{name: "attached and in the world", text: whole + diff(carried("c", "hand", "hand", "0.2", ballOf, addOp), worldObject("c", "world", "3.0", ballOf, addOp)), fails: []string{"object c", "appears twice"}},
		{name: "cut off", text: whole[:strings.Index(whole, "  octomap:")], fails: []string{"ends early", "cut off"}},
		{name: "cut off after others", text: whole + strings.TrimSuffix(diff("[]", "[]"), "is_diff: true\n---\n"), fails: []string{"ends early"}},
		{name: "an unknown operation", text: whole + diff("[]", worldObject("a", "world", "1.0", ballOf, "7")), fails: []string{"operation"}},
		{name: "a lost message", text: whole + "A message was lost!!!\n\ttotal count change:1\n\ttotal count: 1---\n", fails: []string{"a message was lost"}},
		{name: "the reply of a service", text: "response:\nmoveit_msgs.srv.GetPlanningScene_Response(scene=moveit_msgs.msg.PlanningScene(name=''))\n", fails: []string{"f:2", "ros2 topic echo --once --full-length"}},
		{name: "cut by the tool", text: strings.Replace(whole, "dimensions: [0.1]", "dimensions: ['...']", 1), fails: []string{"--full-length"}},
		{name: "the reply in YAML", text: "scene:\n  world: {collision_objects: [{id: a, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: [{position: {x: 1.0, y: 0.0, z: 0.0}}]}]}\n", want: map[string]string{"a": "1 0 0"}},
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
			if d := cmp.Diff(c.want, places(s)); d != "" {
				t.Errorf("want (-), got (+):\n%s", d)
			}
			if warnings := strings.Join(s.Warnings, "\n"); len(s.Gaps) != c.gaps || !strings.Contains(warnings, c.warns) || c.warns == "" && warnings != "" {
				t.Errorf("%d gaps, want %d; warnings %q, want %q", len(s.Gaps), c.gaps, warnings, c.warns)
			}
		})
	}
}

// A change that does not say where joints are lets the robot keep what it carries, whatever is_diff
// of its robot state is: that is false where nobody sets it.
func TestChangesKeepWhatTheRobotCarries(t *testing.T) {
	whole := echoed("false", carried("a", "hand", "hand", "0.1", ballOf, addOp), "[]")
	b := "attached_collision_objects: [{link_name: hand, object: {header: {frame_id: hand}, id: b, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: [{position: [0.2, 0, 0]}]}}]"
	j1 := "joint_state: {name: [j1], position: [0]}"
	for _, c := range []struct {
		name, state string
		want        map[string]string
	}{
		{"nothing", "{}", map[string]string{"a": "0.1 0 0@hand"}},
		{"nothing, as ROS prints it", "{joint_state: {name: [], position: []}, multi_dof_joint_state: {joint_names: [], transforms: []}, attached_collision_objects: [], is_diff: false}", map[string]string{"a": "0.1 0 0@hand"}},
		{"another object", "{" + b + "}", map[string]string{"a": "0.1 0 0@hand", "b": "0.2 0 0@hand"}},
		{"joints", "{" + j1 + "}", map[string]string{}},
		{"joints and another object", "{" + j1 + ", " + b + "}", map[string]string{"b": "0.2 0 0@hand"}},
		{"a virtual joint", "{multi_dof_joint_state: {joint_names: [v], transforms: [{}]}}", map[string]string{}},
		{"joints, as a change", "{" + j1 + ", is_diff: true}", map[string]string{"a": "0.1 0 0@hand"}},
	} {
		text := whole + "robot_state: " + c.state + "\nis_diff: true\n---\n"
		s, err := scene.Parse("f", []byte(text), scene.Options{Robot: armRobot(t, "")})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := cmp.Diff(c.want, places(s)); d != "" {
			t.Errorf("a state with %s: want (-), got (+):\n%s", c.name, d)
		}
	}
}

// places says where the objects of a scene are: x y z, after @ the link that carries them.
func places(s *scene.Snapshot) map[string]string {
	out := map[string]string{}
	for _, o := range s.Objects {
		at := func(x float64) float64 { return math.Round(x*1e9)/1e9 + 0 }
		out[o.ID] = fmt.Sprintf("%g %g %g", at(o.PoseWS.P.X), at(o.PoseWS.P.Y), at(o.PoseWS.P.Z))
		if o.AttachedTo != "" {
			out[o.ID] += "@" + o.AttachedTo
		}
	}
	return out
}

// Messages about single objects, as the topics collision_object and attached_collision_object
// carry them, change a scene; without one the file holds only changes.
func TestRecordedObjects(t *testing.T) {
	alone := func(text string) string {
		lines := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
		for i, line := range lines {
			lines[i] = line[min(4, len(line)):]
		}
		return strings.Join(lines, "\n") + "\n---\n"
	}
	whole := echoed("false", "[]", worldObject("a", "world", "1.0", ballOf, addOp))
	robot := armRobot(t, "")
	s, err := scene.Parse("f", []byte(whole+alone(worldObject("b", "world", "2.0", ballOf, addOp))+alone(worldObject("a", "world", "0.0", "[]", delOp))+alone(carried("c", "hand", "hand", "0.2", ballOf, addOp))), scene.Options{Robot: robot})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"b": "2 0 0", "c": "0.2 0 0@hand"}, places(s)); d != "" || len(s.Gaps) != 0 {
		t.Errorf("%s, gaps %v", d, s.Gaps)
	}
	s, err = scene.Parse("f", []byte(alone(worldObject("b", "world", "2.0", ballOf, addOp))), scene.Options{Robot: robot})
	if err != nil || len(s.Objects) != 1 || len(s.Gaps) != 1 || s.Gaps[0].Names[0] != "is_diff" {
		t.Errorf("%+v, %v", s, err)
	}
	cut := alone(worldObject("b", "world", "2.0", ballOf, addOp))
	_, err = scene.Parse("f", []byte(whole+cut[:strings.Index(cut, "planes")]), scene.Options{Robot: robot})
	wantError(t, err, "ends early")
}

// Without the robot, frames of links cannot be told.
func TestChangesWithoutTheRobot(t *testing.T) {
	whole := echoed("false", "[]", worldObject("a", "world", "1.0", ballOf, addOp))
	_, err := scene.Parse("f", []byte(whole+echoed("true", carried("a", "hand", "hand", "0.0", "[]", addOp), "[]")), scene.Options{})
	wantError(t, err, "object a", "link hand", "scene.Options.Robot")
}

// A plane is a surface, as in MoveIt: what stands on either side of it is free.
func TestPlanes(t *testing.T) {
	object := func(coef string) string {
		return "world: {collision_objects: [{id: floor, header: {frame_id: world}, planes: [{coef: " + coef + "}], plane_poses: [{position: {x: 0, y: 0, z: 0.5}}]}]}\n"
	}
	s := parse(t, "f", object("[0, 0, 1, -0.25]"))
	o := s.Objects[0]
	if len(o.Shape.Mesh.Triangles) != 2 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "two free sides") {
		t.Fatalf("%+v, %q", o, s.Warnings)
	}
	for _, v := range o.Shape.Mesh.Vertices {
		if at := o.PoseWS.Apply(v); math.Abs(at.Z-0.75) > 1e-9 || math.Max(math.Abs(at.X), math.Abs(at.Y)) < 1e4-1 {
			t.Errorf("corner at %v", at)
		}
	}
	for _, n := range []geom.Vec{{X: 1}, {Y: -1}, {X: 0.6, Z: -0.8}, {X: 0.7071067811865476, Y: 0.7071067811865476}} {
		o := parse(t, "f", object(fmt.Sprintf("[%v, %v, %v, 2]", n.X, n.Y, n.Z))).Objects[0]
		if !scene.IsPlane(o.Shape) {
			t.Errorf("normal %v: its shape is no plane", n)
		}
		for _, v := range o.Shape.Mesh.Vertices {
			if off := n.X*v.X + n.Y*v.Y + n.Z*v.Z + 2; math.Abs(off) > 1e-9 {
				t.Errorf("normal %v: corner %v is %g away", n, v, off)
			}
		}
	}
	for _, coef := range []string{"[0, 0, 0, 1]", "[0, 0, 2, 1]", "[0, 0, 1]", "[0, 0, 1, 1.0e+9]", "[0, 0, .nan, 1]"} {
		_, err := scene.Parse("f", []byte(object(coef)), scene.Options{})
		wantError(t, err, "f:1", "object floor", "coef")
	}
}
