package motionfile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// trajectory is a sampled motion before interpolation.
type trajectory struct {
	at       document.Value // where it stands
	from     *start         // the state before it, if the file tells
	follows  bool           // it sets out from where the trajectory before it has ended
	joints   []string
	points   []motion.Waypoint
	start    map[string]float64
	warnings []string
	gaps     []premise.Premise

	rootJoint string     // that moves the root link, if one does
	rootFrame string     // in which it does, empty if that is not said
	rootStart *geom.Pose // where the root link stands at time zero, if that is said

	// executed says that a controller is told these points: it interpolates the
	// numbers, so that a continuous joint told 3.1 and then -3.1 turns all the
	// way back. Rows of a table are what a sensor has seen, or samples: there
	// the angle has wrapped.
	executed bool
}

// finish makes the motion of a trajectory and says where a robot that executes
// it would do otherwise.
func (r *reader) finish(out *Loaded, t *trajectory) error {
	out.Start, out.Warnings, out.RootJoint, out.RootFrame = t.start, t.warnings, t.rootJoint, t.rootFrame
	out.Interpolation = motion.StraightLines
	if t.executed {
		out.Interpolation = r.through
	}
	warn := func(format string, args ...any) {
		out.Warnings = append(out.Warnings, fmt.Sprintf(format, args...))
	}
	warnOfSplines(t, out.Interpolation, warn)
	t.gaps = append(t.gaps[:len(t.gaps):len(t.gaps)], r.disputedStart(t)...)
	t.rootStep()
	points := r.lead(t, warn)
	if len(points) == 1 {
		warn("the trajectory has one point: a rest of one second there is checked, not the way to it")
	}
	var err error
	if out.Motion, err = out.Interpolation.Through(t.joints, points); err != nil {
		return err
	}
	if out.Motion.KeepTurns = t.executed; !t.executed {
		out.Motion = out.Motion.WithoutStart()
	}
	out.Motion.Gaps = append(out.Motion.Gaps, t.gaps...)
	lead := len(points) > len(t.points)
	if lead && len(points[0].Velocities) > 0 && out.Interpolation == motion.JTC {
		warn("the robot is taken to be at rest at its start, from where segment 0 leads to the first point")
	}
	if !t.executed {
		if j, i, ok := r.overHalfTurn(t.joints, points); ok {
			warn("joint %s moves by more than half a turn between rows %d and %d: if it is continuous, the short way round is checked, unless a joint that follows it can tell", t.joints[j], i, i+1)
		}
	} else if lead {
		out.Motion.Gaps = append(out.Motion.Gaps, r.shortWays(t.joints, points[0].Positions, points[1].Positions)...)
	}
	return nil
}

// atHalfTurn in rad: closer to half a turn six digits in a file decide which way is the short one.
const atHalfTurn = 1e-5

// shortWays returns a gap for each joint that a controller may lead from the start to the first
// point the short way round.
func (r *reader) shortWays(joints []string, from, to []float64) []premise.Premise {
	var gaps []premise.Premise
	for j := range min(len(from), len(to)) { // a point without positions is reached by integration, which does not turn back
		if math.Abs(to[j]-from[j]) <= math.Pi-atHalfTurn || !r.mayBeContinuous(joints[j]) {
			continue
		}
		gaps = append(gaps, premise.Premise{
			Kind: premise.Start, Names: []string{joints[j]},
			Detail: fmt.Sprintf("joint %s starts at %g, half a turn or more from the first point at %g: if it is continuous, a controller may take it the short way round, while the way through all values between is checked", joints[j], from[j], to[j]),
			Remedy: "begin the trajectory at time 0 where the robot is, or less than half a turn from there",
		})
	}
	return gaps
}

// mayBeContinuous reports whether nothing says that a joint does not turn without end.
func (r *reader) mayBeContinuous(joint string) bool {
	turns, known := r.opts.Continuous[joint]
	return turns || !known
}

// warnOfSplines tells what the points say that straight lines leave out, or that
// only some controllers accept.
func warnOfSplines(t *trajectory, through motion.Interpolation, warn func(string, ...any)) {
	if through == motion.StraightLines {
		if what := derivatives(t.points); what != "" {
			warn("the points carry %s: a controller follows a spline through them, but straight lines in joint space between the positions are checked", what)
		}
		return
	}
	if slices.ContainsFunc(t.points, func(p motion.Waypoint) bool { return len(p.Positions) == 0 }) {
		warn("points without positions are integrated as a controller does that has allow_integration_in_goal_trajectories set: others refuse the trajectory")
	}
	last := t.points[len(t.points)-1]
	for j, v := range last.Velocities {
		if v != 0 && j < len(t.joints) {
			warn("joint %s has a velocity of %g at the last point: a controller refuses that unless allow_nonzero_velocity_at_trajectory_end is set, and what the robot does after that point is not checked", t.joints[j], v)
			return
		}
	}
}

// overHalfTurn returns the first joint, of those that may be continuous, that two
// neighbouring points have more than half a turn apart, and the first of them, counted from
// 1.
func (r *reader) overHalfTurn(joints []string, points []motion.Waypoint) (joint, point int, found bool) {
	for i := 1; i < len(points); i++ {
		if len(points[i-1].Positions) != len(points[i].Positions) {
			continue // where the controller goes by itself it does not know of turns
		}
		for j, q := range points[i].Positions {
			if r.mayBeContinuous(joints[j]) && math.Abs(q-points[i-1].Positions[j]) > math.Pi {
				return j, i, true
			}
		}
	}
	return 0, 0, false
}

// derivatives names what the points carry besides positions.
func derivatives(points []motion.Waypoint) string {
	velocities := slices.ContainsFunc(points, func(p motion.Waypoint) bool { return len(p.Velocities) > 0 })
	accelerations := slices.ContainsFunc(points, func(p motion.Waypoint) bool { return len(p.Accelerations) > 0 })
	switch {
	case velocities && accelerations:
		return "velocities and accelerations"
	case velocities:
		return "velocities"
	case accelerations:
		return "accelerations"
	}
	return ""
}

// startTolerance in rad or m is what printing and rounding leave between a start
// state and a first point that are meant to be the same.
const startTolerance = 1e-6

// disputedStart returns a gap for each joint of t that was said to start elsewhere than the file
// says.
func (r *reader) disputedStart(t *trajectory) []premise.Premise {
	if t.follows {
		return nil // what was said is of the state before the first trajectory
	}
	var gaps []premise.Premise
	for _, name := range t.joints {
		at, known := t.start[name]
		given, told := r.opts.Start[name]
		if known && told && math.Abs(at-given) > startTolerance {
			gaps = append(gaps, premise.Premise{
				Kind: premise.Start, Names: []string{name},
				Detail: fmt.Sprintf("joint %s is at %g according to trajectory_start, but the state that was given has it at %g: the motion from the former is checked", name, at, given),
				Remedy: "give the state that the robot starts from in one of the two",
			})
		}
	}
	return gaps
}

// ambiguousLead returns the gap of a first point with accelerations. From a start state without,
// controllers follow a cubic to it, and a quintic since December 2025: two paths, unless the
// point is at rest.
func (r *reader) ambiguousLead(first motion.Waypoint) (premise.Premise, bool) {
	nonzero := func(x float64) bool { return x != 0 }
	atRest := len(first.Velocities) > 0 && !slices.ContainsFunc(first.Velocities, nonzero) && !slices.ContainsFunc(first.Accelerations, nonzero)
	if r.through == motion.StraightLines || len(first.Accelerations) == 0 || atRest {
		return premise.Premise{}, false
	}
	return premise.Premise{
		Kind:   premise.Start,
		Detail: "the first point has accelerations: how the controller gets there from a state without depends on its release, and a cubic is checked",
		Remedy: "begin the trajectory at time 0 where the robot is, or with a point at rest",
	}, true
}

// leadRoot puts the root link of start where it is known to be, or leaves it at its first pose,
// with a gap.
func (t *trajectory) leadRoot(start *motion.Waypoint) {
	switch {
	case start.Root == nil:
	case t.rootStart != nil:
		start.Root = t.rootStart
	default:
		g := premise.Premise{
			Kind:   premise.Start,
			Detail: fmt.Sprintf("the first point is at %g s, and where the root link is before is not known: it is taken to wait at its first pose", t.points[0].Time),
			Remedy: "give its pose in trajectory_start.multi_dof_joint_state, or begin at time 0",
		}
		if t.rootJoint != "" {
			g.Names = []string{t.rootJoint}
		}
		t.gaps = append(t.gaps[:len(t.gaps):len(t.gaps)], g)
	}
}

// rootStep notes that the root link is elsewhere than at a first point at time zero.
func (t *trajectory) rootStep() {
	first := &t.points[0]
	if first.Time > 0 || first.Root == nil || t.rootStart == nil {
		return
	}
	if g, found := motion.RootStepGap(t.rootJoint, *t.rootStart, *first.Root); found {
		t.gaps = append(t.gaps[:len(t.gaps):len(t.gaps)], g)
	}
}

// lead puts the start in front of a trajectory whose first point is later than
// time zero, as the controller moves from where the robot is to that point.
func (r *reader) lead(t *trajectory, warn func(string, ...any)) []motion.Waypoint {
	first := t.points[0]
	from := make([]float64, len(t.joints))
	var unknown []string
	worst, joint := 0.0, 0
	for j, name := range t.joints {
		q, ok := t.start[name]
		if !ok {
			q, ok = r.opts.Start[name]
		}
		if !ok {
			unknown = append(unknown, name)
			continue
		}
		from[j] = q
		if j >= len(first.Positions) {
			continue // it has none, or too few, which package motion reports
		}
		if d := math.Abs(q - first.Positions[j]); d > worst {
			worst, joint = d, j
		}
	}
	switch {
	case first.Time > 0 && len(unknown) == 0:
		if g, ok := r.ambiguousLead(first); ok && t.executed {
			t.gaps = append(t.gaps[:len(t.gaps):len(t.gaps)], g)
		}
		start := motion.LeadIn(from, first)
		t.leadRoot(&start)
		return append([]motion.Waypoint{start}, t.points...)
	case first.Time > 0:
		warn("the first point is at %g s: the way to it is not checked, as the start of %s is not known (give it by --state, or in a DisplayTrajectory)", first.Time, strings.Join(unknown, ", "))
	case worst > startTolerance && t.executed:
		t.gaps = append(t.gaps[:len(t.gaps):len(t.gaps)], motion.StepGap(t.joints[joint], from[joint], first.Positions[joint]))
	}
	return t.points
}
