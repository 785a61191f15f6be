package node

import (
	"context"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// turn is what one step has to judge of a rival.
type turn struct {
	of      *rival
	waiting []*sample
	again   bool // it was judged in another world
}

// turns returns the pending configurations of rivals.
func (t *tracker) turns(now time.Time) (turns []turn) {
	if !t.inDispute(now) {
		return nil
	}
	for _, p := range t.rivals(now) {
		if len(p.rival.waiting) > 0 {
			turns = append(turns, turn{of: p.rival, waiting: p.rival.waiting})
			p.rival.waiting = nil
		}
	}
	return turns
}

// disputable is a contact found on a measured motion. While publishers contradict each other
// it stands for the timeout, whatever is measured afterwards.
type disputable struct {
	state *fcmsgs.CollisionState
	at    *sample
}

// note keeps a state of contact, unless a newer one is kept.
func (c *disputable) note(s *fcmsgs.CollisionState, at *sample) {
	if s.Level == fcmsgs.CollisionStateCollision && (c.at == nil || at.oldest.After(c.at.oldest)) {
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
func (w *monitor) judgeRival(ctx context.Context, all round, turn turn, until time.Time) {
	r, waiting := turn.of, turn.waiting
	r.state = nil
	for len(waiting) > 0 {
		n := 1
		for n < len(waiting) && !waiting[n].first {
			n++
		}
		chain := way(waiting[:n:n])
		if !chain[0].first && r.last != nil {
			chain = append(way{r.last}, chain...)
		}
		s := w.judgeClaim(ctx, all, chain, until)
		s.Reason = fmt.Sprintf("measured by publisher %s: %s", r.guid, s.Reason)
		if !turn.again {
			r.last = chain.end()
		}
		w.contact.note(s, r.last)
		if r.state == nil || rank(s.Level) >= rank(r.state.Level) {
			r.state = s
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
		w.tracker.skipped = w.time()
	}
}

// contend lowers a state to the worst of itself and the states of other publishers. The caller
// holds the lock.
func (w *monitor) contend(s *fcmsgs.CollisionState, now time.Time) {
	if w.tracker == nil || !w.tracker.inDispute(now) {
		return
	}
	if doubt := w.tracker.whyDoubtful(now); doubt != "" {
		unjudged(s, doubt)
	}
	for _, p := range w.tracker.rivals(now) {
		w.yield(s, p.rival, now)
	}
	if at := w.contact.at; at != nil && age(now, at.oldest) <= w.limits.timeout && s.Level != fcmsgs.CollisionStateCollision {
		takeOver(s, w.contact.state)
	}
}

// yield lowers a state to the worse of itself and the state of a rival.
func (w *monitor) yield(s *fcmsgs.CollisionState, r *rival, now time.Time) {
	switch {
	case r.state == nil:
		unjudged(s, fmt.Sprintf("measurements by publisher %s of joints that another publisher owns are not judged yet", r.guid))
	case age(now, r.last.oldest) > w.limits.timeout:
		unjudged(s, fmt.Sprintf("publisher %s measured joints that another publisher owns %.3f s ago", r.guid, age(now, r.last.oldest).Seconds()))
	case r.state.Level == fcmsgs.CollisionStateUnknown:
		unjudged(s, r.state.Reason)
	default:
		if rank(r.state.Level) > rank(s.Level) {
			takeOver(s, r.state)
		}
		s.Header.Stamp = builtininterfaces.TimeOf(earliest(s.Header.Stamp.Time(), r.last.stamp))
		s.OldestSource = builtininterfaces.TimeOf(earliest(s.OldestSource.Time(), r.last.source))
		joinDistances(s, r.state)
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
