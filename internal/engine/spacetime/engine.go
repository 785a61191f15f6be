package spacetime

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func init() { engine.Register(Engine{}) }

// Engine is the default engine as an engine.Engine.
type Engine struct{}

// Method returns motion.Spacetime.
func (Engine) Method() motion.Method { return motion.Spacetime }

// Abilities implements engine.Engine.
func (Engine) Abilities() engine.Abilities {
	return engine.Abilities{Tubes: true, Clearance: true, Ranges: true, Records: true, Steady: true}
}

// Prepare fails on a nil model.
func (Engine) Prepare(m *model.Model) (func() engine.Worker, error) {
	if m == nil {
		return nil, errors.New("there is no model (nil)")
	}
	return func() engine.Worker { return NewWorker(m) }, nil
}
