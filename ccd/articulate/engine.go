package articulate

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func init() { engine.Register(Engine{}) }

// Engine is the method as package ccd chooses it, with the default Options.
type Engine struct{}

// Method returns motion.Articulate.
func (Engine) Method() motion.Method { return motion.Articulate }

// Abilities implements engine.Engine.
func (Engine) Abilities() engine.Abilities { return engine.Abilities{Steady: true} }

// Answers refuses the smallest clearance and tubes.
func (Engine) Answers(q motion.Query) error {
	switch {
	case q.Question == motion.MinClearance:
		return errors.New("method articulate proves motions free or finds the first contact, but not how close a free motion comes: ask method spacetime for the smallest clearance")
	case len(q.Tube) > 0:
		return errors.New("method articulate checks the motion itself, not those within a tube around it: ask method spacetime")
	}
	return nil
}

// Prepare implements engine.Engine.
func (Engine) Prepare(m *model.Model) (func() engine.Worker, error) {
	return engine.Workers(Prepare(m))
}
