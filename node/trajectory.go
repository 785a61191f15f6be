package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// errNotKnown is wrapped by errors about joints whose position is unknown: the question is
// valid, but cannot be answered now.
var errNotKnown = errors.New("not known")

// wayOf turns a trajectory message into a motion. A trajectory whose first point is not at
// time 0 begins at the robot's present configuration, as in ROS controllers.
func (q *question) wayOf(ctx context.Context, t *trajectorymsgs.JointTrajectory, measured map[string]float64) (*motion.Motion, error) {
	if err := bounded(t); err != nil {
		return nil, err
	}
	points := make([]motion.Waypoint, 0, len(t.Points)+1)
	for i := range t.Points {
		points = append(points, waypointOf(&t.Points[i]))
	}
	if first := points[0]; first.Time > 0 {
		from, err := positionsOf(t.JointNames, measured)
		if err != nil {
			return nil, fmt.Errorf("the motion to the first point: %w", err)
		}
		points = slices.Insert(points, 0, motion.LeadIn(from, first))
		q.notes = append(q.notes, "segment 0 is the motion from the present state, at rest, to the first point")
	}
	if q.joined == motion.StraightLines && slices.ContainsFunc(points, curved) {
		q.notes = append(q.notes, "the points carry velocities, but straight lines between them were checked: a controller that uses splines deviates from these lines")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	way, err := q.joined.Through(t.JointNames, points)
	if err != nil {
		return nil, err
	}
	way.KeepTurns = true // controllers interpolate the joint values, even the long way round
	way.Gaps = append(way.Gaps, stepTo(t.JointNames, points[0], measured)...)
	return way, nil
}

// bounded checks a trajectory against the limits of input.
func bounded(t *trajectorymsgs.JointTrajectory) error {
	switch n := len(t.Points); {
	case n == 0:
		return errors.New("the trajectory has no points")
	case n > limit.TrajectoryPoints:
		return fmt.Errorf("the trajectory has %d points: give at most %d, and split a longer one", n, limit.TrajectoryPoints)
	}
	return fewEnough("joint_names", t.JointNames)
}

// startTolerance, in rad or m, exceeds the noise of measurements of a robot at rest.
const startTolerance = 0.01

// stepTo returns a gap if a trajectory begins, at time 0, away from the robot's present
// position: a controller jumps there, which no proof covers.
func stepTo(joints []string, first motion.Waypoint, measured map[string]float64) []premise.Premise {
	for j, x := range first.Positions {
		if j >= len(joints) {
			break // package motion reports the error
		}
		if at, ok := measured[joints[j]]; ok && math.Abs(x-at) > startTolerance {
			return []premise.Premise{motion.StepGap(joints[j], at, x)}
		}
	}
	return nil
}

func waypointOf(p *trajectorymsgs.JointTrajectoryPoint) motion.Waypoint {
	return motion.Waypoint{
		Time: p.TimeFromStart.Seconds(), Positions: p.Positions, Velocities: p.Velocities, Accelerations: p.Accelerations,
	}
}

// curved reports whether a point has velocities or accelerations.
func curved(p motion.Waypoint) bool { return len(p.Velocities)+len(p.Accelerations) > 0 }

func positionsOf(joints []string, measured map[string]float64) ([]float64, error) {
	positions := make([]float64, len(joints))
	for i, name := range joints {
		x, ok := measured[name]
		if !ok {
			return nil, fmt.Errorf("the position of joint %s is %w: wait for joint states, or start the trajectory at time 0", name, errNotKnown)
		}
		positions[i] = x
	}
	return positions, nil
}

// complete adds the joints that the motion does not name, at rest where they were measured;
// held lists them. A name that belongs to no joint is an error. Without a measurement of each
// added joint the motion is unknown, which is an error that wraps errNotKnown.
func (m *model) complete(way *motion.Motion, measured map[string]float64) (whole *motion.Motion, held []string, err error) {
	named := map[string]bool{}
	for _, name := range way.Joints {
		if !m.known[name] {
			return nil, nil, m.noJoint(name)
		}
		named[name] = true
	}
	var rest [][]float64
	var lost []string
	for _, name := range m.joints {
		if named[name] {
			continue
		}
		x, ok := measured[name]
		if !ok {
			lost = append(lost, name)
			continue
		}
		rest, held = append(rest, []float64{x}), append(held, name)
	}
	if len(lost) > 0 {
		sort.Strings(lost)
		return nil, nil, fmt.Errorf("the motion does not name every joint, and the position of the others is %w: no fresh measurement of %s", errNotKnown, some(lost))
	}
	return withRest(way, held, rest), held, nil
}

// withRest returns the motion with additional joints at rest.
func withRest(way *motion.Motion, joints []string, at [][]float64) *motion.Motion {
	whole := &motion.Motion{ID: way.ID, Root: way.Root, KeepTurns: way.KeepTurns, Gaps: way.Gaps, Pieces: make([]motion.Piece, len(way.Pieces))}
	whole.Joints = append(append(whole.Joints, way.Joints...), joints...)
	for i, p := range way.Pieces {
		rows := make([][]float64, 0, len(whole.Joints))
		p.Ctrl = append(append(rows, p.Ctrl...), at...)
		whole.Pieces[i] = p
	}
	return whole
}
