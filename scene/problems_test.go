package scene_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const problemsJSON = `{
 "robot": "arm", "urdf": "arm.urdf", "group": "all", "joints": ["j1", "j2"],
 "frame": "URDF root link", "units": "metre, radian", "source": "made here",
 "sets": {
  "shelf": [
   {"index": 1, "start": [0, 0], "goal": [1, 2], "other_joints": {"finger": 0.04},
    "objects": [{"id": "box", "type": "box", "xyz": [1, 0, 0], "quat_xyzw": [0, 0, 0, 1], "size": [1, 1, 1]}]},
   {"index": 3, "start": [0, 1], "goal": [1, 0], "other_joints": {}, "objects": []}],
  "cage": [
   {"index": 1, "start": [5, 5], "goal": [6, 6], "objects": []}]
 }
}`

func TestProblems(t *testing.T) {
	dir := write(t, map[string]string{"arm.json": problemsJSON})
	file := filepath.Join(dir, "arm.json")
	for _, c := range []struct {
		selector string
		want     []string
	}{
		{"", []string{"#cage/1", "#shelf/1", "#shelf/3"}},
		{"#shelf", []string{"#shelf/1", "#shelf/3"}},
		{"#shelf/3", []string{"#shelf/3"}},
	} {
		problems, err := scene.Problems(file + c.selector)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range problems {
			got = append(got, p.Name()[len(file):])
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q: want (-), got (+):\n%s", c.selector, d)
		}
	}
	problems, err := scene.Problems(file + "#shelf/1")
	if err != nil {
		t.Fatal(err)
	}
	want := scene.Problem{
		File: file, Robot: "arm", URDF: "arm.urdf", Group: "all", Set: "shelf", Index: 1,
		Joints: []string{"j1", "j2"}, Start: []float64{0, 0}, Goal: []float64{1, 2},
		OtherJoints: map[string]float64{"finger": 0.04},
		Objects:     []scene.Object{scene.NewBox("box", at(1, 0, 0), geom.Vec{X: 1, Y: 1, Z: 1})},
	}
	if d := cmp.Diff(want, problems[0]); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	loaded, err := scene.Load(file+"#shelf/1", scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	built, err := problems[0].Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Hash != built.Hash || len(loaded.Objects) != 1 {
		t.Error("Load and Problem.Snapshot differ")
	}
}

func TestProblemErrors(t *testing.T) {
	one := func(problem string) string { return `{"joints": ["j"], "sets": {"s": [` + problem + `]}}` }
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"none chosen", "f.json", problemsJSON, []string{"f.json", "3 problems", "f.json#cage/1"}},
		{"set chosen", "f.json#shelf", problemsJSON, []string{"2 problems", "f.json#shelf/1"}},
		{"no such set", "f.json#table/1", problemsJSON, []string{"table/1", "cage, shelf"}},
		{"no such index", "f.json#shelf/2", problemsJSON, []string{"shelf/2"}},
		{"no number", "f.json#shelf/x", problemsJSON, []string{"\"x\""}},
		{"start", "f#s/1", one(`{"index": 1, "start": [], "goal": [1], "objects": []}`), []string{"s[0]", "start has 0 numbers: give 1"}},
		{"no goal", "f#s/1", one(`{"index": 1, "start": [1], "objects": []}`), []string{"s[0]", "no goal"}},
		{"no objects", "f#s/1", one(`{"index": 1, "start": [1], "goal": [1]}`), []string{"s[0]", "no objects"}},
		{"object", "f#s/1", one(`{"index": 1, "start": [1], "goal": [1], "objects": [{"id": "a", "type": "box"}]}`), []string{"object a", "no size"}},
		{"twice", "f#s/1", one(`{"index": 1, "start": [1], "goal": [1], "objects": [{"id": "a", "type": "sphere", "radius": 1}, {"id": "a", "type": "sphere", "radius": 1}]}`), []string{"f#s/1", "object a", "twice"}},
		{"unknown key", "f#s/1", one(`{"index": 1, "obstacles": []}`), []string{"s[0]", "\"obstacles\""}},
		{"no joints", "f#s/1", `{"sets": {}}`, []string{"no joints"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scene.Parse(c.file, []byte(c.text), scene.Options{})
			wantError(t, err, append(c.want, "f")...)
		})
	}
}

// What a file says of its units and its frame is believed or refused.
func TestConventionsOfProblems(t *testing.T) {
	robot, err := urdf.Parse([]byte(`<robot name="arm"><link name="base"/></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ head, fault string }{
		{`"units": "metre, radian; quaternion x,y,z,w", "frame": "URDF root link"`, ""},
		{`"units": "m, rad", "frame": "base"`, ""},
		{`"units": "", "frame": ""`, ""},
		{`"units": "deg, mm"`, "units"},
		{`"units": "metre, degree"`, "units"},
		{`"units": "metre, radian; quaternion w,x,y,z"`, "units"},
		{`"units": ["metre"]`, "units"},
		{`"frame": "some_table"`, "some_table"},
		{`"frame": "base link"`, "base link"},
	} {
		text := `{"joints": ["j"], ` + c.head + `, "sets": {"s": [{"index": 1, "start": [0], "goal": [1], "objects": []}]}}`
		_, err := scene.Parse("f#s/1", []byte(text), scene.Options{Robot: robot})
		if c.fault != "" {
			wantError(t, err, "f", c.fault)
		} else if err != nil {
			t.Errorf("%s: %v", c.head, err)
		}
	}
	_, err = scene.ParseProblems("f", []byte(`{"joints": ["j"], "frame": "base", "sets": {"s": [{"index": 1, "start": [0], "goal": [1], "objects": []}]}}`))
	wantError(t, err, "f", "base", "URDF root link") // without the robot nobody knows what base is
}

func TestHarnessScene(t *testing.T) {
	dir := write(t, map[string]string{"tetra.obj": tetraOBJ, "arm.scene": `ccdscene 1
link base - fixed 0 0 1 0 0 0  0 0 1  0 0
acm base wall
env wall tetra.obj 1 2 3 0 0 1.5
`})
	got, err := scene.Load(filepath.Join(dir, "arm.scene"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := scene.NewMesh("wall", geom.Pose{R: geom.RPY(0, 0, 1.5), P: geom.Vec{X: 1, Y: 2, Z: 2}}, tetrahedron, tetraFaces)
	sameSurface(t, want, got.Objects[0])
	if d := cmp.Diff(want.PoseWS, got.Objects[0].PoseWS); d != "" {
		t.Error(d)
	}
	if len(got.Warnings) != 1 || len(got.Allowed) != 1 {
		t.Errorf("warnings %q, allowed %v: want one of the robot and one pair", got.Warnings, got.Allowed)
	}
	for text, want := range map[string]string{
		"ccdscene 1\nenv wall none.obj 0 0 0 0 0 0\n": "f:2: object wall",
		"ccdscene 1\nenv wall 1 2\n":                  "f:2: env has",
		"ccdscene 1\nenv w " + dir + "/tetra.obj 0 0 0 0 0 0\nenv w " + dir + "/tetra.obj 0 0 0 0 0 0": "object w appears twice",
	} {
		_, err := scene.Parse("f", []byte(text), scene.Options{})
		wantError(t, err, want)
	}
}
