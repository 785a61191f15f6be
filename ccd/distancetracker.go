package ccd

import (
	"context"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// DistanceTracker answers one distance query for a sequence of configurations, such as
// the states of a moving robot. Each search starts with the pairs and features that were
// closest before, and Options.SelfMethod decides whether sphere trees leave out most of the
// robot's own pairs. Once its memory has grown it allocates nothing. It may not be used by
// several goroutines at once.
type DistanceTracker struct {
	c     *Checker
	w     *distance.Searcher
	scope *distance.Scope
	out   motion.Distances

	q     motion.DistanceQuery
	whole *DistanceTracker // of all pairs, where the answer needs them
}

// DistanceTracker returns a tracker for the query. It fails on an unknown group or body
// and on a query that fails Validate.
func (c *Checker) DistanceTracker(q motion.DistanceQuery) (*DistanceTracker, error) {
	s, err := c.scope(q, true)
	if err != nil {
		return nil, err
	}
	w := distance.New(c.model)
	w.Prepare()
	return &DistanceTracker{c: c, w: w, scope: s, q: q.Clone()}, nil
}

// Distance answers the query at a configuration: one position (rad or m) for each of
// the checker's ActiveJoints, in their order. The result is valid until the next call.
//
// The bounds hold whatever was asked before. Which of several equally close pairs or
// points is reported, and how much tighter than the tolerance the bounds are, may depend
// on earlier calls. Errors are those of Checker.Distance.
func (g *DistanceTracker) Distance(ctx context.Context, positions []float64) (*motion.Distances, error) {
	if err := g.c.checkPositions(positions); err != nil {
		return nil, err
	}
	if err := g.w.Measure(ctx, positions, g.scope, true, &g.out); err != nil {
		return nil, err
	}
	if g.c.engine.enough(&g.q, &g.out) {
		return &g.out, nil
	}
	if g.whole == nil {
		e, err := g.c.engine.all()
		if err != nil {
			return nil, err
		}
		if g.whole, err = g.c.withEngine(e).DistanceTracker(g.q); err != nil {
			return nil, err
		}
	}
	return g.whole.Distance(ctx, positions)
}

// checkPositions fails unless there is one position for each of ActiveJoints, within what can be judged.
func (c *Checker) checkPositions(positions []float64) error {
	dofs := c.model.Tree.Dofs
	if len(positions) != len(dofs) {
		return fmt.Errorf("%d positions for a robot of %d independent joints: give one for each of ActiveJoints", len(positions), len(dofs))
	}
	for i, x := range positions {
		if !(math.Abs(x) <= maxPosition) {
			return badPosition(dofs[i].Name, x)
		}
	}
	return nil
}
