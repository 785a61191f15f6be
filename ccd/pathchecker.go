package ccd

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// PathChecker answers one query for a sequence of similar motions, as a planner asks
// that repairs a path. It keeps its proofs by piece of motion: a piece that was part of
// an earlier motion continues where its proof stopped, and one that is proved free, or
// known to be in contact, costs almost nothing. A piece is recognized by its numbers,
// bit for bit, wherever it occurs in a motion.
//
// It belongs to one Checker and one query: another scene, state, padding, clearance or
// tube needs another PathChecker. Besides what the last motion needs it keeps a few
// megabytes. Several goroutines may use it; they wait for each other.
type PathChecker struct {
	c *Checker
	q motion.Query

	mu     sync.Mutex
	model  *model.Model // what is kept is about it
	fronts *spacetime.Fronts
}

// PathChecker returns a PathChecker for the query, whose Question must be motion.IsFree
// and whose Method the default one. Budget is that of each check.
func (c *Checker) PathChecker(q motion.Query) (*PathChecker, error) {
	if q.Question != motion.IsFree {
		return nil, errors.New("a path answers yes or no: ask motion.IsFree")
	}
	if err := validQuery(&q); err != nil {
		return nil, err
	}
	if !isDefault(q.Method) {
		return nil, errPathMethod
	}
	switch {
	case q.EachScope:
		return nil, errPathScopes
	case q.MaxContacts > 0:
		return nil, errPathContacts
	}
	q.Tube = maps.Clone(q.Tube)
	return &PathChecker{c: c, q: q}, nil
}

// Check answers as Checker.Check does. The status is the same unless the budget or the
// context ends a check; the witness of a contact may be another one. Work and Compute
// are those of this call.
func (p *PathChecker) Check(ctx context.Context, m *motion.Motion) (v motion.Verdict, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.q
	a := asking{alone: true, of: func(w *spacetime.Worker, on *model.Model, b *kin.Course, q motion.Query) motion.Verdict {
		if p.model != on {
			p.model, p.fronts = on, &spacetime.Fronts{}
		}
		return w.CheckOn(ctx, b, q, p.fronts)
	}}
	if err := p.c.ask(ctx, m, &q, &a, &v); err != nil {
		return motion.Verdict{}, err
	}
	return v, nil
}
