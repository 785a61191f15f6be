package scene_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// The older form: shape poses are in the planning frame.
const moveitOld = `a scene
* table
1
box
1 2 0.1
0.5 0 0.2
0 0 0 1
0 0 0 0
* two things
2
cylinder
0.05 0.3
1 0 0
0 0 0.7071068 0.7071068
0.1 0.2 0.3 1
sphere
0.1
1 0 1
0 0 0 1
0 0 0 0
.
`

// The newer form: the object stands at (1, 0, 0), turned by 90 degrees about z.
const moveitNew = `(noname)+
* holder
1 0 0
0 0 0.7071067811865476 0.7071067811865476
2
cone
0.1 0.4
0.5 0 0
0 0 0 1
0 0 0 0
mesh
4 4
0 0 0
1 0 0
0 1 0
0 0 1
0 2 1
0 1 3
0 3 2
1 2 3
0 0 0
0 0 0 1
0 0 0 0
1
grip
0 0 0.1
0 0 0 1
* unposed
0 0 0
0 0 0 1
0
0
.
`

func TestMoveItText(t *testing.T) {
	old := parse(t, "old.scene", moveitOld)
	quarter := geom.AxisAngle(geom.Vec{Z: 1}, 1.5707963267948966)
	want := []scene.Object{
		scene.NewBox("table", at(0.5, 0, 0.2), geom.Vec{X: 1, Y: 2, Z: 0.1}),
		scene.NewCylinder("two things#1", geom.Pose{R: quarter, P: geom.Vec{X: 1}}, 0.05, 0.3),
		scene.NewSphere("two things#2", at(1, 0, 1), 0.1),
	}
	if d := cmp.Diff(want, old.Objects, sameObjects); d != "" {
		t.Errorf("older form, want (-), got (+):\n%s", d)
	}
}

func TestMoveItTextWithObjectPoses(t *testing.T) {
	got := parse(t, "new.scene", moveitNew)
	quarter := geom.AxisAngle(geom.Vec{Z: 1}, 1.5707963267948966)
	want := []scene.Object{
		scene.NewCone("holder#1", geom.Pose{R: quarter, P: geom.Vec{X: 1, Y: 0.5}}, 0.1, 0.4),
		scene.NewMesh("holder#2", geom.Pose{R: quarter, P: geom.Vec{X: 1}},
			tetrahedron, [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}),
	}
	if d := cmp.Diff(want, got.Objects, sameObjects); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	if len(got.Warnings) != 1 {
		t.Errorf("warnings %q, want one about the object without shapes", got.Warnings)
	}
}

func TestMoveItTextErrors(t *testing.T) {
	head := "s\n* a\n1\n"
	tail := "0 0 0\n0 0 0 1\n0 0 0 0\n.\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"truncated", head + "box\n1 2", []string{"f:5", "object a", "ends early"}},
		{"no dot", head + "box\n1 2 3\n0 0 0\n0 0 0 1\n0 0 0 0\n", []string{"ends early", "dot"}},
		{"text after the dot", head + "box\n1 2 3\n" + tail + "* b\n", []string{"f:9", "\"* b\"", "follows the final dot"}},
		{"plane", head + "plane\n0 0 2 0\n" + tail, []string{"object a", "plane 0 0 2 0", "length 1"}},
		{"plane cut short", head + "plane\n0 0\n", []string{"object a", "plane: the text ends early"}},
		{"unknown shape", head + "torus\n1 2\n" + tail, []string{"object a", "\"torus\""}},
		{"not a number", head + "box\n1 x 3\n" + tail, []string{"f:5", "object a", "\"x\""}},
		{"NaN", head + "box\n1 nan 3\n" + tail, []string{"object a", "\"nan\""}},
		{"size", head + "box\n1 -1 3\n" + tail, []string{"object a", "positive"}},
		{"quaternion", head + "box\n1 1 3\n0 0 0\n0 0 0 2\n0 0 0 0\n.\n", []string{"object a", "length 2"}},
		{"colour", head + "box\n1 1 3\n0 0 0\n0 0 0 1\n0 0 red 0\n.\n", []string{"object a", "colour", "\"red\""}},
		{"count", "s\n* a\n-1\n.\n", []string{"object a", "\"-1\"", "shapes"}},
		{"a billion triangles", head + "mesh\n3 1000000000\n" + tail, []string{"object a", "\"1000000000\"", "triangles"}},
		{"a billion shapes", "s\n* a\n1000000000\n.\n", []string{"object a", "shapes"}},
		{"vertex index", head + "mesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 3\n" + tail, []string{"object a", "vertex \"3\" of 3"}},
		{"no triangles", head + "mesh\n3 0\n0 0 0\n1 0 0\n0 1 0\n" + tail, []string{"object a", "no triangles"}},
		{"marker", head + "box\n1 1 1\n0 0 0\n0 0 0 1\n0 0 0 0\n? b\n* c\n.\n", []string{"\"?\"", "object"}},
		{"no name", "s\n*\n* a\n.\n", []string{"no name"}},
		{"twice", "s\n* a\n1\nsphere\n1\n0 0 0\n0 0 0 1\n0 0 0 0\n* a\n1\nsphere\n1\n" + tail, []string{"object a appears twice"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scene.Parse("f", []byte(c.text), scene.Options{})
			wantError(t, err, c.want...)
		})
	}
	if empty := parse(t, "f", "nothing here\n.\n"); len(empty.Objects) != 0 {
		t.Errorf("empty scene has %d objects", len(empty.Objects))
	}
}

// Planes are surfaces in both forms of scenes.
func TestPlanesInText(t *testing.T) {
	s := parse(t, "f.scene", "s\n* floor\n1\nplane\n0 0 1 -0.5\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n")
	o := s.Objects[0]
	if len(o.Shape.Mesh.Triangles) != 2 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "object floor has a plane") {
		t.Fatalf("%+v, %q", o, s.Warnings)
	}
	for _, v := range o.Shape.Mesh.Vertices {
		if v.Z != 0.5 {
			t.Errorf("corner at %v", v)
		}
	}
}
