package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Profile bounds the smallest distance (m) of any checked pair at every time of m, without
// a tube. The lower bounds are proved, the upper bounds are distances of points of the
// bodies; q.Tolerance is how far apart they are. Where bodies touch or overlap the distance
// is 0. Bad input is an error, as for Check. A context that is done and a budget that is
// spent leave the rest of the profile Unknown.
func (c *Checker) Profile(ctx context.Context, m *motion.Motion, q motion.ProfileQuery) (motion.DistanceProfile, error) {
	e, m, l, err := c.prepare(m, q.NoSelf, q.NoWorld)
	if err != nil {
		return motion.DistanceProfile{}, err
	}
	if least, most := ownRanges(&q.Range); !e.covers(max(least, most)) {
		if e, err = e.all(); err != nil {
			return motion.DistanceProfile{}, err
		}
	}
	w := e.pool.get()
	defer e.pool.put(w)
	return w.Profile(ctx, w.Bind(m, c.state, l.rows), q)
}
