package jtc

import (
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// State of joints, by name: rad or m, rad/s or m/s, rad/s² or m/s². A joint without an entry
// is unknown.
type State struct {
	Positions, Velocities, Accelerations map[string]float64
	// Drifts are mean velocities between two measurements, of joints without an entry in Velocities.
	// They tell that a joint moves, and not how fast it is now.
	Drifts map[string]float64
	Stamp  time.Time // of the measurement; zero if unknown
}

// Command is a trajectory that a controller is told to execute.
type Command struct {
	Joints []string
	Points []motion.Waypoint // without poses of the root link
	Stamp  time.Time         // of the header; the zero time, or 1970, means at once

	// PathTolerance and GoalTolerance are those of a FollowJointTrajectory goal.
	PathTolerance, GoalTolerance []Tolerance
}

// Situation is what is known when a command is judged.
type Situation struct {
	Now time.Time
	// Handover is how long after Now the controller may take the command over, at the latest.
	Handover time.Duration
	Measured State
	// Running is the plan that the controller executes, nil if none is known.
	Running *Plan
}

// Plan is what a controller makes of a command.
type Plan struct {
	// Start is time 0 of Motion: the time of the situation.
	Start time.Time
	// Motion begins with the way from the robot's state to the first point, if the controller
	// moves there. It includes the joints that the command leaves out, as far as the
	// controller's joints are known. Its gaps are what is not known.
	Motion *motion.Motion
	// Tube is how far joints may be from Motion: the path tolerance, and what a later handover
	// and the present tracking error change.
	Tube map[string]float64
	// End is a rest at the last point with the tube EndTube, the goal tolerance. It is nil if
	// Motion with Tube includes that.
	End     *motion.Motion
	EndTube map[string]float64
	// Sooner and Later are how long before and after Start the controller may have begun, if the plan
	// is executed.
	Sooner, Later time.Duration
	// Notes are remarks for people.
	Notes []string
}

// ErrUnknown is wrapped by errors about a joint whose position is needed and not known.
var ErrUnknown = errors.New("not known")

// Refused is the error of a command that the controller refuses.
type Refused struct {
	Reason string
	Late   bool // by its stamp it has ended
}

func (r *Refused) Error() string { return "the controller refuses the trajectory: " + r.Reason }

func refused(format string, args ...any) error { return &Refused{Reason: fmt.Sprintf(format, args...)} }

// Plan returns the motion that the controller executes. It fails on commands that it refuses
// (Refused), on joints whose position is needed and unknown (ErrUnknown), and as motion.Spline
// and motion.Linear do.
func (s *Settings) Plan(c Command, at Situation) (*Plan, error) {
	d := &deriver{s: s, c: &c, at: &at, plan: &Plan{Start: at.Now, Tube: map[string]float64{}}}
	if err := d.joints(); err != nil {
		return nil, err
	}
	if err := d.times(); err != nil {
		return nil, err
	}
	if err := d.hold(); err != nil {
		return nil, err
	}
	if err := d.motion(); err != nil {
		return nil, err
	}
	d.plan.Motion.KeepTurns = true // the numbers are interpolated, even the long way round
	d.plan.Motion.Gaps = append(d.plan.Motion.Gaps, d.gaps...)
	if err := d.tolerances(); err != nil {
		return nil, err
	}
	return d.plan, nil
}

// deriver derives one plan.
type deriver struct {
	s    *Settings
	c    *Command
	at   *Situation
	plan *Plan

	names  []string          // joints of the command, then those that it leaves out
	points []motion.Waypoint // for all of them
	offset float64           // s from now to the trajectory's time 0
	begin  float64           // s from now to when the trajectory takes effect
	next   int               // the first point later than begin
	gaps   []premise.Premise
	untold bool // it is said that a command is not known
}

func (d *deriver) note(format string, args ...any) {
	d.plan.Notes = append(d.plan.Notes, fmt.Sprintf(format, args...))
}

func (d *deriver) gap(joint, remedy, format string, args ...any) {
	p := premise.Premise{Kind: premise.Start, Detail: fmt.Sprintf(format, args...), Remedy: remedy}
	if joint != "" {
		p.Names = []string{joint}
	}
	d.gaps = append(d.gaps, p)
}

// joints collects the joints that the plan is about.
func (d *deriver) joints() error {
	if len(d.c.Points) == 0 {
		return refused("it has no points")
	}
	named := map[string]bool{}
	for _, name := range d.c.Joints {
		named[name] = true
	}
	d.names = append(d.names, d.c.Joints...)
	known := map[string]bool{}
	for _, name := range d.s.Joints {
		known[name] = true
		if named[name] {
			continue
		}
		if !d.s.Partial {
			return refused("it leaves out joint %s, and allow_partial_joints_goal is not set", name)
		}
		named[name] = true
		d.names = append(d.names, name)
	}
	for _, name := range d.c.Joints {
		if len(d.s.Joints) > 0 && !known[name] {
			return refused("it names joint %s, which the controller does not move", name)
		}
	}
	if d.at.Running != nil {
		for _, name := range d.at.Running.Motion.Joints {
			if !named[name] && (len(d.s.Joints) == 0 || known[name]) {
				d.names = append(d.names, name)
			}
		}
	}
	return nil
}

// times places the trajectory in time.
func (d *deriver) times() error {
	last := d.c.Points[len(d.c.Points)-1].Time
	if d.stamped() {
		d.offset = d.c.Stamp.Sub(d.at.Now).Seconds()
		if d.offset+last < 0 {
			return &Refused{Reason: fmt.Sprintf("it ends %.3g s in the past", -(d.offset + last)), Late: true}
		}
	}
	if d.offset > farthest {
		return fmt.Errorf("the trajectory's stamp is %g s from now: give a stamp in the same time as the node's, or zero to start at once", d.offset)
	}
	if d.s.Deferred && d.offset > 0 {
		d.begin = d.offset
		d.note("the trajectory takes effect %.6g s from now, at its stamp", d.begin)
	}
	for d.next < len(d.c.Points) && d.offset+d.c.Points[d.next].Time <= d.begin {
		d.next++
	}
	return nil
}

// stamped reports whether the command says when its time 0 is.
func (d *deriver) stamped() bool { return !d.c.Stamp.IsZero() && !d.c.Stamp.Equal(time.Unix(0, 0)) }

// farthest (s) is the latest stamp: some three years. Beyond it the stamp is of another clock.
const farthest = 1e8

// motion joins what comes before the trajectory and the trajectory.
func (d *deriver) motion() (err error) {
	if d.next == 0 {
		err = d.bridge()
	} else {
		err = d.enter()
	}
	if err != nil || d.begin == 0 {
		return err
	}
	return d.precede()
}

// through joins points with the controller's interpolation.
func (d *deriver) through(points []motion.Waypoint) (*motion.Motion, error) {
	return d.s.Interpolation.Through(d.names, points)
}

// shifted returns m with its times shifted so that it starts at a time.
func shifted(m *motion.Motion, start float64) *motion.Motion {
	out := *m
	out.Pieces = append([]motion.Piece(nil), m.Pieces...)
	dt := start - m.Pieces[0].Start
	for i := range out.Pieces {
		out.Pieces[i].End += dt
		if i == 0 {
			out.Pieces[i].Start = start
		} else {
			out.Pieces[i].Start = out.Pieces[i-1].End
		}
	}
	return &out
}
