package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Profile bounds the smallest distance of any checked pair at every time of m, the
// motion itself without any tube: between lower bounds that are proved and upper
// bounds that are distances of real points, Tolerance apart. Where bodies touch or
// overlap the distance is 0. Bad input is an error, as of Check; a cancelled context
// or a spent budget leaves the rest of the profile unknown and says why.
func (c *Checker) Profile(ctx context.Context, m *motion.Motion, q motion.ProfileQuery) (motion.DistanceProfile, error) {
	e, m, l, err := c.prepare(m, q.NoSelf, q.NoWorld)
	if err != nil {
		return motion.DistanceProfile{}, err
	}
	if q.MaxDistance == 0 || !e.covers(q.MaxDistance) {
		if e, err = e.all(); err != nil {
			return motion.DistanceProfile{}, err
		}
	}
	w := e.pool.Get().(*spacetime.Worker)
	defer e.pool.Put(w)
	return w.Profile(ctx, w.Bind(m, c.state, l.rows), q)
}
