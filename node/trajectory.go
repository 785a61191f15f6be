package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

// errNotKnown is wrapped by errors about joints whose position is unknown: the question is
// valid, but cannot be answered now.
var errNotKnown = errors.New("not known")

// wayOf turns a trajectory message into the motion that the controller executes.
func (q *question) wayOf(ctx context.Context, t *trajectorymsgs.JointTrajectory, measured map[string]float64) (*motion.Motion, error) {
	if err := bounded(t); err != nil {
		return nil, err
	}
	points := make([]motion.Waypoint, len(t.Points))
	for i := range t.Points {
		points[i] = waypointOf(&t.Points[i])
	}
	if q.joined == motion.StraightLines && slices.ContainsFunc(points, curved) {
		if q.forward != nil {
			return nil, undecidable("the points have velocities or accelerations, of which a controller may make curves, and only straight lines between points are judged (trajectory.interpolation): leave them out, or set it to jtc")
		}
		q.notes = append(q.notes, "the points carry velocities, but straight lines between them were checked: a controller that uses splines deviates from these lines")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return q.execute(jtc.Command{Joints: t.JointNames, Points: points, Stamp: stampOf(t)}, measured)
}

// stampOf returns when the trajectory starts; the zero time means at once.
func stampOf(t *trajectorymsgs.JointTrajectory) time.Time {
	if t.Header.Stamp == (builtininterfaces.Time{}) {
		return time.Time{}
	}
	return t.Header.Stamp.Time()
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

func waypointOf(p *trajectorymsgs.JointTrajectoryPoint) motion.Waypoint {
	return motion.Waypoint{
		Time: p.TimeFromStart.Seconds(), Positions: p.Positions, Velocities: p.Velocities, Accelerations: p.Accelerations,
	}
}

// curved reports whether a point has velocities or accelerations.
func curved(p motion.Waypoint) bool { return len(p.Velocities)+len(p.Accelerations) > 0 }

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
		return nil, nil, fmt.Errorf("the motion does not name every joint, and the position of the others is %w: no fresh measurement of %s", errNotKnown, oneline.Few(lost))
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
