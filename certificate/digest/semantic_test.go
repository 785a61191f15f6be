package digest

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Every statement of an SRDF about the robot changes its sum.
func TestSemanticChangesWithContent(t *testing.T) {
	full := func() *urdf.Robot {
		r := robot()
		r.Semantic = &urdf.Semantic{
			Groups:        []urdf.Group{{Name: "arm", Joints: []string{"j"}, Links: []string{"b"}}},
			States:        []urdf.GroupState{{Name: "home", Group: "arm", Positions: map[string]float64{"j": 1, "k": 2}}},
			VirtualJoints: []urdf.VirtualJoint{{Name: "v", Type: "fixed", ParentFrame: "map", ChildLink: "a"}},
			PassiveJoints: []string{"k"},
			Incomplete:    map[string][]string{"arm": {"x"}},
			Disabled:      []urdf.DisabledPair{{A: 0, B: 1, Reason: "Adjacent"}},
		}
		return r
	}
	seen := map[[32]byte]bool{Semantic(robot()): true}
	empty := robot()
	empty.Semantic = &urdf.Semantic{Path: "elsewhere.srdf"}
	if !seen[Semantic(empty)] {
		t.Error("an empty SRDF differs from none")
	}
	for i, change := range []func(s *urdf.Semantic){
		func(*urdf.Semantic) {},
		func(s *urdf.Semantic) { s.Groups[0].Name = "leg" },
		func(s *urdf.Semantic) { s.Groups[0].Joints = nil },
		func(s *urdf.Semantic) { s.Groups[0].Links = nil },
		func(s *urdf.Semantic) { s.States[0].Name = "rest" },
		func(s *urdf.Semantic) { s.States[0].Group = "leg" },
		func(s *urdf.Semantic) { s.States[0].Positions["j"] = 2 },
		func(s *urdf.Semantic) { s.VirtualJoints[0].ParentFrame = "odom" },
		func(s *urdf.Semantic) { s.PassiveJoints = nil },
		func(s *urdf.Semantic) { s.Incomplete["arm"] = nil },
		func(s *urdf.Semantic) { s.Disabled[0].B = 2 },
		func(s *urdf.Semantic) { s.Disabled[0].Reason = "Never" },
	} {
		r := full()
		change(r.Semantic)
		if sum := Semantic(r); seen[sum] {
			t.Errorf("change %d has a sum that was there before", i)
		} else {
			seen[sum] = true
		}
	}
	one, other := full(), full()
	if Semantic(one) != Semantic(other) {
		t.Error("one content has two sums")
	}
}
