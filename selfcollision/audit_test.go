package selfcollision

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// robot returns a base with a slide, an arm on the slide and a lamp fixed to the base.
func robot() *urdf.Robot {
	link := func(name string, joint int, at geom.Vec) urdf.Link {
		return urdf.Link{Name: name, ParentJoint: joint, Collisions: []urdf.Collision{{
			PoseLS: geom.Translation(at), Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 1, Y: 1, Z: 1}},
		}}}
	}
	joint := func(name string, kind urdf.JointType, parent, child int) urdf.Joint {
		return urdf.Joint{Name: name, Type: kind, Parent: parent, Child: child, PosePC: geom.IdentityPose(), Axis: geom.Vec{X: 1}, Limit: urdf.Limit{Bounded: true, Lower: -9, Upper: 9}}
	}
	return &urdf.Robot{
		Name: "r",
		Links: []urdf.Link{
			link("base", -1, geom.Vec{}), link("slide", 0, geom.Vec{X: 0.5}), link("arm", 1, geom.Vec{X: 0.9}), link("lamp", 2, geom.Vec{X: -5}),
		},
		Joints: []urdf.Joint{joint("a", urdf.Prismatic, 0, 1), joint("b", urdf.Prismatic, 1, 2), joint("c", urdf.Fixed, 0, 3)},
	}
}

// Every combination of what a pair does and what is said of it.
func TestAudit(t *testing.T) {
	const on = "(enabled)"
	here := []float64{0, 0, 0}
	for _, tc := range []struct {
		meets  pairproof.Meeting
		apart  bool // seen apart, of those that touch sometimes
		reason string
		want   FindingKind // of base and slide, neighbours
		far    FindingKind // of base and arm, which are none
	}{
		{pairproof.Never, false, on, Wasted, Wasted},
		{pairproof.Never, false, "Never", "", ""},
		{pairproof.Never, false, "Adjacent", "", FalseReason},
		{pairproof.Never, false, "Always", FalseReason, FalseReason},
		{pairproof.Never, false, "default", FalseReason, FalseReason},
		{pairproof.Never, false, "User", "", ""},
		{pairproof.Never, false, "", "", ""},
		{pairproof.Always, false, on, Noisy, Noisy},
		{pairproof.Always, false, "Never", FalseReason, FalseReason},
		{pairproof.Always, false, "Adjacent", "", FalseReason},
		{pairproof.Always, false, "Default", "", ""},
		{pairproof.Sometimes, true, on, "", ""},
		{pairproof.Sometimes, true, "Never", Hidden, Hidden},
		{pairproof.Sometimes, false, " never ", Hidden, Hidden},
		{pairproof.Sometimes, true, "Adjacent", Hidden, Hidden},
		{pairproof.Sometimes, true, "Always", Hidden, Hidden},
		{pairproof.Sometimes, false, "Adjacent", Unproven, Unproven},
		{pairproof.Sometimes, false, "Default", Unproven, Unproven},
		{pairproof.Undecided, false, on, "", ""},
		{pairproof.Undecided, false, "Never", "", ""},
	} {
		r := robot()
		r.Semantic = &urdf.Semantic{}
		report := &pairproof.Report{}
		for _, other := range []int{1, 2} {
			if tc.reason != on {
				r.Semantic.Disabled = append(r.Semantic.Disabled, urdf.DisabledPair{A: 0, B: other, Reason: tc.reason})
			}
			p := pairproof.Pair{A: 0, B: other, LinkA: "base", LinkB: r.Links[other].Name, Meets: tc.meets, Witness: here}
			if tc.apart {
				p.Apart = here
			}
			report.Pairs = append(report.Pairs, p)
		}
		got := map[string]FindingKind{}
		for _, f := range Audit(r, report, nil) {
			got[f.B] = f.Kind
			if f.Pair == nil || f.Why == "" || f.Adjacent != (f.B == "slide") || tc.reason != on && f.Reason != tc.reason {
				t.Errorf("%v %q: %+v", tc.meets, tc.reason, f)
			}
		}
		if got["slide"] != tc.want || got["arm"] != tc.far {
			t.Errorf("%v, said to be %q: %v, want %q and %q", tc.meets, tc.reason, got, tc.want, tc.far)
		}
	}
}

func TestAuditOrder(t *testing.T) {
	r := robot()
	r.Semantic = &urdf.Semantic{Disabled: []urdf.DisabledPair{{A: 0, B: 2, Reason: "Never"}}}
	report := &pairproof.Report{Pairs: []pairproof.Pair{
		{A: 0, B: 1, Meets: pairproof.Never, LinkA: "base", LinkB: "slide"},
		{A: 0, B: 2, Meets: pairproof.Sometimes, LinkA: "base", LinkB: "arm"},
		{A: 0, B: 3, Meets: pairproof.Always, LinkA: "base", LinkB: "lamp"},
	}}
	var got []string
	for _, f := range Audit(r, report, []urdf.NamedPair{{Link1: "base", Link2: "hook", Reason: "User"}}) {
		got = append(got, fmt.Sprint(f.Kind, ": ", f.A, " ", f.B, " ", f.Kind.Fault()))
	}
	want := []string{"hidden: base arm true", "noisy: base lamp true", "wasted: base slide false", "unknown link: base hook false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	r.Semantic = nil
	for _, f := range Audit(r, report, nil) {
		if f.Kind == Hidden {
			t.Error("without an SRDF something is disabled")
		}
	}
}

// A link without collision geometry is part of the joints around it.
func TestNeighboursAcrossLinksWithoutGeometry(t *testing.T) {
	r := robot()
	if got := Neighbours(r); len(got) != 3 || !got[[2]int{0, 1}] || !got[[2]int{1, 2}] || !got[[2]int{0, 3}] {
		t.Errorf("%v", got)
	}
	r.Links[1].Collisions = nil // the slide
	if got := Neighbours(r); len(got) != 2 || !got[[2]int{0, 2}] || !got[[2]int{0, 3}] {
		t.Errorf("without the slide's shape: %v", got)
	}
	r.Links[0].Collisions = nil // the base: its children hang together without it
	if got := Neighbours(r); len(got) != 1 || !got[[2]int{2, 3}] {
		t.Errorf("without the base's shape: %v", got)
	}
}
