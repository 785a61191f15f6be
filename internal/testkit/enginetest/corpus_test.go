package enginetest_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/internal/engine/catch"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Real robots and scenes are compiled once for all engines.
func TestEnginesOnTheCorpus(t *testing.T) {
	enginetest.Corpus(
		t, "../../../../shared",
		enginetest.Suite{Engine: articulate.Engine{}},
		enginetest.Suite{Engine: catch.Engine{}, Large: true},
		enginetest.Suite{
			Engine: bisect.Engine{}, Query: motion.Query{Tolerance: 1e-4, TimeTolerance: 1e-3},
			Vary: func(i int, w engine.Worker) { w.(*bisect.Worker).Options.Refined = i%2 == 1 },
		},
	)
}
