package urdf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

const twoFingers = `<robot name="gripper">
  <link name="finger"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="palm"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="thumb"/>
  <joint name="close" type="prismatic"><parent link="palm"/><child link="finger"/><axis xyz="0 1 0"/><limit lower="0" upper="1" velocity="1" effort="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="palm"/><child link="thumb"/><axis xyz="0 1 0"/><limit lower="0" upper="1" velocity="1" effort="1"/><mimic joint="close" multiplier="-1"/></joint>
</robot>`

const twoFingersSRDF = `<robot name="gripper">
  <virtual_joint name="fixed" type="fixed" parent_frame="world" child_link="palm"/>
  <group name="all"><joint name="close"/><link name="palm"/></group>
  <group_state name="open" group="all"><joint name="close" value="0.5"/></group_state>
  <passive_joint name="follow"/>
  <disable_collisions link1="palm" link2="finger" reason="Adjacent"/>
</robot>`

func gripper(t *testing.T, srdf bool) *Robot {
	t.Helper()
	r, err := Parse([]byte(twoFingers), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if srdf {
		if r, err = ParseSRDF(r, []byte(twoFingersSRDF)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestJoin(t *testing.T) {
	there := geom.Pose{R: geom.RPY(0, 0, 1), P: geom.Vec{X: 2}}
	plain, semantic := gripper(t, false), gripper(t, true)
	r, err := Join("cell", []Part{{"left", plain, geom.IdentityPose()}, {"right", semantic, there}})
	if err != nil {
		t.Fatal(err)
	}
	wantLinks := []string{"world", "left/finger", "left/palm", "left/thumb", "right/finger", "right/palm", "right/thumb"}
	for i, name := range wantLinks {
		if r.Links[i].Name != name || r.Link(name) != i {
			t.Errorf("link %d is %s, index %d; want %s", i, r.Links[i].Name, r.Link(name), name)
		}
	}
	for i, want := range []string{
		"left/close: left/palm -> left/finger", "left/follow: left/palm -> left/thumb", "world/left: world -> left/palm",
		"right/close: right/palm -> right/finger", "right/follow: right/palm -> right/thumb", "world/right: world -> right/palm",
	} {
		j := &r.Joints[i]
		if got := fmt.Sprintf("%s: %s -> %s", j.Name, r.Links[j.Parent].Name, r.Links[j.Child].Name); got != want || r.Joint(j.Name) != i {
			t.Errorf("joint %d is %s, index %d; want %s", i, got, r.Joint(j.Name), want)
		}
		if r.Links[j.Child].ParentJoint != i {
			t.Errorf("%s has parent joint %d, not %d", r.Links[j.Child].Name, r.Links[j.Child].ParentJoint, i)
		}
	}
	if len(r.Links) != len(wantLinks) || len(r.Joints) != 6 || r.Root != 0 || r.Links[0].ParentJoint != -1 || r.Name != "cell" {
		t.Errorf("%d links, %d joints, root %d", len(r.Links), len(r.Joints), r.Root)
	}
	if fixed := r.Joints[5]; fixed.Type != Fixed || fixed.PosePC != there {
		t.Errorf("right stands at %+v", fixed)
	}
	for joint, follows := range map[int]int{1: 0, 4: 3} {
		if m := r.Joints[joint].Mimic; m == nil || m.Joint != follows || m.Multiplier != -1 {
			t.Errorf("joint %d mimics %+v, not %d", joint, m, follows)
		}
	}
	for link, part := range []int{-1, 0, 0, 0, 1, 1, 1} {
		if r.Part(link) != part {
			t.Errorf("link %d is of part %d, not %d", link, r.Part(link), part)
		}
	}
	want := &Semantic{
		Groups:        []Group{{"right/all", []string{"right/close"}, []string{"right/finger", "right/palm"}}},
		States:        []GroupState{{"right/open", "right/all", map[string]float64{"right/close": 0.5}}},
		VirtualJoints: []VirtualJoint{{"right/fixed", "fixed", "right/world", "right/palm"}},
		PassiveJoints: []string{"right/follow"},
		Disabled:      []DisabledPair{{4, 5, "Adjacent"}},
	}
	if d := cmp.Diff(want, r.Semantic); d != "" {
		t.Error(d)
	}
	if len(r.Warnings) != 2 || !strings.HasPrefix(r.Warnings[0], "left: links without collision") || !strings.Contains(r.Warnings[1], "thumb") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if plain.Joints[1].Mimic.Joint != 0 || plain.Links[1].ParentJoint != -1 || plain.Links[0].Name != "finger" {
		t.Error("the robot joined was written to")
	}
}

// Without an SRDF there is no semantic to speak of, which is not the same as one
// that allows nothing.
func TestJoinWithoutSRDF(t *testing.T) {
	r, err := Join("cell", []Part{{"a", gripper(t, false), geom.IdentityPose()}})
	if err != nil || r.Semantic != nil {
		t.Fatalf("%v, %v", r.Semantic, err)
	}
	whole, err := ParseSRDF(r, []byte(`<robot name="cell"><disable_collisions link1="a/palm" link2="a/finger" reason="Never"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]DisabledPair{{1, 2, "Never"}}, whole.Semantic.Disabled); d != "" || whole.Parts != nil || len(r.Parts) != 1 {
		t.Errorf("%s; parts %v", d, whole.Parts)
	}
}

func TestJoinErrors(t *testing.T) {
	g := gripper(t, false)
	id := geom.IdentityPose()
	both, err := Join("both", []Part{{"a", g, id}})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		parts []Part
		want  string
	}{
		"none":       {nil, "at least one"},
		"no name":    {[]Part{{"", g, id}}, "no name"},
		"slash":      {[]Part{{"a/b", g, id}}, `"a/b" has a '/'`},
		"equals":     {[]Part{{"a=b", g, id}}, `"a=b" has a '='`},
		"world":      {[]Part{{"world", g, id}}, "named world"},
		"twice":      {[]Part{{"a", g, id}, {"a", g, id}}, "two robots are named a"},
		"nil":        {[]Part{{"a", nil, id}}, "robot a is missing"},
		"empty":      {[]Part{{"a", &Robot{}, id}}, "robot a has no links"},
		"joined":     {[]Part{{"a", both, id}}, "robot a is itself a combination"},
		"no pose":    {[]Part{{"a", g, geom.Pose{}}}, "robot a: its pose"},
		"scaled":     {[]Part{{"a", g, geom.Pose{R: geom.Rot{XX: 2, YY: 2, ZZ: 2}}}}, "robot a: its pose"},
		"mirrored":   {[]Part{{"a", g, geom.Pose{R: geom.Rot{XX: 1, YY: 1, ZZ: -1}}}}, "robot a: its pose"},
		"far beyond": {[]Part{{"a", g, geom.Pose{R: geom.Identity(), P: geom.Vec{X: math.Inf(1)}}}}, "robot a: its pose"},
	} {
		r, err := Join("cell", tc.parts)
		if err == nil || r != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

// Shapes are shared, so that a robot that stands twice in a cell is compiled once.
func TestJoinSharesShapes(t *testing.T) {
	g := gripper(t, false)
	r, err := Join("cell", []Part{{"a", g, geom.IdentityPose()}, {"b", g, geom.IdentityPose()}})
	if err != nil {
		t.Fatal(err)
	}
	var shapes []*shape.Shape
	for _, l := range r.Links {
		for _, c := range l.Collisions {
			shapes = append(shapes, c.Shape)
		}
	}
	if len(shapes) != 4 || shapes[0] != shapes[2] || shapes[1] != shapes[3] {
		t.Errorf("%v", shapes)
	}
}
