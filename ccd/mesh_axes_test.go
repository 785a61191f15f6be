package ccd

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A robot with a glTF mesh is free only if its axes are accepted, alone, joined with others and
// as a scene: turned by a quarter about x the block of 0.25 x 0.5 x 0.75 m reaches elsewhere.
func TestMeshAxes(t *testing.T) {
	glb, err := os.ReadFile("../internal/geometry/mesh/testdata/assimp.glb")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "block.glb"), glb, 0o600); err != nil {
		t.Fatal(err)
	}
	const text = `<robot name="r"><link name="base"><collision><origin xyz="0 0 -1"/><geometry><sphere radius="0.1"/></geometry></collision></link><link name="rail"/><link name="arm">
<collision><geometry><mesh filename="block.glb"/></geometry></collision>
<collision><origin xyz="0 0 1"/><geometry><mesh filename="block.glb"/></geometry></collision></link>
<joint name="lift" type="fixed"><parent link="base"/><child link="rail"/></joint>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="arm"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`
	robot, err := urdf.Parse([]byte(text), urdf.Options{Path: filepath.Join(dir, "r.urdf")})
	if err != nil {
		t.Fatal(err)
	}
	if len(robot.Gaps) != 1 || robot.Gaps[0].Kind != premise.MeshAxes || !slices.Equal(robot.Gaps[0].Names, []string{"arm"}) || !strings.Contains(robot.Gaps[0].Detail, "link arm, block.glb") {
		t.Fatalf("gaps %v", robot.Gaps)
	}
	pair, err := urdf.Join("cell", []urdf.Part{{Name: "left", Robot: robot, PoseW: geom.IdentityPose()}, {Name: "right", Robot: robot, PoseW: geom.Translation(geom.Vec{Y: 9})}})
	if err != nil {
		t.Fatal(err)
	}
	static, err := scene.FromRobot(robot)
	if err != nil {
		t.Fatal(err)
	}
	ball, err := urdf.Parse([]byte(`<robot name="b"><link name="floor"/><link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="slide" type="prismatic"><origin xyz="0 3 0"/><parent link="floor"/><child link="hand"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		robot  *urdf.Robot
		world  *scene.Snapshot
		joint  string
		accept premise.Accept
	}{
		"robot":  {robot, nil, "slide", premise.Accept{"mesh-axes:arm"}},
		"joined": {pair, nil, "left/slide", premise.Accept{"mesh-axes:left/arm", "mesh-axes:right/arm"}},
		"scene":  {ball, static, "slide", premise.Accept{"mesh-axes"}},
	} {
		move, err := motion.Between([]string{c.joint}, []float64{0}, []float64{0.5}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, accept := range []premise.Accept{nil, c.accept} {
			checker, err := New(c.robot, c.world, Options{Accept: accept})
			if err != nil {
				t.Fatal(err)
			}
			v, err := checker.Check(context.Background(), move, motion.Query{})
			if err != nil {
				t.Fatal(err)
			}
			want := motion.Undecided
			if accept != nil {
				want = motion.Free
			}
			if v.Status != want || accept == nil && !strings.Contains(v.Reason, "mesh-axes:") {
				t.Errorf("%s, accepting %q: %v %s", name, accept, v.Status, v.Reason)
			}
		}
	}
}
