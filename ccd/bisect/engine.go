package bisect

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func init() { engine.Register(Engine{}) }

// Engine is the method as package ccd chooses it, with the default Options.
type Engine struct{}

// Method returns motion.Bisect.
func (Engine) Method() motion.Method { return motion.Bisect }

// Abilities implements engine.Engine.
func (Engine) Abilities() engine.Abilities { return engine.Abilities{Clearance: true} }

// Answers refuses tubes.
func (Engine) Answers(q motion.Query) error {
	if len(q.Tube) > 0 {
		return errors.New("method bisect knows no tube around a motion: use method spacetime")
	}
	return nil
}

// Prepare implements engine.Engine.
func (Engine) Prepare(m *model.Model) (func() engine.Worker, error) {
	return engine.Workers(Prepare(m))
}
