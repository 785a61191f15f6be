// Package motion defines the input and output of the engines: a Motion of joints over time, a
// Query about it, and the Verdict with its Status.
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

	// Root moves the root link in the frame of the scene, one entry per piece; empty if the
	// root is fixed.
	Root []RootPiece

	// KeepTurns says that a continuous joint moves through every value between its waypoints.
	// If it is false, a straight piece from 3.1 to -3.1 takes the short way round, unless a
	// joint that follows this one makes a difference (docs/motions.md). Which way that is
	// depends on the robot: see ccd.Checker's Resolve.
	KeepTurns bool

	// Gaps lists what the source of the motion requires and Pieces and Root lack, for instance
	// objects that the robot carries, and what else the source assumes. A check of the motion
	// is Free only if each gap among them is accepted.
	Gaps []premise.Premise
}

// Piece is a part of a Motion on which every joint is one polynomial, of degree 5 at most.
type Piece struct {
	Start, End float64     // seconds from the motion's start; Start < End
	Ctrl       [][]float64 // [joint][control point], rad or m
}
