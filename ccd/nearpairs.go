package ccd

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Robots with thousands of links of one rigid body have millions of pairs that never
// change. The model lists those that are no farther apart than its Apart; that answers
// every question about what is closer. Others are put to an engine whose model lists
// all pairs, made when first asked for.

// paired makes an engine for a model whose pairs were chosen with off.
func paired(m *model.Model, off model.Exempt) engine {
	e := newEngine(m)
	if !math.IsInf(m.Apart, 1) {
		e.whole = sync.OnceValues(func() (engine, error) {
			all := *m
			if err := all.PairAll(off); err != nil {
				return engine{}, fmt.Errorf("the question is also about links of one rigid body that are more than %.3g m apart: %w", m.Apart, err)
			}
			return newEngine(&all), nil
		})
	}
	return e
}

// all returns the engine whose model lists all pairs.
func (e *engine) all() (engine, error) {
	if e.whole == nil {
		return *e, nil
	}
	return e.whole()
}

// covers reports whether the pairs that are not listed are farther apart than d.
func (e *engine) covers(d float64) bool { return e.whole == nil || e.model.Apart > d }

// settles reports whether an answer about the least distance is that of all pairs: one
// that is not listed is farther apart than what was found, or than its Max, and than its
// Min. Those that are not listed are pairs of the robot's own.
func (e *engine) settles(v *motion.Verdict, q *motion.Query) bool {
	near := &v.MinClearance
	if q.Question != motion.MinClearance || !near.Known || near.Stopped || e.whole == nil {
		return true
	}
	least, most := ownRanges(&q.Range)
	return q.NoSelf || e.covers(min(most, near.Bounds.Hi)) && e.covers(least)
}

// enough reports whether the distances are those of all pairs, which includes that their
// bounds hold for pairs that are not listed. Those are pairs of the robot's own, with what it carries.
func (e *engine) enough(q *motion.DistanceQuery, d *motion.Distances) bool {
	if e.whole == nil || q.NoSelf {
		return true
	}
	carries := e.carries()
	if q.OnlyAttached && !carries {
		return true
	}
	far := false
	for _, attached := range [...]bool{false, true} {
		if r := q.OfClass(false, attached); carries || !attached {
			if far = far || r.Max == 0 || !e.covers(r.Max); !e.covers(r.Min) {
				return false
			}
		}
	}
	for i := range q.Ranges {
		if r := &q.Ranges[i]; !e.covers(r.Min) || r.Max == 0 || !e.covers(r.Max) {
			return false
		}
	}
	if d.Stopped || !far {
		d.Self.Lo = min(d.Self.Lo, e.model.Apart)
		if carries {
			d.Attached.Lo = min(d.Attached.Lo, e.model.Apart)
		}
		return true
	}
	if !e.covers(d.Self.Hi) || carries && !e.covers(d.Attached.Hi) || q.K < 0 || len(d.Pairs) < max(q.K, 1) {
		return false
	}
	for i := range d.Pairs {
		if !e.covers(d.Pairs[i].Bounds.Hi) {
			return false
		}
	}
	return true
}

// carries reports whether objects are attached to the robot.
func (e *engine) carries() bool {
	return slices.ContainsFunc(e.model.Bodies, func(b model.Body) bool { return b.Kind == motion.AttachedObject })
}

// distance is Distance for a configuration of the tree's variables.
func (e *engine) distance(ctx context.Context, state []float64, s *distance.Scope) (motion.Distances, error) {
	w := e.pool.get()
	defer e.pool.put(w)
	var out motion.Distances
	if err := w.Measure(ctx, state, s, false, &out); err != nil {
		return motion.Distances{}, err
	}
	return out, nil
}
