package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Engine is one method of proving a motion free of collision. Every engine answers yes or no
// (motion.IsFree) and first contact (motion.FirstContact), with a clearance and for every
// model and motion. Abilities lists what it supports besides.
//
// A package that implements a method registers its engine in an init function; the checker
// (package ccd) imports it and finds it by its name. Package enginetest tests what every
// engine promises.
type Engine interface {
	// Method is the name by which a query selects the engine.
	Method() motion.Method
	// Abilities says what the engine can do beyond what every engine can.
	Abilities() Abilities
	// Prepare builds, once, the engine's data about a model. Any number of goroutines may call
	// the function that it returns, which makes their workers.
	Prepare(m *model.Model) (newWorker func() Worker, err error)
}

// Worker is the scratch memory with which one goroutine checks motions of one model.
type Worker interface {
	// Check answers q about the bound motion. It sets the engine's part of a verdict: status,
	// times, witness, reason, work. The caller adds names and premises.
	//
	// Free rests on a proof for every pair of the query, over the whole motion; Contact on a
	// witness, and on a proof until TOC.Lo. If ctx ends, the budget is spent, or the engine
	// lacks an ability that the query needs (Lack), the verdict is Undecided with a reason, and ProvenUntil is all that
	// it claims.
	Check(ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict
}

// Abilities are the differences between engines.
type Abilities struct {
	Tubes     bool // motion.Query.Tube
	Clearance bool // motion.MinClearance, computed by the engine itself
	Ranges    bool // motion.Query.Range, likewise
	Records   bool // proofs can be written (certificates) and kept from one path to the next
	Steady    bool // once a worker has grown, checks allocate nothing
}

// Lack returns nil if an engine of the method with these abilities supports the query.
// Otherwise the error names the missing ability and the method that has it.
func (a Abilities) Lack(by motion.Method, q *motion.Query) error {
	switch {
	case !a.Clearance && q.Question == motion.MinClearance:
		return fmt.Errorf("method %s proves motions free or finds the first contact, but does not compute the smallest distance: use method spacetime for it", by)
	case !a.Tubes && len(q.Tube) > 0:
		return fmt.Errorf("method %s checks the motion itself, not a tube around it: use method spacetime, or leave out the tube", by)
	case !a.Ranges && !q.Range.IsZero():
		return fmt.Errorf("method %s knows no distance ranges: use method spacetime", by)
	}
	return nil
}

// Workers turns a package's prepared data of a model into the result of Engine.Prepare. Each
// worker is set up first.
func Workers[P interface{ NewWorker() W }, W Worker](p P, err error, setUp func(W)) (func() Worker, error) {
	if err != nil {
		return nil, err
	}
	return func() Worker {
		w := p.NewWorker()
		setUp(w)
		return w
	}, nil
}

// engines are the registered ones, by ascending method.
var engines []Engine

// Register makes an engine known by its method. It is meant for init functions: it
// panics on the name of another engine, and must not run beside other functions here.
func Register(e Engine) {
	if _, taken := Find(e.Method()); taken {
		panic(fmt.Sprintf("two engines are named %s", e.Method()))
	}
	engines = append(engines, e)
	slices.SortFunc(engines, func(a, b Engine) int { return int(a.Method()) - int(b.Method()) })
}

// Find returns the engine of a method, which may be motion.Auto.
func Find(by motion.Method) (e Engine, ok bool) {
	by = by.Resolve()
	for _, e := range engines {
		if e.Method() == by {
			return e, true
		}
	}
	return nil, false
}

// All lists the engines that have registered, the default one first.
func All() []Engine { return slices.Clone(engines) }
