package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// question is a request to check one motion.
type question struct {
	id            string
	stamp         time.Time
	query         motion.Query
	deadline      time.Duration // time for the answer, from when the question arrived
	longest       time.Duration // the maximum that a request may ask for
	joined        motion.Interpolation
	accelerations map[string]float64 // limits by joint
	untimed       bool               // the duration of the motion means nothing
	group         string             // of the SRDF, whose links alone are checked; "" for all

	// way makes the motion. It may need the robot's present positions. Joints that the motion
	// does not name rest where they are measured.
	way func(ctx context.Context, measured map[string]float64) (*motion.Motion, error)

	remarks []string // remarks about the request, for every answer

	controller controller         // that executes the motion
	captured   *jtc.Situation     // when the controller got the command, if it has
	turn       *turnOf            // among the commands of one controller
	tube       map[string]float64 // that the question asks for
	planned    bool               // tube is set
	forward    *forwarding        // the gate forwards it if it is free; nil if nobody waits for that

	// Set while the question is answered.
	held      []string  // joints that the motion does not name
	notes     []string  // remarks about this answer
	at        jtc.State // measured
	robot     *urdf.Robot
	world     *scene.Snapshot
	now       time.Time
	rootJoint string    // that the motion moves the root link by; "" for none
	end       *jtc.Plan // whose goal tolerance is checked besides
	plan      *jtc.Plan // what the controller makes of a command

	again func(handover time.Duration) (*jtc.Plan, error) // makes the plan for another handover

	judged struct { // last
		model *model
		way   *motion.Motion // of all joints
	}
}

// defaults returns a question with the parameters' settings.
func defaults(v config.Values) question {
	by, _ := motion.ParseMethod(v.String("method")) // the parameter's range allows only valid names
	return question{
		query: motion.Query{
			Method: by, Question: motion.MinClearance, TimeTolerance: v.Double("trajectory.toc_tolerance"),
			Tube:      v.Each("trajectory.path_tolerance.<joint>"),
			EachScope: v.Bool("trajectory.each_scope"), MaxContacts: int(v.Int("trajectory.max_contacts")),
			Range: motion.DistanceRanges{Min: v.Double("trajectory.min_distance"), Max: v.Double("trajectory.max_distance")},
		},
		deadline:      span(v.Double("trajectory.deadline")),
		longest:       span(max(v.Double("trajectory.max_deadline"), v.Double("trajectory.deadline"))),
		joined:        motion.Interpolation(v.String("trajectory.interpolation")),
		controller:    controllerOf(v),
		accelerations: v.Each("trajectory.acceleration_limit.<joint>"),
	}
}

// aboutPair asks about the straight motion between two configurations. No controller executes
// it, so it has no tube.
func (q question) aboutPair(m *fcmsgs.JointStatePair) *question {
	q.id, q.stamp = m.ID, m.Header.Stamp.Time()
	q.joined, q.query.Tube, q.untimed = motion.StraightLines, nil, m.Duration.Seconds() == 0
	q.way = func(context.Context, map[string]float64) (*motion.Motion, error) {
		if err := fewEnough("joint_names", m.JointNames); err != nil {
			return nil, err
		}
		if len(m.Start) != len(m.JointNames) || len(m.Goal) != len(m.JointNames) {
			return nil, fmt.Errorf("%d joints have %d start and %d goal positions: give one of each per joint", len(m.JointNames), len(m.Start), len(m.Goal))
		}
		duration := m.Duration.Seconds()
		if duration == 0 {
			duration = 1 // so that times are fractions of the way
		}
		return motion.Between(m.JointNames, m.Start, m.Goal, duration)
	}
	return &q
}

// aboutTrajectory asks about a trajectory from a topic. Such a message has no name, so the
// topic and stamp identify it.
func (q question) aboutTrajectory(topic string, m *trajectorymsgs.JointTrajectory) *question {
	q.id = fmt.Sprintf("%s@%d.%09d", topic, m.Header.Stamp.Sec, m.Header.Stamp.Nanosec)
	q.stamp = m.Header.Stamp.Time()
	q.way = func(ctx context.Context, measured map[string]float64) (*motion.Motion, error) {
		return q.wayOf(ctx, m, measured)
	}
	return &q
}

// aboutRequest asks about the trajectory in a service request.
func (q question) aboutRequest(r *fcmsgs.CheckTrajectoryRequest) *question {
	q.id, q.stamp = r.ID, r.Trajectory.Header.Stamp.Time()
	q.query.Clearance, q.query.Tolerance = r.Clearance, r.Tolerance
	q.query.NoSelf, q.query.NoWorld = r.SkipSelf, r.SkipWorld
	q.group = r.Group
	if r.TimeTolerance != 0 {
		q.query.TimeTolerance = r.TimeTolerance
	}
	if !r.MinClearance {
		q.query.Question = motion.FirstContact
	}
	broken := unanswerable(r)
	q.query.Range = motion.DistanceRanges{Min: r.MinDistance, Max: r.MaxDistance}
	if broken == nil {
		broken = takeRanges(&q.query.Range, r.Ranges)
	}
	if d := r.Deadline.Seconds(); d > 0 {
		q.deadline = span(d)
		if q.deadline > q.longest {
			q.deadline = q.longest
			q.remarks = append(q.remarks, fmt.Sprintf("the deadline of %g s was reduced to %v, the maximum (trajectory.max_deadline)", d, q.longest))
		}
	}
	if i, err := motion.ParseInterpolation(r.Interpolation); err == nil && r.Interpolation != "" {
		q.joined = i
	}
	if broken == nil {
		q.query.Tube = tubeOf(q.query.Tube, r)
	}
	q.way = func(ctx context.Context, measured map[string]float64) (*motion.Motion, error) {
		if err := broken; err != nil {
			return nil, err
		}
		for i, name := range r.StartJointNames {
			measured[name] = r.StartPositions[i]
			q.at.Velocities[name] = 0 // the request's start is at rest
		}
		return q.wayOf(ctx, &r.Trajectory, measured)
	}
	return &q
}

// unanswerable returns an error for a request that cannot be answered.
func unanswerable(r *fcmsgs.CheckTrajectoryRequest) error {
	if err := errors.Join(fewEnough("start_joint_names", r.StartJointNames), fewEnough("tube_joints", r.TubeJoints)); err != nil {
		return err
	}
	switch {
	case len(r.StartJointNames) != len(r.StartPositions):
		return fmt.Errorf("%d start joints have %d positions: give one per joint", len(r.StartJointNames), len(r.StartPositions))
	case r.SkipSelf && r.SkipWorld:
		return errors.New("skip_self and skip_world leave nothing to check")
	case r.Deadline.Seconds() < 0:
		return fmt.Errorf("the deadline is %g s: give a positive one, or zero for the parameter's", r.Deadline.Seconds())
	case len(r.TubeJoints) != len(r.TubeWidths):
		return fmt.Errorf("%d tube_joints have %d tube_widths: give one per joint", len(r.TubeJoints), len(r.TubeWidths))
	case !r.MinClearance && (r.MinDistance != 0 || r.MaxDistance != 0 || len(r.Ranges) > 0):
		return errors.New("distance ranges are for the smallest distance: set min_clearance, or leave min_distance, max_distance and ranges out")
	}
	if _, err := motion.ParseInterpolation(r.Interpolation); err != nil {
		return err
	}
	for i, name := range r.TubeJoints {
		if slices.Contains(r.TubeJoints[:i], name) {
			return fmt.Errorf("tube_joints names %s twice: give one width", name)
		}
	}
	return nil
}

// fewEnough bounds the length of a list of joints.
func fewEnough(list string, joints []string) error {
	if len(joints) > limit.MessageJoints {
		return fmt.Errorf("%s has %d joints: give at most %d", list, len(joints), limit.MessageJoints)
	}
	return nil
}

// tubeOf returns the tube of a request: its own widths, and those of the parameters for the
// other joints.
func tubeOf(parameters map[string]float64, r *fcmsgs.CheckTrajectoryRequest) map[string]float64 {
	tube := maps.Clone(parameters)
	if tube == nil {
		tube = map[string]float64{}
	}
	for i, name := range r.TubeJoints {
		if i < len(r.TubeWidths) { // other lengths are refused
			tube[name] = r.TubeWidths[i]
		}
	}
	return tube
}

// span converts seconds to a time.Duration, limited to the longest one.
func span(s float64) time.Duration {
	const longest = 1<<63 - 1
	if ns := s * 1e9; ns < longest {
		return time.Duration(ns)
	}
	return longest
}
