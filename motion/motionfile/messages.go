package motionfile

import (
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// message reads one of the messages that hold trajectories, told by its keys.
func message(f document.Fields) ([]*trajectory, error) {
	switch {
	case f.Has("joint_names"):
		t, err := jointTrajectory(f.Value)
		return []*trajectory{t}, err
	case f.HasAny("joint_trajectory", "multi_dof_joint_trajectory"):
		t, err := robotTrajectory(f.Value)
		return []*trajectory{t}, err
	case f.Has("trajectory"):
		return goalOrDisplay(f)
	case f.Has("goal"):
		return actionGoal(f)
	}
	return nil, f.Errorf("is not a motion: known are mappings with the key joint_names (JointTrajectory), joint_trajectory (RobotTrajectory), trajectory (DisplayTrajectory, or the goal of an action), name and position (JointState) or sets (problems); this one has %s", strings.Join(f.Keys(), ", "))
}

// displayTrajectory reads a moveit_msgs/DisplayTrajectory: trajectories that
// follow each other from a start state.
func displayTrajectory(v document.Value) ([]*trajectory, error) {
	f, err := v.Fields("DisplayTrajectory", "model_id", "trajectory", "trajectory_start")
	if err != nil {
		return nil, err
	}
	list, err := f.Need("DisplayTrajectory", "trajectory")
	if err != nil {
		return nil, err
	}
	items, err := list.List("trajectory")
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, list.Errorf("DisplayTrajectory holds no trajectory")
	}
	state := &start{positions: map[string]float64{}}
	if s, ok := f.Get("trajectory_start"); ok {
		if state, err = startState(s); err != nil {
			return nil, err
		}
	}
	out := make([]*trajectory, len(items))
	for i, item := range items {
		if out[i], err = robotTrajectory(item); err != nil {
			return nil, err
		}
		out[i].follows = i > 0
	}
	out[0].from = state
	return out, nil
}

// robotTrajectory reads a moveit_msgs/RobotTrajectory.
func robotTrajectory(v document.Value) (*trajectory, error) {
	f, err := v.Fields("RobotTrajectory", "joint_trajectory", "multi_dof_joint_trajectory")
	if err != nil {
		return nil, err
	}
	j, err := f.Need("RobotTrajectory", "joint_trajectory")
	if err != nil {
		return nil, err
	}
	t, err := jointTrajectory(j)
	if err != nil {
		return nil, err
	}
	if m, ok := f.Get("multi_dof_joint_trajectory"); ok {
		if err := multiDOF(m, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// jointTrajectory reads a trajectory_msgs/JointTrajectory.
func jointTrajectory(v document.Value) (*trajectory, error) {
	f, err := v.Fields("JointTrajectory", "header", "joint_names", "points")
	if err != nil {
		return nil, err
	}
	t := &trajectory{at: v, executed: true}
	names, err := f.Need("JointTrajectory", "joint_names")
	if err != nil {
		return nil, err
	}
	if t.joints, err = names.Strs("joint_names"); err != nil {
		return nil, err
	}
	list, err := f.Need("JointTrajectory", "points")
	if err != nil {
		return nil, err
	}
	items, err := list.List("points")
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, list.Errorf("JointTrajectory has no points: give the joints' positions at one time at least")
	}
	t.points = make([]motion.Waypoint, len(items))
	for i, item := range items {
		if t.points[i], err = point(item, len(t.joints)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func point(v document.Value, joints int) (motion.Waypoint, error) {
	var p motion.Waypoint
	f, err := v.Fields("point", "positions", "velocities", "accelerations", "effort", "time_from_start")
	if err != nil {
		return p, err
	}
	for key, out := range map[string]*[]float64{"positions": &p.Positions, "velocities": &p.Velocities, "accelerations": &p.Accelerations} {
		if *out, err = document.Optional(f, key, anyFloats); err != nil {
			return p, err
		}
		if n := len(*out); n != 0 && n != joints {
			return p, f.Errorf("%s has %d numbers: give %d, one per joint, or none", key, n, joints)
		}
	}
	if joints > 0 && len(p.Positions)+len(p.Velocities)+len(p.Accelerations) == 0 {
		return p, f.Errorf("point has no positions: give one per joint")
	}
	t, err := f.Need("point", "time_from_start")
	if err != nil {
		return p, err
	}
	p.Time, err = duration(t)
	return p, err
}

// duration reads a builtin_interfaces/Duration, ROS 1's of secs and nsecs, or a
// number of seconds.
func duration(v document.Value) (float64, error) {
	const name = "time_from_start"
	if !v.IsMap() {
		return v.Float(name)
	}
	f, err := v.Fields(name, "sec", "nanosec", "secs", "nsecs")
	if err != nil {
		return 0, err
	}
	ns, err := nanoseconds(f, name)
	// In nanoseconds the sum is exact; divided once, it is the nearest float64.
	return float64(ns) / 1e9, err
}

// nanoseconds reads a time of ROS 2, with sec and nanosec, or of ROS 1.
func nanoseconds(f document.Fields, name string) (int64, error) {
	if f.HasAny("sec", "nanosec") == f.HasAny("secs", "nsecs") {
		return 0, f.Errorf("%s needs sec and nanosec, or secs and nsecs", name)
	}
	var whole, nano int
	var err error
	for key, out := range map[string]*int{"sec": &whole, "secs": &whole, "nanosec": &nano, "nsecs": &nano} {
		if !f.Has(key) {
			continue
		}
		if *out, err = document.Optional(f, key, document.Value.Int); err != nil {
			return 0, err
		}
	}
	if nano < 0 || nano >= 1e9 {
		return 0, f.Errorf("%s has %d nanoseconds: give 0 to 999999999", name, nano)
	}
	if whole < math.MinInt32 || whole > math.MaxInt32 {
		return 0, f.Errorf("%s has %d seconds, beyond the 32 bits of the message", name, whole)
	}
	return int64(whole)*1e9 + int64(nano), nil
}
