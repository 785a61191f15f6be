// Package motion is what the engines take and give: a Motion of joints over
// time, a Query about it, and the Verdict with its Status.
package motion

import "github.com/firstcontact-ros/firstcontact/premise"

// Motion gives every named joint a position as a polynomial in time on each of
// finitely many pieces, continuous in position. It is immutable.
//
// On the piece [Start, End] the position of joint j at time t is the Bernstein
// polynomial with the control points Ctrl[j] at s = (t-Start)/(End-Start); a
// joint-state pair is one piece of degree 1.
type Motion struct {
	ID     string
	Joints []string
	Pieces []Piece

	// Root moves the root link in the frame of the scene, one entry per piece;
	// empty where the root is fixed there.
	Root []RootPiece

	// KeepTurns says that a continuous joint moves through every value between
	// its waypoints; false lets 3.1 to -3.1 take the short way on straight pieces,
	// where no joint that follows it can tell (docs/motions.md). Which way that is
	// depends on the robot: see ccd.Checker's Resolve.
	KeepTurns bool

	// Gaps lists what the source of the motion says of it that Pieces and Root do
	// not contain, objects that the robot carries for instance. A check of the
	// motion is Free only if each of them is accepted.
	Gaps []premise.Premise
}

// Piece is one polynomial stretch of a Motion, at most of degree 5.
type Piece struct {
	Start, End float64     // seconds from the motion's start; Start < End
	Ctrl       [][]float64 // [joint][control point], rad or m
}
