package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// judgeOlder judges the backlog, the newest first, until the given time. It reports whether it
// judged anything, and whether it found a contact, which is then in the state: a measured
// contact is reported although newer samples have arrived.
func (w *monitor) judgeOlder(ctx context.Context, r round, until time.Time) (judged, contact bool) {
	for time.Now().Before(until) && ctx.Err() == nil {
		older, ok := w.older(r)
		if !ok {
			break
		}
		judged = true
		if older.end().Aside != "" {
			w.judgeAside(ctx, r, older, until)
		} else if w.judgeEarlier(ctx, r, older, until) {
			contact = true
		}
	}
	return judged, contact
}

// older takes the newest of the backlog, if the step still has time for it.
func (w *monitor) older(r round) (way, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.model != r.model && !w.model.onlyMoved(r.model) || w.era != r.era {
		return nil, false
	}
	return w.queue.older()
}

// judgeEarlier judges an earlier part of the robot's chain of motions, and reports whether it
// touches.
func (w *monitor) judgeEarlier(ctx context.Context, r round, older way, until time.Time) bool {
	s := r.model.stateAt(older.end())
	found := r.judge(ctx, older, s, time.Until(until))
	rest := older[found.judged:]
	if !found.ok && !time.Now().Before(until) {
		w.count(older.uncounted(found.judged), older.uncounted(found.judged))
		w.putBack(rest)
	} else {
		w.count(older.uncounted(found.judged), older.uncounted(older.motions()))
		if !found.ok {
			w.miss(older.end())
		}
	}
	if w.state != nil {
		w.state.BeyondLimits = union(w.state.BeyondLimits, s.BeyondLimits)
	}
	if found.touched == nil {
		return false
	}
	now, _ := w.reading()
	on := "on the motion to a configuration before the newest"
	if older.end().Counted {
		on = "on a motion while the newest scene was made ready"
	}
	s.Reason = fmt.Sprintf("%s touched %.3f s ago, %s%s", between(s.Pair), jointstates.Age(now, found.touched.Oldest).Seconds(), on, found.words())
	switch {
	case w.state == nil:
		w.state, w.last, w.elaborated = s, older.end(), true
	case w.state.Level != fcmsgs.CollisionStateCollision:
		takeOver(w.state, s)
	}
	return true
}

// judgeAside measures the distances at a configuration that is not part of the robot's chain.
func (w *monitor) judgeAside(ctx context.Context, r round, older way, until time.Time) {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	at := older.end()
	s := r.model.stateAt(at)
	if found := r.judge(ctx, way{at}, s, time.Until(until)); found.ok {
		if s.Level == fcmsgs.CollisionStateCollision {
			s.Reason = between(s.Pair) + " touch" + found.words()
		}
		w.judgeDistance(ctx, r.model, at, s)
	}
	switch {
	case s.Level != fcmsgs.CollisionStateUnknown:
		s.Reason += "; " + at.Aside
		w.beside = append(w.beside, finding{s, at})
	case ctx.Err() != nil:
		w.putBack(older)
	default:
		w.miss(at)
	}
}

func (w *monitor) putBack(older way) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.keep(older)
}

func (w *monitor) miss(s *jointstates.Sample) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.miss(s)
}

// besides are the levels found for samples outside the chain.
type besides []finding

type finding struct {
	state *fcmsgs.CollisionState
	at    *jointstates.Sample
}

// raise lowers a state to the worst of itself and the findings about samples that were
// received since a time. It forgets older findings. UNKNOWN stays unless there is a contact.
func (b *besides) raise(s *fcmsgs.CollisionState, since time.Time) {
	*b = slices.DeleteFunc(*b, func(f finding) bool { return f.at.Received.Before(since) })
	for _, f := range *b {
		if f.state.Level > s.Level && (s.Level != fcmsgs.CollisionStateUnknown || f.state.Level == fcmsgs.CollisionStateCollision) {
			takeOver(s, f.state)
		}
		joinDistances(s, f.state)
	}
}

// takeOver copies the level of another state and the fields that decided it.
func takeOver(s, other *fcmsgs.CollisionState) {
	s.Level, s.Reason, s.Scope, s.Pair = other.Level, other.Reason, other.Scope, other.Pair
	s.PointA, s.PointB, s.Normal = other.PointA, other.PointB, other.Normal
	s.SpeedScaling = min(s.SpeedScaling, other.SpeedScaling)
}

// union appends to a the names of b that a lacks.
func union(a, b []string) []string {
	for _, name := range b {
		if !slices.Contains(a, name) {
			a = append(a, name)
		}
	}
	return a
}
