package bisect_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
)

func TestEngine(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{
		Engine: bisect.Engine{},
		Cases:  50, // close to the edge of a clearance each takes long
		Vary: func(i int, w engine.Worker) {
			w.(*bisect.Worker).Options = bisect.Options{
				Refined: i%2 == 1, Order: bisect.Order(i / 2 % 3), Cover: bisect.Cover(i / 4 % 3), NoNever: i%5 == 4,
			}
		},
	})
}
