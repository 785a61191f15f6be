package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/events"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// drives reports whether a goal has a part that moves the root link. joint_trajectory_controller
// ignores that part; other controllers execute it.
func drives(m *controlmsgs.FollowJointTrajectoryGoal) bool {
	return m != nil && len(m.MultiDofTrajectory.Points)+len(m.MultiDofTrajectory.JointNames) > 0
}

// askDriving judges a goal that moves the root link: first as a controller executes it that leaves
// the root link where it is, unless the goal has no joints, and then whole.
func (j gateJudge) askDriving(w gate.Question, allowed float64, told func(gate.Verdict)) {
	whole := j.node.ask().aboutDriving(&w, allowed)
	whole.forward.era = j.node.monitor.epoch()
	ask := func(q *question, free func()) {
		j.node.validator.ask(q, asker{client: w.Client, bytes: w.Bytes, broken: w.Broken, told: func(a *fcmsgs.Verdict) {
			if a.Status != fcmsgs.VerdictFree {
				told(gate.Verdict{Reason: events.StatusName(a.Status) + ": " + a.Message})
				return
			}
			free()
		}})
	}
	if len(w.Goal.Trajectory.Points) == 0 {
		ask(whole, func() { told(gate.Verdict{Plan: j.node.newPassage(whole, nil, allowed)}) })
		return
	}
	whole.id += ": with the root link"
	still := j.node.ask().aboutGoal(&w, allowed)
	still.forward.era, still.forward.drives = whole.forward.era, true
	ask(still, func() {
		ask(whole, func() {
			if whole.judged.model != still.judged.model {
				told(gate.Verdict{Reason: "UNDECIDED: the scene has changed meanwhile: send the goal again"})
				return
			}
			told(gate.Verdict{Plan: j.node.newPassage(still, w.Goal.Trajectory.JointNames, allowed)})
		})
	})
}

// aboutDriving asks about a goal that moves the root link, whole.
func (q question) aboutDriving(w *gate.Question, allowed float64) *question {
	made := q.aboutGoal(w, allowed)
	made.forward.drives = true
	made.way = func(_ context.Context, measured map[string]float64) (*motion.Motion, error) {
		return made.drivingWay(w, measured)
	}
	return made
}

// drivingWay returns the motion of a robot that is at rest before.
func (q *question) drivingWay(w *gate.Question, measured map[string]float64) (*motion.Motion, error) {
	t, root := &w.Goal.Trajectory, &w.Goal.MultiDofTrajectory
	now := builtininterfaces.Time{}
	switch {
	case w.Running != nil || len(w.Beside) > 0:
		return nil, undecidable("the goal moves the root link while controllers execute others: send it when these have ended")
	case t.Header.Stamp != now || root.Header.Stamp != now:
		return nil, undecidable("the goal moves the root link at a stamp: give the stamp zero")
	case len(w.Goal.ComponentPathTolerance)+len(w.Goal.ComponentGoalTolerance) > 0:
		return nil, undecidable("the goal has tolerances of the root link's place (component_path_tolerance, component_goal_tolerance), which are not judged")
	}
	if err := q.standing(nil); err != nil {
		return nil, err
	}
	if err := q.widen(); err != nil {
		return nil, err
	}
	given := &givenState{placed: map[string]geom.Pose{}}
	for i := range root.Points {
		if p := &root.Points[i]; len(p.Velocities)+len(p.Accelerations) > 0 {
			return nil, undecidable(fmt.Sprintf("point %d of multi_dof_trajectory has velocities or accelerations: only straight lines between the points are judged", i))
		}
	}
	if len(root.JointNames) == 1 && len(root.Points) > 0 && len(root.Points[0].Transforms) == 1 {
		if pose, err := poseOf(&root.Points[0].Transforms[0]); err == nil {
			given.placed[root.JointNames[0]] = pose
		}
	}
	way, err := q.rootPath(t, root, given, measured)
	if err != nil {
		return nil, err
	}
	way.Gaps = append(way.Gaps, premise.Premise{
		Kind: premise.Start, Names: slices.Clone(root.JointNames),
		Detail: "the root link is taken to stand at the first point of multi_dof_trajectory, and to move in straight lines between the points, each part at constant speed: neither is known of the controller",
		Remedy: "begin the goal where the robot stands",
	})
	for row, name := range way.Joints {
		if x, known := measured[name]; known && math.Abs(x-way.Pieces[0].Ctrl[row][0]) > restTolerance {
			way.Gaps = append(way.Gaps, motion.StepGap(name, x, way.Pieces[0].Ctrl[row][0]))
		}
	}
	q.plan = &jtc.Plan{Start: q.now, Motion: way, Tube: q.query.Tube}
	return way, nil
}

// widen widens the tube by the tolerances of the goal, all along.
func (q *question) widen() error {
	if !q.planned {
		q.tube, q.planned = q.query.Tube, true
	}
	tube := maps.Clone(q.tube)
	if tube == nil {
		tube = map[string]float64{}
	}
	for _, given := range [][]jtc.Tolerance{q.forward.path, q.forward.goal} {
		for _, each := range given {
			if math.IsNaN(each.Position) || math.IsInf(each.Position, 0) {
				return fmt.Errorf("a tolerance of joint %s is %g: give a finite number", each.Joint, each.Position)
			}
			if each.Position > 0 {
				tube[each.Joint] = max(tube[each.Joint], each.Position)
			}
		}
	}
	q.query.Tube = tube
	return nil
}

// standing is an error if a joint that is not among the named moves: what moves it is not known.
func (q *question) standing(except []string) error {
	wait := q.controller.handover.Seconds() + ageOf(q.at, q.now)
	moves := maps.Clone(q.at.Velocities)
	maps.Copy(moves, q.at.Drifts)
	for _, name := range slices.Sorted(maps.Keys(moves)) {
		if v := moves[name]; !slices.Contains(except, name) && math.Abs(v)*wait > restTolerance {
			return undecidable(fmt.Sprintf("joint %s moves at %.3g, and what moves it is not known: wait until it stands still", name, v))
		}
	}
	return nil
}

// errDrives says why nothing can be judged anew while the root link moves.
var errDrives = errors.New("the root link moves, and obstacles are known only relative to it")
