// Package enginetest holds engines to what every engine promises (engine.Engine). The
// tests of an engine call Run once; what they test besides is the engine's own ideas.
//
//	laws.go    random robots, worlds and motions: agreement with the default engine,
//	           with a judge that places every link by itself (judge.go), with the motion
//	           backwards, in two parts, cancelled, and with smaller shapes
//	forms.go   motions whose time of contact a formula gives; near misses; bodies that
//	           touch, or are inside one another, from the start; motions that stand still
//	duties.go  refusals, cancellation and budgets, goroutines, allocations
//	corpus.go  robots and scenes of the comparison harness
//
// Dice, Case and the shapes are what engines' own tests may draw from, too.
package enginetest

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"

	// The default engine, with which others are compared.
	_ "github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
)

// Suite says which engine is held to the promises, and how.
type Suite struct {
	Engine engine.Engine
	// Vary, if not nil, sets the options of a worker for random case i, so that all of
	// them are tried.
	Vary func(i int, w engine.Worker)
	// Cases is how many random cases the laws are held on; 0 means 100.
	Cases int
	// Query is what questions begin with: tolerances with which the engine is quick.
	Query motion.Query
	// Large says that the engine prepares large meshes quickly enough for short runs of
	// Corpus.
	Large bool
}

// Run runs the whole suite.
func Run(t *testing.T, s Suite) {
	for _, part := range []struct {
		name string
		hold func(testing.TB, *Suite)
	}{
		{"Laws", Laws},
		{"ClosedForms", ClosedForms},
		{"NearMisses", NearMisses},
		{"FirstOfSeveral", FirstOfSeveral},
		{"FromTheStart", FromTheStart},
		{"StandingStill", StandingStill},
		{"ClearanceAtTheEdge", ClearanceAtTheEdge},
		{"Refusals", Refusals},
		{"Stops", Stops},
		{"Goroutines", Goroutines},
		{"Steady", Steady},
	} {
		t.Run(part.name, func(t *testing.T) { part.hold(t, &s) })
	}
}

// cases is n times what the suite asks for, in percent of its default.
func (s *Suite) cases(n int) int {
	if s.Cases > 0 {
		n = (n*s.Cases + 99) / 100
	}
	if race.Enabled {
		n = (n + 7) / 8
	}
	return switches.Long.Times(n, 10)
}

// workers prepares a model.
func (s *Suite) workers(t testing.TB, m *model.Model) func() engine.Worker {
	t.Helper()
	fresh, err := s.Engine.Prepare(m)
	if err != nil {
		t.Fatalf("Prepare: %v", err)
	}
	return fresh
}

// worker returns a worker for random case i.
func (s *Suite) worker(t testing.TB, c *Case, i int) engine.Worker {
	t.Helper()
	w := s.workers(t, c.Model)()
	if s.Vary != nil {
		s.Vary(i, w)
	}
	return w
}

// ask puts a question about a case.
func ask(w engine.Worker, c *Case, q motion.Query) motion.Verdict {
	return w.Check(context.Background(), c.Course, q)
}

// Reference is the default engine's worker for a model.
func Reference(t testing.TB, m *model.Model) engine.Worker {
	t.Helper()
	e, ok := engine.Find(motion.Auto)
	if !ok {
		t.Fatal("there is no default engine")
	}
	fresh, err := e.Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	return fresh()
}
