package urdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Every bad file is an error that names the file, the link or joint, and helps.
func TestBadURDF(t *testing.T) {
	shape := func(s string) string {
		return robotXML(`<collision><geometry>`+s+`</geometry></collision>`, limits, "")
	}
	joint := func(inside string) string { return robotXML("", inside, "") }
	link := func(name string) string { return `<link name="` + name + `"/>` }
	fixed := func(name, parent, child string) string {
		return `<joint name="` + name + `" type="fixed"><parent link="` + parent + `"/><child link="` + child + `"/></joint>`
	}
	turning := func(name, parent, child, inside string) string {
		return `<joint name="` + name + `" type="continuous"><parent link="` + parent + `"/><child link="` + child + `"/>` + inside + `</joint>`
	}
	robot := func(parts ...string) string {
		return `<robot name="r">` + strings.Join(parts, "") + `</robot>`
	}
	abc := link("a") + link("b") + link("c")
	good := joint(limits)
	for _, tt := range []struct {
		name, doc string
		want      []string
	}{
		{"empty", "", []string{"no XML element"}},
		{"cut short", good[:len(good)-10], []string{"truncated"}},
		{"not a robot", "<sdf/>", []string{"<sdf>", "<robot>"}},
		{"no links", robot(), []string{"no links"}},
		{"xacro", robot(`<xacro:macro xmlns:xacro="http://www.ros.org/wiki/xacro"/>`, link("a")), []string{"xacro", "xacro bad.urdf > bad_expanded.urdf", "ros2 run xacro xacro"}},
		{"xacro, undeclared", robot(`<xacro:include/>`, link("a")), []string{"expand it first"}},
		{"xacro expression", joint(`<origin xyz="${a} 0 0"/>` + limits), []string{"joint \"j\"", "xacro expression"}},

		{"link without name", robot(`<link/>`), []string{"<link> has no attribute name"}},
		{"two links of a name", robot(link("a"), link("a")), []string{"link \"a\"", "rename"}},
		{"joint without name", robot(link("a"), `<joint type="fixed"/>`), []string{"<joint> has no attribute name"}},
		{"two joints of a name", robot(abc, fixed("j", "a", "b"), fixed("j", "a", "c")), []string{"joint \"j\"", "rename"}},
		{"joint without type", robot(abc, `<joint name="j"><parent link="a"/><child link="b"/></joint>`), []string{"joint \"j\"", "has no attribute type"}},
		{"joint of unknown type", strings.Replace(good, "revolute", "screw", 1), []string{"joint \"j\"", "\"screw\"", "use fixed, revolute"}},
		{"no parent", robot(abc, `<joint name="j" type="fixed"><child link="b"/></joint>`), []string{"joint \"j\"", "<parent link=...>"}},
		{"no child", robot(abc, `<joint name="j" type="fixed"><parent link="b"/></joint>`), []string{"joint \"j\"", "<child link=...>"}},
		{"unknown parent", robot(abc, fixed("j", "x", "b")), []string{"joint \"j\"", "parent link \"x\"", "correct the name"}},
		{"unknown child", robot(abc, fixed("j", "a", "x")), []string{"joint \"j\"", "child link \"x\"", "correct the name"}},
		{"two parents named", robot(abc, `<joint name="j" type="fixed"><parent link="a"/><parent link="c"/><child link="b"/></joint>`), []string{"joint \"j\"", "second <parent>"}},

		{"two roots", robot(abc, fixed("j", "a", "b")), []string{"2 links have no parent", "\"a\"", "\"c\"", "fixed joints"}},
		{"link with two parents", robot(abc, fixed("j", "a", "b"), fixed("k", "c", "b")), []string{"link \"b\"", "\"j\"", "\"k\"", "one parent"}},
		{"circle without root", robot(link("a"), link("b"), fixed("j", "a", "b"), fixed("k", "b", "a")), []string{"cycle", "a -> b -> a"}},
		{"circle beside a root", robot(abc, fixed("j", "b", "c"), fixed("k", "c", "b")), []string{"cycle", "b -> c -> b"}},
		{"circle with a branch", robot(abc, link("d"), fixed("i", "b", "d"), fixed("j", "b", "c"), fixed("k", "c", "b")), []string{"cycle", "b -> c -> b"}},
		{"link that hangs on itself", robot(abc, fixed("j", "b", "b")), []string{"cycle", "b -> b"}},

		{"limit missing", joint(""), []string{"joint \"j\"", "revolute joint needs <limit", "continuous"}},
		{"limit missing, prismatic", strings.Replace(joint(""), "revolute", "prismatic", 1), []string{"joint \"j\"", "prismatic joint needs <limit"}},
		{"limits swapped", joint(`<limit lower="2" upper="1"/>`), []string{"joint \"j\"", "lower limit 2 is above upper limit 1", "swap"}},
		{"lower default above upper", joint(`<limit upper="-1"/>`), []string{"lower limit 0 is above upper limit -1"}},
		{"NaN limit", joint(`<limit lower="nan" upper="1"/>`), []string{"joint \"j\"", "lower=\"nan\"", "not finite"}},
		{"infinite limit", joint(`<limit lower="0" upper="inf"/>`), []string{"joint \"j\"", "upper=\"inf\"", "not finite"}},
		{"limit no number", joint(`<limit lower="0" upper="pi/2"/>`), []string{"joint \"j\"", "\"pi/2\" is not a number"}},
		{"negative velocity", joint(`<limit upper="1" velocity="-1"/>`), []string{"joint \"j\"", "velocity limit -1"}},
		{"NaN velocity", joint(`<limit upper="1" velocity="nan"/>`), []string{"joint \"j\"", "velocity=\"nan\""}},
		{"two limits", joint(limits + limits), []string{"joint \"j\"", "second <limit>"}},
		{"zero axis", joint(`<axis xyz="0 0 0"/>` + limits), []string{"joint \"j\"", "is zero"}},
		{"NaN axis", joint(`<axis xyz="0 nan 0"/>` + limits), []string{"joint \"j\"", "<axis xyz=\"0 nan 0\">", "not finite"}},
		{"NaN axis of a fixed joint", strings.Replace(joint(`<axis xyz="0 nan 0"/>`), "revolute", "fixed", 1), []string{"not finite"}},
		{"short axis", joint(`<axis xyz="0 1"/>` + limits), []string{"joint \"j\"", "2 numbers, not 3"}},
		{"NaN origin", joint(`<origin xyz="0 0 nan"/>` + limits), []string{"joint \"j\"", "<origin xyz=", "not finite"}},
		{"overflowing origin", joint(`<origin xyz="0 0 1e999"/>` + limits), []string{"joint \"j\"", "not finite"}},
		{"long rpy", joint(`<origin rpy="0 0 0 1"/>` + limits), []string{"joint \"j\"", "4 numbers, not 3"}},
		{"two origins", joint(`<origin/><origin/>` + limits), []string{"joint \"j\"", "second <origin>"}},
		{"zero quaternion", joint(`<origin quat_xyzw="0 0 0 0"/>` + limits), []string{"joint \"j\"", "no direction"}},
		{"rotation twice", joint(`<origin quat_xyzw="0 0 0 1" rpy="0 0 0"/>` + limits), []string{"joint \"j\"", "keep one"}},

		{"mimics nothing", joint(limits + `<mimic joint="x"/>`), []string{"joint \"j\"", "\"x\"", "does not exist"}},
		{"mimic without joint", joint(limits + `<mimic/>`), []string{"joint \"j\"", "<mimic> has no attribute joint"}},
		{"mimics itself", joint(limits + `<mimic joint="j"/>`), []string{"joint \"j\"", "cycle", "j -> j"}},
		{"mimic cycle", robot(abc, turning("j", "a", "b", `<mimic joint="k"/>`), turning("k", "b", "c", `<mimic joint="j"/>`)), []string{"cycle", "j -> k -> j"}},
		{"mimics a cycle", robot(abc, link("d"), turning("i", "a", "d", `<mimic joint="j"/>`), turning("j", "a", "b", `<mimic joint="k"/>`), turning("k", "b", "c", `<mimic joint="j"/>`)), []string{"cycle", "j -> k -> j"}},
		{"mimics a fixed joint", robot(abc, turning("j", "a", "b", `<mimic joint="k"/>`), fixed("k", "b", "c")), []string{"joint \"j\"", "\"k\" is fixed"}},
		{"floating mimic", strings.Replace(robot(abc, turning("j", "a", "b", `<mimic joint="k"/>`), turning("k", "b", "c", "")), "continuous", "floating", 1), []string{"\"j\" is floating"}},
		{"NaN multiplier", joint(limits + `<mimic joint="j" multiplier="nan"/>`), []string{"joint \"j\"", "multiplier"}},
		{"multipliers overflow", robot(abc, link("d"), turning("i", "a", "d", `<mimic joint="j" multiplier="1e200"/>`), turning("j", "a", "b", `<mimic joint="k" multiplier="1e200"/>`), turning("k", "b", "c", "")), []string{"joint \"i\"", "1e200", "beyond"}},
		{"multipliers multiply", robot(abc, link("d"), turning("i", "a", "d", `<mimic joint="j" multiplier="1e4"/>`), turning("j", "a", "b", `<mimic joint="k" multiplier="-1e4"/>`), turning("k", "b", "c", "")), []string{"joint \"i\"", "-1e+08", "exceed"}},
		{"planar without axis", strings.Replace(joint(""), "revolute", "planar", 1), []string{"joint \"j\"", "without <axis>", `<axis xyz="0 0 1"/>`}},
		{"planar with the axis x", strings.Replace(joint(`<axis xyz="1 0 0"/>`), "revolute", "planar", 1), []string{"joint \"j\"", "(1, 0, 0)", "MoveIt", `<axis xyz="0 0 1"/>`}},
		{"planar upside down", strings.Replace(joint(`<axis xyz="0 0 -1"/>`), "revolute", "planar", 1), []string{"joint \"j\"", "(0, 0, -1)", `<origin>`}},
		{"far origin", joint(`<origin xyz="0 0 2e6"/>` + limits), []string{"joint \"j\"", "<origin xyz=", "beyond 1e+06", "unit"}},
		{"many turns of an origin", joint(`<origin rpy="0 0 2e6"/>` + limits), []string{"joint \"j\"", "<origin rpy=", "beyond"}},
		{"long quaternion", joint(`<origin quat_xyzw="0 0 0 5"/>` + limits), []string{"joint \"j\"", "length 5"}},
		{"far limit", joint(`<limit lower="-1e16" upper="1e16"/>`), []string{"joint \"j\"", "lower=\"-1e16\"", "beyond"}},
		{"far offset", joint(limits + `<mimic joint="j" offset="1e7"/>`), []string{"joint \"j\"", "offset", "beyond"}},
		{"huge box", shape(`<box size="1 1 2e6"/>`), []string{"link \"b\"", "beyond"}},
		{"tiny box", shape(`<box size="1 1 1e-21"/>`), []string{"link \"b\"", "from 1e-20 m", "unit"}},
		{"tiny sphere", shape(`<sphere radius="1e-300"/>`), []string{"link \"b\"", "from 1e-20 m"}},
		{"huge capsule", shape(`<capsule radius="1e9" length="1"/>`), []string{"link \"b\"", "beyond"}},
		{"huge scale", shape(`<mesh filename="good.stl" scale="2e6 1 1"/>`), []string{"link \"b\"", "beyond", "scale"}},
		{"tiny scale", shape(`<mesh filename="good.stl" scale="1e-10 1 1"/>`), []string{"link \"b\"", "good.stl", "scale", "unit"}},

		{"no geometry", robotXML(`<collision/>`, limits, ""), []string{"link \"b\"", "collision element 1", "<geometry>"}},
		{"empty geometry", shape(""), []string{"link \"b\"", "collision element 1", "one shape"}},
		{"two shapes", shape(`<sphere radius="1"/><sphere radius="1"/>`), []string{"link \"b\"", "one shape"}},
		{"foreign shape", shape(`<x:ellipsoid xmlns:x="urn:x"/>`), []string{"link \"b\"", "one shape"}},
		{"unknown shape", shape(`<cone radius="1"/>`), []string{"link \"b\"", "<cone>", "use box"}},
		{"second collision bad", robotXML(`<collision><geometry><sphere radius="1"/></geometry></collision><collision/>`, limits, ""), []string{"collision element 2"}},
		{"NaN collision origin", robotXML(`<collision><origin rpy="0 nan 0"/><geometry><sphere radius="1"/></geometry></collision>`, limits, ""), []string{"link \"b\"", "<origin rpy=", "not finite"}},
		{"box without size", shape(`<box/>`), []string{"link \"b\"", "<box> has no attribute size"}},
		{"zero box", shape(`<box size="1 0 1"/>`), []string{"link \"b\"", "positive"}},
		{"negative box", shape(`<box size="1 1 -1"/>`), []string{"link \"b\"", "positive"}},
		{"NaN box", shape(`<box size="1 1 nan"/>`), []string{"link \"b\"", "not finite"}},
		{"short box", shape(`<box size="1 1"/>`), []string{"link \"b\"", "2 numbers, not 3"}},
		{"negative sphere", shape(`<sphere radius="-1"/>`), []string{"link \"b\"", "positive"}},
		{"sphere without radius", shape(`<sphere/>`), []string{"link \"b\"", "<sphere> has no attribute radius"}},
		{"NaN sphere", shape(`<sphere radius="nan"/>`), []string{"link \"b\"", "not finite"}},
		{"flat cylinder", shape(`<cylinder radius="1" length="0"/>`), []string{"link \"b\"", "length=\"0\"", "positive"}},
		{"cylinder without length", shape(`<cylinder radius="1"/>`), []string{"link \"b\"", "has no attribute length"}},
		{"thin capsule", shape(`<capsule radius="0" length="1"/>`), []string{"link \"b\"", "radius=\"0\"", "positive"}},

		{"mesh without file", shape(`<mesh/>`), []string{"link \"b\"", "<mesh> has no attribute filename"}},
		{"mesh missing", shape(`<mesh filename="none.stl"/>`), []string{"link \"b\"", "\"none.stl\" not found", "relative to the URDF"}},
		{"mesh missing, absolute", shape(`<mesh filename="/no/such.stl"/>`), []string{"link \"b\"", "\"/no/such.stl\" not found"}},
		{"package missing", shape(`<mesh filename="package://pkg/m.stl"/>`), []string{"link \"b\"", "--package pkg=DIR", "tried ", filepath.Join("pkg", "m.stl")}},
		{"package address incomplete", shape(`<mesh filename="package://pkg"/>`), []string{"link \"b\"", "package://NAME/PATH"}},
		{"web address", shape(`<mesh filename="http://x/m.stl"/>`), []string{"link \"b\"", "http://", "not supported"}},
		{"mesh bad", shape(`<mesh filename="bad.stl"/>`), []string{"link \"b\"", "bad.stl", "too short"}},
		{"mesh format unknown", shape(`<mesh filename="bad.urdf"/>`), []string{"link \"b\"", "\".urdf\" is not supported"}},
		{"zero scale", shape(`<mesh filename="good.stl" scale="1 1 0"/>`), []string{"link \"b\"", "good.stl", "scale", "not zero"}},
		{"NaN scale", shape(`<mesh filename="good.stl" scale="1 nan 1"/>`), []string{"link \"b\"", "scale", "not finite"}},
		{"one factor", shape(`<mesh filename="good.stl" scale="0.001"/>`), []string{"link \"b\"", "1 numbers, not 3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("AMENT_PREFIX_PATH", "")
			t.Setenv("ROS_PACKAGE_PATH", "")
			dir := t.TempDir()
			for name, data := range map[string]string{"bad.urdf": tt.doc, "bad.stl": "x", "good.stl": string(stl(1))} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(dir, "bad.urdf")
			r, err := Load(path, Options{})
			wantError(t, err, append(tt.want, path)...)
			if r != nil {
				t.Error("a robot came with the error")
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(filepath.Join(dir, "none.urdf"), Options{})
	wantError(t, err, "none.urdf", "no such file")
	_, err = Load(dir, Options{})
	wantError(t, err, dir, "is a folder")
	_, err = Load(filepath.Join(dir, "x.urdf.xacro"), Options{})
	wantError(t, err, "x.urdf.xacro", "xacro x.urdf.xacro > x.urdf")
	_, err = Parse([]byte("<robot>"), Options{})
	wantError(t, err, "robot_description", "truncated")
	_, err = Parse([]byte(`<robot><xacro:x/></robot>`), Options{})
	wantError(t, err, "robot_description", "xacro in.urdf.xacro > in.urdf")
	_, err = Parse([]byte(robotXML(`<collision><geometry><mesh filename="m.stl"/></geometry></collision>`, limits, "")), Options{})
	wantError(t, err, "link \"b\"", "\"m.stl\" is relative", "in memory")
	huge := filepath.Join(dir, "huge.urdf")
	if os.WriteFile(huge, nil, 0o600) == nil && os.Truncate(huge, limit.DescriptionBytes+1) == nil { // sparse: takes no disk
		_, err = Load(huge, Options{})
		wantError(t, err, huge, "limit")
	}
	path := write(t, []byte(robotXML("", limits, "")), dir, "r.urdf")
	_, err = Load(path, Options{SRDF: filepath.Join(dir, "none.srdf")})
	wantError(t, err, "none.srdf", "no such file")
}

// wantError fails unless err holds every one of parts.
func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}
