package kin

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Joint returns the pose of frame k >= 1 in its parent's frame with the joint that moves it at
// 0, and the joint's unit axis in frame k, on a piece with the given motion of a moving root.
// A point at p that is placed by them and by a position of the joint of at most maxAbs, in
// real arithmetic, has an error of at most errP + errR |p|, a root link's jump at a seam
// included.
func (t *Tree) Joint(k int, root *Root, maxAbs float64) (posePF geom.Pose, axis geom.Vec, errR, errP float64) {
	f := &t.Frames[k]
	posePF, axis = f.PosePF, f.Axis
	errR, errP = t.PlacingErr(k, maxAbs)
	switch f.root {
	case rootAxis:
		axis = root.Axis
	case rootPose:
		posePF = root.Pose
		errP += 2*posPerJoint*r3.Norm(posePF.P) + root.Jump.Pos
		errR += root.Jump.Rot
	}
	return posePF, axis, errR, errP
}
