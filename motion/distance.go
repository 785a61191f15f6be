package motion

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// DistanceRounding is how far apart (m) the bounds of a distance may be without a tolerance;
// or Distances.Rounding, if that is larger. When bodies touch along an edge, dozens of
// triangles are equally close; parts that could lower a distance by less than this are not
// searched.
const DistanceRounding = 1e-10

// DistanceQuery asks for distances of bodies at one configuration. The zero value asks for the
// closest pair among self pairs and pairs with the world.
type DistanceQuery struct {
	// K is the number of closest pairs of bodies to report; 0 means 1, negative means all.
	K int
	// Tolerance (m) is how far apart the bounds of a distance may be; 0 means
	// DistanceRounding.
	Tolerance float64
	// Relative is the part of the distance, in [0, 1), by which the bounds may differ in
	// addition to Tolerance.
	Relative float64

	// DistanceRanges: the first pair found closer than its Min ends the query
	// (Distances.Stopped), pairs farther apart than their Max are left out.
	DistanceRanges

	// NoSelf and NoWorld leave out self pairs, or pairs with the world.
	NoSelf, NoWorld bool
	// OnlyAttached leaves out pairs of which neither body is an attached object.
	OnlyAttached bool
	// Group, an SRDF group of the robot, leaves out pairs of which neither body is a
	// link that it names or its joints move, or attached to one.
	Group string
}

// Clone returns a deep copy of q.
func (q DistanceQuery) Clone() DistanceQuery {
	q.DistanceRanges = q.DistanceRanges.Clone()
	return q
}

// Validate returns an error if a tolerance or a range of the query is invalid.
func (q *DistanceQuery) Validate() error {
	if !(q.Tolerance >= 0 && q.Tolerance <= geom.MaxLength && q.Relative >= 0 && q.Relative < 1) {
		return fmt.Errorf("a distance query with tolerance %g m and %g of the distance: give zero to %g m, and less than 1 of the distance", q.Tolerance, q.Relative, float64(geom.MaxLength))
	}
	return q.DistanceRanges.Validate()
}

// Distances is the answer to a DistanceQuery. All bounds are proved: the true distance
// of the bodies, padding included, lies within.
type Distances struct {
	// Pairs are the closest pairs, by lower bound.
	Pairs []PairDistance
	// Self and World bound the smallest distance (m) of the robot to itself and to the
	// world, attached objects included; Attached that of attached objects to either.
	// They are +Inf to +Inf where the class has no pair, and at least its Max to +Inf
	// where all pairs are farther apart than Max.
	Self, World, Attached Interval
	// Stopped says that a pair closer than its Min was found, which is the first of
	// Pairs, and that the search ended there. All bounds hold, but some lower ones are
	// 0 for that reason.
	Stopped bool
	// Rounding is how far apart (m) bounds may be for any tolerance, because poses are
	// computed in floating point: four times the error of two poses, which is 1e-12 m for most
	// robots and more for long chains with large mimic multipliers. See DistanceRounding.
	Rounding float64
}

// PairDistance is the distance of one pair of bodies at one configuration.
type PairDistance struct {
	// Witness has the closest points that were found, their computed distance and the
	// bodies. Its Time is 0.
	Witness
	// Bounds enclose the true distance (m), with the rounding of the poses.
	Bounds Interval
	// OnA and OnB are the witness points (m) in the frame of the body's link, or of the link
	// that carries it, and in the scene's frame for an object of the world.
	OnA, OnB geom.Vec
}
