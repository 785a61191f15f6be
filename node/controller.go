package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// controller is what the parameters say of the controllers that execute trajectories.
type controller struct {
	distribution string // "" for the node's
	handover     time.Duration
	settings     jtc.Settings // without what depends on the distribution, the robot and the request
}

var (
	fills = map[string]jtc.Switch{"unknown": jtc.Unknown, "zeros": jtc.On, "nothing": jtc.Off}
	wraps = map[string]jtc.Switch{"unknown": jtc.Unknown, "short_way": jtc.On, "all_the_way": jtc.Off}
)

func controllerOf(v config.Values) controller {
	interfaces := v.Strings("controller.state_interfaces")
	velocity := slices.Contains(interfaces, "velocity")
	return controller{
		distribution: v.String("controller.distribution"),
		handover:     span(v.Double("controller.handover")),
		settings: jtc.Settings{
			FromCommanded: v.Bool("controller.interpolate_from_desired_state"),
			Deferred:      v.Bool("controller.allow_trajectory_replacement"),
			StateVelocity: velocity, StateAcceleration: velocity && slices.Contains(interfaces, "acceleration"),
			Wrap: wraps[v.String("controller.angle_wraparound")], Fill: fills[v.String("controller.start_fill")],
			PathTolerance: v.Each("trajectory.path_tolerance.<joint>"), GoalTolerance: v.Each("trajectory.goal_tolerance.<joint>"),
		},
	}
}

// of returns the question for controllers of a distribution, unless the parameters name one.
func (q question) of(distribution string) question {
	if q.controller.distribution == "" {
		q.controller.distribution = distribution
	}
	return q
}

// settingsFor returns the settings of the controller of a robot, with the tube that the
// question asks for.
func (q *question) settingsFor(robot *urdf.Robot) jtc.Settings {
	s := q.controller.settings
	if known, err := jtc.ForDistribution(q.controller.distribution); err == nil && s.Wrap == jtc.Unknown {
		s.Wrap = known.Wrap
	}
	if !q.planned { // the question's own, before a plan widens it
		q.tube, q.planned = q.query.Tube, true
	}
	s.Interpolation, s.PathTolerance = q.joined, q.tube
	s.Continuous = func(name string) bool { return continuous(robot, name) }
	return s
}

// continuous reports whether the joint of a robot turns without end; nil is no robot.
func continuous(robot *urdf.Robot, name string) bool {
	if robot == nil {
		return false
	}
	i := robot.Joint(name)
	return i >= 0 && robot.Joints[i].Type == urdf.Continuous
}

// prepare gives the question what is known when an attempt to answer it begins.
func (q *question) prepare(m *model, state func() (jtc.State, time.Time)) {
	q.robot, q.world, q.end, q.rootJoint = nil, nil, nil, ""
	if m != nil {
		q.robot, q.world = m.origin.robot, m.world
	}
	q.at, q.now = jtc.State{}, time.Now()
	if state != nil {
		q.at, q.now = state()
	}
	if q.at.Velocities == nil {
		q.at.Velocities = map[string]float64{}
	}
}

// execute returns the motion that a controller makes of a command.
func (q *question) execute(c jtc.Command, measured map[string]float64) (*motion.Motion, error) {
	settings := q.settingsFor(q.robot)
	at := jtc.Situation{Now: q.now, Handover: q.controller.handover, Measured: jtc.State{Positions: measured, Velocities: q.at.Velocities, Drifts: q.at.Drifts, Stamp: q.at.Stamp}}
	unclear := false
	if q.captured != nil {
		at = *q.captured
		at.Running, unclear = q.turn.running()
	}
	if q.forward != nil {
		at.Running, c.PathTolerance, c.GoalTolerance = q.forward.running, q.forward.path, q.forward.goal
	}
	plan, err := settings.Plan(c, at)
	var refused *jtc.Refused
	if errors.As(err, &refused) && refused.Late && q.captured == nil && q.forward == nil {
		q.notes = append(q.notes, "by its stamp the trajectory has ended, and a controller would refuse it: it was judged as with stamp zero")
		c.Stamp = time.Time{}
		plan, err = settings.Plan(c, at)
	}
	if err == nil || errors.As(err, &refused) {
		q.turn.settle(plan)
	} else {
		q.turn.lose()
	}
	if errors.Is(err, jtc.ErrUnknown) {
		return nil, fmt.Errorf("%w (%w)", err, errNotKnown)
	}
	if err != nil {
		return nil, err
	}
	q.notes = append(q.notes, plan.Notes...)
	q.plan, q.query.Tube = plan, plan.Tube
	q.again = func(handover time.Duration) (*jtc.Plan, error) {
		at.Handover = handover
		return settings.Plan(c, at)
	}
	if plan.End != nil {
		q.end = plan
	}
	way := *plan.Motion
	way.Gaps = slices.Clone(way.Gaps)
	if unclear {
		way.Gaps = append(way.Gaps, premise.Premise{
			Kind:   premise.Start,
			Detail: "an earlier trajectory of this controller has not been judged, so that it is not known what the controller is doing",
			Remedy: "send trajectories more slowly",
		})
	}
	way.Gaps = append(way.Gaps, q.wrapped(&way, at.Measured.Positions)...)
	return &way, nil
}

// checkEnd checks the robot at rest within the goal tolerance of the last point of a motion that
// is free, and turns v into what that finds. It returns the verdict at clearance 0, as
// CheckMargin does.
func checkEnd(ctx context.Context, checker *ccd.Checker, q *question, way *motion.Motion, v, touch *motion.Verdict) (*motion.Verdict, error) {
	if v.Status != motion.Free {
		return touch, nil
	}
	end := way.Duration()
	rest, err := motion.Path(way.Joints, [][]float64{way.At(end)}, nil)
	if err != nil {
		return nil, err
	}
	query := q.query
	query.Question, query.Range, query.MaxContacts, query.Tube = motion.FirstContact, motion.DistanceRanges{}, 0, q.end.EndTube
	e, touch, err := checker.CheckMargin(ctx, rest, query)
	v.Compute += e.Compute
	if err != nil || e.Status == motion.Free {
		return nil, err
	}
	atEnd := func(toc *motion.Interval, piece *int, w *motion.Witness, proven *float64, reason *string) {
		*toc, *piece, *proven = motion.Interval{Lo: end, Hi: end}, len(way.Pieces)-1, end
		w.Time = end
		if *reason != "" {
			*reason = "at the end, within the goal tolerance: " + *reason
		}
	}
	for _, x := range []*motion.Verdict{&e, touch} {
		if x == nil {
			continue
		}
		atEnd(&x.TOC, &x.Piece, &x.Contact, &x.ProvenUntil, &x.Reason)
		for _, s := range []*motion.ScopeVerdict{x.Self, x.World} {
			if s != nil {
				atEnd(&s.TOC, &s.Piece, &s.Contact, &s.ProvenUntil, &s.Reason)
			}
		}
	}
	v.Status, v.TOC, v.Piece, v.Contact, v.ProvenUntil, v.Reason = e.Status, e.TOC, e.Piece, e.Contact, e.ProvenUntil, e.Reason
	v.Self, v.World, v.MinClearance = e.Self, e.World, motion.Clearance{}
	return touch, nil
}

// wrapped returns a gap if the controller takes a continuous joint the short way to the first
// point, by whole turns, and another joint follows it: what the hardware of that one does is
// not known.
func (q *question) wrapped(way *motion.Motion, measured map[string]float64) []premise.Premise {
	for row, name := range way.Joints {
		at, known := measured[name]
		start := way.Pieces[0].Ctrl[row][0]
		if !known || !continuous(q.robot, name) || math.Abs(start-at) < math.Pi || !followed(q.robot, name) {
			continue
		}
		return []premise.Premise{{
			Kind: premise.Start, Names: []string{name},
			Detail: fmt.Sprintf("joint %s starts at %g, which the controller takes for %g, and another joint follows it", name, at, start),
			Remedy: "send a first point within half a turn",
		}}
	}
	return nil
}

// followed reports whether a joint follows the named one.
func followed(robot *urdf.Robot, name string) bool {
	i := robot.Joint(name)
	return slices.ContainsFunc(robot.Joints, func(j urdf.Joint) bool { return j.Mimic != nil && j.Mimic.Joint == i })
}

// jointState returns what is measured of the joints, and the time.
func (w *monitor) jointState() (jtc.State, time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := jtc.State{Positions: map[string]float64{}, Velocities: map[string]float64{}, Drifts: map[string]float64{}}
	now := w.read()
	if w.tracker == nil {
		return s, now
	}
	for name, j := range w.tracker.Agreed(now) {
		s.Positions[name] = j.Position
		if !math.IsNaN(j.Velocity) {
			s.Velocities[name] = j.Velocity
		} else if drift := j.Drift(); !math.IsNaN(drift) {
			s.Drifts[name] = drift
		}
		if s.Stamp.IsZero() || j.Stamp.Before(s.Stamp) {
			s.Stamp = j.Stamp
		}
	}
	return s, now
}
