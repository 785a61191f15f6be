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

// Path answers again and again whether a path is free, as a planner asks that mends
// it: pieces that were part of a path before go on from where their proof stopped, and
// those that were proved, or found in contact, cost all but nothing.
//
// It is one question to one checker: another scene, state, padding, clearance or tube
// is another checker or question, and so another Path. What it knows of a piece it
// knows of its numbers, to the last bit, wherever the piece comes in a path. It keeps
// some megabytes at most besides what the last path needs.
//
// A Path may be used by several goroutines; they wait for each other.
type Path struct {
	c *Checker
	q motion.Query

	mu     sync.Mutex
	model  *model.Model // what is kept is about it
	fronts *spacetime.Fronts
}

// Path returns a Path that knows nothing yet. q asks yes or no (motion.IsFree); its
// budget is for each check.
func (c *Checker) Path(q motion.Query) (*Path, error) {
	if q.Question != motion.IsFree {
		return nil, errors.New("a path answers yes or no: ask motion.IsFree")
	}
	if err := validQuery(&q); err != nil {
		return nil, err
	}
	if !isDefault(q.Method) {
		return nil, errPathMethod
	}
	q.Tube = maps.Clone(q.Tube)
	return &Path{c: c, q: q}, nil
}

// Check answers as Checker.Check does: the same status, where neither budget nor
// context ends it; the witness of a contact may be another, the one that was found
// first. Work and Compute are of this call alone.
func (p *Path) Check(ctx context.Context, m *motion.Motion) (motion.Verdict, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.c.ask(ctx, m, p.q, &asking{alone: true, of: func(w *spacetime.Worker, on *model.Model, b *kin.Course, q motion.Query) motion.Verdict {
		if p.model != on {
			p.model, p.fronts = on, &spacetime.Fronts{}
		}
		return w.CheckOn(ctx, b, q, p.fronts)
	}})
}
