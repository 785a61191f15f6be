package ccd

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// However early a query stops, its bounds hold: what was not searched is not far away,
// and what is beyond the range's maximum is at least that far. Where it does not stop,
// every pair keeps its minimum, also one that is not among the closest.
func TestBoundsHoldWhereAQueryStops(t *testing.T) {
	race.LeaveOut(t)
	stopped := map[string]int{}
	for i := range long(150) {
		d := dice{chance.New(907, uint64(i))}
		c := d.room(t)
		if c == nil {
			continue
		}
		all := c
		if d.IntN(2) == 0 {
			c = with(t, c, SelfSpheres)
		}
		for range 3 {
			state := d.state(c)
			all, err := all.Distance(context.Background(), positionsOf(c, state), motion.DistanceQuery{K: -1})
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				q := d.ranges(&all)
				g, err := c.DistanceTracker(q)
				if err != nil {
					t.Fatal(err)
				}
				cold, err := c.Distance(context.Background(), positionsOf(c, state), q)
				if err != nil {
					t.Fatal(err)
				}
				warm, err := g.Distance(context.Background(), state)
				if err != nil {
					t.Fatal(err)
				}
				boundsHold(t, &q, &cold, &all)
				boundsHold(t, &q, warm, &all)
				if cold.Stopped && len(cold.Pairs) == 1 {
					stopped[scopeOfPair(&cold.Pairs[0])]++
				}
			}
		}
	}
	t.Log("stopped: ", stopped)
	for _, scope := range []string{"self", "world", "attached"} {
		if stopped[scope] < 20 {
			t.Errorf("%d queries stopped at a pair of scope %s: too few", stopped[scope], scope)
		}
	}
}

// ranges draws a query whose ranges are about the distances that there are.
func (d dice) ranges(all *motion.Distances) motion.DistanceQuery {
	one := func() motion.DistanceRange {
		r := motion.DistanceRange{Min: d.In(0, 0.5)}
		if len(all.Pairs) > 0 && d.IntN(2) == 0 {
			r.Min = all.Pairs[d.IntN(len(all.Pairs))].Bounds.Hi * d.In(0.9, 1.1)
		}
		if d.IntN(2) == 0 {
			r.Min = 0
		}
		if d.IntN(2) == 0 {
			r.Max = r.Min + d.In(0, 0.5)
		}
		return r
	}
	whole := one()
	q := motion.DistanceQuery{K: []int{-1, 0, 1, 2, 5}[d.IntN(5)], DistanceRanges: motion.DistanceRanges{Min: whole.Min, Max: whole.Max}, Relative: []float64{0, 0.1}[d.IntN(2)]}
	for _, of := range []**motion.DistanceRange{&q.SelfRange, &q.WorldRange, &q.AttachedRange} {
		if d.IntN(3) == 0 {
			r := one()
			*of = &r
		}
	}
	for _, p := range all.Pairs {
		if d.IntN(6) == 0 {
			q.Ranges = append(q.Ranges, motion.PairRange{A: p.Pair.A.Name, B: p.Pair.B.Name, DistanceRange: one()})
		}
	}
	return q
}

func scopeOfPair(p *motion.PairDistance) string {
	switch {
	case p.Pair.A.Kind == motion.AttachedObject || p.Pair.B.Kind == motion.AttachedObject:
		return "attached"
	case p.Pair.A.Kind == motion.WorldObject || p.Pair.B.Kind == motion.WorldObject:
		return "world"
	}
	return "self"
}

// boundsHold compares an answer with the exact distances of all pairs.
func boundsHold(t *testing.T, q *motion.DistanceQuery, got, all *motion.Distances) {
	t.Helper()
	const eps = 2e-9
	exact := map[motion.Pair]float64{}
	for i := range all.Pairs {
		exact[all.Pairs[i].Pair] = all.Pairs[i].Bounds.Hi
	}
	for i := range got.Pairs {
		if p := &got.Pairs[i]; p.Bounds.Lo > exact[p.Pair]+eps || p.Bounds.Hi < exact[p.Pair]-eps {
			t.Errorf("%+v: %v is %g m apart, not within %v", *q, p.Pair, exact[p.Pair], p.Bounds)
		}
	}
	for class, x := range map[string][2]motion.Interval{
		"self": {got.Self, all.Self}, "world": {got.World, all.World}, "attached": {got.Attached, all.Attached},
	} {
		if x[0].Lo > x[1].Hi+eps || x[0].Hi < x[1].Lo-eps {
			t.Errorf("%+v: stopped %v: %s is %v apart, not within %v", *q, got.Stopped, class, x[1], x[0])
		}
		if math.IsNaN(x[0].Lo) || x[0].Lo > x[0].Hi {
			t.Errorf("%+v: %s: bounds %v", *q, class, x[0])
		}
	}
	if got.Stopped {
		if len(got.Pairs) != 1 || got.Pairs[0].Bounds.Lo >= rangeIn(q, &got.Pairs[0]).Min {
			t.Errorf("%+v: stopped at %+v", *q, got.Pairs)
		}
		return
	}
	for i := range all.Pairs {
		p := &all.Pairs[i]
		if least := rangeIn(q, p).Min; exact[p.Pair] < least*(1-q.Relative)-eps {
			t.Errorf("%+v: not stopped, but %v is %g m apart", *q, p.Pair, exact[p.Pair])
		}
	}
}

// rangeIn is the range that a query gives to a pair.
func rangeIn(q *motion.DistanceQuery, p *motion.PairDistance) motion.DistanceRange {
	for _, r := range q.Ranges {
		if r.A == p.Pair.A.Name && r.B == p.Pair.B.Name {
			return r.DistanceRange
		}
	}
	ofWorld := p.Pair.A.Kind == motion.WorldObject || p.Pair.B.Kind == motion.WorldObject
	switch {
	case scopeOfPair(p) == "attached" && q.AttachedRange != nil:
		return *q.AttachedRange
	case ofWorld && q.WorldRange != nil:
		return *q.WorldRange
	case !ofWorld && q.SelfRange != nil:
		return *q.SelfRange
	}
	return motion.DistanceRange{Min: q.Min, Max: q.Max}
}
