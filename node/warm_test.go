package node

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// expiring is a context that is over after so many looks at it.
type expiring struct {
	context.Context
	looks int
}

func (c *expiring) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// The time for the distances of a state may be over just when a search has been made: that is an
// error, as at any other moment.
func TestTimeIsOverWhenASearchIsMade(t *testing.T) {
	v := values(t, railParameters(t, map[string]any{"margin_overrides": []string{"left:right:0.001"}}))
	m, err := build(t.Context(), describe(v), v)
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []search{closestPair, nearPairs} {
		m.trackers = newTrackers(m, nil)
		all := &expiring{t.Context(), math.MaxInt}
		if _, err := m.makeTracker(all, what); err != nil {
			t.Fatal(err)
		}
		m.trackers = newTrackers(m, nil)
		last := &expiring{t.Context(), math.MaxInt - all.looks - 1}
		_, _, err := m.distances(last, &jointstates.Sample{Position: []float64{0, 0}}, what)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("search %d: %v", what, err)
		}
	}
}
