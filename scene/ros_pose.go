package scene

import (
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
		if pose, err = ROSPose(pose.P, [4]float64(q)); err != nil {
			return pose, a.Errorf("%s: %w", angular, err)
		}
	}
	return pose, nil
}

// ROSPose returns the pose of a geometry_msgs/Pose or Transform with the quaternion x, y, z, w. A
// quaternion of zeros, as in an unset message, means no rotation, as in MoveIt; any other that is
// not of length 1 is an error.
func ROSPose(position geom.Vec, q [4]float64) (geom.Pose, error) {
	pose := geom.Pose{R: geom.Identity(), P: position}
	if q == ([4]float64{}) {
		return pose, nil
	}
	r, err := unitQuat(q[:])
	if err != nil {
		return pose, err
	}
	pose.R = r
	return pose, nil
}
