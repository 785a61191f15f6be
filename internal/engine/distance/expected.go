package distance

import (
	"context"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Expected returns the pair of the robot's elements that is closest where each joint is in the middle of its
// limits, negative where there is none: links that are close by design are close at most configurations, and a search
// that begins with them has little else to measure. It does not depend on what was asked before.
func Expected(m *model.Model) int32 {
	w := New(m)
	w.begin(context.Background(), middle(m.Tree), false)
	var starts []Start
	for i := range m.Pairs {
		if !m.Pairs[i].World {
			starts = append(starts, Start(i))
		}
	}
	return w.Nearest(starts, math.Inf(1), 0, 1./16).Pair
}

// middle returns a tree's variables in the middle of their limits, at zero without any.
func middle(t *kin.Tree) []float64 {
	state := make([]float64, len(t.Dofs))
	for i := range t.Dofs {
		if d := &t.Dofs[i]; d.Bounded {
			state[i] = (d.Lo + d.Hi) / 2
		}
	}
	return state
}

// Expect makes the next search begin with a pair; none if it is negative.
func (w *Searcher) Expect(pair int32) { w.near.last = pair + 1 }
