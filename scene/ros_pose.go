package scene

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// rosPose reads a geometry_msgs/Pose, rosTransform a Transform: mappings or, as some tools
// write, lists x y z and x y z w. A zero quaternion, as in an unset message, means no
// rotation, as in MoveIt.
func rosPose(v document.Value) (geom.Pose, error) {
	return rigid(v, "pose", "position", "orientation")
}

func rosTransform(v document.Value) (geom.Pose, error) {
	return rigid(v, "transform", "translation", "rotation")
}

func rigid(v document.Value, what, linear, angular string) (geom.Pose, error) {
	pose := geom.IdentityPose()
	f, err := v.Fields(what, linear, angular)
	if err != nil {
		return pose, err
	}
	if l, ok := f.Get(linear); ok {
		x, err := l.Coordinates(linear, "x", "y", "z")
		if err != nil {
			return pose, err
		}
		pose.P = geom.Vec{X: x[0], Y: x[1], Z: x[2]}
	}
	if a, ok := f.Get(angular); ok {
		q, err := a.Coordinates(angular, "x", "y", "z", "w")
		if err != nil {
			return pose, err
		}
		if slices.Max(q) == 0 && slices.Min(q) == 0 {
			return pose, nil
		}
		if pose.R, err = unitQuat(q); err != nil {
			return pose, a.Errorf("%s: %w", angular, err)
		}
	}
	return pose, nil
}
