package node

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// drive is a goal of both carts, from where they are to a place of the right one, while the root
// link moves along x, in some seconds.
func drive(seconds, right, x float64) *gatetest.Goal {
	m := goalOf(bothCarts, []float64{0, 0, 0}, []float64{seconds, 0, right})
	m.MultiDofTrajectory.JointNames = []string{"world_joint"}
	for i, at := range []float64{0, x} {
		m.MultiDofTrajectory.Points = append(m.MultiDofTrajectory.Points, trajectorymsgs.MultiDOFJointTrajectoryPoint{
			Transforms:    []geometrymsgs.Transform{{Translation: geometrymsgs.Vector3{X: at}, Rotation: geometrymsgs.Quaternion{W: 1}}},
			TimeFromStart: m.Trajectory.Points[i].TimeFromStart,
		})
	}
	return m
}

func onlyDriving(m *gatetest.Goal) *gatetest.Goal {
	m.Trajectory = trajectorymsgs.JointTrajectory{}
	return m
}

// The right cart's side is at 1.1, the wall's at 2.99: the robot may drive 1.89 m, and the cart too,
// but not both; and a controller that leaves the root link where it is must not hit the wall either.
func TestGateJudgesAMovingRoot(t *testing.T) {
	g := newGated(t, inMemory(), "-p", "robot_description_semantic:="+floatingSRDF, "-p", "accept:=[start:world_joint]").ready()
	g.succeeds(drive(0.1, 0, 1.5))
	g.refused(drive(0.1, 0, 2), "CONTACT: right and wall touch at ")
	g.refused(drive(0.1, 1, 1), "CONTACT: right and wall touch at ")
	g.refused(drive(0.1, 2, -1), "CONTACT: right and wall touch at ")
	g.refused(drive(0.1, -1, -1), "CONTACT: left and right touch at ")
	g.refused(onlyDriving(drive(0.1, 0, 2)), "CONTACT: right and wall touch at ")
	if _, r := g.sent(action.NewID(), onlyDriving(drive(0.1, 0, 1.5))); r.ErrorString != "no points" { // what the stand-in says
		t.Errorf("a goal without joints ends with %q", r.ErrorString)
	}
	curved := drive(0.1, 0, 1)
	curved.MultiDofTrajectory.Points[0].Velocities = make([]geometrymsgs.Twist, 1)
	g.refused(curved, "only straight lines between the points are judged")
	stamped := drive(0.1, 0, 1)
	stamped.MultiDofTrajectory.Header.Stamp = builtininterfaces.Time{Sec: 1}
	g.refused(stamped, "give the stamp zero")
	tolerant := drive(0.1, 0, 1)
	tolerant.ComponentPathTolerance = make([]controlmsgs.JointComponentTolerance, 1)
	g.refused(tolerant, "component_path_tolerance")
	wide := drive(0.1, 0, 1.5)
	wide.PathTolerance = []controlmsgs.JointTolerance{{Name: "right_x", Position: 0.5}}
	g.refused(wide, "may, with the joints within their tube, touch")
	other := drive(0.1, 0, 1)
	other.MultiDofTrajectory.JointNames[0] = "ball"
	g.refused(other, "UNDECIDED: ")
	elsewhere := drive(0.1, 0, 1)
	elsewhere.Trajectory.Points[0].Positions[1] = 0.1
	g.refused(elsewhere, "UNDECIDED: ")
}

// Where the root link stands is not measured, so that such a goal needs a premise accepted by name.
func TestGateDoesNotKnowWhereTheRootStands(t *testing.T) {
	g := newGated(t, inMemory(), "-p", "robot_description_semantic:="+floatingSRDF).ready()
	g.refused(drive(0.1, 0, 1), "accept start:world_joint")
}

// Obstacles are known relative to the root link: a change of the scene while that moves is not to be
// judged, and neither is a goal beside it.
func TestGateStopsAMovingRootWhenTheSceneChanges(t *testing.T) {
	g := newGated(t, inMemory(), "-p", "robot_description_semantic:="+floatingSRDF, "-p", "accept:=[start:world_joint]").ready()
	go func() {
		g.waitUntilItMoves()
		g.under.worlds.put(fromPlanningScene, box, nil)
	}()
	status, r := g.sent(action.NewID(), drive(10, 0.5, -1))
	if status != action.Aborted || !strings.HasPrefix(r.ErrorString, "canceled: the scene has changed: the root link moves") {
		t.Errorf("the goal ends %v: %q", status, r.ErrorString)
	}
}
