package motionfile

import (
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/document"
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
		return displayTrajectory(f.Value)
	}
	return nil, f.Errorf("is not a motion: known are mappings with the key joint_names (JointTrajectory), joint_trajectory (RobotTrajectory), trajectory (DisplayTrajectory) or sets (problems); this one has %s", strings.Join(f.Keys(), ", "))
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
	start, warnings := map[string]float64{}, []string(nil)
	if s, ok := f.Get("trajectory_start"); ok {
		if start, warnings, err = startState(s); err != nil {
			return nil, err
		}
	}
	out := make([]*trajectory, len(items))
	for i, item := range items {
		if out[i], err = robotTrajectory(item); err != nil {
			return nil, err
		}
		out[i].start, out[i].warnings = start, warnings
		start = after(start, out[i])
	}
	return out, nil
}

// after returns the state at the end of t.
func after(start map[string]float64, t *trajectory) map[string]float64 {
	end := make(map[string]float64, len(start))
	for joint, q := range start {
		end[joint] = q
	}
	if len(t.points) == 0 {
		return end
	}
	for j, q := range t.points[len(t.points)-1].Positions {
		if j < len(t.joints) {
			end[t.joints[j]] = q
		}
	}
	return end
}

// startState reads the positions of a moveit_msgs/RobotState.
func startState(v document.Value) (map[string]float64, []string, error) {
	f, err := v.Fields("trajectory_start", "joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff")
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	if attached, err := document.Optional(f, "attached_collision_objects", document.Value.List); err != nil {
		return nil, nil, err
	} else if len(attached) > 0 {
		warnings = append(warnings, "trajectory_start has attached objects, which a motion does not hold: give them in the scene")
	}
	if m, ok := f.Get("multi_dof_joint_state"); ok {
		if moved, err := placesRobot(m); err != nil {
			return nil, nil, err
		} else if moved {
			warnings = append(warnings, "trajectory_start places the robot by a multi-DOF joint, which a motion does not hold: give the obstacles in the robot's root link")
		}
	}
	start := map[string]float64{}
	js, ok := f.Get("joint_state")
	if !ok {
		return start, warnings, nil
	}
	g, err := js.Fields("joint_state", "header", "name", "position", "velocity", "effort")
	if err != nil {
		return nil, nil, err
	}
	names, err := document.Optional(g, "name", document.Value.Strs)
	if err != nil {
		return nil, nil, err
	}
	positions, err := document.Optional(g, "position", anyFloats)
	if err != nil {
		return nil, nil, err
	}
	if len(names) != len(positions) {
		return nil, nil, js.Errorf("joint_state has %d positions for %d names: give one each", len(positions), len(names))
	}
	for i, name := range names {
		if _, twice := start[name]; twice {
			return nil, nil, js.Errorf("joint_state names %s twice: keep one", name)
		}
		start[name] = positions[i]
	}
	return start, warnings, nil
}

func anyFloats(v document.Value, name string) ([]float64, error) { return v.Floats(name, -1) }

// placesRobot reports whether a sensor_msgs/MultiDOFJointState moves anything.
func placesRobot(v document.Value) (bool, error) {
	f, err := v.Fields("multi_dof_joint_state", "header", "joint_names", "transforms", "twist", "wrench")
	if err != nil {
		return false, err
	}
	transforms, err := document.Optional(f, "transforms", document.Value.List)
	if err != nil {
		return false, err
	}
	moved := false
	for _, t := range transforms {
		g, err := t.Fields("transform", "translation", "rotation")
		if err != nil {
			return false, err
		}
		for _, part := range []struct {
			key  string
			axes []string
		}{{"translation", []string{"x", "y", "z"}}, {"rotation", []string{"x", "y", "z", "w"}}} {
			c, ok := g.Get(part.key)
			if !ok {
				continue
			}
			x, err := c.Coordinates(part.key, part.axes...)
			if err != nil {
				return false, err
			}
			moved = moved || x[0] != 0 || x[1] != 0 || x[2] != 0
		}
	}
	return moved, nil
}

// robotTrajectory reads a moveit_msgs/RobotTrajectory.
func robotTrajectory(v document.Value) (*trajectory, error) {
	f, err := v.Fields("RobotTrajectory", "joint_trajectory", "multi_dof_joint_trajectory")
	if err != nil {
		return nil, err
	}
	if m, ok := f.Get("multi_dof_joint_trajectory"); ok {
		if err := refuseMultiDOF(m); err != nil {
			return nil, err
		}
	}
	j, err := f.Need("RobotTrajectory", "joint_trajectory")
	if err != nil {
		return nil, err
	}
	return jointTrajectory(j)
}

func refuseMultiDOF(v document.Value) error {
	f, err := v.Fields("multi_dof_joint_trajectory", "header", "joint_names", "points")
	if err != nil {
		return err
	}
	for _, key := range []string{"joint_names", "points"} {
		items, err := document.Optional(f, key, document.Value.List)
		if err != nil {
			return err
		}
		if len(items) > 0 {
			return v.Errorf("multi_dof_joint_trajectory moves floating or planar joints, which is not supported yet: give the motion of single-axis joints alone")
		}
	}
	return nil
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
		return nil, list.Errorf("JointTrajectory has no points: there is no motion to check")
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
	q, err := f.Need("point", "positions")
	if err != nil {
		return p, err
	}
	if p.Positions, err = q.Floats("positions", joints); err != nil {
		return p, err
	}
	for key, out := range map[string]*[]float64{"velocities": &p.Velocities, "accelerations": &p.Accelerations} {
		if *out, err = document.Optional(f, key, anyFloats); err != nil {
			return p, err
		}
		if n := len(*out); n != 0 && n != joints {
			return p, f.Errorf("%s has %d numbers: give %d, one per joint, or none", key, n, joints)
		}
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
	if f.HasAny("sec", "nanosec") == f.HasAny("secs", "nsecs") {
		return 0, v.Errorf("%s needs sec and nanosec, or secs and nsecs", name)
	}
	var whole, nano int
	for key, out := range map[string]*int{"sec": &whole, "secs": &whole, "nanosec": &nano, "nsecs": &nano} {
		if !f.Has(key) {
			continue
		}
		if *out, err = document.Optional(f, key, document.Value.Int); err != nil {
			return 0, err
		}
	}
	if nano < 0 || nano >= 1e9 {
		return 0, v.Errorf("%s has %d nanoseconds: give 0 to 999999999", name, nano)
	}
	if whole < math.MinInt32 || whole > math.MaxInt32 {
		return 0, v.Errorf("%s has %d seconds, beyond the 32 bits of the message", name, whole)
	}
	// In nanoseconds the sum is exact; divided once, it is the nearest float64.
	return float64(int64(whole)*1e9+int64(nano)) / 1e9, nil
}
