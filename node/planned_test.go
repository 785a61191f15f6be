package node

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

type planned = moveitmsgs.DisplayTrajectory

// planFrom is a message of trajectories from a start state of both carts.
func planFrom(left, right float64, paths ...*trajectorymsgs.JointTrajectory) *planned {
	m := &planned{TrajectoryStart: state(left, right).RobotState}
	for _, p := range paths {
		m.Trajectory = append(m.Trajectory, moveitmsgs.RobotTrajectory{JointTrajectory: *p})
	}
	return m
}

// driving adds the root link's way along x, by the joint world_joint: a time and a place for
// each point.
func driving(m *planned, points ...[2]float64) *planned {
	if len(m.Trajectory) == 0 {
		m.Trajectory = make([]moveitmsgs.RobotTrajectory, 1)
	}
	md := &m.Trajectory[0].MultiDofJointTrajectory
	md.JointNames = []string{"world_joint"}
	for _, p := range points {
		md.Points = append(md.Points, trajectorymsgs.MultiDOFJointTrajectoryPoint{
			Transforms:    []geometrymsgs.Transform{{Translation: geometrymsgs.Vector3{X: p[1]}, Rotation: geometrymsgs.Quaternion{W: 1}}},
			TimeFromStart: builtininterfaces.Duration{Sec: int32(p[0])},
		})
	}
	return m
}

// startingAt places the robot before the plan.
func startingAt(m *planned, x float64) *planned {
	m.TrajectoryStart.MultiDofJointState.JointNames = []string{"world_joint"}
	m.TrajectoryStart.MultiDofJointState.Transforms = []geometrymsgs.Transform{{Translation: geometrymsgs.Vector3{X: x}, Rotation: geometrymsgs.Quaternion{W: 1}}}
	return m
}

const floatingSRDF = `<robot name="carts"><virtual_joint name="world_joint" type="floating" parent_frame="odom" child_link="rail"/></robot>`

// The right cart's side is at 1.1, the wall's at 2.99: the robot may drive 1.89 m.
func testPlannedPaths(t *testing.T, g *graph) {
	still := func() *trajectorymsgs.JointTrajectory {
		return path(bothCarts, []float64{0, 0, 0}, []float64{2, 0, 0})
	}
	r := g.newRobot(t, railArgs(t, "-p", "joint_state_timeout:=10.0", "-p", "robot_description_semantic:="+floatingSRDF)...)
	r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
	r.waitLevel(0, levelFree, "")
	pub := advertise[planned](r, "display_planned_path")
	for i, c := range []struct {
		name   string
		m      *planned
		end    string // of the id
		status uint8
		says   string
		toc    float64
	}{
		{"free", planFrom(0, 0, path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 1})), "", fcmsgs.VerdictFree, "proved free", 0},
		{"from its own start", planFrom(0, 1, path(bothCarts, []float64{0, 0, 1}, []float64{1, 0, 0})), "", fcmsgs.VerdictFree, "proved free", 0},
		{"joints of the start are held", planFrom(0.5, 0, path("right_x", []float64{0, 0}, []float64{1, -1})), "", fcmsgs.VerdictContact, "left and right touch", 0.3},
		{"a jump at the start", planFrom(0, 0.5, path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 1})), "", fcmsgs.VerdictUndecided, "accept start:right_x", 0},
		{"the second of two, from the end of the first", planFrom(0, 0, path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 1}), path(bothCarts, []float64{0, 0, 1}, []float64{1, 0, -1})), "/1", fcmsgs.VerdictContact, "left and right touch", 0.9},
		{"a curve", planFrom(0, 0, swinging()), "", fcmsgs.VerdictContact, "left and right touch", 1 + (1-math.Sqrt(0.2))/2},
		{"nothing", &planned{}, "", fcmsgs.VerdictInvalid, "holds no trajectory", 0},
		{"too many", planFrom(0, 0, make17()...), "/0", fcmsgs.VerdictInvalid, "at most 16", 0},
		{"a start that is no state", changed(planFrom(0, 0, still()), func(m **planned) { (*m).TrajectoryStart.JointState.Name = nil }), "", fcmsgs.VerdictInvalid, "trajectory_start: joint_state has 2 positions for 0 names", 0},
		{"the robot drives", driving(planFrom(0, 0, still()), [2]float64{0, 0}, [2]float64{2, 3}), "", fcmsgs.VerdictContact, "right and wall touch", 2 * 1.89 / 3},
		{"it drives alone", driving(planFrom(0, 0), [2]float64{0, 0}, [2]float64{2, 3}), "", fcmsgs.VerdictContact, "right and wall touch", 2 * 1.89 / 3},
		{"it drives from elsewhere", startingAt(driving(planFrom(0, 0, still()), [2]float64{0, 5}, [2]float64{2, 8}), 5), "", fcmsgs.VerdictContact, "right and wall touch", 2 * 1.89 / 3},
		{"it drives to the first point", startingAt(driving(planFrom(0, 0, path(bothCarts, []float64{2, 0, 0})), [2]float64{2, 8}), 5), "", fcmsgs.VerdictContact, "right and wall touch", 2 * 1.89 / 3},
		{"it drives away", driving(planFrom(0, 0, still()), [2]float64{0, 0}, [2]float64{2, -3}), "", fcmsgs.VerdictFree, "proved free", 0},
		{"it jumps to its way", startingAt(driving(planFrom(0, 0, still()), [2]float64{0, 0}, [2]float64{2, -3}), 1), "", fcmsgs.VerdictUndecided, "accept start:world_joint", 0},
		{"times that differ", driving(planFrom(0, 0, still()), [2]float64{0, 0}, [2]float64{1, 3}), "", fcmsgs.VerdictInvalid, "give both for every time", 0},
		{"points that differ", driving(planFrom(0, 0, still()), [2]float64{0, 0}), "", fcmsgs.VerdictInvalid, "1 points where joint_trajectory has 2", 0},
		{"another multi-DOF joint", changed(driving(planFrom(0, 0, still()), [2]float64{0, 0}, [2]float64{2, 1}), func(m **planned) {
			(*m).Trajectory[0].MultiDofJointTrajectory.JointNames[0] = "ball"
		}), "", fcmsgs.VerdictUndecided, "multi-DOF joint ball is no", 0},
		{"two multi-DOF joints", changed(driving(planFrom(0, 0, still()), [2]float64{0, 0}, [2]float64{2, 1}), func(m **planned) {
			(*m).Trajectory[0].MultiDofJointTrajectory.JointNames = []string{"world_joint", "ball"}
		}), "", fcmsgs.VerdictUndecided, "moves 2 multi-DOF joints", 0},
		{"no rotation", changed(driving(planFrom(0, 0, still()), [2]float64{0, 0}, [2]float64{2, 1}), func(m **planned) {
			(*m).Trajectory[0].MultiDofJointTrajectory.Points[1].Transforms[0].Rotation.W = 0
		}), "", fcmsgs.VerdictInvalid, "not of length 1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := fmt.Sprintf("%s/display_planned_path@%d.000000000%s", r.namespace, i+1, c.end)
			for k := range c.m.Trajectory {
				c.m.Trajectory[k].JointTrajectory.Header.Stamp.Sec = int32(i + 1)
			}
			if len(c.m.Trajectory) == 0 {
				id = r.namespace + "/display_planned_path@0.000000000"
			}
			r.publish(pub.Publish(c.m))
			v := r.waitVerdict(id)
			if v.Status != c.status || !strings.Contains(v.Message, c.says) {
				t.Fatalf("status %d: %s", v.Status, v.Message)
			}
			if c.toc > 0 && math.Abs(v.TOCUpper-c.toc) > 1e-5 {
				t.Errorf("first contact at %g s, want %g", v.TOCUpper, c.toc)
			}
		})
	}
}

func TestPlannedPaths(t *testing.T) { testPlannedPaths(t, inMemory()) }

func make17() (paths []*trajectorymsgs.JointTrajectory) {
	for range 17 {
		paths = append(paths, path(bothCarts, []float64{0, 0, 0}))
	}
	return paths
}
