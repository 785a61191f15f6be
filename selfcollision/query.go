package selfcollision

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/engine/romtree"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Precision says how exactly a distance is wanted. The zero value asks for the closest
// pair to rounding.
type Precision struct {
	Max       float64 // m: pairs farther apart do not matter; 0 means no limit
	Tolerance float64 // m: how far apart the bounds may be,
	Relative  float64 // and by which part of the distance in addition, in [0, 1)
}

// Query measures distances at configurations, from the nearest subtree on (SPHERE,
// section IV). A checker of package ccd answers more questions by such trees, and repeated
// ones in less time (ccd.Options.SelfMethod, ccd.DistanceTracker).
//
// For repeated queries keep one: it starts with the pair that was closest the last time,
// and reuses its memory. It belongs to one goroutine.
type Query struct {
	self  *romtree.SelfQuery
	world *romtree.WorldQuery
}

// NewQuery returns a Query of the robot and the scene that r was made of.
func (r *RangeOfMotion) NewQuery() *Query {
	return &Query{
		self:  romtree.NewSelfQuery(r.model, r.rom, r.tables),
		world: romtree.NewWorldQuery(r.model, r.rom),
	}
}

// Self returns the closest pair of the robot with itself and with what is attached to
// it, at a configuration in the order of Variables. Bounds enclose its distance; where
// no pair is measured, or all are farther apart than Max, Bounds.Hi is +Inf and there is
// no witness. Outside the joint limits the answer holds, too.
//
// It fails on a precision out of its range, on positions that are not finite or of a
// wrong number, and once ctx is done.
func (q *Query) Self(ctx context.Context, positions []float64, p Precision) (motion.PairDistance, error) {
	d, err := q.self.Distance(ctx, positions, p.question())
	return motion.PairDistance{Witness: d.Witness, Bounds: d.Bounds, OnA: d.LinkA, OnB: d.LinkB}, err
}

// World is Self for pairs of the robot, or what is attached to it, with the scene.
func (q *Query) World(ctx context.Context, positions []float64, p Precision) (motion.PairDistance, error) {
	d, err := q.world.Distance(ctx, positions, p.question())
	return motion.PairDistance{Witness: d.Witness, Bounds: d.Bounds, OnA: d.LinkA, OnB: d.LinkB}, err
}

func (p Precision) question() romtree.Question {
	return romtree.Question{Max: p.Max, Tolerance: p.Tolerance, Relative: p.Relative}
}
