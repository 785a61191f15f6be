package ccd

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"

	// The engine registry and the engines, which register themselves in it.
	methods "github.com/firstcontact-ros/firstcontact/internal/engine"

	_ "github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	_ "github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	_ "github.com/firstcontact-ros/firstcontact/internal/engine/catch"
)

// isDefault reports whether the default engine is meant.
func isDefault(by motion.Method) bool { return by.Resolve() == motion.Spacetime }

// checkMethod fails on a method that does not exist, or that cannot answer.
func checkMethod(q *motion.Query, a *asking) error {
	if isDefault(q.Method) && q.Research == "" {
		return nil // it answers all questions
	}
	by, ok := methods.Find(q.Method)
	if !ok {
		return fmt.Errorf("there is no method %s", q.Method)
	}
	by, err := methods.FindTuned(by, q.Research)
	switch {
	case err != nil:
		return err
	case a.alone && !by.Abilities().Records:
		return fmt.Errorf("method %s writes no certificates and keeps no paths: use spacetime for them", q.Method)
	}
	asked := *q
	if asked.Question == motion.MinClearance {
		asked.Question, asked.Range = motion.FirstContact, motion.DistanceRanges{} // see byMethod
	}
	return by.Abilities().Lack(by.Method(), &asked)
}

// others keeps what the engines other than the default one need of a model.
type others struct {
	mu    sync.Mutex
	ready map[variant]*sync.Pool // of methods.Worker
}

// variant is a method with research settings.
type variant struct {
	method   motion.Method
	research string
}

// pool returns workers of a variant that exists (checkMethod).
func (o *others) pool(by variant, m *model.Model) (*sync.Pool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.ready[by]; p != nil {
		return p, nil
	}
	engine, _ := methods.Find(by.method)
	engine, err := methods.FindTuned(engine, by.research)
	if err != nil {
		return nil, err
	}
	fresh, err := engine.Prepare(m)
	if err != nil {
		return nil, fmt.Errorf("method %s: %w", by.method, err)
	}
	if o.ready == nil {
		o.ready = map[variant]*sync.Pool{}
	}
	o.ready[by] = &sync.Pool{New: func() any { return fresh() }}
	return o.ready[by], nil
}

// byMethod answers with another engine than the default one. Only the smallest distance
// of a motion that the engine proves free is left to the default engine.
func (e *engine) byMethod(ctx context.Context, w *spacetime.Worker, b *kin.Course, q motion.Query) (motion.Verdict, error) {
	pool, err := e.others.pool(variant{q.Method, q.Research}, e.model)
	if err != nil {
		return motion.Verdict{}, err
	}
	x := pool.Get().(methods.Worker)
	defer pool.Put(x)
	proof := q
	if q.Question == motion.MinClearance {
		proof.Question, proof.Range = motion.FirstContact, motion.DistanceRanges{}
	}
	v := x.Check(ctx, b, proof)
	if q.Question != motion.MinClearance || v.Status != motion.Free {
		return v, nil
	}
	if q.Budget > 0 {
		if q.Budget -= v.Compute; q.Budget <= 0 {
			return v, nil // proved; how close it comes there was no time for
		}
	}
	near := w.Check(ctx, b, q)
	near.Compute += v.Compute
	if near.Status == motion.Contact {
		return near, nil // a witness counts: within the tolerance both may be right
	}
	v.MinClearance, v.Compute = near.MinClearance, near.Compute
	return v, nil
}

// errPathMethod refuses what only the default engine keeps.
var errPathMethod = errors.New("a path is kept by method spacetime")

// errPathScopes refuses what a path would have to prove apart.
var errPathScopes = errors.New("a path is proved in both scopes together: make a PathChecker for each, with NoWorld and with NoSelf")

// errPathContacts refuses what a yes or no is too quick for.
var errPathContacts = errors.New("a path lists no contacts: put the motion that collides to Checker.Check with MaxContacts")

// Methods lists the methods that a question may be put to, the default one first.
func Methods() (all []motion.Method) {
	for _, e := range methods.All() {
		all = append(all, e.Method())
	}
	return all
}
