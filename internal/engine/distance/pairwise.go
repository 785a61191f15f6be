package distance

import (
	"context"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
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

// At places the robot at a configuration, one position per variable, for the looks that
// follow. It holds until the worker is asked anything else. Only if warm may what the
// looks remember of the configurations before have an effect, within their bounds.
func (w *Searcher) At(ctx context.Context, state []float64, warm bool) {
	w.begin(ctx, state, warm)
	w.byPair.paused = w.byPair.paused[:0]
}

// Ended tells why looks came to nothing, "" where they did not.
func (w *Searcher) Ended() string { return w.q.Reason }

// Look bounds the distance of pair i of the model, as far as it is below limit, to
// within tol and the part rel of it: beyond it Lower is limit at least, and there may
// be no points.
func (w *Searcher) Look(i int32, limit, tol, rel float64) Closest {
	lower, t := w.between(i, limit, tol, rel)
	return closestOf(lower, &t)
}

func closestOf(lower float64, t *engine.PairTouch) Closest {
	c := Closest{Lower: lower, Upper: t.Distance, Pair: t.Pair, PointA: t.A, PointB: t.B, Normal: t.Normal}
	if math.IsInf(c.Upper, 1) {
		c.Pair = -1
	}
	return c
}

// ElementBall is the ball around an element, centre in the root link's frame, and
// what its place errs by.
func (w *Searcher) ElementBall(i int) (center geom.Vec, radius, slack float64) {
	p := w.at.Element(i)
	return p.Center, w.m.Elements[i].Radius, p.Slack
}

// Looks counts closest-point queries of convex pieces since At.
func (w *Searcher) Looks() int { return int(w.q.Work.Distances) }

// WitnessOf puts what was found into the caller's terms. There must be something.
func (w *Searcher) WitnessOf(c *Closest) motion.Witness {
	return w.witnessOf(&engine.PairTouch{Pair: c.Pair, Touch: engine.Touch{A: c.PointA, B: c.PointB, Normal: c.Normal, Distance: c.Upper}})
}

// LookByHulls is the first half of a Look, by balls and hulls. If that does not settle
// the matter, number is what Resume goes on with, negative otherwise.
func (w *Searcher) LookByHulls(i int32, limit, tol, rel float64) (c Closest, number int32) {
	q := w.questOf(i, limit, tol, rel)
	settled := q.wholes()
	if !settled && q.best.Distance < touchingSoon {
		q.parts()
		settled = true
	}
	if settled {
		lower, t := q.answer()
		return closestOf(lower, &t), -1
	}
	t := q.told()
	w.byPair.paused = append(w.byPair.paused, q.pause())
	return closestOf(max(0, min(q.lower, t.Distance)), &t), int32(len(w.byPair.paused) - 1)
}

// Resume is the second half of a Look.
func (w *Searcher) Resume(number int32, limit, tol, rel float64) Closest {
	q := w.resume(&w.byPair.paused[number], limit, tol, rel)
	q.parts()
	lower, t := q.answer()
	return closestOf(lower, &t)
}

// LookAround bounds how close everything of the world that an element is checked
// against is to it, as Look does for a pair.
func (w *Searcher) LookAround(element int, limit, tol, rel float64) Closest {
	b := &w.byPair
	if b.world == nil {
		b.world, _ = NewScope(w.m, motion.DistanceQuery{NoSelf: true}, nil) // nothing in it can be wrong
	}
	b.world.q.Tolerance, b.world.q.Relative, b.world.far = tol, rel, limit
	r := &w.ranking
	r.start(w, b.world, &b.seen)
	r.around(element)
	c := Closest{Lower: b.seen.World.Lo, Upper: math.Inf(1), Pair: -1}
	if len(r.kept) > 0 {
		c = closestOf(c.Lower, &r.kept[0].touch)
	}
	if w.q.Reason != "" {
		c.Lower = 0
	}
	return c
}
