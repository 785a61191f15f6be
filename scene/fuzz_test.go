package scene

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var fuzzSeeds = []string{
	"frame: world\nobjects:\n- {id: a, type: box, xyz: [1, 2, 3], rpy: [0, 0, 1], size: [1, 1, 1], padding: 0.1}\n- {id: b, type: mesh, mesh: m.obj, scale: 2}\nallowed: [[a, b]]\n",
	`{"objects": [{"id": "p", "type": "points", "points": [[0, 0, 0]], "radius": 0.1, "attached_to": "hand", "touch_links": ["f"]}, {"id": "f", "type": "points", "points": "c.xyz", "radius": 0}]}`,
	"s\n* a\n1\nbox\n1 1 1\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n",
	"s\n* a\n1 0 0\n0 0 0 1\n1\nmesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 2\n0 0 0\n0 0 0 1\n0 0 0 0\n1\ngrip\n0 0 0\n0 0 0 1\n.\n",
	"world:\n  collision_objects:\n  - {id: a, pose: {position: [1, 0, 0]}, primitives: [{type: 3, dimensions: [1, 0.1]}], primitive_poses: [{orientation: {x: 0, y: 0, z: 0, w: 1}}], meshes: [{triangles: [[0, 1, 2]], vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}], mesh_poses: [{}]}\nallowed_collision_matrix: {entry_names: [a, b], entry_values: [[true, true], [true, true]], default_entry_names: [c], default_entry_values: [true]}\n",
	"robot_state: {joint_state: {name: [j], position: [1]}, multi_dof_joint_state: {joint_names: [k], transforms: [{}]}}\nworld: {collision_objects: [{id: a, header: {frame_id: g}, planes: [{coef: [0, 0, 1, 0]}], subframe_names: [t], subframe_poses: [{}]}]}\nis_diff: true\n---\nid: a\nheader: {frame_id: a/t}\npose: {position: {x: 1, y: 0, z: 0}}\noperation: \"\\x03\"\n---\nlink_name: h\nobject: {id: a, operation: 0}\nweight: 0.0\n---\nlink_name: h\nobject: {id: a, operation: 1}\nweight: 0.0\n---\nid: a\nprimitives: [{type: 2, dimensions: [1]}]\noperation: 2\n---\n",
	"robot_state: {multi_dof_joint_state: {joint_names: [v], transforms: [{translation: [1, 0, 0]}]}, attached_collision_objects: [{link_name: h, object: {id: t, primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{}]}}]}\nfixed_frame_transforms: [{header: {frame_id: map}, child_frame_id: cell, transform: {}}]\nlink_padding: [{link_name: h, padding: 0.1}]\n",
	"world: {octomap: {header: {frame_id: map}, origin: {position: [1, 0, 0]}, octomap: {binary: true, id: OcTree, resolution: 0.1, data: [3, 0, -86, 2]}}}\n",
	"# Octomap OcTree file\nid OcTree\nsize 1\nres 0.1\ndata\n\x00\x00\x80\x3f\x00",
	"objects:\n- {id: g, type: cells, cells: [[0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2]]}\n- {id: o, type: octree, octree: o.bt, unknown_is_occupied: true, occupancy_threshold: 0.7}\n",
	"ccdscene 1\nlink base - fixed 0 0 0 0 0 0 0 0 1 0 0\nenv wall m.obj 0 0 0 0 0 0\nacm base wall\n",
	`{"joints": ["j"], "sets": {"s": [{"index": 1, "start": [0], "goal": [1], "objects": [{"id": "a", "type": "sphere", "radius": 1}]}]}}`,
	`<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>`,
}

// FuzzScene holds every reader to its word: a snapshot it returns is valid,
// hashed and at Version 1; anything else is an error. Files that a scene names
// are made up, so that fuzzing does not reach the disk.
func FuzzScene(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s))
	}
	robot, err := urdf.Parse([]byte(`<robot name="r"><link name="world"/><link name="h"/><link name="g"/><joint name="j" type="revolute"><parent link="world"/><child link="h"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint><joint name="k" type="floating"><parent link="h"/><child link="g"/></joint></robot>`), urdf.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newReader("fuzz#s/1", Options{Packages: map[string]string{}})
		if !startsWith(data, "{") {
			r = newReader("fuzz", Options{Robot: robot})
		}
		r.loadMesh = func(string, geom.Vec) (mesh.File, error) {
			return mesh.File{Mesh: weld([]geom.Vec{{}, {X: 1}, {Y: 1}}, [][3]int32{{0, 1, 2}})}, nil
		}
		r.readFile = func(path string) ([]byte, error) {
			if strings.HasSuffix(path, ".bt") {
				return []byte("# Octomap OcTree binary file\nid OcTree\nsize 2\nres 0.1\ndata\n\x02\x00"), nil
			}
			return []byte("0 0 0\n1 1 1\n"), nil
		}
		if startsWith(data, "<") && rootElement(data) == "robot" {
			return // package urdf fuzzes its own reader
		}
		if bytes.HasPrefix(data, []byte("glTF")) {
			return // as package mesh does, where no buffers are on the disk
		}
		s, err := r.parse(data)
		if err != nil {
			if s != nil || err.Error() == "" {
				t.Fatalf("an error (%v) with a snapshot", err)
			}
			return
		}
		again := *s
		again.digests = nil
		sealed, err := seal(&again)
		if err != nil {
			t.Fatalf("the reader let pass: %v", err)
		}
		if sealed.Hash != s.Hash || s.Version != 1 {
			t.Fatalf("hash %x, version %d; sealed again %x", s.Hash, s.Version, sealed.Hash)
		}
	})
}

// The fuzz target's stand-ins must reach what they stand in for.
func TestReaderSeams(t *testing.T) {
	gone := errors.New("gone")
	r := newReader("s", Options{})
	r.loadMesh = func(string, geom.Vec) (mesh.File, error) { return mesh.File{}, gone }
	r.readFile = func(string) ([]byte, error) { return nil, gone }
	for _, text := range []string{
		"objects: [{id: a, type: mesh, mesh: m.obj}]\n",
		"objects: [{id: a, type: points, points: p.xyz, radius: 1}]\n",
		"objects: [{id: a, type: octree, octree: o.bt}]\n",
		"ccdscene 1\nenv wall m.obj 0 0 0 0 0 0\n",
	} {
		if _, err := r.parse([]byte(text)); !errors.Is(err, gone) {
			t.Errorf("%q: error %v does not come from the seam", text, err)
		}
	}
}
