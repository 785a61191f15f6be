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
		return "", fmt.Errorf("with interpolation none a controller jumps from point to point, which is not a continuous motion: use jtc or linear")
	}
	return "", fmt.Errorf("interpolation %q is unknown: use jtc, the splines of the joint_trajectory_controller, or linear", name)
}

// Through returns the motion through points: Linear for StraightLines, otherwise Spline.
func (i Interpolation) Through(joints []string, points []Waypoint) (*Motion, error) {
	if i == StraightLines {
		return Linear(joints, points)
	}
	return Spline(joints, points)
}

// LeadIn returns the waypoint to prepend to a trajectory whose first point, next, is later
// than time zero: the robot at rest at positions, at time zero.
//
// A joint_trajectory_controller starts with the velocities that it measures or last commanded.
// If it has any it interpolates by a cubic; hardware with positions only has none. So the
// waypoint has zero velocities if next has velocities, and none otherwise.
func LeadIn(positions []float64, next Waypoint) Waypoint {
	w := Waypoint{Positions: positions, Root: next.Root}
	if len(next.Velocities) > 0 {
		w.Velocities = make([]float64, len(positions))
	}
	return w
}
