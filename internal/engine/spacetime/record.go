package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// Recorder receives the items of a proof as they are found. If the verdict is Free, the items
// cover every checked pair at every time; items recorded before another verdict prove nothing.
type Recorder interface {
	// Apart is called for each step of the proof.
	Apart(Item)
	// Outside is called when it was shown that, at the motion's start, neither element of a
	// pair (an index of Model.Pairs) contains a part of the other.
	Outside(pair int32)
	// OutsideWorld is called when it was shown that, at the motion's start, no closed surface
	// of the world contains the element.
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

// Rule says how an item is proved.
type Rule uint8

// The rules, each by half-spaces of second order or by displacement alone.
const (
	// ByPlane: the plane with the normal separates the two.
	ByPlane Rule = iota
	// ByBalls: balls about the centres separate them.
	ByBalls
	// ByBallAndPlane: the plane separates a ball about CenterA from B.
	ByBallAndPlane
)

// Part is pieces of an element: those at [First, First+Count) of its hierarchy's order, all of
// them if Count is 0; or, if Element is negative, items of the world, in the order of its
// tree.
type Part struct {
	Element      int
	First, Count int32
}
