package ccd

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/firstcontact-ros/firstcontact/ccd/articulate"
	"github.com/firstcontact-ros/firstcontact/ccd/bisect"
	"github.com/firstcontact-ros/firstcontact/ccd/catch"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// worker answers questions about the motions of one model, in one goroutine.
type worker interface {
	Check(ctx context.Context, b *kin.Course, q motion.Query) motion.Verdict
}

// method is an engine beside the default one.
type method struct {
	// answers says what of a question the method cannot answer.
	answers func(q *motion.Query) error
	// prepare builds, once, what the method needs of a model, and returns how to make
	// its workers.
	prepare func(m *model.Model) (newWorker func() worker, err error)
}

// methods lists the engines after the papers.
var methods = map[motion.Method]method{
	motion.Articulate: {articulate.Answers, workers(articulate.Prepare)},
	motion.Catch:      {catch.Answers, workers(catch.Prepare)},
	motion.Bisect:     {bisect.Answers, workers(bisect.Prepare)},
}

// workers turns a method's preparation into what all have in common.
func workers[P interface{ NewWorker() W }, W worker](prepare func(*model.Model) (P, error)) func(*model.Model) (func() worker, error) {
	return func(m *model.Model) (func() worker, error) {
		p, err := prepare(m)
		if err != nil {
			return nil, err
		}
		return func() worker { return p.NewWorker() }, nil
	}
}

// usual reports whether the default engine is meant.
func usual(by motion.Method) bool { return by.Resolve() == motion.Spacetime }

// checkMethod fails on a method that is none, or that cannot answer.
func checkMethod(q *Query, a *asking) error {
	if usual(q.Method) {
		return nil
	}
	by, ok := methods[q.Method]
	switch {
	case !ok:
		return fmt.Errorf("there is no method %s", q.Method)
	case a.alone:
		return fmt.Errorf("method %s writes no certificates and keeps no paths: use spacetime for them", q.Method)
	}
	asked := *q
	if asked.Question == motion.MinClearance {
		asked.Question = motion.FirstContact
	}
	return by.answers(&asked)
}

// others keeps what the methods beside the default one need of a model.
type others struct {
	mu    sync.Mutex
	ready map[motion.Method]*sync.Pool // of worker
}

// pool returns workers of a method.
func (o *others) pool(by motion.Method, m *model.Model) (*sync.Pool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.ready[by]; p != nil {
		return p, nil
	}
	fresh, err := methods[by].prepare(m)
	if err != nil {
		return nil, fmt.Errorf("method %s: %w", by, err)
	}
	if o.ready == nil {
		o.ready = map[motion.Method]*sync.Pool{}
	}
	o.ready[by] = &sync.Pool{New: func() any { return fresh() }}
	return o.ready[by], nil
}

// byMethod answers by another engine than the default one, which is asked only how
// close a motion comes that is proved free.
func (e *engine) byMethod(ctx context.Context, w *spacetime.Worker, b *kin.Course, q Query) (Verdict, error) {
	pool, err := e.others.pool(q.Method, e.model)
	if err != nil {
		return Verdict{}, err
	}
	x := pool.Get().(worker)
	defer pool.Put(x)
	asked := q.Question
	if asked == motion.MinClearance {
		q.Question = motion.FirstContact
	}
	v := x.Check(ctx, b, q)
	if asked != motion.MinClearance || v.Status != Free {
		return v, nil
	}
	q.Question = asked
	if q.Budget > 0 {
		if q.Budget -= v.Compute; q.Budget <= 0 {
			return v, nil // proved; how close it comes there was no time for
		}
	}
	near := w.Check(ctx, b, q)
	near.Compute += v.Compute
	if near.Status == Contact {
		return near, nil // a witness counts: within the tolerance both may be right
	}
	v.MinClearance, v.Compute = near.MinClearance, near.Compute
	return v, nil
}

// errPathMethod refuses what only the default engine keeps.
var errPathMethod = errors.New("a path is kept by method spacetime")

// Methods lists the methods that a question may be put to, the default one first.
func Methods() []motion.Method {
	all := []motion.Method{motion.Spacetime}
	for by := motion.Spacetime + 1; int(by) < len(motion.MethodNames()); by++ {
		if _, ok := methods[by]; ok {
			all = append(all, by)
		}
	}
	return all
}
