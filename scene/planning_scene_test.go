package scene_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// A full message: every kind of shape, both notations of poses, an attached
// object, padding, and the empty fields that ROS prints.
const planningScene = `
name: full
robot_model_name: arm
is_diff: false
robot_state:
  joint_state: {header: {stamp: {sec: 0, nanosec: 0}, frame_id: world}, name: [j1], position: [0.5], velocity: [], effort: []}
  multi_dof_joint_state:
    header: {stamp: {sec: 0, nanosec: 0}, frame_id: world}
    joint_names: [virtual_joint]
    transforms: [{translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}]
    twist: []
    wrench: []
  attached_collision_objects:
    - link_name: hand
      object:
        header: {frame_id: hand}
        pose: {position: {x: 0, y: 0, z: 0.1}, orientation: {x: 0, y: 0, z: 0, w: 1}}
        id: tool
        primitives: [{type: 3, dimensions: [0.2, 0.01]}, {type: 2, dimensions: [0.03]}]
        primitive_poses: [{position: [0, 0, 0.1]}, {position: [0, 0, 0.2]}]
        operation: 0
      touch_links: [finger]
      weight: 0.0
  is_diff: false
fixed_frame_transforms:
  - header: {frame_id: world}
    child_frame_id: world
    transform: {translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}
  - header: {frame_id: world}
    child_frame_id: cell
    transform: {translation: {x: 10, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}
allowed_collision_matrix:
  entry_names: [base, hand, tool]
  entry_values:
    - {enabled: [true, true, false]}
    - {enabled: [true, false, true]}
    - {enabled: [false, true, false]}
  default_entry_names: [rug]
  default_entry_values: [true]
link_padding: [{link_name: hand, padding: 0.01}]
link_scale: [{link_name: hand, scale: 1.0}]
object_colors: []
world:
  collision_objects:
    - header: {frame_id: world}
      pose: {position: {x: 1, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0.7071067811865476, w: 0.7071067811865476}}
      id: table
      type: {key: '', db: ''}
      primitives: [{type: 1, dimensions: [1, 2, 0.1]}]
      primitive_poses: [{position: {x: 0.5, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}]
      meshes: []
      mesh_poses: []
      planes: []
      plane_poses: []
      subframe_names: [corner]
      subframe_poses: [{position: {x: 0, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}]
      operation: 0
    - header: {frame_id: cell}
      id: rug
      pose: {position: {x: 0, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 0}}
      meshes:
        - triangles: [{vertex_indices: [0, 2, 1]}, {vertex_indices: [0, 1, 3]}, [0, 3, 2], [1, 2, 3]]
          vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, [0, 1, 0], [0, 0, 1]]
      mesh_poses: [{position: [0, 1, 0], orientation: [0, 0, 0, 1]}]
    - id: hat
      primitives: [{type: cone, dimensions: [0.4, 0.1]}]
      primitive_poses: [{position: [0, 0, 2]}]
  octomap:
    header: {stamp: {sec: 0, nanosec: 0}, frame_id: ''}
    origin: {position: {x: 0, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}
    octomap: {header: {frame_id: ''}, binary: false, id: '', resolution: 0.0, data: []}
`

func TestPlanningScene(t *testing.T) {
	got := parse(t, "full.yaml", planningScene)
	quarter := geom.AxisAngle(geom.Vec{Z: 1}, math.Pi/2)
	want := []scene.Object{
		scene.NewCylinder("tool#1", geom.Pose{}, 0.01, 0.2).Attach("hand", at(0, 0, 0.2), "finger", "tool#2"),
		scene.NewSphere("tool#2", geom.Pose{}, 0.03).Attach("hand", at(0, 0, 0.3), "finger", "tool#1"),
		scene.NewBox("table", geom.Pose{R: quarter, P: geom.Vec{X: 1, Y: 0.5}}, geom.Vec{X: 1, Y: 2, Z: 0.1}),
		scene.NewMesh("rug", at(10, 1, 0), tetrahedron, tetraFaces),
		scene.NewCone("hat", at(0, 0, 2), 0.1, 0.4),
	}
	if d := cmp.Diff(want, got.Objects, sameObjects); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	pairs := map[[2]string]bool{}
	for _, p := range got.Allowed {
		pairs[[2]string{min(p[0], p[1]), max(p[0], p[1])}] = true
	}
	wantPairs := map[[2]string]bool{
		{"base", "hand"}: true, {"hand", "tool#1"}: true, {"hand", "tool#2"}: true,
		{"base", "rug"}: true, {"hand", "rug"}: true, {"rug", "tool#1"}: true, {"rug", "tool#2"}: true,
		{"rug", "table"}: true, {"hat", "rug"}: true,
	}
	if d := cmp.Diff(wantPairs, pairs); d != "" {
		t.Errorf("allowed pairs, want (-), got (+):\n%s", d)
	}
	if d := cmp.Diff(map[string]float64{"hand": 0.01}, got.LinkPadding); d != "" {
		t.Error(d)
	}
	if got.Frame != "" {
		t.Errorf("frame %q, want the robot's root link", got.Frame)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "rug") {
		t.Errorf("warnings %q, want one about the default entry of rug", got.Warnings)
	}
}

// The virtual joint carries the robot: obstacles are wanted where it stands.
func TestPlanningScenePlacesTheRobot(t *testing.T) {
	text := replaceOnce(t, planningScene,
		"transforms: [{translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}]",
		"transforms: [{translation: {x: 1, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 1, w: 0}}]")
	got := parse(t, "f", text)
	hat, tool := got.Objects[got.Object("hat")], got.Objects[got.Object("tool#1")]
	if d := cmp.Diff(geom.Vec{X: 1, Z: 2}, hat.PoseWS.P, sameObjects); d != "" {
		t.Errorf("hat stands at %v in the root link: %s", hat.PoseWS.P, d)
	}
	if d := cmp.Diff(geom.Vec{Z: 0.2}, tool.PoseWS.P, sameObjects); d != "" {
		t.Errorf("the attached tool was moved: %s", d)
	}
	if !strings.Contains(strings.Join(got.Warnings, "\n"), "virtual_joint") {
		t.Errorf("warnings %q do not tell of the virtual joint", got.Warnings)
	}
}

func replaceOnce(t *testing.T, text, old, with string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q stands %d times in the text", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, with, 1)
}

func TestPlanningSceneFrames(t *testing.T) {
	object := func(id, frame string) string {
		return "    - {id: " + id + ", header: {frame_id: " + frame + "}, primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{position: [1, 0, 0]}]}\n"
	}
	world := "world:\n  collision_objects:\n"
	fixed := "fixed_frame_transforms: [{header: {frame_id: map}, child_frame_id: cell, transform: {translation: [5, 0, 0]}}]\n"
	robot := "robot_state: {multi_dof_joint_state: {joint_names: [v], transforms: [{translation: [1, 0, 0]}]}}\n"
	for _, c := range []struct {
		name, text, frame string
		x                 []float64 // of the objects
		want              []string  // of the error
	}{
		{"no frames", world + object("a", "''"), "", []float64{1}, nil},
		{"one frame by name", world + object("a", "/map") + object("b", "map"), "map", []float64{1, 1}, nil},
		{"planning and fixed", fixed + world + object("a", "map") + object("b", "cell") + object("c", "''"), "map", []float64{1, 6, 1}, nil},
		{"two unknown", world + object("a", "map") + object("b", "cell"), "", nil, []string{"object b", "frame cell", "fixed_frame_transforms"}},
		{"unknown then none", world + object("a", "map") + object("b", "''"), "", nil, []string{"object b", "frame of the scene"}},
		{"none then unknown", world + object("a", "''") + object("b", "map"), "", nil, []string{"object b", "frame map"}},
		{"not placed", fixed + world + object("a", "hand"), "", nil, []string{"object a", "frame hand"}},
		{"robot elsewhere in a nameless frame", robot + world + object("a", "map"), "", nil, []string{"frame map", "name the planning frame"}},
		{"robot elsewhere", robot + fixed + world + object("a", "cell"), "", []float64{5}, nil},
		{"two planning frames", fixed + "robot_state: {multi_dof_joint_state: {header: {frame_id: odom}, joint_names: [v], transforms: [{}]}}\n", "", nil, []string{"map", "odom"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scene.Parse("f", []byte(c.text), scene.Options{})
			if c.want != nil {
				wantError(t, err, c.want...)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if s.Frame != c.frame {
				t.Errorf("frame %q, want %q", s.Frame, c.frame)
			}
			for i, x := range c.x {
				if math.Abs(s.Objects[i].PoseWS.P.X-x) > 1e-12 {
					t.Errorf("object %s stands at x = %g, want %g", s.Objects[i].ID, s.Objects[i].PoseWS.P.X, x)
				}
			}
		})
	}
}

func TestPlanningSceneErrors(t *testing.T) {
	object := func(rest string) string {
		return "world:\n  collision_objects:\n    - {id: a, " + rest + "}\n"
	}
	ball := "primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{}]"
	matrix := func(rest string) string { return "allowed_collision_matrix: {" + rest + "}\n" }
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"unknown key", "world: {}\nobstacles: []\n", []string{"f:2", "\"obstacles\""}},
		{"unknown key of an object", object("primitves: []"), []string{"f:3", "\"primitves\""}},
		{"octomap without a kind", "world:\n  octomap: {octomap: {resolution: 0.1, data: [1, 2]}}\n", []string{"f:2", "octomap", "kind"}},
		{"octomap without a resolution", "world:\n  octomap: {octomap: {id: OcTree, data: [1, 2]}}\n", []string{"f:2", "octomap", "resolution 0"}},
		{"octomap cut short", "world:\n  octomap: {octomap: {binary: true, id: OcTree, resolution: 0.1, data: [3]}}\n", []string{"f:2", "octomap", "ends early"}},
		{"octomap of no bytes", "world:\n  octomap: {octomap: {binary: true, id: OcTree, resolution: 0.1, data: [3, 256]}}\n", []string{"octomap", "data[1] is 256"}},
		{"octomap in base64", "world:\n  octomap: {octomap: {data: !!binary AQI=}}\n", []string{"octomap", "list of numbers"}},
		{"octomap's origin", "world:\n  octomap: {origin: {orientation: [1, 1, 0, 0]}, octomap: {binary: true, id: OcTree, resolution: 0.1, data: [2, 0]}}\n", []string{"octomap", "orientation"}},
		{"octomap beyond the Earth", "world:\n  octomap: {octomap: {binary: true, id: OcTree, resolution: 1.0e+9, data: [2, 0]}}\n", []string{"octomap", "check the unit"}},
		{"prism", object("primitives: [{type: 5, dimensions: [1, 2]}], primitive_poses: [{}]"), []string{"object a", "\"5\""}},
		{"dimensions", object("primitives: [{type: box, dimensions: [1, 2]}], primitive_poses: [{}]"), []string{"object a", "2 numbers: give 3"}},
		{"size", object("primitives: [{type: box, dimensions: [1, 2, 0]}], primitive_poses: [{}]"), []string{"object a", "positive"}},
		{"more poses", object("primitives: [], primitive_poses: [{}]"), []string{"object a", "1 primitive_poses for 0 primitives"}},
		{"quaternion", object("primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{orientation: [1, 1, 0, 0]}]"), []string{"object a", "orientation", "length"}},
		{"NaN", object("primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{position: {x: .nan, y: 0, z: 0}}]"), []string{"object a", "position.x", "finite"}},
		{"half a position", object("primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{position: {x: 0, y: 0}}]"), []string{"object a", "no z"}},
		{"vertex index", object("meshes: [{triangles: [[0, 1, 3]], vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}], mesh_poses: [{}]"), []string{"object a", "vertex 3 of 3"}},
		{"half an index", object("meshes: [{triangles: [[0, 1, 0.5]], vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}], mesh_poses: [{}]"), []string{"object a", "vertex 0.5"}},
		{"mesh of nothing", object("meshes: [{}], mesh_poses: [{}]"), []string{"object a", "no triangles"}},
		{"the octomap's name", "world:\n  collision_objects:\n    - {id: <octomap>, " + ball + "}\n", []string{"object <octomap>", "rename"}},
		{"the octomap removed", "world:\n  collision_objects:\n    - {id: <octomap>, operation: 1}\n", []string{"object <octomap>", "does not remove"}},
		{"operation", object("operation: 4"), []string{"object a", "operation 4", "ADD"}},
		{"subframes", object(ball + ", subframe_names: [top]"), []string{"object a", "1 subframe_names and 0 subframe_poses"}},
		{"twice", object(ball) + "    - {id: a, " + ball + "}\n", []string{"object a", "twice"}},
		{"no id", "world: {collision_objects: [{}]}\n", []string{"collision_objects[0]", "no id"}},
		{"attached elsewhere", "robot_state: {attached_collision_objects: [{link_name: hand, object: {id: a, header: {frame_id: base}, " + ball + "}}]}\n", []string{"object a", "link hand", "frame base"}},
		{"attached to nothing", "robot_state: {attached_collision_objects: [{object: {id: a, " + ball + "}}]}\n", []string{"no link_name"}},
		{"two robots", "robot_state: {multi_dof_joint_state: {joint_names: [a, b], transforms: [{}, {}]}}\n", []string{"[a b]", "virtual joint"}},
		{"joints without poses", "robot_state: {multi_dof_joint_state: {joint_names: [a]}}\n", []string{"1 joint_names and 0 transforms"}},
		{"scaled link", "world: {}\nlink_scale: [{link_name: hand, scale: 1.2}]\n", []string{"hand", "1.2", "link_padding"}},
		{"negative padding", "world: {}\nlink_padding: [{link_name: hand, padding: -1}]\n", []string{"hand", "padding"}},
		{"padding twice", "world: {}\nlink_padding: [{link_name: hand, padding: 0}, {link_name: hand, padding: 1}]\n", []string{"hand", "twice"}},
		{"not square", matrix("entry_names: [a, b], entry_values: [[true, true]]"), []string{"1 rows for 2 names"}},
		{"short row", matrix("entry_names: [a, b], entry_values: [[true, true], [true]]"), []string{"row of b", "1 flags for 2 names"}},
		{"not symmetric", matrix("entry_names: [a, b], entry_values: [[true, true], [false, true]]"), []string{"both true and false", "a", "b"}},
		{"name twice", matrix("entry_names: [a, a], entry_values: [[true, true], [true, true]]"), []string{"a twice"}},
		{"no flag", matrix("entry_names: [a], entry_values: [[1]]"), []string{"true or false"}},
		{"defaults", matrix("default_entry_names: [a], default_entry_values: []"), []string{"0 default_entry_values for 1"}},
		{"default twice", matrix("default_entry_names: [a, a], default_entry_values: [true, true]"), []string{"a twice"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scene.Parse("f", []byte(c.text), scene.Options{})
			wantError(t, err, append(c.want, "f:")...)
		})
	}
}

// What matters to collisions and is not read whole is a warning.
func TestPlanningSceneWarnings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"diff", "world: {}\nis_diff: true\n", "is_diff"},
		{"no shapes", "world: {collision_objects: [{id: a}]}\n", "object a: has no shapes"},
		{"fewer poses", "world: {collision_objects: [{id: a, primitives: [{type: sphere, dimensions: [1]}]}]}\n", "object a: has 0 primitive_poses for 1 primitives"},
	} {
		s := parse(t, "f", c.text)
		if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], c.want) {
			t.Errorf("%s: warnings %q, want one that says %q", c.name, s.Warnings, c.want)
		}
	}
	if s := parse(t, "f", "collision_objects: [{id: a, primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{}]}]\n"); len(s.Objects) != 1 {
		t.Errorf("a bare PlanningSceneWorld has %d objects", len(s.Objects))
	}
}

// Of two default entries both must allow; the matrix goes before them.
func TestDefaultEntries(t *testing.T) {
	s := parse(t, "f", `
allowed_collision_matrix:
  entry_names: [a, b]
  entry_values: [[false, false], [false, false]]
  default_entry_names: [a, c, d]
  default_entry_values: [true, false, true]
`)
	got := map[[2]string]bool{}
	for _, p := range s.Allowed {
		got[p] = true
	}
	if d := cmp.Diff(map[[2]string]bool{{"a", "d"}: true, {"b", "d"}: true}, got); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
}
