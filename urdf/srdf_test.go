package urdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree is base -a-> l1 -b-> l2 -c(fixed)-> tip, with a branch base -d-> r1 -e-> r2.
const tree = `<robot name="r">
<link name="base"/><link name="l1"/><link name="l2"/><link name="tip"/><link name="r1"/><link name="r2"/>
<joint name="a" type="continuous"><parent link="base"/><child link="l1"/></joint>
<joint name="b" type="continuous"><parent link="l1"/><child link="l2"/></joint>
<joint name="c" type="fixed"><parent link="l2"/><child link="tip"/></joint>
<joint name="d" type="continuous"><parent link="base"/><child link="r1"/></joint>
<joint name="e" type="planar"><parent link="r1"/><child link="r2"/><axis xyz="0 0 1"/></joint>
</robot>`

func semantic(t testing.TB, inside string) *Robot {
	t.Helper()
	r, err := ParseSRDF(mustParse(t, tree), []byte(`<robot name="r">`+inside+`</robot>`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// srdfWarnings leaves out what the URDF alone warns of.
func srdfWarnings(r *Robot) []string {
	return r.Warnings[len(r.Warnings)-r.srdfWarnings:]
}

func TestSRDFGroups(t *testing.T) {
	for _, tt := range []struct {
		name, inside string
		want         []Group
	}{
		{"joints", `<group name="g"><joint name="b"/><joint name="a"/></group>`, []Group{{"g", []string{"b", "a"}, []string{"l2", "l1"}}}},
		{"fixed joints do not move", `<group name="g"><joint name="c"/></group>`, []Group{{"g", nil, []string{"tip"}}}},
		{"links bring their joints", `<group name="g"><link name="base"/><link name="l2"/></group>`, []Group{{"g", []string{"b"}, []string{"base", "l2"}}}},
		{"chain", `<group name="g"><chain base_link="base" tip_link="tip"/></group>`, []Group{{"g", []string{"a", "b"}, []string{"l1", "l2", "tip"}}}},
		{"chain from the middle", `<group name="g"><chain base_link="l1" tip_link="tip"/></group>`, []Group{{"g", []string{"b"}, []string{"l2", "tip"}}}},
		{"chain over the top", `<group name="g"><chain base_link="l2" tip_link="r2"/></group>`, []Group{{"g", []string{"b", "a", "d", "e"}, []string{"l2", "l1", "r1", "r2"}}}},
		{"chain of nothing", `<group name="g"><chain base_link="l1" tip_link="l1"/></group>`, []Group{{"g", nil, nil}}},
		{
			"subgroups, also of groups that follow", `<group name="g"><group name="h"/><joint name="a"/></group><group name="h"><joint name="b"/><joint name="a"/></group>`,
			[]Group{{"g", []string{"b", "a"}, []string{"l2", "l1"}}, {"h", []string{"b", "a"}, []string{"l2", "l1"}}},
		},
		{"each once", `<group name="g"><joint name="a"/><chain base_link="base" tip_link="l2"/><link name="l1"/></group>`, []Group{{"g", []string{"a", "b"}, []string{"l1", "l2"}}}},
		{"other elements", `<group name="g"><joint name="a"/><weird/></group><end_effector name="x"/><group_tcps/>`, []Group{{"g", []string{"a"}, []string{"l1"}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := semantic(t, tt.inside)
			if diff := cmp.Diff(tt.want, r.Semantic.Groups); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(srdfWarnings(r)) > 0 {
				t.Errorf("warnings %q", srdfWarnings(r))
			}
		})
	}
}

func TestSRDFStatesAndJoints(t *testing.T) {
	r := semantic(t, `
<virtual_joint name="v" type="floating" parent_frame="world" child_link="base"/>
<passive_joint name="b"/><passive_joint name="v"/>
<group name="g"><joint name="v"/><chain base_link="base" tip_link="tip"/></group>
<group_state name="home" group="g"><joint name="a" value="0.5"/><joint name="b" value=" -1e-1 "/><joint name="v" value="0 0 0 0 0 0 1"/><joint name="e" value="1 2 3"/></group_state>`)
	want := &Semantic{
		Groups:        []Group{{"g", []string{"a", "b"}, []string{"l1", "l2", "tip"}}},
		States:        []GroupState{{"home", "g", map[string]float64{"a": .5, "b": -.1}}},
		VirtualJoints: []VirtualJoint{{"v", "floating", "world", "base"}},
		PassiveJoints: []string{"b"},
	}
	if diff := cmp.Diff(want, r.Semantic); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(srdfWarnings(r)) > 0 {
		t.Errorf("warnings %q", srdfWarnings(r))
	}
}

func TestSRDFPairs(t *testing.T) {
	off := func(a, b, why string) string {
		return `<disable_collisions link1="` + a + `" link2="` + b + `" reason="` + why + `"/>`
	}
	on := func(a, b string) string { return `<enable_collisions link1="` + a + `" link2="` + b + `"/>` }
	none := func(a string) string { return `<disable_default_collisions link="` + a + `"/>` }
	for _, tt := range []struct {
		name, inside string
		want         []string
	}{
		{"nothing", "", nil},
		{"either order", off("l1", "base", "Adjacent") + off("l1", "l2", "Never"), []string{"base-l1 Adjacent", "l1-l2 Never"}},
		{"twice", off("l1", "base", "Adjacent") + off("base", "l1", "Never"), []string{"base-l1 Adjacent"}},
		{"default", none("l2"), []string{"base-l2 default of l2", "l1-l2 default of l2", "l2-tip default of l2", "l2-r1 default of l2", "l2-r2 default of l2"}},
		{"default less enabled", on("l2", "base") + none("l2") + on("tip", "l2"), []string{"l1-l2 default of l2", "l2-r1 default of l2", "l2-r2 default of l2"}},
		{"enabled without default", on("l2", "base"), nil},
		{"disabled has the last word", off("base", "l2", "User") + on("base", "l2"), []string{"base-l2 User"}},
		{"disabled over default", none("r2") + off("r2", "base", "User") + on("l1", "r2") + on("l2", "r2") + on("tip", "r2"), []string{"base-r2 User", "r1-r2 default of r2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := semantic(t, tt.inside)
			var got []string
			for _, d := range r.Semantic.Disabled {
				if d.A >= d.B {
					t.Errorf("pair %+v out of order", d)
				}
				got = append(got, r.Links[d.A].Name+"-"+r.Links[d.B].Name+" "+d.Reason)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Names that the URDF lacks are one line, each name once, where nothing is left
// unchecked for them; what is asked about their groups is an error (Incomplete).
func TestSRDFUnknownNames(t *testing.T) {
	r := semantic(t, `
<group name="g"><link name="x1"/><joint name="y1"/><chain base_link="x2" tip_link="tip"/><chain base_link="base" tip_link="x2"/><group name="z1"/><joint name="a"/></group>
<group_state name="s" group="g"><joint name="y2" value="0"/><joint name="a" value="1"/></group_state>
<group_state name="s" group="z2"/>
<virtual_joint name="v" type="fixed" parent_frame="world" child_link="x3"/>
<passive_joint name="y1"/>
<disable_default_collisions link="x1"/>
<disable_collisions link1="base" link2="x4"/><disable_collisions link1="x4" link2="x5"/><disable_collisions link1="base" link2="base"/>`)
	want := []string{
		"srdf robot_description_semantic: entries about names that the robot lacks are ignored: links x3, x1, x2, x4, x5; joints y1, y2; groups z1, z2 (2 pairs)",
		"srdf robot_description_semantic: <disable_collisions> of a link with itself has no effect: base",
	}
	if diff := cmp.Diff(want, srdfWarnings(r)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	sem := &Semantic{Groups: []Group{{"g", []string{"a"}, []string{"l1"}}}, Incomplete: map[string][]string{"g": {"x1", "y1", "x2", "z1"}}, Unknown: 2, States: []GroupState{{"s", "g", map[string]float64{"a": 1}}}}
	if diff := cmp.Diff(sem, r.Semantic); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	other, err := ParseSRDF(mustParse(t, tree), []byte(`<robot name="another"/>`))
	if err != nil {
		t.Fatal(err)
	}
	if w := srdfWarnings(other); len(w) != 1 || !strings.Contains(w[0], `"another"`) || !strings.Contains(w[0], `"r"`) {
		t.Errorf("warnings %q", w)
	}
}

// A robot is not changed by reading an SRDF for it, and a second SRDF replaces
// the first with its warnings.
func TestSRDFMakesACopy(t *testing.T) {
	plain := mustParse(t, tree)
	before := len(plain.Warnings)
	one, err := ParseSRDF(plain, []byte(`<robot name="one"/>`))
	if err != nil {
		t.Fatal(err)
	}
	if plain.Semantic != nil || len(plain.Warnings) != before {
		t.Error("the robot was changed")
	}
	two, err := ParseSRDF(one, []byte(`<robot name="r"><passive_joint name="nope"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	checkRobot(t, two)
	if len(one.Warnings) != before+1 || len(two.Warnings) != before+1 {
		t.Errorf("warnings: %q, then %q", one.Warnings, two.Warnings)
	}
	if !strings.Contains(one.Warnings[before], `"one"`) || !strings.Contains(two.Warnings[before], "nope") {
		t.Errorf("warnings: %q, then %q", one.Warnings, two.Warnings)
	}
}

func TestLoadWithSRDF(t *testing.T) {
	dir := t.TempDir()
	path := write(t, []byte(tree), dir, "r.urdf")
	sem := write(t, []byte(`<robot name="r"><passive_joint name="a"/></robot>`), dir, "r.srdf")
	r, err := Load(path, Options{SRDF: sem})
	if err != nil {
		t.Fatal(err)
	}
	if r.Path != path || r.Semantic.Path != sem || len(r.Semantic.PassiveJoints) != 1 {
		t.Errorf("robot %q, semantic %+v", r.Path, r.Semantic)
	}
}

func TestBadSRDF(t *testing.T) {
	group := `<group name="g"><joint name="a"/></group>`
	for _, tt := range []struct {
		name, inside string
		want         []string
	}{
		{"group without name", `<group/>`, []string{"<group> has no attribute name"}},
		{"two groups of a name", group + group, []string{"second group \"g\"", "rename"}},
		{"group in itself", `<group name="g"><group name="g"/></group>`, []string{"group \"g\"", "contain itself"}},
		{"groups in a cycle", `<group name="g"><group name="h"/></group><group name="h"><group name="g"/></group>`, []string{"contain itself"}},
		{"member without name", `<group name="g"><joint/></group>`, []string{"<joint> has no attribute name"}},
		{"link without name", `<group name="g"><link/></group>`, []string{"<link> has no attribute name"}},
		{"chain without tip", `<group name="g"><chain base_link="base"/></group>`, []string{"<chain> has no attribute tip_link"}},
		{"chain without base", `<group name="g"><chain tip_link="base"/></group>`, []string{"<chain> has no attribute base_link"}},
		{"state without group", group + `<group_state name="s"/>`, []string{"has no attribute group"}},
		{"state without name", group + `<group_state group="g"/>`, []string{"has no attribute name"}},
		{"value missing", group + `<group_state name="s" group="g"><joint name="a"/></group_state>`, []string{"group state \"s\" of group \"g\"", "has no attribute value"}},
		{"NaN value", group + `<group_state name="s" group="g"><joint name="a" value="nan"/></group_state>`, []string{"group state \"s\"", "joint \"a\"", "not finite"}},
		{"NaN value of an unknown joint", group + `<group_state name="s" group="g"><joint name="y" value="nan"/></group_state>`, []string{"joint \"y\"", "not finite"}},
		{"word as value", group + `<group_state name="s" group="g"><joint name="a" value="one"/></group_state>`, []string{"joint \"a\"", "\"one\" is not a number"}},
		{"values for one joint", group + `<group_state name="s" group="g"><joint name="a" value="1 2"/></group_state>`, []string{"joint \"a\"", "2 values for one joint"}},
		{"virtual joint of unknown type", `<virtual_joint name="v" type="revolute" parent_frame="w" child_link="base"/>`, []string{"virtual joint \"v\"", "use fixed, planar or floating"}},
		{"virtual joint without frame", `<virtual_joint name="v" type="fixed" child_link="base"/>`, []string{"has no attribute parent_frame"}},
		{"passive joint without name", `<passive_joint/>`, []string{"<passive_joint> has no attribute name"}},
		{"pair without link", `<disable_collisions link1="base"/>`, []string{"has no attribute link2"}},
		{"enabled pair without link", `<enable_collisions link2="base"/>`, []string{"has no attribute link1"}},
		{"enabled pair of no link", `<enable_collisions link1="base" link2="l11"/>`, []string{"<enable_collisions>", "\"l11\"", "did you mean \"l1\"", "correct the name"}},
		{"state of no joint", `<group name="g"><joint name="gripper"/></group><group name="h"><joint name="a"/></group><group_state name="s" group="h"><joint name="gone" value="1"/></group_state>`, []string{"group state \"s\"", "\"gone\"", "correct the name"}},
		{"default without link", `<disable_default_collisions/>`, []string{"has no attribute link"}},
		{"xacro", `<xacro:macro/>`, []string{"xacro bad.srdf > bad_expanded.srdf"}},
		{"not well formed", `<group>`, []string{"truncated"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, []byte(`<robot name="r">`+tt.inside+`</robot>`), t.TempDir(), "bad.srdf")
			r, err := LoadSRDF(mustParse(t, tree), path)
			wantError(t, err, append(tt.want, path)...)
			if r != nil {
				t.Error("a robot came with the error")
			}
		})
	}
	r := mustParse(t, tree)
	_, err := LoadSRDF(r, filepath.Join(t.TempDir(), "x.srdf.xacro"))
	wantError(t, err, "xacro x.srdf.xacro > x.srdf")
	_, err = ParseSRDF(r, []byte("<urdf/>"))
	wantError(t, err, "robot_description_semantic", "<urdf>")
	_, err = LoadSRDF(r, os.DevNull)
	wantError(t, err, os.DevNull, "is a device")
}
