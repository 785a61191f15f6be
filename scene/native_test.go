package scene_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// sameObjects compares up to rounding of poses.
var sameObjects = cmp.Options{
	cmpopts.EquateApprox(0, 1e-12),
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(scene.Shape{}, "Source"),
}

func parse(t *testing.T, name, text string) *scene.Snapshot {
	t.Helper()
	s, err := scene.Parse(name, []byte(text), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// write puts files into a directory of their own and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const tetraOBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

const nativeYAML = `# every type of object
frame: world
objects:
  - {id: box, type: box, xyz: [1, 2, 3], rpy: [0, 0, 1.5], size: [0.1, 0.2, 0.3], padding: 0.01}
  - {id: sphere, type: sphere, radius: 0.5}
  - {id: cylinder, type: cylinder, quat_xyzw: [0, 0, 0.7071, 0.7071], length: 2, radius: 0.1}
  - {id: capsule, type: capsule, length: 2, radius: 0.1}
  - {id: cone, type: cone, length: 2, radius: 0.1}
  - id: mesh
    type: mesh
    mesh: tetra.obj
    scale: [1, 2, 3]
  - {id: small, type: mesh, mesh: tetra.obj, scale: 0.5}
  - {id: inline, type: points, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], radius: 0.02}
  - {id: cloud, type: points, points: cloud.xyz, radius: 0}
  - {id: tool, type: box, size: [1, 1, 1], xyz: [0, 0, 0.1], attached_to: hand, touch_links: [finger]}
allowed:
  - [box, base]
link_padding: {hand: 0.005}
`

func TestNative(t *testing.T) {
	dir := write(t, map[string]string{
		"scene.yaml": nativeYAML,
		"tetra.obj":  tetraOBJ,
		"cloud.xyz":  "# x y z\n0 0 0\n1,0,0\n\n0;1;0 # the third\n0\t0\t1\n",
	})
	got, err := scene.Load(filepath.Join(dir, "scene.yaml"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	padded := scene.NewBox("box", geom.Pose{R: geom.RPY(0, 0, 1.5), P: geom.Vec{X: 1, Y: 2, Z: 3}}, geom.Vec{X: 0.1, Y: 0.2, Z: 0.3})
	padded.Padding = 0.01
	h := math.Sqrt(0.5)
	quarter, err := geom.Quat(0, 0, h, h)
	if err != nil {
		t.Fatal(err)
	}
	stretch := func(x, y, z float64) []geom.Vec { return []geom.Vec{{}, {X: x}, {Y: y}, {Z: z}} }
	faces := [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}
	want := []scene.Object{
		padded,
		scene.NewSphere("sphere", at(0, 0, 0), 0.5),
		scene.NewCylinder("cylinder", geom.Pose{R: quarter}, 0.1, 2),
		scene.NewCapsule("capsule", at(0, 0, 0), 0.1, 2),
		scene.NewCone("cone", at(0, 0, 0), 0.1, 2),
		scene.NewMesh("mesh", at(0, 0, 0), stretch(1, 2, 3), faces),
		scene.NewMesh("small", at(0, 0, 0), stretch(0.5, 0.5, 0.5), faces),
		scene.NewPoints("inline", at(0, 0, 0), stretch(1, 1, 1), 0.02),
		scene.NewPoints("cloud", at(0, 0, 0), stretch(1, 1, 1), 0),
		scene.NewBox("tool", at(0, 0, 0.1), geom.Vec{X: 1, Y: 1, Z: 1}).Attach("hand", at(0, 0, 0.1), "finger"),
	}
	for i := range want {
		o := got.Objects[i]
		if want[i].Shape.Mesh != nil { // the mesh reader may list vertices in another order
			sameSurface(t, want[i], o)
			continue
		}
		if d := cmp.Diff(want[i], o, sameObjects); d != "" {
			t.Errorf("want (-), got (+):\n%s", d)
		}
	}
	if got.Frame != "world" || len(got.Objects) != len(want) || got.Version != 1 {
		t.Errorf("frame %q, %d objects, version %d", got.Frame, len(got.Objects), got.Version)
	}
	if d := cmp.Diff([][2]string{{"box", "base"}}, got.Allowed); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]float64{"hand": 0.005}, got.LinkPadding); d != "" {
		t.Error(d)
	}
}

// sameSurface compares meshes triangle by triangle.
func sameSurface(t *testing.T, want, got scene.Object) {
	t.Helper()
	corners := func(o scene.Object) (out [][3]geom.Vec) {
		m := o.Shape.Mesh
		for _, tri := range m.Triangles {
			out = append(out, [3]geom.Vec{m.Vertices[tri[0]], m.Vertices[tri[1]], m.Vertices[tri[2]]})
		}
		return out
	}
	if d := cmp.Diff(corners(want), corners(got), cmpopts.EquateApprox(0, 1e-12)); d != "" || want.ID != got.ID {
		t.Errorf("%s: want (-), got (+):\n%s", got.ID, d)
	}
}

// JSON and YAML, block and flow, are one format.
func TestNativeNotations(t *testing.T) {
	yaml := parse(t, "s.yaml", "objects:\n- id: a\n  type: sphere\n  radius: 1\n  xyz: [1, 0, 0]\n")
	json := parse(t, "s.json", "{\n\t\"objects\": [{\"id\": \"a\", \"type\": \"sphere\", \"radius\": 1, \"xyz\": [1, 0, 0]}]}")
	flow := parse(t, "s", "{objects: [{id: a, type: sphere, radius: 1, xyz: [1, 0, 0]}]}")
	if yaml.Hash != json.Hash || yaml.Hash != flow.Hash {
		t.Error("the same scene in YAML, JSON and flow style has different hashes")
	}
	if empty := parse(t, "s", "objects: []\n"); len(empty.Objects) != 0 || empty.Hash == yaml.Hash {
		t.Error("the empty scene is not empty")
	}
}

func TestNativeErrors(t *testing.T) {
	dir := write(t, map[string]string{
		"bad.obj":  "v 0 0 0\nf 1 2 3\n",
		"four.xyz": "0 0 0\n1 2 3 4\n",
		"nan.xyz":  "0 0 0\n1 nan 3\n",
		"none.xyz": "# nothing\n",
	})
	one := func(object string) string { return "objects:\n  - {" + object + "}\n" }
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"no content"}},
		{"two scenes", "objects: []\n---\nobjects: []\n", []string{"2 documents"}},
		{"something else", "joint_names: [a]\n", []string{"is not a scene", "objects", "world", "sets"}},
		{"a list", "- 1\n", []string{"s:1", "a list", "mapping"}},
		{"unknown key at the top", "objects: []\nobstacles: []\n", []string{"s:2", "\"obstacles\"", "link_padding"}},
		{"no objects", "objects:\n", []string{"\"objects\" has no value"}},
		{"no id", one("type: sphere, radius: 1"), []string{"s:2", "objects[0]", "no id"}},
		{"no type", one("id: a, radius: 1"), []string{"object a", "no type"}},
		{"unknown type", one("id: a, type: cube, size: [1, 1, 1]"), []string{"object a", "\"cube\"", "box"}},
		{"unknown key", one("id: a, type: box, siez: [1, 1, 1]"), []string{"s:2", "object a", "\"siez\"", "size"}},
		{"key of another type", one("id: a, type: box, size: [1, 1, 1], radius: 1"), []string{"object a", "\"radius\""}},
		{"no size", one("id: a, type: box"), []string{"object a", "no size"}},
		{"no radius", one("id: a, type: cylinder, length: 1"), []string{"object a", "no radius"}},
		{"zero size", one("id: a, type: box, size: [1, 0, 1]"), []string{"object a", "positive"}},
		{"negative radius", one("id: a, type: sphere, radius: -1"), []string{"object a", "positive"}},
		{"NaN", one("id: a, type: sphere, radius: 1, xyz: [0, .nan, 0]"), []string{"object a", "xyz", "finite"}},
		{"two coordinates", one("id: a, type: sphere, radius: 1, xyz: [0, 0]"), []string{"object a", "xyz has 2 numbers: give 3"}},
		{"quaternion", one("id: a, type: sphere, radius: 1, quat_xyzw: [0, 0, 0.7, 0.7]"), []string{"object a", "quat_xyzw", "length", "x, y, z, w"}},
		{"zero quaternion", one("id: a, type: sphere, radius: 1, quat_xyzw: [0, 0, 0, 0]"), []string{"object a", "length 0"}},
		{"both turns", one("id: a, type: sphere, radius: 1, quat_xyzw: [0, 0, 0, 1], rpy: [0, 0, 0]"), []string{"object a", "both"}},
		{"negative padding", one("id: a, type: sphere, radius: 1, padding: -0.1"), []string{"object a", "padding"}},
		{"touch without link", one("id: a, type: sphere, radius: 1, touch_links: [b]"), []string{"object a", "attached_to"}},
		{"empty link", one("id: a, type: sphere, radius: 1, attached_to: ''"), []string{"object a", "attached_to is empty"}},
		{"twice", "objects:\n- {id: a, type: sphere, radius: 1}\n- {id: a, type: sphere, radius: 2}\n", []string{"s: object a appears twice"}},
		{"no mesh", one("id: a, type: mesh, mesh: none.stl"), []string{"object a", "none.stl"}},
		{"broken mesh", one("id: a, type: mesh, mesh: bad.obj"), []string{"object a", "bad.obj"}},
		{"flat mesh", one("id: a, type: mesh, mesh: bad.obj, scale: 0"), []string{"object a", "scale"}},
		{"unknown scheme", one("id: a, type: mesh, mesh: 'http://host/a.stl'"), []string{"object a", "http://host/a.stl"}},
		{"mesh is a device", one("id: a, type: mesh, mesh: /dev/zero"), []string{"object a", "/dev/zero"}},
		{"cloud is a device", one("id: a, type: points, points: /dev/zero, radius: 1"), []string{"object a", "/dev/zero", "regular"}},
		{"four columns", one("id: a, type: points, points: four.xyz, radius: 1"), []string{"object a", "four.xyz:2", "4 columns"}},
		{"NaN in cloud", one("id: a, type: points, points: nan.xyz, radius: 1"), []string{"object a", "nan.xyz:2", "\"nan\""}},
		{"empty cloud", one("id: a, type: points, points: none.xyz, radius: 1"), []string{"object a", "no points"}},
		{"points without radius", one("id: a, type: points, points: [[0, 0, 0]]"), []string{"object a", "no radius"}},
		{"short point", one("id: a, type: points, points: [[0, 0]], radius: 1"), []string{"object a", "points[0]", "give 3"}},
		{"allowed of three", "objects: []\nallowed: [[a, b, c]]\n", []string{"s:2", "3 names"}},
		{"allowed of nothing", "objects: []\nallowed: [[a, '']]\n", []string{"allowed pair", "empty name"}},
		{"padding of link", "objects: []\nlink_padding: {hand: -1}\n", []string{"hand", "padding"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scene.Parse(filepath.Join(dir, "s"), []byte(c.text), scene.Options{})
			wantError(t, err, c.want...)
		})
	}
	_, err := scene.Parse("s.yaml#set/1", []byte("objects: []\n"), scene.Options{})
	wantError(t, err, "s.yaml", "#set/1")
	_, err = scene.Load(filepath.Join(dir, "missing.yaml"), scene.Options{})
	wantError(t, err, "missing.yaml")
	_, err = scene.Load(os.DevNull, scene.Options{})
	wantError(t, err, "regular file")
}

func TestMeshFileAsScene(t *testing.T) {
	dir := write(t, map[string]string{"wall.obj": tetraOBJ})
	s, err := scene.Load(filepath.Join(dir, "wall.obj"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Objects) != 1 || s.Objects[0].ID != "wall" || len(s.Objects[0].Shape.Mesh.Triangles) != 4 {
		t.Errorf("objects %+v", s.Objects)
	}
}

func TestLoadMesh(t *testing.T) {
	dir := write(t, map[string]string{"wall.obj": tetraOBJ})
	o, gaps, err := scene.LoadMesh("wall", at(1, 0, 0), filepath.Join(dir, "wall.obj"), geom.Vec{X: 2, Y: 2, Z: 2})
	if err != nil {
		t.Fatal(err)
	}
	sameSurface(t, scene.NewMesh("wall", at(1, 0, 0), []geom.Vec{{}, {X: 2}, {Y: 2}, {Z: 2}}, tetraFaces), o)
	if o.PoseWS != at(1, 0, 0) || o.Shape.Source == "" || len(gaps) > 0 {
		t.Errorf("object %+v, gaps %v", o, gaps)
	}
	if _, _, err := scene.LoadMesh("wall", at(0, 0, 0), filepath.Join(dir, "none.obj"), geom.Vec{X: 1, Y: 1, Z: 1}); err == nil {
		t.Error("no such file: no error")
	}
}

// What a mesh file leaves open stays with the object that has the mesh, and goes with it.
func TestLoadMeshGaps(t *testing.T) {
	dir := write(t, map[string]string{"wall.obj": tetraOBJ})
	morph, err := filepath.Abs("../internal/geometry/mesh/testdata/morph_at_rest.glb")
	if err != nil {
		t.Fatal(err)
	}
	one := geom.Vec{X: 1, Y: 1, Z: 1}
	o, gaps, err := scene.LoadMesh("face", at(1, 0, 0), morph, one)
	if err != nil || len(gaps) == 0 {
		t.Fatalf("gaps %v, error %v", gaps, err)
	}
	for _, g := range gaps {
		if !slices.Equal(g.Names, []string{"face"}) || !g.Open() || !strings.Contains(g.Detail, "object face, morph_at_rest.glb: ") {
			t.Errorf("gap %+v", g)
		}
	}
	s, err := scene.New("", o, scene.NewSphere("ball", at(9, 0, 0), 1))
	if err == nil {
		s, err = s.WithGaps("face", gaps...)
	}
	if err != nil || len(s.Gaps) != len(gaps) {
		t.Fatalf("gaps %v, error %v", s.Gaps, err)
	}
	closed, _, err := scene.LoadMesh("face", at(1, 0, 0), filepath.Join(dir, "wall.obj"), one)
	if err != nil {
		t.Fatal(err)
	}
	for what, next := range map[string]func() (*scene.Snapshot, error){
		"with":    func() (*scene.Snapshot, error) { return s.With(closed) },
		"without": func() (*scene.Snapshot, error) { return s.Without("face") },
	} {
		if next, err := next(); err != nil || len(next.Gaps) != 0 {
			t.Errorf("%s: gaps %v, error %v", what, next.Gaps, err)
		}
	}
	if next, err := s.Without("ball"); err != nil || len(next.Gaps) != len(gaps) || len(s.Gaps) != len(gaps) {
		t.Errorf("the gaps of another object: %v, error %v", next.Gaps, err)
	}
	moved := o
	moved.PoseWS = at(2, 0, 0)
	if next, err := s.With(moved); err != nil || len(next.Gaps) != len(gaps) {
		t.Errorf("the object moved: gaps %v, error %v", next.Gaps, err)
	}
	// A checker's snapshot has copies of the shapes.
	copied, err := s.Clone(func(shape *scene.Shape) *scene.Shape { c := *shape; return &c })
	if err != nil {
		t.Fatal(err)
	}
	if next, err := copied.With(moved); err != nil || len(next.Gaps) != len(gaps) {
		t.Errorf("the object moved, of which the snapshot has a copy: gaps %v, error %v", next.Gaps, err)
	}
	if next, err := s.WithGaps("face", gaps...); err != nil || len(next.Gaps) != len(gaps) {
		t.Errorf("told again: gaps %v, error %v", next.Gaps, err)
	}
	// A gap of the source that only has the same name is not the object's.
	s.Gaps = append(s.Gaps, premise.Premise{Kind: premise.NotUnderstood, Names: []string{"face"}})
	if next, err := s.Without("face"); err != nil || len(next.Gaps) != 1 {
		t.Errorf("a gap of the source: %v, error %v", next.Gaps, err)
	}
	if _, err := s.WithGaps("nothing", gaps...); err == nil {
		t.Error("an object that is not there has gaps")
	}
}

func TestForeignXML(t *testing.T) {
	for text, want := range map[string]string{
		"<?xml version='1.0'?>\n<!-- <robot> -->\n<sdf version='1.6'/>": "SDF",
		"<html>":    "<html>",
		"<!-- open": "<>",
		"<":         "<>",
	} {
		_, err := scene.Parse("s", []byte(text), scene.Options{})
		wantError(t, err, want)
	}
}
