// Package setting finds the checker of a motion from a file: of the world, the start state and the options that were
// given for all motions, unless the file has obstacles or a start state of its own.
package setting

import (
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
