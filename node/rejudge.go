package node

import (
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// A change of the world leaves the robot where it is: the joints' measurements and the chain of
// motions stay, and the configurations that were judged in the world before are judged again.
// former.go says in which worlds a motion is judged.

// onlyMoved reports whether the model is the other one in another world.
func (m *model) onlyMoved(from *model) bool {
	return m != nil && from != nil && m != from && m.origin == from.origin
}

// await takes since when a newer world waits to be used; the zero time if none does.
func (w *monitor) await(since time.Time) {
	if since.IsZero() {
		w.awaited.Store(nil)
		return
	}
	w.awaited.Store(&since)
}

// turnTo prepares for a round in another model or era than the last. It reports whether the
// present configuration is to be judged again, in another world.
func (w *monitor) turnTo(r *round) (again bool) {
	if w.by == r.model && w.judgedIn == r.era {
		return false
	}
	moved := r.model.onlyMoved(w.by) && w.judgedIn == r.era
	w.by, w.judgedIn, w.state = r.model, r.era, nil
	if !moved {
		w.last, w.beside, w.contact = nil, besides{}, disputable{}
		return false
	}
	w.recall(r)
	if len(r.newest) > 0 || w.last == nil || r.lost {
		return false
	}
	r.newest, r.begin = way{anew(w.last, r.former.count)}, w.last
	return true
}

// anew is a sample that was judged in the worlds before the one of this number.
func anew(s *jointstates.Sample, world uint64) *jointstates.Sample {
	copied := *s
	copied.World = world
	return &copied
}

// recall has the configurations beside the chain, and the present ones of rivals, judged again.
func (w *monitor) recall(r *round) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.beside {
		w.queue.keep(way{anew(f.at, r.former.count)})
	}
	w.beside = nil
	if w.tracker == nil || !w.tracker.InDispute(w.time()) {
		return
	}
	for _, one := range w.tracker.Rivals(w.time()) {
		waits := slices.ContainsFunc(r.rivals, func(t jointstates.Turn) bool { return t.Of == one })
		if !waits && one.Last != nil {
			rest := anew(one.Last, r.former.count)
			rest.First = true
			r.rivals = append(r.rivals, jointstates.Turn{Of: one, Waiting: []*jointstates.Sample{rest}, Again: true})
		}
	}
}

// whyOutdated says why the world of the model may no longer be the surroundings, or returns "".
func (w *monitor) whyOutdated(m *model) string {
	if m != nil && m.outdated != nil {
		return m.outdated.Error()
	}
	if since := w.awaited.Load(); since != nil {
		if late := time.Since(*since); late > w.limits.timeout {
			return fmt.Sprintf("a newer scene arrived %.3f s ago and is not in use yet", late.Seconds())
		}
	}
	return ""
}

// doubtWorld withholds the level of a state in an outdated world, but not a contact.
func (w *monitor) doubtWorld(m *model, s *fcmsgs.CollisionState) {
	if why := w.whyOutdated(m); why != "" && s.Level != fcmsgs.CollisionStateUnknown {
		unjudged(s, why)
	}
}
