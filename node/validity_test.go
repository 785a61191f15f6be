package node

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

type (
	validityRequest  = moveitmsgs.GetStateValidityRequest
	validityResponse = moveitmsgs.GetStateValidityResponse
)

// groupsSRDF has a group for each cart.
const groupsSRDF = `<robot name="carts"><group name="l"><joint name="left_x"/></group><group name="r"><joint name="right_x"/></group></robot>`

// state is a robot state of both carts.
func state(left, right float64) (r validityRequest) {
	r.RobotState.JointState = sensormsgs.JointState{Name: []string{"left_x", "right_x"}, Position: []float64{left, right}}
	return r
}

func changed[T any](x T, f func(*T)) T {
	f(&x)
	return x
}

func constrained(joint string, position, tolerance float64) func(*validityRequest) {
	return func(r *validityRequest) {
		r.Constraints.JointConstraints = append(r.Constraints.JointConstraints, moveitmsgs.JointConstraint{JointName: joint, Position: position, ToleranceAbove: tolerance, ToleranceBelow: tolerance, Weight: 2})
	}
}

// Boxes of 0.2 m: the left cart is at left_x, the right one at 1 + right_x, the wall's near side
// at 2.99.
var validities = []struct {
	name  string
	ask   validityRequest
	valid bool
	pairs string // the contacts
	says  string // of the verdict
}{
	{"free", state(0, 0), true, "", "proved free"},
	{"the carts touch", state(0, -0.9), false, "left-right", "left and right touch"},
	{"all touch", state(2.8, 1.95), false, "left-right right-wall", "touch"},
	{"the present state", validityRequest{}, true, "", "proved free"},
	{"one joint, the other as measured", changed(state(0.9, 0), func(r *validityRequest) {
		r.RobotState.JointState.Name, r.RobotState.JointState.Position = []string{"left_x"}, []float64{0.9}
	}), false, "left-right", "touch"},
	{"a group that is free", changed(state(0, 1.95), func(r *validityRequest) { r.GroupName = "l" }), true, "", "only pairs with a link that group l names or moves"},
	{"a group that touches", changed(state(0, 1.95), func(r *validityRequest) { r.GroupName = "r" }), false, "right-wall", "touch"},
	{"no such group", changed(state(0, 0), func(r *validityRequest) { r.GroupName = "arm" }), false, "", "no group arm"},
	{"no such joint", changed(state(0, 0), func(r *validityRequest) { r.RobotState.JointState.Name[0] = "elbow" }), false, "", "no joint elbow"},
	{"too few positions", changed(state(0, 0), func(r *validityRequest) { r.RobotState.JointState.Position = []float64{0} }), false, "", "1 positions for 2 names"},
	{"NaN", state(0, math.NaN()), false, "", "NaN"},
	{"a joint twice", changed(state(0, 0), func(r *validityRequest) { r.RobotState.JointState.Name = []string{"left_x", "left_x"} }), false, "", "names left_x twice"},
	{"a carried object that the scene lacks", changed(state(0, 0), func(r *validityRequest) {
		r.RobotState.AttachedCollisionObjects = make([]moveitmsgs.AttachedCollisionObject, 1)
		r.RobotState.AttachedCollisionObjects[0].Object.ID = "cup"
	}), false, "", "accept attached-objects:cup"},
	{"placed elsewhere", changed(state(0, 0), func(r *validityRequest) { putRobot(r, 1, 1) }), false, "", "accept start:world_joint"},
	{"placed at the origin", changed(state(0, 0), func(r *validityRequest) { putRobot(r, 0, 1) }), true, "", "proved free"},
	{"no rotation", changed(state(0, 0), func(r *validityRequest) { putRobot(r, 0, 0) }), false, "", "not of length 1"},
	{"a constraint that is kept", changed(state(0, 0.1), constrained("right_x", 0, 0.2)), true, "", "proved free"},
	{"a constraint that is violated", changed(state(0, 0.3), constrained("right_x", 0, 0.2)), false, "", "proved free"},
	{"a constraint of nobody", changed(state(0, 0.3), constrained("elbow", 0, 9)), false, "", "proved free"},
	{"a constraint that is not evaluated", changed(state(0, 0), func(r *validityRequest) {
		r.Constraints.OrientationConstraints = make([]moveitmsgs.OrientationConstraint, 1)
	}), false, "", "only joint constraints are evaluated"},
}

// putRobot says where a multi-DOF joint has the robot, with a quaternion of some length.
func putRobot(r *validityRequest, x, w float64) {
	r.RobotState.MultiDofJointState.JointNames = []string{"world_joint"}
	r.RobotState.MultiDofJointState.Transforms = []geometrymsgs.Transform{{Translation: geometrymsgs.Vector3{X: x}, Rotation: geometrymsgs.Quaternion{W: w}}}
}

func testStateValidity(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t, "-p", "joint_state_timeout:=10.0", "-p", "robot_description_semantic:="+groupsSRDF)...)
	r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
	r.waitLevel(0, levelFree, "")
	client, err := ros.NewClient[validityRequest, validityResponse](r.node, "firstcontact/check_state_validity", ros.ServiceQoS)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for i, c := range validities {
		t.Run(c.name, func(t *testing.T) {
			c.ask.RobotState.JointState.Header.Stamp.Sec = int32(i)
			a, err := client.Call(r.soon(), &c.ask)
			if err != nil {
				t.Fatal(err)
			}
			var pairs []string
			for _, x := range a.Contacts {
				names := []string{x.ContactBody1, x.ContactBody2}
				if names[1] < names[0] {
					names[0], names[1] = names[1], names[0]
				}
				pairs = append(pairs, strings.Join(names, "-"))
				if x.Header.FrameID != "rail" || (x.BodyType1 == moveitmsgs.ContactInformationWorldObject) != (x.ContactBody1 == "wall") {
					t.Errorf("contact %+v", x)
				}
			}
			if a.Valid != c.valid || !sameWords(strings.Join(pairs, " "), c.pairs) || len(a.CostSources) != len(a.Contacts) {
				t.Errorf("valid %t, contacts %q, %d cost sources", a.Valid, pairs, len(a.CostSources))
			}
			if n := len(c.ask.Constraints.JointConstraints); n > 0 && (len(a.ConstraintResult) != n || a.ConstraintResult[0].Result != c.valid) {
				t.Errorf("constraints %+v", a.ConstraintResult)
			}
			v := r.waitVerdict(fmt.Sprintf("check_state_validity@%d.000000000", i))
			if !strings.Contains(v.Message, c.says) {
				t.Errorf("verdict %d: %q, want %q", v.Status, v.Message, c.says)
			}
		})
	}
}

func sameWords(a, b string) bool {
	words := map[string]int{}
	for _, w := range strings.Fields(a) {
		words[w]++
	}
	for _, w := range strings.Fields(b) {
		words[w]--
	}
	for _, n := range words {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestStateValidity(t *testing.T) { testStateValidity(t, inMemory()) }

// A trajectory is judged for the group of its joints alone.
func TestGroupOfATrajectory(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "joint_state_timeout:=10.0", "-p", "robot_description_semantic:="+groupsSRDF)...)
	r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
	r.waitLevel(0, levelFree, "")
	client, err := ros.NewClient[request, response](r.node, "firstcontact/check_trajectory", ros.ServiceQoS)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	into := *path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 2.1}) // right through the wall
	for group, want := range map[string]uint8{"": fcmsgs.VerdictContact, "r": fcmsgs.VerdictContact, "l": fcmsgs.VerdictFree, "arm": fcmsgs.VerdictInvalid} {
		a, err := client.Call(r.soon(), &request{ID: "group " + group, Trajectory: into, Group: group})
		if err != nil {
			t.Fatal(err)
		}
		if v := a.Verdict; v.Status != want || (group == "l") != strings.Contains(v.Message, "only pairs with a link that group l") {
			t.Errorf("group %q: status %d: %s", group, v.Status, v.Message)
		}
	}
}
