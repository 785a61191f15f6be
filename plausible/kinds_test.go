package plausible_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// arm is a robot of 1 m with a lift, three turning joints and a wheel. A trigger replaces one
// piece of its text.
const arm = `<robot name="arm">
  <link name="base"><collision><origin xyz="0 0 0.1"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0 0 0.2" rpy="0 0 0"/><geometry><box size="0.1 0.1 0.3"/></geometry></collision></link>
  <link name="fore"><collision><origin xyz="0 0 0.15"/><geometry><box size="0.08 0.08 0.25"/></geometry></collision></link>
  <link name="hand"><collision><origin xyz="0 0 0.03"/><geometry><box size="0.05 0.05 0.1"/></geometry></collision></link>
  <link name="wheel"><collision><geometry><cylinder radius="0.05" length="0.02"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.2"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="2"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/><limit lower="-2.5" upper="2.5" velocity="2"/></joint>
  <joint name="lift" type="prismatic"><parent link="fore"/><child link="hand"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/><limit lower="0" upper="0.1" velocity="0.5"/></joint>
  <joint name="spin" type="continuous"><parent link="hand"/><child link="wheel"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/><limit velocity="3"/></joint>
</robot>`

const semantic = `<robot name="arm">
  <group name="turning"><joint name="shoulder"/><joint name="elbow"/><joint name="spin"/></group>
  <group name="all"><joint name="shoulder"/><joint name="elbow"/><joint name="lift"/><joint name="spin"/></group>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
</robot>`

// upperBox is a shape in arm that triggers replace.
const upperBox = `<geometry><box size="0.1 0.1 0.3"/></geometry>`

// slip is an input that triggers one finding and no other.
type slip struct {
	name   string
	robot  []string // replacements in arm: old, new, ...
	srdf   []string // replacements in semantic
	scene  string   // objects in YAML
	motion string   // CSV; a plain motion if empty
}

// cube writes an STL mesh whose sides are that long, around the middle.
func cube(t *testing.T, dir, name string, side float64) {
	t.Helper()
	var b strings.Builder
	b.WriteString("solid cube\n")
	h := side / 2
	for axis := range 3 {
		for _, s := range []float64{-1, 1} {
			at := func(u, v float64) string {
				p := [3]float64{}
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = s*h, u*h*s, v*h
				return fmt.Sprintf("vertex %g %g %g\n", p[0], p[1], p[2])
			}
			for _, tri := range [][3]string{{at(-1, -1), at(1, -1), at(1, 1)}, {at(-1, -1), at(1, 1), at(-1, 1)}} {
				b.WriteString("facet normal 0 0 0\nouter loop\n" + tri[0] + tri[1] + tri[2] + "endloop\nendfacet\n")
			}
		}
	}
	b.WriteString("endsolid\n")
	if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// table is a motion of n rows, dt apart from the time start on, in which the shoulder and the
// elbow turn; row changes one.
func table(n int, start, dt float64, columns string, row func(i int, x float64) string) string {
	b := strings.Builder{}
	b.WriteString("time," + columns + "\n")
	for i := range n {
		fmt.Fprintf(&b, "%.6f,%s\n", start+dt*float64(i), row(i, math.Sin(3*float64(i)/float64(n))))
	}
	return b.String()
}

func both(_ int, x float64) string { return fmt.Sprintf("%g,%g,0.05,0", x, x/2) }

const allJoints = "shoulder,elbow,lift,spin"

// rooted are rows whose root link has a position and an orientation.
func rooted(root string) string {
	return table(30, 0, 0.1, "root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,"+allJoints, func(_ int, x float64) string {
		return root + "," + both(0, x)
	})
}

var slips = []slip{
	{name: ""}, // the arm as it is
	{name: "no-shapes", robot: []string{"<collision>", "<notes>", "</collision>", "</notes>"}},
	{name: "small-link", robot: []string{upperBox, `<geometry><mesh filename="tenth.stl" scale="0.05 0.05 0.05"/></geometry>`}},
	{name: "tiny-mesh", robot: []string{`<cylinder radius="0.05" length="0.02"/>`, `<mesh filename="tenth.stl" scale="0.001 0.001 0.001"/>`}},
	{name: "huge-link", robot: []string{upperBox, `<geometry><mesh filename="tenth.stl" scale="1000 1000 1000"/></geometry>`}},
	{name: "far-geometry", robot: []string{`<origin xyz="0 0 0.03"/>`, `<origin xyz="0 0 30"/>`}},
	{name: "offset-geometry", robot: []string{`<origin xyz="0 0 0.03"/>`, `<origin xyz="0.6 0 0.8"/>`}},
	{name: "huge-robot", robot: []string{
		`xyz="0 0 0.4"`, `xyz="0 0 40"`, `xyz="0 0 0.3"`, `xyz="0 0 30"`, `xyz="0 0 0.1"/><axis`, `xyz="0 0 10"/><axis`,
		`<origin xyz="0 0 0.2" rpy="0 0 0"/><geometry><box size="0.1 0.1 0.3"/>`, `<origin xyz="0 0 20"/><geometry><box size="10 10 30"/>`,
		`<origin xyz="0 0 0.15"/><geometry><box size="0.08 0.08 0.25"/>`, `<origin xyz="0 0 15"/><geometry><box size="8 8 25"/>`,
		`<box size="0.05 0.05 0.1"/>`, `<box size="5 5 10"/>`, `radius="0.05" length="0.02"`, `radius="5" length="2"`,
	}},
	{name: "tiny-robot", robot: []string{
		`xyz="0 0 0.2"/><axis`, `xyz="0 0 0.0002"/><axis`, `xyz="0 0 0.4"`, `xyz="0 0 0.0004"`, `xyz="0 0 0.3"/><axis`, `xyz="0 0 0.0003"/><axis`, `xyz="0 0 0.1"/><axis`, `xyz="0 0 0.0001"/><axis`,
		`xyz="0 0 0.1"`, `xyz="0 0 0.0001"`, `<box size="0.2 0.2 0.2"/>`, `<box size="0.0002 0.0002 0.0002"/>`,
		`<origin xyz="0 0 0.2" rpy="0 0 0"/><geometry><box size="0.1 0.1 0.3"/>`, `<origin xyz="0 0 0.0002"/><geometry><box size="0.0001 0.0001 0.0003"/>`,
		`<origin xyz="0 0 0.15"/><geometry><box size="0.08 0.08 0.25"/>`, `<origin xyz="0 0 0.00015"/><geometry><box size="0.00008 0.00008 0.00025"/>`,
		`<origin xyz="0 0 0.03"/>`, `<origin xyz="0 0 0.00003"/>`, `<box size="0.05 0.05 0.1"/>`, `<box size="0.00005 0.00005 0.0001"/>`,
		`radius="0.05" length="0.02"`, `radius="0.00005" length="0.00002"`,
	}},
	{name: "rpy-degrees", scene: `{id: crate, type: box, xyz: [0.5, 0, 0.5], size: [0.1, 0.2, 0.3], rpy: [0, 90, 0]}`},
	{name: "rpy-degrees", robot: []string{`rpy="0 0 0"`, `rpy="0 0 90"`}},
	{name: "rpy-degrees", robot: []string{`<origin xyz="0 0 0.3"/><axis`, `<origin xyz="0 0 0.3" rpy="0 0 -45"/><axis`}},
	{name: "limits-in-degrees", robot: []string{`lower="-2.5" upper="2.5"`, `lower="-145" upper="145"`}},
	{name: "limits-in-millimetres", robot: []string{`lower="0" upper="0.1"`, `lower="0" upper="100"`}},
	{name: "link-without-shape", robot: []string{`<link name="upper"><collision><origin xyz="0 0 0.2" rpy="0 0 0"/><geometry><box size="0.1 0.1 0.3"/></geometry></collision></link>`, `<link name="upper"/>`}},
	{name: "foreign-srdf", srdf: []string{`<disable_collisions link1="base" link2="upper" reason="Adjacent"/>`, `<disable_collisions link1="base" link2="link_1" reason="Adjacent"/><disable_collisions link1="link_1" link2="link_2" reason="Adjacent"/>`}},
	{name: "scene-out-of-reach", scene: `{id: crate, type: box, xyz: [500, 0, 500], size: [0.1, 0.2, 0.3]}`},
	{name: "scene-beyond-reach", scene: `{id: crate, type: box, xyz: [5, 0, 0.5], size: [0.1, 0.2, 0.3]}`},
	{name: "far-object", scene: `{id: crate, type: box, xyz: [800, 0, 0.5], size: [0.1, 0.2, 0.3]}, {id: table, type: box, xyz: [0.5, 0, 0.5], size: [0.1, 0.2, 0.3]}`},
	{name: "tiny-object", scene: `{id: crate, type: box, xyz: [0.5, 0, 0.5], size: [0.001, 0.001, 0.001]}`},
	{name: "assumed-share", robot: []string{`<link name="base"><collision>`, `<link name="foot"><collision><origin xyz="0 0 -0.3"/><geometry><sphere radius="0.1"/></geometry></collision></link><joint name="sole" type="fixed"><parent link="base"/><child link="foot"/></joint><link name="base"><collision>`}, srdf: []string{`<disable_collisions link1="base" link2="upper" reason="Adjacent"/>`, `<disable_default_collisions link="base"/><disable_default_collisions link="foot"/><disable_default_collisions link="upper"/><disable_default_collisions link="fore"/><disable_default_collisions link="hand"/>`}},
	{name: "small-scene", scene: `{id: crate, type: box, xyz: [0.5, 0, 0.5], size: [0.005, 0.005, 0.005]}`},
	{name: "same-pose", scene: `{id: crate, type: box, size: [0.1, 0.2, 0.3]}, {id: can, type: cylinder, radius: 0.1, length: 0.2}`},
	{name: "object-not-checked", scene: `{id: crate, type: box, xyz: [0.5, 0, 0.5], size: [0.1, 0.2, 0.3]}]
allowed: [[crate, base], [crate, upper], [crate, fore], [crate, hand], [wheel, crate]`},
	{name: "huge-object", scene: `{id: crate, type: mesh, xyz: [0.5, 0, 0.5], mesh: tenth.stl, scale: 3000}`},
	{name: "far-attached", scene: `{id: tool, type: box, xyz: [3, 0, 0], size: [0.1, 0.2, 0.3], attached_to: hand}`},
	{name: "quaternion-order", scene: `{id: funnel, type: cone, xyz: [0.5, 0, 0.5], radius: 0.1, length: 0.2, quat_xyzw: [1, 0, 0, 0]}`},
	{name: "degrees", motion: table(10, 0, 10, allJoints, func(_ int, x float64) string { return fmt.Sprintf("%g,%g,0.05,0", 90*x, 45*x) })},
	{name: "degrees", robot: []string{`lower="-2.5" upper="2.5"`, `lower="-145" upper="145"`}, motion: table(10, 0, 10, allJoints, func(_ int, x float64) string { return fmt.Sprintf("0.1,%g,0.05,0", 90*x) })},
	{name: "degrees", motion: table(100, 0, 0.1, allJoints, func(_ int, x float64) string { return fmt.Sprintf("0.1,0,0.05,%g", 100*x) })},
	{name: "millimetres", motion: table(10, 0, 100, allJoints, func(_ int, x float64) string { return fmt.Sprintf("%g,0.5,%g,0", x, 50+45*x) })},
	{name: "far-beyond-limits", motion: table(10, 0, 1, allJoints, func(_ int, x float64) string { return fmt.Sprintf("%g,%g,0.05,0", x, 3.5*x) })},
	{name: "far-beyond-limits", motion: table(10, 0, 1, allJoints, func(_ int, x float64) string { return fmt.Sprintf("%g,0.05,%g,0", x, 0.3+x) })},
	{name: "few-joints", srdf: []string{"<group", "<notes", "</group>", "</notes>"}, motion: table(10, 0, 1, "shoulder", func(_ int, x float64) string { return fmt.Sprint(x) })},
	{name: "held-between", motion: table(10, 0, 1, "shoulder,lift,spin", func(_ int, x float64) string { return fmt.Sprintf("%g,0.05,0", x) })},
	{name: "incomplete-group", motion: table(10, 0, 1, "shoulder,elbow", func(_ int, x float64) string { return fmt.Sprintf("%g,%g", x, x/2) })},
	{name: "epoch-stamps", motion: table(30, 1.7e9, 0.1, allJoints, both)},
	{name: "slow-motion", motion: table(30, 0, 100, allJoints, both)},
	{name: "fast-motion", motion: table(30, 0, 0.002, allJoints, both)},
	{name: "recording-hole", motion: table(30, 0, 0.1, allJoints, both) + "9,0.5,0.9,0.05,0\n"},
	{name: "no-motion", motion: table(30, 0, 0.1, allJoints, func(int, float64) string { return "0.1,0.2,0.05,0" })},
	{name: "upside-down", motion: rooted("0,0,0,1,0,0,0")},
	{name: "", motion: rooted("0,0,0,0,0,0,1")},
	{name: "scene-out-of-reach", motion: rooted("793,0,0,0,0,0,1"), scene: `{id: crate, type: box, xyz: [0.5, 0, 0.5], size: [0.1, 0.2, 0.3]}`},
	{name: "", motion: rooted("793,0,0,0,0,0,1"), scene: `{id: crate, type: box, xyz: [793, 0, 0.5], size: [0.1, 0.2, 0.3]}`},
}

// findings reads the slip's files and returns what is found.
func (s *slip) findings(t *testing.T) []plausible.Finding {
	t.Helper()
	dir := t.TempDir()
	cube(t, dir, "tenth.stl", 0.1)
	write := func(name, text string, replace []string) string {
		for i := 0; i < len(replace); i += 2 {
			if !strings.Contains(text, replace[i]) {
				t.Fatalf("%s: the file lacks %s", s.name, replace[i])
			}
			text = strings.ReplaceAll(text, replace[i], replace[i+1])
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	robot, err := urdf.Load(write("arm.urdf", arm, s.robot), urdf.Options{SRDF: write("arm.srdf", semantic, s.srdf)})
	if err != nil {
		t.Fatal(err)
	}
	var world *scene.Snapshot
	if s.scene != "" {
		if world, err = scene.Load(write("scene.yaml", "objects: ["+s.scene+"]", nil), scene.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if s.motion == "" {
		s.motion = table(30, 0, 0.1, allJoints, both)
	}
	motions, err := motionfile.Load(write("motion.csv", s.motion, nil), motionfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model := plausible.New(robot, world)
	out := model.Motion(motions[0].Motion)
	if len(motions[0].Motion.Root) > 0 {
		return append(out, model.Standing()...)
	}
	return append(out, model.Findings()...)
}

// A plane has no end, which is no slip; a mesh of the same size is one.
func TestPlaneIsNotHuge(t *testing.T) {
	robot, err := urdf.Parse([]byte(arm), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for object, want := range map[string]int{
		`planes: [{coef: [0.6, 0, 0.8, 2]}], plane_poses: [{position: {x: 0, y: 0, z: -0.5}}]`:                                                                                                 0,
		`meshes: [{vertices: [{x: -1e4, y: 0, z: 0}, {x: 1e4, y: 0, z: 0}, {x: 0, y: 1e4, z: 0}], triangles: [{vertex_indices: [0, 1, 2]}]}], mesh_poses: [{position: {x: 0, y: 0, z: -0.5}}]`: 1,
	} {
		world, err := scene.Parse("s.yaml", []byte("world: {collision_objects: [{id: floor, "+object+"}]}\n"), scene.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := plausible.New(robot, world).Findings()
		huge := slices.DeleteFunc(found, func(f plausible.Finding) bool { return f.Name != "huge-object" })
		if len(huge) != want {
			t.Errorf("%s: found %v, want %d", object, huge, want)
		}
	}
}

// Each slip triggers the finding that is meant, and no other.
func TestSlips(t *testing.T) {
	for _, s := range slips {
		t.Run(s.name, func(t *testing.T) {
			var names []string
			for _, f := range s.findings(t) {
				if names = append(names, f.Name); f.Remedy == "" || f.Detail == "" || f.Value == f.Limit {
					t.Errorf("it lacks a number or a remedy: %+v", f)
				}
				t.Log(f)
			}
			want := []string{s.name}
			switch {
			case s.name == "":
				want = nil
			case s.name == "degrees" && len(s.robot) > 0:
				want = append(want, "limits-in-degrees")
			}
			if !slices.Equal(names, want) {
				t.Errorf("found %q, want %q", names, want)
			}
		})
	}
}

// The page has one row for each finding, with its kind and its remedy, and each has a slip.
func TestPageOfFindings(t *testing.T) {
	page, err := os.ReadFile("../docs/plausibility.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (.*) \\|$").FindAllStringSubmatch(string(page), -1) {
		if rows[m[1]] != nil {
			t.Errorf("%s has two rows", m[1])
		}
		rows[m[1]] = strings.Split(m[2], " | ")
	}
	kinds := map[bool]string{true: "gap", false: "warning"}
	for _, k := range plausible.Kinds() {
		row := rows[k.Name]
		if len(row) != 5 || row[0] != kinds[k.Gap] || row[3] != k.Remedy {
			t.Errorf("the row of %s is %q, want it to say %s and %q", k.Name, row, kinds[k.Gap], k.Remedy)
		}
		delete(rows, k.Name)
		if !slices.ContainsFunc(slips, func(s slip) bool { return s.name == k.Name }) {
			t.Errorf("no slip triggers %s", k.Name)
		}
	}
	for name := range rows {
		t.Errorf("%s is no finding", name)
	}
}

// Positions that joints are held at are judged as those of motions.
func TestState(t *testing.T) {
	robot, err := urdf.Parse([]byte(arm), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model := plausible.New(robot, nil)
	for x, want := range map[float64]string{1: "", 2.4: "", 3.5: "far-beyond-limits", 90: "degrees"} {
		found := model.State(map[string]float64{"elbow": x})
		if len(found) > 1 || (len(found) == 1) != (want != "") || len(found) == 1 && found[0].Name != want {
			t.Errorf("elbow at %g: %v, want %q", x, found, want)
		}
	}
}

// A curve is judged by where it goes, not by its control points.
func TestCurvesAreJudgedByTheirPositions(t *testing.T) {
	robot, err := urdf.Parse([]byte(arm), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &motion.Motion{Joints: []string{"elbow"}, Pieces: []motion.Piece{{End: 4, Ctrl: [][]float64{{0, 3.2, -3.2, 0}}}}}
	if found := plausible.Premises(plausible.New(robot, nil).Motion(m)); len(found) > 0 {
		t.Errorf("%v", found)
	}
}
