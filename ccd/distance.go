package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/ccd/spacetime"
)

// The vocabulary of the distance query.
type (
	// PairDistance is the distance of one pair of bodies at one configuration.
	PairDistance = spacetime.PairDistance
	// DistanceQuery asks how close a configuration is.
	DistanceQuery = spacetime.DistanceQuery
	// Distances is the answer to a DistanceQuery.
	Distances = spacetime.Distances
)

// Distance bounds the distances of the closest pairs at the configuration given
// by joint name (rad, m); joints not named keep the Checker's state. An unknown
// joint or a position that is not finite is an error; so are a cancelled context
// and a deadline that passes, as half an answer would look like a whole one.
func (c *Checker) Distance(ctx context.Context, positions map[string]float64, q DistanceQuery) (Distances, error) {
	if c.place(c.world) == floating {
		return Distances{}, c.whereIsRoot()
	}
	state := append([]float64(nil), c.state...)
	if err := setVariables(c.robot, c.model.Tree, state, positions); err != nil {
		return Distances{}, err
	}
	w := c.pool.Get().(*spacetime.Worker)
	defer c.pool.Put(w)
	return w.Distances(ctx, state, q)
}
