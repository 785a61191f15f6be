package selfcollision

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/selfcollision/meet"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Every combination of what a pair does and what is said of it.
func TestAudit(t *testing.T) {
	const on = "(enabled)"
	here := []float64{0, 0, 0}
	for _, tc := range []struct {
		meets  meet.Meeting
		apart  bool // seen apart, of those that touch sometimes
		reason string
		want   FindingKind // of base and slide, neighbours
		far    FindingKind // of base and arm, which are none
	}{
		{meet.Never, false, on, Wasted, Wasted},
		{meet.Never, false, "Never", "", ""},
		{meet.Never, false, "Adjacent", "", FalseReason},
		{meet.Never, false, "Always", FalseReason, FalseReason},
		{meet.Never, false, "default", FalseReason, FalseReason},
		{meet.Never, false, "User", "", ""},
		{meet.Never, false, "", "", ""},
		{meet.Always, false, on, Noisy, Noisy},
		{meet.Always, false, "Never", FalseReason, FalseReason},
		{meet.Always, false, "Adjacent", "", FalseReason},
		{meet.Always, false, "Default", "", ""},
		{meet.Sometimes, true, on, "", ""},
		{meet.Sometimes, true, "Never", Hidden, Hidden},
		{meet.Sometimes, false, " never ", Hidden, Hidden},
		{meet.Sometimes, true, "Adjacent", Hidden, Hidden},
		{meet.Sometimes, true, "Always", Hidden, Hidden},
		{meet.Sometimes, false, "Adjacent", Unproven, Unproven},
		{meet.Sometimes, false, "Default", Unproven, Unproven},
		{meet.Undecided, false, on, "", ""},
		{meet.Undecided, false, "Never", "", ""},
	} {
		r := robot()
		r.Semantic = &urdf.Semantic{}
		report := &meet.Report{}
		for _, other := range []int{1, 2} {
			if tc.reason != on {
				r.Semantic.Disabled = append(r.Semantic.Disabled, urdf.DisabledPair{A: 0, B: other, Reason: tc.reason})
			}
			p := meet.Pair{A: 0, B: other, LinkA: "base", LinkB: r.Links[other].Name, Meets: tc.meets, Witness: here}
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
	report := &meet.Report{Pairs: []meet.Pair{
		{A: 0, B: 1, Meets: meet.Never, LinkA: "base", LinkB: "slide"},
		{A: 0, B: 2, Meets: meet.Sometimes, LinkA: "base", LinkB: "arm"},
		{A: 0, B: 3, Meets: meet.Always, LinkA: "base", LinkB: "lamp"},
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
