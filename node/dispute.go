package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// disputable is a contact found on a measured motion. While publishers contradict each other
// it stands for the timeout, whatever is measured afterwards.
type disputable struct {
	state *fcmsgs.CollisionState
	at    *jointstates.Sample
}

// note keeps a state of contact, unless a newer one is kept.
func (c *disputable) note(s *fcmsgs.CollisionState, at *jointstates.Sample) {
	if s.Level == fcmsgs.CollisionStateCollision && (c.at == nil || at.Oldest.After(c.at.Oldest)) {
		kept := *s
		*c = disputable{&kept, at}
	}
}

// judgeRivals judges pending configurations of rivals until the given time. It reports whether
// there were any.
func (w *monitor) judgeRivals(ctx context.Context, r round, until time.Time) bool {
	if len(r.rivals) == 0 {
		return false
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for _, turn := range r.rivals {
		w.judgeRival(ctx, r, turn, until)
	}
	return true
}

// judgeRival judges the configurations of a rival and the motions between them. The rival's
// state is the worst of the results.
func (w *monitor) judgeRival(ctx context.Context, all round, turn jointstates.Turn, until time.Time) {
	r, waiting := turn.Of, turn.Waiting
	r.State = nil
	for len(waiting) > 0 {
		n := 1
		for n < len(waiting) && !waiting[n].First {
			n++
		}
		chain := way(waiting[:n:n])
		if !chain[0].First && r.Last != nil {
			chain = append(way{r.Last}, chain...)
		}
		s := w.judgeClaim(ctx, all, chain, until)
		s.Reason = fmt.Sprintf("measured by publisher %s: %s", r.GUID, s.Reason)
		if !turn.Again {
			r.Last = chain.end()
		}
		w.contact.note(s, r.Last)
		if r.State == nil || rank(s.Level) >= rank(r.State.Level) {
			r.State = s
		}
		waiting = waiting[n:]
	}
}

// judgeClaim judges the motions through a rival's configurations, and the last configuration.
func (w *monitor) judgeClaim(ctx context.Context, r round, chain way, until time.Time) *fcmsgs.CollisionState {
	s := r.model.stateAt(chain.end())
	if found := r.judge(ctx, chain, s, time.Until(until)); found.ok {
		w.judgeDistance(ctx, r.model, chain.end(), s)
	}
	if s.Level == fcmsgs.CollisionStateUnknown {
		w.skip()
	}
	return s
}

// skip records that a measured configuration was not judged.
func (w *monitor) skip() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker != nil {
		w.tracker.Skip(w.time())
	}
}

// contend lowers a state to the worst of itself and the states of other publishers. The caller
// holds the lock.
func (w *monitor) contend(s *fcmsgs.CollisionState, now time.Time) {
	if w.tracker == nil || !w.tracker.InDispute(now) {
		return
	}
	if doubt := w.tracker.WhyDoubtful(now); doubt != "" {
		unjudged(s, doubt)
	}
	for _, r := range w.tracker.Rivals(now) {
		w.yield(s, r, now)
	}
	if at := w.contact.at; at != nil && jointstates.Age(now, at.Oldest) <= w.limits.timeout && s.Level != fcmsgs.CollisionStateCollision {
		takeOver(s, w.contact.state)
	}
}

// yield lowers a state to the worse of itself and the state of a rival.
func (w *monitor) yield(s *fcmsgs.CollisionState, r *jointstates.Rival, now time.Time) {
	switch {
	case r.State == nil:
		unjudged(s, fmt.Sprintf("measurements by publisher %s of joints that another publisher owns are not judged yet", r.GUID))
	case jointstates.Age(now, r.Last.Oldest) > w.limits.timeout:
		unjudged(s, fmt.Sprintf("publisher %s measured joints that another publisher owns %.3f s ago", r.GUID, jointstates.Age(now, r.Last.Oldest).Seconds()))
	case r.State.Level == fcmsgs.CollisionStateUnknown:
		unjudged(s, r.State.Reason)
	default:
		if rank(r.State.Level) > rank(s.Level) {
			takeOver(s, r.State)
		}
		s.Header.Stamp = builtininterfaces.TimeOf(earliest(s.Header.Stamp.Time(), r.Last.Stamp))
		s.OldestSource = builtininterfaces.TimeOf(earliest(s.OldestSource.Time(), r.Last.Source))
		joinDistances(s, r.State)
	}
}

// rank orders levels from best to worst. UNKNOWN is worse than every proved level, and better
// than a contact on a measured motion.
func rank(level uint8) int {
	switch level {
	case fcmsgs.CollisionStateUnknown:
		return int(fcmsgs.CollisionStateStop)*2 + 1
	case fcmsgs.CollisionStateCollision:
		return int(fcmsgs.CollisionStateCollision) * 2
	}
	return int(level) * 2
}

func earliest(times ...time.Time) time.Time { return slices.MinFunc(times, time.Time.Compare) }
