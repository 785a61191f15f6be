package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// plannedPaths is how many trajectories of one message are judged.
const plannedPaths = 16

// hearPlans subscribes the topic on which MoveIt shows what it has planned. Each trajectory of a
// message is a question of its own.
func (n *Node) hearPlans(topic string) error {
	name, err := n.ros.ResolveTopic(topic)
	if err != nil {
		return err
	}
	_, err = ros.Subscribe(n.ros, topic, questionQoS, func(m *moveitmsgs.DisplayTrajectory, info ros.MessageInfo) {
		n.mustNotPanic(func() {
			by := asker{client: info.Writer.Participant(), bytes: info.Bytes / max(1, len(m.Trajectory)), broken: info.Err}
			for i := range max(1, min(len(m.Trajectory), plannedPaths)) {
				n.validator.ask(n.ask().aboutPlan(name, m, i), by)
			}
		})
	}, ros.Within(n.questionBounds()), ros.BrokenToo(), ros.AtMost(questionRate))
	return err
}

// aboutPlan asks about trajectory i of a message. It begins where the one before it ends, the
// first at the message's start state.
func (q question) aboutPlan(topic string, m *moveitmsgs.DisplayTrajectory, i int) *question {
	if i < len(m.Trajectory) {
		q.stamp = m.Trajectory[i].JointTrajectory.Header.Stamp.Time()
		stamp := m.Trajectory[i].JointTrajectory.Header.Stamp
		q.id = fmt.Sprintf("%s@%d.%09d", topic, stamp.Sec, stamp.Nanosec)
	} else {
		q.id = topic + "@0.000000000"
	}
	if len(m.Trajectory) > 1 {
		q.id += fmt.Sprintf("/%d", i)
	}
	q.way = func(_ context.Context, measured map[string]float64) (*motion.Motion, error) {
		switch n := len(m.Trajectory); {
		case n == 0:
			return nil, errors.New("the message holds no trajectory")
		case n > plannedPaths:
			return nil, fmt.Errorf("the message holds %d trajectories: give at most %d", n, plannedPaths)
		}
		given, err := readState(&m.TrajectoryStart)
		if err != nil {
			return nil, fmt.Errorf("trajectory_start: %w", err)
		}
		maps.Copy(measured, given.positions)
		for k := range i {
			if err := given.follow(&m.Trajectory[k], measured); err != nil {
				return nil, err
			}
		}
		q.at = jtc.State{} // at rest
		return q.pathOf(&m.Trajectory[i], given, measured)
	}
	return &q
}

// follow takes the state to the end of a trajectory.
func (g *givenState) follow(t *moveitmsgs.RobotTrajectory, positions map[string]float64) error {
	if n := len(t.JointTrajectory.Points); n > 0 {
		last := t.JointTrajectory.Points[n-1].Positions
		if len(last) != len(t.JointTrajectory.JointNames) {
			return errors.New("an earlier trajectory of the message ends without positions: where this one begins is unclear")
		}
		for j, name := range t.JointTrajectory.JointNames {
			positions[name] = last[j]
		}
	}
	md := &t.MultiDofJointTrajectory
	if n := len(md.Points); n > 0 && len(md.JointNames) == 1 && len(md.Points[n-1].Transforms) == 1 {
		pose, err := poseOf(&md.Points[n-1].Transforms[0])
		if err != nil {
			return err
		}
		g.placed[md.JointNames[0]] = pose
	}
	return nil
}

// pathOf returns the motion of a planned trajectory.
func (q *question) pathOf(t *moveitmsgs.RobotTrajectory, given *givenState, positions map[string]float64) (*motion.Motion, error) {
	root := &t.MultiDofJointTrajectory
	joint := ""
	var way *motion.Motion
	var err error
	if len(root.JointNames)+len(root.Points) == 0 {
		if err := bounded(&t.JointTrajectory); err != nil {
			return nil, err
		}
		points := make([]motion.Waypoint, len(t.JointTrajectory.Points))
		for i := range points {
			points[i] = waypointOf(&t.JointTrajectory.Points[i])
		}
		way, err = q.execute(jtc.Command{Joints: t.JointTrajectory.JointNames, Points: points}, positions)
	} else {
		if len(root.JointNames) == 1 {
			joint = root.JointNames[0]
		}
		way, err = q.rootPath(&t.JointTrajectory, root, given, positions)
	}
	if err != nil {
		return nil, err
	}
	way.Gaps = append(way.Gaps, given.gaps(q.world, joint)...)
	for name, x := range given.positions { // joints that the trajectory leaves out rest there
		if !slices.Contains(way.Joints, name) && !follows(q.robot, name) {
			way.Joints = append(way.Joints, name)
			for i := range way.Pieces {
				way.Pieces[i].Ctrl = append(slices.Clip(way.Pieces[i].Ctrl), []float64{x})
			}
		}
	}
	return way, nil
}

// follows reports whether a joint follows another: its position is no input.
func follows(robot *urdf.Robot, name string) bool {
	if robot == nil {
		return false
	}
	i := robot.Joint(name)
	return i >= 0 && robot.Joints[i].Mimic != nil
}

// undecidable is the reason why a valid question cannot be answered.
type undecidable string

func (u undecidable) Error() string        { return string(u) }
func (u undecidable) Is(target error) bool { return target == errNotKnown }

// rootPath returns the motion of a trajectory that moves the root link by a multi-DOF joint. The
// scene of a node is known relative to the root link where it stands before; so the motion is
// given in that frame.
func (q *question) rootPath(t *trajectorymsgs.JointTrajectory, root *trajectorymsgs.MultiDOFJointTrajectory, given *givenState, positions map[string]float64) (*motion.Motion, error) {
	switch {
	case len(root.JointNames) != 1:
		return nil, undecidable(fmt.Sprintf("the trajectory moves %d multi-DOF joints: only one, which moves the root link, can be checked", len(root.JointNames)))
	case len(root.Points) > limit.TrajectoryPoints:
		return nil, fmt.Errorf("the trajectory has %d points: give at most %d", len(root.Points), limit.TrajectoryPoints)
	case len(root.Points) == 0 || len(t.Points) > 0 && len(t.Points) != len(root.Points):
		return nil, fmt.Errorf("multi_dof_joint_trajectory has %d points where joint_trajectory has %d: give one of each for every time", len(root.Points), len(t.Points))
	}
	joint := root.JointNames[0]
	joints := t.JointNames
	if len(t.Points) == 0 { // the root link alone moves
		joints = slices.Sorted(maps.Keys(positions))
	}
	if err := fewEnough("joint_names", joints); err != nil {
		return nil, err
	}
	points := make([]motion.Waypoint, len(root.Points))
	for i := range root.Points {
		p := &root.Points[i]
		if len(p.Transforms) != 1 {
			return nil, fmt.Errorf("point %d of multi_dof_joint_trajectory has %d transforms for one joint: give one", i, len(p.Transforms))
		}
		pose, err := poseOf(&p.Transforms[0])
		if err != nil {
			return nil, fmt.Errorf("point %d of multi_dof_joint_trajectory: %w", i, err)
		}
		if len(t.Points) > 0 {
			if points[i] = waypointOf(&t.Points[i]); t.Points[i].TimeFromStart != p.TimeFromStart {
				return nil, fmt.Errorf("point %d is at %g s in multi_dof_joint_trajectory and at %g s in joint_trajectory: give both for every time", i, p.TimeFromStart.Seconds(), points[i].Time)
			}
		} else {
			at, err := at(joints, positions)
			if err != nil {
				return nil, err
			}
			points[i] = motion.Waypoint{Time: p.TimeFromStart.Seconds(), Positions: at}
		}
		points[i].Root = &pose
	}
	return q.throughRoot(joints, points, joint, given, positions)
}

// throughRoot joins points that place the root link, from where it stands.
func (q *question) throughRoot(joints []string, points []motion.Waypoint, joint string, given *givenState, positions map[string]float64) (*motion.Motion, error) {
	from, placed := given.placed[joint]
	if !placed {
		from = *points[0].Root
	}
	if first := points[0]; first.Time > 0 && placed {
		start, err := at(joints, positions)
		if err != nil {
			return nil, err
		}
		lead := motion.LeadIn(start, first)
		lead.Root = &from
		points = slices.Insert(points, 0, lead)
		q.notes = append(q.notes, "segment 0 is the motion from the start state, at rest, to the first point")
	}
	back := from.Inv()
	for i := range points {
		pose := back.Mul(*points[i].Root)
		points[i].Root = &pose
	}
	way, err := q.joined.Through(joints, points)
	if err != nil {
		return nil, err
	}
	way.KeepTurns = true
	if first := points[0]; first.Time == 0 && placed {
		if gap := geom.Norm(first.Root.P); gap > 0.01 {
			way.Gaps = append(way.Gaps, motion.StepGap(joint, 0, gap))
		}
	}
	q.rootJoint = joint
	q.notes = append(q.notes, "the root link moves in straight lines between the points, and obstacles stand where they are relative to its start")
	return way, nil
}

// at returns positions of joints.
func at(joints []string, positions map[string]float64) ([]float64, error) {
	out := make([]float64, len(joints))
	for i, name := range joints {
		x, known := positions[name]
		if !known {
			return nil, fmt.Errorf("the position of joint %s is %w: wait for joint states, or give it in trajectory_start", name, errNotKnown)
		}
		out[i] = x
	}
	return out, nil
}

// rootChecker returns a checker for motions that move the root link by a joint, in the frame
// where that stands before.
func (m *model) rootChecker(ctx context.Context, joint string) (*ccd.Checker, error) {
	if err := m.checker.CheckRootJoint(joint); err != nil {
		return nil, undecidable(err.Error())
	}
	if m.world == nil || m.world.Frame == "" {
		return m.checker, nil
	}
	next := *m
	_, world := next.believe(m.world)
	still := *world
	still.Frame = ""
	return m.checker.WithWorldContext(ctx, &still)
}
