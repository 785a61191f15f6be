package node

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// trackers answer what the monitor asks about distances in one world. One is asked once before
// the monitor uses it, so that its first state is not slow.
type trackers struct {
	queries [searches]motion.DistanceQuery
	first   []float64 // the configuration at which they are asked first
	ready   [searches]atomic.Pointer[ccd.ContactTracker]
}

// newTrackers describes the trackers of a model that are to be asked first at these positions,
// or at the default state.
func newTrackers(m *model, at map[string]float64) *trackers {
	l := m.limits
	t := &trackers{queries: [searches]motion.DistanceQuery{
		closestPair:  l.search(m, 1, true),
		nearPairs:    l.near(m),
		severalPairs: l.search(m, l.pairs, false),
	}}
	rest := m.checker.State()
	for _, name := range m.checker.ActiveJoints() {
		x, known := at[name]
		if !known {
			x = rest[name]
		}
		t.first = append(t.first, x)
	}
	return t
}

// warm makes what the level of a state needs where the robot is: searches, and a check of the
// motion. Any error of the engine concerns this one configuration only.
func (m *model) warm(ctx context.Context) error {
	closest, err := m.makeTracker(ctx, closestPair)
	if err != nil {
		return err
	}
	if closest < 2*m.limits.warn {
		if _, err := m.makeTracker(ctx, nearPairs); err != nil {
			return err
		}
	}
	_, _ = m.checkWay(ctx, way{{Position: m.trackers.first}}, time.Time{})
	return ctx.Err()
}

// warmRest makes what else the monitor asks for. It may run while the model is in use.
func (m *model) warmRest(ctx context.Context) error {
	for _, what := range [...]search{nearPairs, severalPairs} {
		if _, err := m.makeTracker(ctx, what); err != nil {
			return err
		}
	}
	return nil
}

// makeTracker makes a tracker unless it is there or is never asked. It returns a lower bound of
// the least distance where it was asked first, zero if that is not known.
func (m *model) makeTracker(ctx context.Context, what search) (lower float64, err error) {
	t := m.trackers
	if what == nearPairs && len(m.margins) == 0 || t.ready[what].Load() != nil {
		return 0, nil
	}
	made, err := m.checker.ContactTracker(t.queries[what])
	if err != nil {
		return 0, err
	}
	d, _, err := made.Distance(ctx, t.first)
	if ctx.Err() != nil {
		return 0, cmp.Or(err, ctx.Err()) // another error may only concern this configuration
	}
	if err == nil {
		lower = min(d.Self.Lo, d.World.Lo)
	}
	t.ready[what].Store(made)
	return lower, nil
}

// errLater is the error of what a state does without until it is made.
var errLater = errors.New("it is not ready yet")

// distances returns the distances of the pairs that can touch: pairs that are proved never to
// touch at such a configuration are no reason to stop. It also counts the pairs left out. The
// answer is valid until the next of the same search. Only one goroutine may ask.
func (m *model) distances(ctx context.Context, at *jointstates.Sample, what search) (*motion.Distances, int, error) {
	t := m.trackers.ready[what].Load()
	if t == nil && what == severalPairs {
		return nil, 0, errLater
	}
	if t == nil {
		if _, err := m.makeTracker(ctx, what); err != nil {
			return nil, 0, err
		}
		t = m.trackers.ready[what].Load()
	}
	return t.Distance(ctx, at.Position)
}
