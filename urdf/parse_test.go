package urdf

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// robotXML puts links a and b, with what is inside b, into a robot beside other
// elements; b hangs on a by the joint j, with what is inside it.
func robotXML(inB, inJ, others string) string {
	return `<?xml version="1.0"?>
<robot name="r">
<link name="a"/>
<link name="b">` + inB + `</link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>` + inJ + `</joint>
` + others + `</robot>`
}

const limits = `<limit lower="-1" upper="2" effort="9" velocity="3"/>`

func mustParse(t testing.TB, doc string) *Robot {
	t.Helper()
	r, err := Parse([]byte(doc), Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkRobot(t, r)
	return r
}

func TestJoints(t *testing.T) {
	half := math.Sqrt(0.5)
	turnZ := geom.Rot{XY: -1, YX: 1, ZZ: 1} // a quarter turn about z
	for _, tt := range []struct {
		name, kind, inside string
		want               Joint
	}{
		{"revolute", "revolute", limits, Joint{Type: Revolute, Limit: Limit{Bounded: true, Lower: -1, Upper: 2, Velocity: 3}}},
		{"prismatic", "prismatic", limits, Joint{Type: Prismatic, Limit: Limit{Bounded: true, Lower: -1, Upper: 2, Velocity: 3}}},
		{"continuous keeps its velocity only", "continuous", limits, Joint{Type: Continuous, Limit: Limit{Velocity: 3}}},
		{"continuous without limit", "continuous", "", Joint{Type: Continuous}},
		{"planar", "planar", `<axis xyz="0 0 2"/>`, Joint{Type: Planar, Axis: geom.Vec{Z: 1}}},
		{"floating", "floating", "", Joint{Type: Floating}},
		{"fixed", "fixed", "", Joint{Type: Fixed}},
		{"fixed with an axis of zero, as exporters write it", "fixed", `<axis xyz="0 0 0"/>`, Joint{Type: Fixed}},
		{"fixed that mimics stays fixed", "fixed", `<mimic joint="j"/>`, Joint{Type: Fixed}},
		{"limits default to zero", "revolute", `<limit effort="1" velocity="1"/>`, Joint{Type: Revolute, Limit: Limit{Bounded: true, Velocity: 1}}},
		{"axis is normalised", "continuous", `<axis xyz="0 -3 4"/>`, Joint{Type: Continuous, Axis: geom.Vec{Y: -.6, Z: .8}}},
		{"tiny axis too", "continuous", `<axis xyz="0 0 1e-200"/>`, Joint{Type: Continuous, Axis: geom.Vec{Z: 1}}},
		{"axis without xyz", "continuous", `<axis/>`, Joint{Type: Continuous}},
		{"origin", "fixed", `<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>`, Joint{PosePC: geom.Pose{R: turnZ, P: geom.Vec{X: 1, Y: 2, Z: 3}}}},
		{"origin without rpy", "fixed", `<origin xyz="1 2 3"/>`, Joint{PosePC: geom.Translation(geom.Vec{X: 1, Y: 2, Z: 3})}},
		{"origin by quaternion", "fixed", `<origin quat_xyzw="0 0 0.7071067811865475 0.7071067811865475"/>`, Joint{PosePC: geom.Pose{R: turnZ}}},
		{"roll, then pitch, then yaw about fixed axes", "fixed", `<origin rpy="1.5707963267948966 0 1.5707963267948966"/>`, Joint{PosePC: geom.Pose{R: geom.Rot{XZ: 1, YX: 1, ZY: 1}}}},
		{"many lines and spaces", "fixed", "\n<origin\n   xyz=\" 1\n\t2  3 \"\n/>", Joint{PosePC: geom.Translation(geom.Vec{X: 1, Y: 2, Z: 3})}},
		{"comments", "fixed", `<!-- <origin xyz="9 9 9"/> --><origin xyz="1 2 3"/>`, Joint{PosePC: geom.Translation(geom.Vec{X: 1, Y: 2, Z: 3})}},
		{"what does not matter", "fixed", `<dynamics damping="x"/><safety_controller/><calibration rising="nan"/>`, Joint{}},
		{"half turns", "fixed", `<origin quat_xyzw="0 0.7071067811865476 0 0.7071067811865476"/>`, Joint{PosePC: geom.Pose{R: geom.AxisSinCos(geom.Vec{Y: 1}, 2*half*half, 0)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := strings.Replace(robotXML("", tt.inside, ""), "revolute", tt.kind, 1)
			want := tt.want
			want.Name, want.Parent, want.Child = "j", 0, 1
			if want.Axis == (geom.Vec{}) {
				want.Axis = geom.Vec{X: 1}
			}
			if want.PosePC.R == (geom.Rot{}) {
				want.PosePC.R = geom.Identity()
			}
			near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-15 })
			if diff := cmp.Diff(want, mustParse(t, doc).Joints[0], near); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestShapes(t *testing.T) {
	col := func(geometry string) string {
		return `<collision><geometry>` + geometry + `</geometry></collision>`
	}
	at := geom.Translation(geom.Vec{X: 1, Y: 2, Z: 3})
	id := geom.IdentityPose()
	for _, tt := range []struct {
		name, inside string
		want         []Collision
	}{
		{"none", "", nil},
		{"visuals do not collide", `<visual><geometry><box size="nan"/></geometry></visual><inertial><mass value="x"/></inertial>`, nil},
		{"box", col(`<box size="1 2 3"/>`), []Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 1, Y: 2, Z: 3}}}}},
		{"sphere", col(`<sphere radius="2"/>`), []Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Sphere, Radius: 2}}}},
		{"sphere of radius zero", col(`<sphere radius="0.0"/>`), []Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Points, Points: []geom.Vec{{}}}}}},
		{"cylinder", col(`<cylinder radius="2" length="3"/>`), []Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Cylinder, Radius: 2, Length: 3}}}},
		{"capsule", col(`<capsule radius="2" length="3"/>`), []Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Capsule, Radius: 2, Length: 3}}}},
		{
			"several, posed and named", `<collision name="one"><origin xyz="1 2 3"/><geometry><sphere radius="1"/></geometry></collision>` + col(`<sphere radius="2"/>`),
			[]Collision{{Name: "one", PoseLS: at, Shape: &shape.Shape{Kind: shape.Sphere, Radius: 1}}, {PoseLS: id, Shape: &shape.Shape{Kind: shape.Sphere, Radius: 2}}},
		},
		{"foreign elements", `<x:collision xmlns:x="urn:x"/>` + col(`<y:hint xmlns:y="urn:y"/><sphere radius="2"/>`), []Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Sphere, Radius: 2}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := mustParse(t, robotXML(tt.inside, limits, `<transmission><joint name="j"/></transmission><gazebo><link name="a"/></gazebo>`))
			if diff := cmp.Diff(tt.want, r.Links[1].Collisions); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The parser of urdfdom knows no namespaces: xmlns does not change the name of an element.
func TestNamespaceOfOneElement(t *testing.T) {
	const plain = `<robot name="r" xmlns="urn:r"><link name="a"/><link name="b"><collision><origin xyz="0 0 5"/><geometry><box size="3 3 3"/></geometry></collision></link><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/><mimic joint="j" multiplier="2"/></joint></robot>`
	want := mustParse(t, plain)
	for _, element := range []string{"<collision", "<origin", "<geometry", "<box", "<axis", "<mimic", "<limit", "<joint"} {
		for _, space := range []string{"", "urn:other"} {
			r := mustParse(t, strings.Replace(plain, element, element+` xmlns="`+space+`"`, 1))
			if d := cmp.Diff(want.Links, r.Links) + cmp.Diff(want.Joints, r.Joints); d != "" {
				t.Errorf("%s of the namespace %q (-want +got)\n%s", element, space, d)
			}
		}
	}
	for _, root := range []string{`<robot name="r">`, `<robot name="r" xmlns="">`} {
		r := mustParse(t, strings.Replace(plain, `<robot name="r" xmlns="urn:r">`, root, 1))
		if d := cmp.Diff(want.Links, r.Links); d != "" {
			t.Errorf("%s: %s", root, d)
		}
	}
}

// stl is a binary STL file of one triangle with a corner at x.
func stl(x float64) []byte {
	out := binary.LittleEndian.AppendUint32(make([]byte, 80), 1)
	for _, f := range []float64{0, 0, 1, 0, 0, 0, x, 0, 0, 0, 1, 0} {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(f)))
	}
	return append(out, 0, 0)
}

// write puts a file into a folder, which it makes.
func write(t testing.TB, data []byte, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMeshesAreLoadedOnceAndScaled(t *testing.T) {
	dir := t.TempDir()
	write(t, stl(1), dir, "m.stl")
	use := func(attr string) string {
		return `<collision><geometry><mesh ` + attr + `/></geometry></collision>`
	}
	path := write(t, []byte(robotXML(
		use(`filename="m.stl"`)+use(`filename="./m.stl"`)+use(`filename="m.stl" scale="1 1 1"`)+use(`filename="m.stl" scale="2 1 -1"`), limits, "")), dir, "r.urdf")
	r, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkRobot(t, r)
	c := r.Links[1].Collisions
	if c[0].Shape != c[1].Shape || c[0].Shape != c[2].Shape {
		t.Error("the same file at the same scale was read more than once")
	}
	if c[0].Shape == c[3].Shape {
		t.Error("the same file at another scale is another mesh")
	}
	if got := reach(c[3].Shape); got != (geom.Vec{X: 2, Y: 1}) {
		t.Errorf("scaled mesh reaches to %v", got)
	}
	if c[0].Shape.Source != filepath.Join(dir, "m.stl") {
		t.Errorf("source %q", c[0].Shape.Source)
	}
	r, err = Load(path, Options{SkipMeshes: true})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Links[1].Collisions[0].Shape; s.Kind != shape.Mesh || s.Mesh != nil || s.Source != "m.stl" {
		t.Errorf("skipped mesh: %+v", s)
	}
}

func reach(s *shape.Shape) geom.Vec {
	b := geom.EmptyBox()
	for _, v := range s.Mesh.Vertices {
		b = b.Extend(v)
	}
	return r3.Add(b.Max, b.Min)
}

func TestWarnings(t *testing.T) {
	sphere := `<collision><geometry><sphere radius="0"/></geometry></collision>`
	r := mustParse(t, robotXML(sphere+sphere, limits, `<link name="c"/><joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>`))
	want := []string{"2 spheres have radius 0 and are checked as points", "links without collision geometry are never checked: a, c"}
	if diff := cmp.Diff(want, r.Warnings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMimicChains(t *testing.T) {
	joint := func(name, parent, child, inside string) string {
		return `<link name="` + child + `"/><joint name="` + name + `" type="continuous"><parent link="` + parent + `"/><child link="` + child + `"/>` + inside + `</joint>`
	}
	r := mustParse(t, `<robot name="r"><link name="l0"/>`+
		joint("q1", "l0", "l1", `<mimic joint="q2" multiplier="2" offset="1"/>`)+
		joint("q2", "l1", "l2", `<mimic joint="q3" multiplier="-3" offset="5"/>`)+
		joint("q3", "l2", "l3", `<mimic joint="q4"/>`)+
		joint("q4", "l3", "l4", "")+`</robot>`)
	// q3 = q4, q2 = -3 q4 + 5, q1 = 2 (-3 q4 + 5) + 1
	for i, want := range []*Mimic{{3, -6, 11}, {3, -3, 5}, {3, 1, 0}, nil} {
		if diff := cmp.Diff(want, r.Joints[i].Mimic); diff != "" {
			t.Errorf("joint %s (-want +got)\n%s", r.Joints[i].Name, diff)
		}
	}
}
