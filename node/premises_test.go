package node

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

// gapRail has a third cart that overlaps both others at the default state, so that two
// of the three pairs are not checked. It can move out of their way.
var gapRail = strings.Replace(railURDF, `<link name="flag"/>`, `<link name="flag"/>
  <link name="long"><collision><geometry><box size="2.2 0.2 0.2"/></geometry></collision></link>
  <joint name="long_y" type="prismatic">
    <parent link="rail"/><child link="long"/><axis xyz="0 1 0"/>
    <limit lower="-5" upper="5" effort="1" velocity="10"/>
  </joint>`, 1)

// With a gap of the model nothing is free: no motion, no state, no configuration;
// accepted by the parameter, each answer lists it.
func TestGapsOfTheModel(t *testing.T) {
	joints := []string{"left_x", "right_x", "long_y"}
	for _, accept := range [][]string{nil, {"default-pairs:carts"}} {
		m, err := modelOf(t, railParameters(t, map[string]any{"robot_description": gapRail, "accept": slices.Clone(accept)}))
		if err != nil {
			t.Fatal(err)
		}
		open := len(accept) == 0
		v, _ := answers(m)
		a := v.answer(context.Background(), defaults(values(t, nil)).aboutPair(&fcmsgs.JointStatePair{
			ID: "a", JointNames: joints, Start: []float64{0, 0, 1}, Goal: []float64{0.1, 0, 1},
		}))
		if open && (a.Status != fcmsgs.VerdictUndecided || !strings.Contains(a.Message, "accept default-pairs:carts")) || !open && a.Status != fcmsgs.VerdictFree {
			t.Errorf("accepting %v: status %d: %s", accept, a.Status, a.Message)
		}
		i := slices.IndexFunc(a.Premises, func(p fcmsgs.Premise) bool { return p.Kind == "default-pairs" })
		if i < 0 || !a.Premises[i].Gap || a.Premises[i].Accepted == open || math.Abs(a.Premises[i].Value-2.0/3) > 1e-12 {
			t.Errorf("accepting %v: premises %+v", accept, a.Premises)
		}
		c := m.clearance(context.Background(), "", &clearanceRequest{JointNames: joints, Positions: []float64{0, 0, 1}}, nil, nil)
		if c.Success == open || open && !strings.Contains(c.Message, "default-pairs") {
			t.Errorf("accepting %v: clearance %v: %s", accept, c.Success, c.Message)
		}
		if s := m.state(); !slices.Equal(s.AcceptedGaps, accept) {
			t.Errorf("the state says that %v are accepted, want %v", s.AcceptedGaps, accept)
		}
	}
	if _, err := modelOf(t, railParameters(t, map[string]any{"accept": []string{"everything"}})); err == nil {
		t.Error("a gap of no kind is accepted")
	}
}

// A trajectory that begins, at time 0, elsewhere than the robot stands is not free: the
// controller jumps there.
func TestStepToTheFirstPoint(t *testing.T) {
	for at, want := range map[float64]uint8{0.005: fcmsgs.VerdictFree, 0.05: fcmsgs.VerdictUndecided} {
		v, _ := answers(railModel(t))
		way := trajectorymsgs.JointTrajectory{JointNames: []string{"left_x"}, Points: []trajectorymsgs.JointTrajectoryPoint{
			{Positions: []float64{at}},
			{Positions: []float64{0.1}, TimeFromStart: builtininterfaces.Duration{Sec: 1}},
		}}
		a := v.answer(context.Background(), defaults(values(t, nil)).aboutTrajectory("topic", &way))
		if a.Status != want || want != fcmsgs.VerdictFree && !strings.Contains(a.Message, "step between") {
			t.Errorf("from %g: status %d (%s), want %d", at, a.Status, a.Message, want)
		}
	}
}
