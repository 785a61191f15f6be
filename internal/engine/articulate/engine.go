package articulate

import (
	"flag"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func init() { engine.Register(Engine{}) }

// Engine is the method as package ccd chooses it.
type Engine struct{ Options Options }

// Method returns motion.Articulate.
func (Engine) Method() motion.Method { return motion.Articulate }

// Abilities implements engine.Engine.
func (Engine) Abilities() engine.Abilities { return engine.Abilities{Steady: true} }

// Prepare implements engine.Engine.
func (e Engine) Prepare(m *model.Model) (func() engine.Worker, error) {
	p, err := Prepare(m)
	var culler func() Culler
	if err == nil {
		culler, err = e.Options.culler(p.links)
	}
	return engine.Workers(p, err, func(w *Worker) {
		w.Options = e.Options
		if culler != nil {
			w.Culler = culler()
		}
	})
}

// Settings implements engine.Tunable.
func (e Engine) Settings() *flag.FlagSet { return engine.Settings(e.Method(), e.Options.declare) }

// Tuned implements engine.Tunable.
func (e Engine) Tuned(settings string) (engine.Engine, error) {
	err := engine.Tune(engine.Settings(e.Method(), e.Options.declare), settings)
	return e, err
}
