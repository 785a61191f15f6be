package laws

import (
	"context"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// distance bounds the smallest distance of all pairs at a configuration.
func (t *trial) distance(a *asked, positions map[string]float64) motion.Interval {
	d, err := a.checker.Distance(context.Background(), positions, motion.DistanceQuery{})
	if err != nil {
		t.contradicts("no distance: %v", err)
		return motion.Interval{Lo: 0, Hi: math.Inf(1)}
	}
	return smallest(&d)
}

// sameDistance holds the bounds of one distance against each other; those of b are of
// lengths k times as large.
func (t *trial) sameDistance(a, b motion.Interval, k float64) {
	t.tally.pair(t.law)
	if slack := rounding * math.Max(1, k); a.Lo*k > b.Hi+slack || b.Lo > a.Hi*k+slack {
		t.contradicts("a distance in [%g, %g] and in [%g, %g] (times %g)", a.Lo, a.Hi, b.Lo, b.Hi, k)
	}
}

// sameLeast holds the smallest distance of the case's motion, where it is free, against
// that of another form of it.
func (t *trial) sameLeast(y *answer) {
	if t.base.v.Status != motion.Free || y.v.Status != motion.Free || len(t.base.q.Tube) > 0 {
		return
	}
	ask := func(x *answer) (*answer, bool) {
		q := x.q
		q.Question, q.ClearanceTolerance = motion.MinClearance, unit(q)*1e-4
		z, ok := t.check(x.a, q)
		return z, ok && z.v.MinClearance.Known
	}
	a, ok := ask(t.base)
	if !ok {
		return
	}
	if b, ok := ask(y); ok {
		t.sameDistance(a.v.MinClearance.Bounds, b.v.MinClearance.Bounds, unit(y.q)/unit(t.base.q))
	}
}
