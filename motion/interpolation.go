package motion

import "fmt"

// Interpolation says how the joints move between the points of a trajectory.
type Interpolation string

// The interpolations.
const (
	// JTC is that of the ROS 2 joint_trajectory_controller with splines, its
	// default: see Spline.
	JTC Interpolation = "jtc"
	// StraightLines in joint space: see Linear.
	StraightLines Interpolation = "linear"
)

// ParseInterpolation reads the name of an interpolation; the empty name is JTC.
func ParseInterpolation(name string) (Interpolation, error) {
	switch i := Interpolation(name); i {
	case "":
		return JTC, nil
	case JTC, StraightLines:
		return i, nil
	case "none":
		return "", fmt.Errorf("interpolation none lets a controller jump from point to point: there is no motion that could be proved; use jtc or linear")
	}
	return "", fmt.Errorf("interpolation %q is unknown: use jtc, the splines of the joint_trajectory_controller, or linear", name)
}

// Through returns the motion through points: Linear for StraightLines, else
// Spline.
func (i Interpolation) Through(joints []string, points []Waypoint) (*Motion, error) {
	if i == StraightLines {
		return Linear(joints, points)
	}
	return Spline(joints, points)
}

// LeadIn returns the waypoint to put in front of a trajectory whose first point,
// next, is later than time zero: the robot at rest at positions, at time zero.
//
// A joint_trajectory_controller sets out with the velocities that it measures or
// last commanded; it knows some, and so draws a cubic, unless its hardware has
// only positions. The robot is therefore taken to stand still with velocities
// that are known to be zero where next gives any, and without where it does not.
func LeadIn(positions []float64, next Waypoint) Waypoint {
	w := Waypoint{Positions: positions, Root: next.Root}
	if len(next.Velocities) > 0 {
		w.Velocities = make([]float64, len(positions))
	}
	return w
}
