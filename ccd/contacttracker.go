package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// ContactTracker is DistanceToContact for a sequence of configurations, as DistanceTracker
// is Distance. It may not be used by several goroutines at once.
type ContactTracker struct {
	c        *Checker
	q        motion.DistanceQuery
	all      *DistanceTracker            // of every pair
	rest     map[string]*contactDistance // without the proved pairs, by the conditions that are violated
	violated []byte
}

// contactDistance is a tracker of the pairs that are not proved apart.
type contactDistance struct {
	tracker *DistanceTracker
	proven  int
}

// ContactTracker returns a tracker for the query. It fails as Checker.DistanceTracker does.
func (c *Checker) ContactTracker(q motion.DistanceQuery) (*ContactTracker, error) {
	g := &ContactTracker{c: c, q: q.Clone(), rest: map[string]*contactDistance{}}
	if c.proven != nil {
		g.violated = make([]byte, len(c.proven.used))
		_, err := c.scope(q, true) // of a group or a body that is not there
		return g, err
	}
	all, err := c.DistanceTracker(q)
	g.all = all
	return g, err
}

// Distance answers the query at a configuration: one position (rad or m) for each of the
// checker's ActiveJoints, in their order. proven counts the pairs that are left out, as
// they are proved never to meet at such a configuration. The result is valid until the next
// call; errors are those of DistanceTracker.Distance.
func (g *ContactTracker) Distance(ctx context.Context, positions []float64) (d *motion.Distances, proven int, err error) {
	if err := g.c.checkPositions(positions); err != nil {
		return nil, 0, err
	}
	if g.c.proven != nil {
		of, err := g.without(positions)
		if err != nil {
			return nil, 0, err
		}
		if of != nil {
			d, err := of.tracker.Distance(ctx, positions)
			return d, of.proven, err
		}
	}
	if g.all == nil {
		if g.all, err = g.c.DistanceTracker(g.q); err != nil {
			return nil, 0, err
		}
	}
	d, err = g.all.Distance(ctx, positions)
	return d, 0, err
}

// without returns the tracker that leaves out the pairs whose proofs hold, nil if there are
// no such pairs.
func (g *ContactTracker) without(positions []float64) (*contactDistance, error) {
	t := g.c.proven
	t.violate(g.violated, func(d int, lo, hi float64) bool { return positions[d] >= lo && positions[d] <= hi }, nil)
	if of := g.rest[string(g.violated)]; of != nil {
		return of, nil
	}
	e, proven := t.engine(&g.c.engine, g.violated)
	if proven == 0 {
		return nil, nil
	}
	tracker, err := g.c.withEngine(e).DistanceTracker(g.q)
	if err != nil {
		return nil, err
	}
	of := &contactDistance{tracker, proven}
	g.rest[string(g.violated)] = of // at most maxEngines
	return of, nil
}
