package motionfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// actionGoal reads the request of an action, which wraps its goal.
func actionGoal(f document.Fields) ([]*trajectory, error) {
	if _, err := f.Fields("goal of an action", "goal", "goal_id", "header"); err != nil {
		return nil, err
	}
	v, _ := f.Get("goal")
	goal, err := v.AnyFields("goal")
	if err != nil {
		return nil, err
	}
	if goal.Has("goal") {
		return nil, goal.Errorf("goal holds another goal: give the inner one")
	}
	return message(goal)
}

// goalOrDisplay reads a message with the key trajectory: a goal of FollowJointTrajectory or
// of ExecuteTrajectory, where it is one trajectory, or a DisplayTrajectory, where it is a list.
func goalOrDisplay(f document.Fields) ([]*trajectory, error) {
	v, _ := f.Get("trajectory")
	if !v.IsMap() {
		return displayTrajectory(f.Value)
	}
	inner, err := v.AnyFields("trajectory")
	if err != nil {
		return nil, err
	}
	var t *trajectory
	if inner.Has("joint_trajectory") {
		if _, err := f.Fields("goal of ExecuteTrajectory", "trajectory", "controller_names"); err != nil {
			return nil, err
		}
		t, err = robotTrajectory(v)
	} else {
		t, err = followGoal(f.Value)
	}
	return []*trajectory{t}, err
}

// followGoal reads the goal of a control_msgs/FollowJointTrajectory. Its tolerances say when
// the controller aborts: they are no part of the motion, but the path's tell how wide a tube
// has to be.
func followGoal(v document.Value) (*trajectory, error) {
	f, err := v.Fields("goal of FollowJointTrajectory", "trajectory", "multi_dof_trajectory",
		"path_tolerance", "component_path_tolerance", "goal_tolerance", "component_goal_tolerance", "goal_time_tolerance")
	if err != nil {
		return nil, err
	}
	in, _ := f.Get("trajectory")
	t, err := jointTrajectory(in)
	if err != nil {
		return nil, err
	}
	if m, ok := f.Get("multi_dof_trajectory"); ok {
		if err := multiDOF(m, t); err != nil {
			return nil, err
		}
	}
	if list, ok := f.Get("path_tolerance"); ok {
		note, err := pathTolerance(list, t.joints)
		if err != nil {
			return nil, err
		}
		t.warnings = append(t.warnings, note...)
	}
	return t, nil
}

// pathTolerance says how to check what a goal's path_tolerance lets a controller do. In
// control_msgs/JointTolerance 0 means the controller's default, and less than 0 no bound.
func pathTolerance(v document.Value, joints []string) ([]string, error) {
	items, err := v.List("path_tolerance")
	if err != nil {
		return nil, err
	}
	var widths, free []string
	for _, item := range items {
		f, err := item.Fields("path_tolerance", "name", "position", "velocity", "acceleration")
		if err != nil {
			return nil, err
		}
		name, err := document.Optional(f, "name", document.Value.Str)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(joints, name) {
			return nil, f.Errorf("path_tolerance is about joint %q, which the trajectory does not move", name)
		}
		width, err := document.Optional(f, "position", document.Value.Float)
		if err != nil {
			return nil, err
		}
		switch {
		case width > 0:
			widths = append(widths, fmt.Sprintf("%s=%g", name, width))
		case width < 0:
			free = append(free, name)
		}
	}
	var notes []string
	if len(widths) > 0 {
		notes = append(notes, fmt.Sprintf("its path_tolerance lets the controller be off the checked motion: to check all of that, add --tube %s", strings.Join(widths, ",")))
	}
	if len(free) > 0 {
		notes = append(notes, "its path_tolerance sets no bound to how far the controller may be off the checked motion, of joints: "+strings.Join(free, ", "))
	}
	return notes, nil
}
