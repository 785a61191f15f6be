package catch_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/catch"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
)

func TestEngine(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{
		Engine: catch.Engine{},
		Vary: func(i int, w engine.Worker) {
			o := &w.(*catch.Worker).Options
			switch i % 8 { // TestOptionsKeepVerdicts tries all of them on fewer cases
			case 1:
				o.Simultaneous = true
			case 3:
				o.NoProbes, o.NoControl, o.NoMemory = true, true, true
			case 5:
				o.SumsOfNorms, o.IntervalBoxes = true, true
			case 7:
				o.NoHulls, o.NoSpatialCulling, o.NoSorting, o.NoTemporalCulling = true, true, true, true
			}
		},
	})
}
