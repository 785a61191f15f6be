// Package geom holds the value types of every public signature: points and
// directions (gonum's r3.Vec), rotations, rigid poses and axis-aligned boxes.
//
// Lengths are metres and angles radians. A name says the frame: poseWL is the
// pose of frame L in frame W, so that poseWL.Mul(poseLP) is poseWP and adjoining
// letters cancel.
package geom
