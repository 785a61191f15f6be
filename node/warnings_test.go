package node

import (
	"context"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

// A verdict warns of what is implausible about its motion, also of the joints that the question
// did not name, whose measured positions the node adds. The status stands.
func TestVerdictsWarn(t *testing.T) {
	m, err := modelOf(t, railParameters(t, map[string]any{"robot_description": gapRail, "accept": []string{"default-pairs:carts"}}))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := answers(m)
	v.measured = func() map[string]float64 { return map[string]float64{"left_x": 0, "right_x": 0, "long_y": 1} }
	for name, tc := range map[string]struct {
		joints []string
		nanos  uint32 // that the motion takes
		want   string
	}{
		"nothing":      {[]string{"left_x", "right_x", "long_y"}, 999_999_999, ""},
		"few joints":   {[]string{"left_x"}, 999_999_999, "few-joints: the motion names 1 of the robot's 3 joints: the others are held; "},
		"too fast":     {[]string{"left_x", "right_x", "long_y"}, 1_000, "fast-motion: "},
		"both of them": {[]string{"left_x"}, 1_000, "few-joints: "},
	} {
		a := v.answer(context.Background(), defaults(values(t, nil)).aboutTrajectory("topic", &trajectorymsgs.JointTrajectory{
			JointNames: tc.joints, Points: []trajectorymsgs.JointTrajectoryPoint{
				{Positions: []float64{0, 0, 1}[:len(tc.joints)]},
				{Positions: []float64{0.1, 0, 1}[:len(tc.joints)], TimeFromStart: builtininterfaces.Duration{Nanosec: tc.nanos}},
			},
		}))
		said := strings.Join(a.Warnings, "\n")
		if a.Status != fcmsgs.VerdictFree || (tc.want == "") != (said == "") || !strings.Contains(said, tc.want) {
			t.Errorf("%s: status %d (%s), warnings %q, want %q", name, a.Status, a.Message, said, tc.want)
		}
	}
}
