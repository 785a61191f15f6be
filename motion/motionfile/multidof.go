package motionfile

import (
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// multiDOF reads a trajectory_msgs/MultiDOFJointTrajectory as the motion of the
// root link beside the joints of t: one joint, with a transform at the time of
// each of t's points. Velocities and accelerations are not used: no controller
// that is modelled here executes such trajectories.
func multiDOF(v document.Value, t *trajectory) error {
	f, err := v.Fields("multi_dof_joint_trajectory", "header", "joint_names", "points")
	if err != nil {
		return err
	}
	names, err := document.Optional(f, "joint_names", document.Value.Strs)
	if err != nil {
		return err
	}
	points, err := document.Optional(f, "points", document.Value.List)
	if err != nil {
		return err
	}
	switch {
	case len(names) == 0 && len(points) == 0:
		return nil
	case len(names) != 1 || names[0] == "":
		return v.Errorf("multi_dof_joint_trajectory names %d joints: only one, which moves the root link, can be checked", len(names))
	case len(points) != len(t.points):
		return v.Errorf("multi_dof_joint_trajectory has %d points where joint_trajectory has %d: give one of each for every time", len(points), len(t.points))
	}
	t.rootJoint = names[0]
	if t.rootFrame, err = headerFrame(f); err != nil {
		return err
	}
	for i, p := range points {
		at, pose, err := multiDOFPoint(p)
		if err != nil {
			return err
		}
		if at != t.points[i].Time {
			return p.Errorf("multi_dof_joint_trajectory has its point %d at %g s, where joint_trajectory has it at %g s: give both for every time", i, at, t.points[i].Time)
		}
		t.points[i].Root = pose
	}
	return nil
}

func multiDOFPoint(v document.Value) (at float64, pose *geom.Pose, err error) {
	f, err := v.Fields("point", "transforms", "velocities", "accelerations", "time_from_start")
	if err != nil {
		return 0, nil, err
	}
	transforms, err := document.Optional(f, "transforms", document.Value.List)
	if err != nil {
		return 0, nil, err
	}
	if len(transforms) != 1 {
		return 0, nil, v.Errorf("point has %d transforms for one joint: give one", len(transforms))
	}
	if pose, err = transform(transforms[0]); err != nil {
		return 0, nil, err
	}
	t, err := f.Need("point", "time_from_start")
	if err != nil {
		return 0, nil, err
	}
	at, err = duration(t)
	return at, pose, err
}

// headerFrame returns the frame_id of a message's header without the leading slash of tf (ROS 1),
// empty if there is none.
func headerFrame(f document.Fields) (string, error) {
	h, ok := f.Get("header")
	if !ok {
		return "", nil
	}
	g, err := h.AnyFields("header")
	if err != nil {
		return "", err
	}
	frame, err := document.Optional(g, "frame_id", document.Value.Str)
	return strings.TrimPrefix(frame, "/"), err
}

// multiDOFState reads a sensor_msgs/MultiDOFJointState.
func (s *start) multiDOFState(v document.Value) error {
	f, err := v.Fields("multi_dof_joint_state", "header", "joint_names", "transforms", "twist", "wrench")
	if err != nil {
		return err
	}
	if s.frame, err = headerFrame(f); err != nil {
		return err
	}
	s.placed, err = placedBy(v, f)
	return err
}

// placedBy returns the transforms of a sensor_msgs/MultiDOFJointState by joint.
func placedBy(v document.Value, f document.Fields) (map[string]*geom.Pose, error) {
	names, err := document.Optional(f, "joint_names", document.Value.Strs)
	if err != nil {
		return nil, err
	}
	transforms, err := document.Optional(f, "transforms", document.Value.List)
	if err != nil {
		return nil, err
	}
	if len(names) != len(transforms) {
		return nil, v.Errorf("multi_dof_joint_state has %d transforms for %d joints: give one each", len(transforms), len(names))
	}
	placed := make(map[string]*geom.Pose, len(names))
	for i, name := range names {
		if placed[name] != nil {
			return nil, v.Errorf("multi_dof_joint_state names %s twice: keep one", name)
		}
		if placed[name], err = transform(transforms[i]); err != nil {
			return nil, err
		}
	}
	return placed, nil
}

// transform reads a geometry_msgs/Transform.
func transform(v document.Value) (*geom.Pose, error) {
	f, err := v.Fields("transform", "translation", "rotation")
	if err != nil {
		return nil, err
	}
	t, err := f.Need("transform", "translation")
	if err != nil {
		return nil, err
	}
	x, err := t.Coordinates("translation", "x", "y", "z")
	if err != nil {
		return nil, err
	}
	r, err := f.Need("transform", "rotation")
	if err != nil {
		return nil, err
	}
	q, err := r.Coordinates("rotation", "x", "y", "z", "w")
	if err != nil {
		return nil, err
	}
	turn, err := unitQuaternion(q)
	if err != nil {
		return nil, r.Errorf("%w", err)
	}
	return &geom.Pose{R: turn, P: geom.Vec{X: x[0], Y: x[1], Z: x[2]}}, nil
}

// unitTolerance is what three digits leave of the length of a quaternion: one
// that is farther off is something else.
const unitTolerance = 1e-3

// unitQuaternion returns the rotation of q = (x, y, z, w).
func unitQuaternion(q []float64) (geom.Rot, error) {
	length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(math.Abs(length-1) <= unitTolerance) {
		return geom.Rot{}, fmt.Errorf("quaternion (%g, %g, %g, %g) has length %g: give x, y, z, w of length 1", q[0], q[1], q[2], q[3], length)
	}
	return geom.Quat(q[0], q[1], q[2], q[3])
}
