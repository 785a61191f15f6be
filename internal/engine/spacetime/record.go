package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// Recorder is told what a proof rests on, as it is found. Where the verdict is
// Free, the items cover every checked pair at every time; what was recorded on the
// way to another verdict proves nothing.
type Recorder interface {
	// Apart is called for each step of the proof.
	Apart(Item)
	// Outside is called where it was shown that, at the motion's start, neither
	// element of a pair (an index of Model.Pairs) holds a part of the other.
	Outside(pair int32)
	// OutsideWorld is called where it was shown that, at the motion's start, no closed
	// surface of the world holds the element.
	OutsideWorld(element int)
}

// Item says that two parts stay more than clearance apart for every time of the
// part [Lo, Hi] of a piece's parameter, and why.
type Item struct {
	Piece            int
	Lo, Hi           float64
	A, B             Part
	Rule             Rule
	Normal           geom.Vec // from A to B, unit, in W at the middle of the interval
	CenterA, CenterB geom.Vec // in the elements' frames
}

// Rule is how an item is proved.
type Rule uint8

// The rules, each by half-spaces of second order or by displacement alone.
const (
	// ByPlane: the plane with the normal parts the two.
	ByPlane Rule = iota
	// ByBalls: balls about the centres do.
	ByBalls
	// ByBallAndPlane: the plane parts a ball about CenterA from B.
	ByBallAndPlane
)

// Part is pieces of an element: those at [First, First+Count) of its hierarchy's
// order, all of them where Count is 0; or, where Element is negative, items of the
// world, which stand in the order of its tree.
type Part struct {
	Element      int
	First, Count int32
}
