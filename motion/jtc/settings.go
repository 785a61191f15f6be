package jtc

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Switch is a setting of a controller that may be unknown.
type Switch uint8

// The values of a Switch.
const (
	Unknown Switch = iota
	On
	Off
)

// Settings describe one controller. The zero value is that of a controller with default
// parameters whose release is unknown, without state interfaces for velocities; start from
// ForDistribution.
type Settings struct {
	// Joints that the controller moves, its parameter joints. Empty means unknown: those of
	// the command, and of the trajectory that it replaces.
	Joints []string
	// Continuous reports whether a joint turns without end; nil: none does.
	Continuous func(joint string) bool
	// Interpolation between points; empty means motion.JTC.
	Interpolation motion.Interpolation

	// Partial is allow_partial_joints_goal. It matters if Joints are known.
	Partial bool
	// FromCommanded is interpolate_from_desired_state (in Humble open_loop_control): a
	// trajectory starts at the state that the controller last commanded, not at the
	// measured one.
	FromCommanded bool
	// StateVelocity and StateAcceleration say that the parameter state_interfaces has velocity
	// and acceleration: the measured state has velocities and accelerations.
	StateVelocity, StateAcceleration bool
	// Deferred is allow_trajectory_replacement: a command with a stamp in the future takes
	// effect at that stamp. Without it, and in every release before 2026, it does at once.
	Deferred bool

	// Wrap says that a continuous joint takes the short way from the start to the first
	// point. From Jazzy on the controller does so for continuous joints of its URDF; in Humble
	// the parameter gains.JOINT.angle_wraparound decides.
	Wrap Switch
	// Fill says that the controller adds zero velocities and accelerations to a start state
	// that lacks what the first point has. Releases do so since December 2025.
	Fill Switch

	// PathTolerance and GoalTolerance (rad or m, by joint) are how far the robot may be from the
	// trajectory, and from its last point, where a command does not say so itself: for
	// instance the parameters constraints.JOINT.trajectory and constraints.JOINT.goal.
	// A joint that is not named, or has 0, follows exactly.
	PathTolerance, GoalTolerance map[string]float64
}

// distributions lists the ROS 2 distributions whose controller is known, with its rule for
// continuous joints.
var distributions = map[string]Switch{
	"humble": Unknown, "iron": On, "jazzy": On, "kilted": On, "lyrical": On, "rolling": On,
}

// ForDistribution returns the settings of a controller with default parameters and state
// interfaces for position and velocity. An empty name is a distribution that is not known.
func ForDistribution(name string) (Settings, error) {
	wrap, ok := distributions[strings.ToLower(name)]
	if !ok && name != "" {
		return Settings{}, fmt.Errorf("the joint_trajectory_controller of distribution %q is not known: use humble, iron, jazzy, kilted, lyrical or rolling", name)
	}
	return Settings{StateVelocity: true, Wrap: wrap}, nil
}

func (s *Settings) continuous(joint string) bool {
	return s.Continuous != nil && s.Continuous(joint)
}
