package scene_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A cupboard: a drawer at 0, a door whose range leaves 0 out, a shutter that
// mimics the door, a lamp that floats.
const cupboard = `<?xml version="1.0"?>
<robot name="cupboard">
  <link name="body">
    <collision><geometry><box size="1 1 1"/></geometry></collision>
    <collision><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="drawer"><collision><origin xyz="0 0 0.1"/><geometry><box size="1 1 0.2"/></geometry></collision></link>
  <link name="door"><collision><origin xyz="1 0 0"/><geometry><cylinder radius="0.1" length="2"/></geometry></collision></link>
  <link name="shutter"><collision><geometry><mesh filename="tetra.obj"/></geometry></collision></link>
  <link name="lamp"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>
  <joint name="j1" type="prismatic"><parent link="body"/><child link="drawer"/><origin xyz="0.5 0 0"/><axis xyz="1 0 0"/><limit lower="0" upper="0.4" effort="1" velocity="1"/></joint>
  <joint name="j2" type="revolute"><parent link="body"/><child link="door"/><origin xyz="0 1 0"/><axis xyz="0 0 1"/><limit lower="1" upper="2" effort="1" velocity="1"/></joint>
  <joint name="j3" type="prismatic"><parent link="door"/><child link="shutter"/><axis xyz="0 0 1"/><limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="j2" multiplier="0.1" offset="0.05"/></joint>
  <joint name="j4" type="floating"><parent link="body"/><child link="lamp"/><origin xyz="0 0 3"/></joint>
</robot>
`

func TestURDFAsScene(t *testing.T) {
	dir := write(t, map[string]string{"cupboard.urdf": cupboard, "tetra.obj": tetraOBJ})
	got, err := scene.Load(filepath.Join(dir, "cupboard.urdf"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const door = 1.5
	turn := geom.AxisAngle(geom.Vec{Z: 1}, door)
	want := []scene.Object{
		scene.NewBox("body#1", at(0, 0, 0), geom.Vec{X: 1, Y: 1, Z: 1}),
		scene.NewSphere("body#2", at(0, 0, 1), 0.1),
		scene.NewBox("drawer", at(0.5, 0, 0.1), geom.Vec{X: 1, Y: 1, Z: 0.2}),
		scene.NewCylinder("door", geom.Pose{R: turn, P: geom.Vec{X: math.Cos(door), Y: 1 + math.Sin(door)}}, 0.1, 2),
		scene.NewMesh("shutter", geom.Pose{R: turn, P: geom.Vec{Y: 1, Z: 0.1*door + 0.05}}, tetrahedron, tetraFaces),
		scene.NewSphere("lamp", at(0, 0, 3), 0.2),
	}
	if d := cmp.Diff(want, got.Objects, sameObjects); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
}

// A URDF says which frame its poses are in by the name of its root link.
func TestFrameOfURDF(t *testing.T) {
	robot, err := urdf.Parse([]byte(`<robot name="r"><link name="base"/><link name="plate"/><link name="arm"/>
<joint name="f" type="fixed"><parent link="base"/><child link="plate"/><origin xyz="0 0 2"/></joint>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	semantic, err := urdf.ParseSRDF(robot, []byte(`<robot name="r"><virtual_joint name="v" type="floating" parent_frame="hall" child_link="base"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	text := func(root string) []byte {
		return []byte(`<robot name="cell"><link name="` + root + `"/><link name="post"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="f" type="fixed"><parent link="` + root + `"/><child link="post"/><origin xyz="0 1 0"/></joint></robot>`)
	}
	for _, c := range []struct {
		root  string
		robot *urdf.Robot
		frame string
		z     float64 // of the post
		own   bool    // the name is the scene's own
	}{
		{"world", robot, "world", 0, false}, // which the checker refuses, unless the SRDF knows it
		{"world", nil, "world", 0, false},
		{"base", robot, "base", 0, false},
		{"plate", robot, "base", 2, false},
		{"hall", semantic, "hall", 0, false},
		{"hall", robot, "", 0, true},
		{"cupboard", nil, "", 0, true},
	} {
		s, err := scene.Parse("cell.urdf", text(c.root), scene.Options{Robot: c.robot})
		if err != nil {
			t.Fatal(err)
		}
		told := false
		for _, w := range s.Warnings {
			told = told || strings.Contains(w, "root link, "+c.root)
		}
		if s.Frame != c.frame || s.Objects[0].PoseWS.P != (geom.Vec{Y: 1, Z: c.z}) || told != c.own {
			t.Errorf("%s: frame %q, post at %v, warnings %q", c.root, s.Frame, s.Objects[0].PoseWS.P, s.Warnings)
		}
	}
	_, err = scene.Parse("cell.urdf", text("arm"), scene.Options{Robot: robot})
	wantError(t, err, "cell.urdf", "arm", "joint j")
}

func TestURDFErrors(t *testing.T) {
	for text, want := range map[string]string{
		`<robot name="r"><link name="a"/></robot>`: "no collision geometry",
		`<robot name="r"><link name="a"><collision><geometry><mesh filename="none.stl"/></geometry></collision></link></robot>`: "none.stl",
		`<robot name="r">`: "f.urdf",
	} {
		_, err := scene.Parse("f.urdf", []byte(text), scene.Options{})
		wantError(t, err, want, "f.urdf")
	}
}

func TestPackageAddresses(t *testing.T) {
	dir := write(t, map[string]string{"tetra.obj": tetraOBJ})
	text := func(mesh string) []byte {
		return []byte("objects: [{id: a, type: mesh, mesh: '" + mesh + "'}]\n")
	}
	t.Setenv("AMENT_PREFIX_PATH", "")
	t.Setenv("ROS_PACKAGE_PATH", "")
	if _, err := scene.Parse("s", text("file://"+dir+"/tetra.obj"), scene.Options{}); err != nil {
		t.Error(err)
	}
	opts := scene.Options{Packages: map[string]string{"shapes": dir}}
	if _, err := scene.Parse("s", text("package://shapes/tetra.obj"), opts); err != nil {
		t.Error(err)
	}
	_, err := scene.Parse("s", text("package://shapes/tetra.obj"), scene.Options{})
	wantError(t, err, "object a", "package://shapes/tetra.obj", "folder of package shapes")
	t.Setenv("ROS_PACKAGE_PATH", filepath.Dir(dir))
	if _, err := scene.Parse("s", text("package://"+filepath.Base(dir)+"/tetra.obj"), scene.Options{}); err != nil {
		t.Error(err)
	}
}
