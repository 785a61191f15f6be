package kin_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Poses worked out by hand, from the URDF as it is written to where its link tip is:
// what docs/motions.md says of joints, row by row.
func TestWhatJointsDo(t *testing.T) {
	const half = math.Pi / 2
	sin, cos := math.Sin, math.Cos
	rot := func(rows ...float64) geom.Rot {
		return geom.Rot{XX: rows[0], XY: rows[1], XZ: rows[2], YX: rows[3], YY: rows[4], YZ: rows[5], ZX: rows[6], ZY: rows[7], ZZ: rows[8]}
	}
	id := geom.Identity()
	aboutX := func(a float64) geom.Rot { return rot(1, 0, 0, 0, cos(a), -sin(a), 0, sin(a), cos(a)) }
	aboutY := func(a float64) geom.Rot { return rot(cos(a), 0, sin(a), 0, 1, 0, -sin(a), 0, cos(a)) }
	aboutZ := func(a float64) geom.Rot { return rot(cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1) }
	r, p, y := 0.1, 0.2, 0.3
	for _, c := range []struct {
		name   string
		joints string // a chain from base to tip: "TYPE | elements", in order j0, j1, ...
		at     map[string]float64
		want   geom.Pose
	}{
		{"origin: xyz", `fixed | <origin xyz="1 2 3"/>`, nil, geom.Pose{R: id, P: geom.Vec{X: 1, Y: 2, Z: 3}}},
		{"origin: roll about x, then pitch about y, then yaw about z, of the parent's axes", `fixed | <origin rpy="0.1 0.2 0.3"/>`, nil, geom.Pose{R: rot(
			cos(y)*cos(p), cos(y)*sin(p)*sin(r)-sin(y)*cos(r), cos(y)*sin(p)*cos(r)+sin(y)*sin(r),
			sin(y)*cos(p), sin(y)*sin(p)*sin(r)+cos(y)*cos(r), sin(y)*sin(p)*cos(r)-cos(y)*sin(r),
			-sin(p), cos(p)*sin(r), cos(p)*cos(r),
		)}},
		{
			"origins go on from the link before", `fixed | <origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/> ; fixed | <origin xyz="2 0 0"/>`, nil,
			geom.Pose{R: aboutZ(half), P: geom.Vec{X: 1, Y: 2}},
		},
		{
			"revolute: about the axis, right-handed, in its own origin", `revolute | <origin xyz="1 0 0"/><axis xyz="0 0 1"/> ; fixed | <origin xyz="2 0 0"/>`,
			map[string]float64{"j0": 0.5},
			geom.Pose{R: aboutZ(0.5), P: geom.Vec{X: 1 + 2*cos(0.5), Y: 2 * sin(0.5)}},
		},
		{
			"revolute: the axis is of the joint's frame", `revolute | <origin rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>`,
			map[string]float64{"j0": 0.5},
			geom.Pose{R: rot(cos(0.5), -sin(0.5), 0, 0, 0, -1, sin(0.5), cos(0.5), 0)},
		},
		{"revolute: the axis is x where none is given", `revolute | `, map[string]float64{"j0": 0.5}, geom.Pose{R: aboutX(0.5)}},
		{"revolute: the axis has any length", `revolute | <axis xyz="0 -10 0"/>`, map[string]float64{"j0": 0.5}, geom.Pose{R: aboutY(-0.5)}},
		{"revolute: limits do not stop it", `revolute | <axis xyz="0 0 1"/>`, map[string]float64{"j0": 5}, geom.Pose{R: aboutZ(5)}},
		{"continuous: turns without end", `continuous | <axis xyz="0 0 1"/>`, map[string]float64{"j0": 7}, geom.Pose{R: aboutZ(7 - 2*math.Pi)}},
		{
			"prismatic: along the axis, of the joint's frame", `prismatic | <origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/><axis xyz="2 0 0"/>`,
			map[string]float64{"j0": 0.4},
			geom.Pose{R: aboutY(half), P: geom.Vec{Z: 1 - 0.4}},
		},
		{
			"planar: x and y of the joint's frame, then a turn about z there", `planar | <origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/> ; fixed | <origin xyz="2 0 0"/>`,
			map[string]float64{"j0/x": 0.3, "j0/y": -0.2, "j0/theta": 0.5},
			geom.Pose{R: rot(cos(0.5), -sin(0.5), 0, 0, 0, -1, sin(0.5), cos(0.5), 0), P: geom.Vec{X: 0.3 + 2*cos(0.5), Z: 1 - 0.2 + 2*sin(0.5)}},
		},
		{"floating: held at its origin", `floating | <origin xyz="0.1 0.2 0.3" rpy="0 0 0.5"/>`, nil, geom.Pose{R: aboutZ(0.5), P: geom.Vec{X: 0.1, Y: 0.2, Z: 0.3}}},
		{
			"mimic: multiplier times position plus offset", `revolute | <axis xyz="0 0 1"/> ; prismatic | <axis xyz="0 0 1"/><mimic joint="j0" multiplier="-0.1" offset="0.3"/>`,
			map[string]float64{"j0": 0.5},
			geom.Pose{R: aboutZ(0.5), P: geom.Vec{Z: 0.25}},
		},
		{"mimic: the same angle where neither is given", `revolute | <axis xyz="0 0 1"/> ; revolute | <axis xyz="0 0 1"/><mimic joint="j0"/>`, map[string]float64{"j0": 0.5}, geom.Pose{R: aboutZ(1)}},
		{
			"mimic: of a mimic", `prismatic | ; prismatic | <mimic joint="j0" multiplier="2" offset="0.1"/> ; prismatic | <mimic joint="j1" multiplier="-0.5" offset="1"/>`,
			map[string]float64{"j0": 0.4},
			geom.Pose{R: id, P: geom.Vec{X: 0.4 + 0.9 + (1 - 0.45)}},
		},
		{"mimic: of a joint that comes later", `prismatic | <mimic joint="j1" multiplier="3"/> ; prismatic | <axis xyz="0 1 0"/>`, map[string]float64{"j1": 0.2}, geom.Pose{R: id, P: geom.Vec{X: 0.6, Y: 0.2}}},
		{"mimic: its own limits do not stop it", `prismatic | ; prismatic | <axis xyz="0 1 0"/><mimic joint="j0" multiplier="10"/>`, map[string]float64{"j0": 0.9}, geom.Pose{R: id, P: geom.Vec{X: 0.9, Y: 9}}},
		{"mimic: a gear of a continuous joint turns on", `continuous | <axis xyz="0 0 1"/> ; revolute | <axis xyz="0 0 1"/><mimic joint="j0" multiplier="0.25"/>`, map[string]float64{"j0": 4}, geom.Pose{R: aboutZ(5)}},
	} {
		robot := chainRobot(t, c.joints)
		tree, err := kin.NewTree(robot)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		q := make([]float64, len(tree.Dofs))
		for name, x := range c.at {
			q[tree.DofIndex(name)] = x
		}
		got := poseWL(still(tree, q...), robot.Link("tip"))
		if c.want.R == (geom.Rot{}) {
			c.want.R = id
		}
		worst := geom.Norm(r3.Sub(got.P, c.want.P))
		for _, e := range []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			worst = max(worst, geom.Norm(r3.Sub(got.R.Apply(e), c.want.R.Apply(e))))
		}
		if !(worst < 1e-14) {
			t.Errorf("%s: the tip is at %v, want %v", c.name, got, c.want)
		}
	}
}

// chainRobot loads a robot of joints in a chain, written "TYPE | elements ; ...", each
// with limits of 1 to both sides.
func chainRobot(t *testing.T, joints string) *urdf.Robot {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<robot name="chain"><link name="base"/>`)
	parts := strings.Split(joints, ";")
	parent := "base"
	for i, part := range parts {
		kind, elements, _ := strings.Cut(part, "|")
		child := fmt.Sprint("l", i)
		if i == len(parts)-1 {
			child = "tip"
		}
		fmt.Fprintf(&b, `<link name=%q/><joint name="j%d" type=%q><parent link=%q/><child link=%q/>%s<limit lower="-1" upper="1"/></joint>`,
			child, i, strings.TrimSpace(kind), parent, child, elements)
		parent = child
	}
	b.WriteString(`</robot>`)
	file := filepath.Join(t.TempDir(), "chain.urdf")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	robot, err := urdf.Load(file, urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return robot
}
