package articulate_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
)

// options are stages switched off and thresholds; cases take them in turn.
var options = []articulate.Options{
	{},
	{NoDynamicBVH: true},
	{NoSweptCull: true},
	{NoDynamicBVH: true, NoSweptCull: true},
	{NoNewton: true},
	{OneStep: true},
	{MaxRefinement: -1},
	{MaxRefinement: 7, Grain: 0.1},
	{Grain: 0.5, MaxActive: 16},
}

func TestEngine(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{
		Engine: articulate.Engine{},
		Cases:  30, // each takes as long as several of the other engines
		Vary: func(i int, w engine.Worker) {
			if i%2 == 1 {
				w.(*articulate.Worker).Options = options[i/2%len(options)]
			}
		},
	})
}
