package spacetime

import (
	"context"
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Pair by pair: the distance query for a caller that decides itself, from what it
// knows of the whole robot, which pairs are worth a look and in which order.

// Closest is what one look at a pair of elements, or at an element and the world,
// came to (m, and points in the root link's frame).
type Closest struct {
	Lower, Upper   float64 // the distance is in between; Upper +Inf: nothing was found
	Pair           int32   // of the model; negative where nothing was found
	PointA, PointB geom.Vec
	Normal         geom.Vec // from a to b
}

// At places the robot at a configuration, one position per variable of the tree, for
// the looks that follow. It holds until the worker is asked anything else.
func (w *Worker) At(ctx context.Context, state []float64) {
	w.begin(ctx, motion.Query{}, time.Now())
	w.stray(nil)
	w.placeAt(state)
}

// State is the robot's state, for its frames; ask it to Ensure a frame first.
func (w *Worker) State() *kin.State { return w.state }

// Ended tells why looks came to nothing, "" where they did not.
func (w *Worker) Ended() string { return w.reason }

// Look bounds the distance of pair i of the model, as far as it is below limit, to
// within tol and the part rel of it: beyond it Lower is limit at least, and there may
// be no points.
func (w *Worker) Look(i int32, limit, tol, rel float64) Closest {
	lower, t := w.between(i, limit, tol, rel)
	return closestOf(lower, &t)
}

func closestOf(lower float64, t *touch) Closest {
	c := Closest{Lower: lower, Upper: t.distance, Pair: t.pair, PointA: t.a, PointB: t.b, Normal: t.normal}
	if math.IsInf(c.Upper, 1) {
		c.Pair = -1
	}
	return c
}

// ElementBall is the ball around an element, centre in the root link's frame, and
// what its place errs by.
func (w *Worker) ElementBall(i int) (center geom.Vec, radius, slack float64) {
	p := w.element(i)
	return p.center, w.m.Elements[i].Radius, p.slack
}

// Looks counts closest-point queries of convex pieces since At.
func (w *Worker) Looks() int { return int(w.work.Distances) }

// WitnessOf puts what was found into the caller's terms. There must be something.
func (w *Worker) WitnessOf(c *Closest) motion.Witness {
	return w.witnessOf(&touch{pair: c.Pair, a: c.PointA, b: c.PointB, normal: c.Normal, distance: c.Upper}, 0)
}

// Glance bounds the distance of pair i from below by the hulls of its elements alone,
// and tells whether that is all there is to find out short of a Look: whether both are
// convex. What overlaps has 0.
func (w *Worker) Glance(i int32) (lower float64, convexBoth bool) {
	q, p := &w.m.Pairs[i], w.pair(i)
	a, b := &w.m.Elements[q.A], &w.m.Elements[q.B]
	if a.Exact && b.Exact {
		return 0, true
	}
	w.work.Distances++
	w.search.Dir = geom.Vec{}
	r := convex.Distance(&a.Core, p.a.pose, &b.Core, p.b.pose, &w.search)
	return max(0, r.Lower-p.slack), false
}
