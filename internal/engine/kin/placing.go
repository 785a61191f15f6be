package kin

import "gonum.org/v1/gonum/spatial/r3"

// PlacingErr bounds the error of placing points of frame k in its parent's frame by PosePF,
// Axis and a position of the joint of at most maxAbs: a point at p is placed with an error of
// at most pos + rot |p|. It is State.Bound's error for one joint: the loaded numbers, composed
// fixed joints, the rotation and its angle. A frame of a moving root link has no fixed pose:
// see OfRoot.
func (t *Tree) PlacingErr(k int, maxAbs float64) (rot, pos float64) {
	f := &t.Frames[k]
	length := r3.Norm(f.PosePF.P)
	rot = rotPerJoint + f.fixErr.rot
	pos = 2*posPerJoint*length + f.fixErr.pos
	if f.Prismatic {
		return rot, pos + (anglePerValue+rot+posPerJoint)*maxAbs
	}
	return rot + anglePerValue*maxAbs, pos
}

// OfRoot reports whether frame k is one of those that move a root link.
func (t *Tree) OfRoot(k int) bool { return k > 0 && t.Frames[k].Joint == "" }
