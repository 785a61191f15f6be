package urdf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

var ball = &shape.Shape{Kind: shape.Sphere, Radius: 1}

// FuzzURDF mutates the parts of a document rather than the whole, most of whose
// mutations would fail as XML (which FuzzParse of xmltree is for).
func FuzzURDF(f *testing.F) {
	f.Add("", limits, "")
	f.Add(`<collision name="c"><origin xyz="1 2 3" rpy="0 0 1"/><geometry><mesh filename="package://p/m.stl" scale="1 1 -1"/></geometry></collision>`+
		`<collision><geometry><box size="1 2 3"/></geometry></collision><collision><geometry><capsule radius="1" length="2"/></geometry></collision>`,
		`<axis xyz="0 1 1"/>`+limits, ``)
	f.Add(`<collision><geometry><sphere radius="0"/></geometry></collision>`, limits,
		`<link name="c"/><joint name="k" type="prismatic"><origin quat_xyzw="1 2 3 4"/><parent link="b"/><child link="c"/>`+limits+`<mimic joint="j" multiplier="-2" offset="1"/></joint>`)
	f.Add(``, limits, `<link name="c"/><joint name="k" type="planar"><parent link="b"/><child link="c"/></joint><link name="d"/><joint name="l" type="continuous"><parent link="c"/><child link="d"/><mimic joint="j"/></joint>`)
	f.Fuzz(func(t *testing.T, inB, inJ, others string) {
		doc := robotXML(inB, inJ, others)
		r, err := Parse([]byte(doc), Options{SkipMeshes: true})
		if err != nil {
			wantError(t, err, "urdf robot_description")
			return
		}
		for i := range r.Links {
			for _, c := range r.Links[i].Collisions {
				if c.Shape.Mesh == nil && c.Shape.Source != "" {
					*c.Shape = *ball // stands in for the mesh that was skipped
				}
			}
		}
		checkRobot(t, r)
		again, err := Parse([]byte(doc), Options{SkipMeshes: true})
		if err != nil || !cmp.Equal(again.Warnings, r.Warnings) {
			t.Fatalf("a second reading gives %v, %v", again, err)
		}
	})
}

func FuzzSRDF(f *testing.F) {
	f.Add(`<robot name="r"><group name="g"><chain base_link="l2" tip_link="r2"/><group name="h"/></group><group name="h"><joint name="a"/><link name="tip"/></group></robot>`)
	f.Add(`<robot name="r"><group name="g"/><group_state name="s" group="g"><joint name="a" value="1"/><joint name="e" value="1 2 3"/></group_state></robot>`)
	f.Add(`<robot name="r"><virtual_joint name="v" type="planar" parent_frame="w" child_link="base"/><passive_joint name="v"/></robot>`)
	f.Add(`<robot name="r"><disable_default_collisions link="l1"/><enable_collisions link1="l1" link2="tip"/><disable_collisions link1="x" link2="tip"/></robot>`)
	robot := mustParse(f, tree)
	f.Fuzz(func(t *testing.T, doc string) {
		r, err := ParseSRDF(robot, []byte(doc))
		if err != nil {
			wantError(t, err, "srdf robot_description_semantic")
			return
		}
		checkSemantic(t, r)
	})
}

// checkSemantic fails unless the semantic description names what the robot has.
func checkSemantic(t testing.TB, r *Robot) {
	t.Helper()
	joint := func(name string) {
		if r.Joint(name) < 0 {
			t.Fatalf("joint %q does not exist", name)
		}
	}
	link := func(name string) {
		if r.Link(name) < 0 {
			t.Fatalf("link %q does not exist", name)
		}
	}
	for _, g := range r.Semantic.Groups {
		for _, j := range g.Joints {
			joint(j)
		}
		for _, l := range g.Links {
			link(l)
		}
	}
	for _, s := range r.Semantic.States {
		for j, x := range s.Positions {
			joint(j)
			if x-x != 0 {
				t.Fatalf("joint %q stands at %v", j, x)
			}
		}
	}
	for _, v := range r.Semantic.VirtualJoints {
		link(v.ChildLink)
	}
	for _, j := range r.Semantic.PassiveJoints {
		joint(j)
	}
	for i, d := range r.Semantic.Disabled {
		if d.A < 0 || d.A >= d.B || d.B >= len(r.Links) {
			t.Fatalf("pair %+v", d)
		}
		if i > 0 && cmp.Equal(d, r.Semantic.Disabled[i-1]) {
			t.Fatalf("pair %+v twice", d)
		}
	}
}
