// Package setting finds the checker of a motion from a file: of the world, the start state and the options that were
// given for all motions, unless the file has obstacles or a start state of its own.
package setting

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Setting is what was given for all motions.
type Setting struct {
	Checker *ccd.Checker       // of the robot in the world that was given, or in none
	State   map[string]float64 // positions that were given: they take precedence over where a file says that its first motion starts
	Scene   bool               // a world was given: it replaces the obstacles of a planning problem
}

// CheckerOf returns the checker of a motion, and notes about what its file says in vain.
func (s *Setting) CheckerOf(l *motionfile.Loaded) (c *ccd.Checker, notes []string, err error) {
	c = s.Checker
	if l.RootJoint != "" {
		if err := c.CheckRootJoint(l.RootJoint); err != nil {
			return nil, nil, err
		}
		if parent := parentOf(c.Robot(), l.RootJoint); l.RootFrame != "" && parent != "" && l.RootFrame != parent {
			return nil, nil, fmt.Errorf("multi-DOF joint %s moves the root link in the frame %s, but its parent frame is %s: give the transforms in that frame", l.RootJoint, l.RootFrame, parent)
		}
	}
	state, foreign := startOf(c.Robot(), l)
	if len(foreign) > 0 {
		notes = append(notes, "positions given for joints that the robot does not move are ignored: "+strings.Join(foreign, ", "))
	}
	if len(state) > 0 {
		if !l.Follows { // else the motions before it may have moved these joints
			maps.Copy(state, s.State)
		}
		if c, err = c.WithState(state); err != nil {
			return nil, nil, err
		}
	}
	if l.Obstacles == nil || s.Scene {
		return c, notes, nil
	}
	world, err := l.Obstacles()
	if err != nil {
		return nil, nil, err
	}
	c, err = c.WithWorld(world)
	return c, notes, err
}

// parentOf returns the frame in which a multi-DOF joint places the robot: the parent frame of a
// virtual joint, or the root link, which stands for the world, of a joint of the robot.
func parentOf(robot *urdf.Robot, joint string) string {
	root := robot.Links[robot.Root].Name
	if robot.Semantic == nil || robot.Joint(joint) >= 0 {
		return root
	}
	for _, v := range robot.Semantic.VirtualJoints {
		if v.Name == joint && v.ChildLink == root {
			return strings.TrimPrefix(v.ParentFrame, "/") // of tf in ROS 1, which motions leave out, too
		}
	}
	return root
}

// startOf returns the file's start state without the joints that the motion moves, and lists those that the
// robot lacks or has fixed.
func startOf(robot *urdf.Robot, l *motionfile.Loaded) (state map[string]float64, foreign []string) {
	if len(l.Start) == 0 {
		return nil, nil
	}
	state = maps.Clone(l.Start)
	for _, name := range l.Motion.Joints {
		delete(state, name)
	}
	for name := range state {
		if i := robot.Joint(name); i < 0 || robot.Joints[i].Type == urdf.Fixed {
			foreign = append(foreign, name)
			delete(state, name)
		}
	}
	slices.Sort(foreign)
	return state, foreign
}
