package node

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// say publishes the state. It is the last action of a step and the only place where the ages
// of all measurements that the state rests on are compared with the clock. news means that a
// configuration was judged in this step; contact means that a contact was found on the motion
// to an earlier one.
func (w *monitor) say(r round, news, contact bool) {
	s := w.settle(r, news, contact)
	w.publish(s)
	if s.Level == fcmsgs.CollisionStateUnknown || s.Level == fcmsgs.CollisionStateCollision {
		return
	}
	// The process may have been stopped between reading the clock and sending. Such a state is
	// withdrawn at once.
	if late := w.lapsed(r); late != "" {
		w.state = nil
		w.publish(w.numbered(w.unknown(r.model, late, nil)))
	}
}

// lapsed says why a state that has just been published is no longer valid, or returns "".
func (w *monitor) lapsed(r round) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.read()
	if w.era != r.era {
		return "this process was paused, or a clock was set or stood still, while this state was published"
	}
	return w.tooOld(now)
}

// settle returns the state to publish now. After a change of the model or a pause during the
// step no result of the step is used, not even a contact.
func (w *monitor) settle(r round, news, contact bool) *fcmsgs.CollisionState {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.read()
	if other := w.overtaken(r); other != "" {
		w.state = nil
		nudge(w.wake)
		s := w.unknown(r.model, other, nil)
		w.number(s)
		return s
	}
	s := w.present(now, r, news || contact)
	w.contact.note(s, w.last)
	since := now.Add(-w.limits.timeout)
	w.queue.expire(since)
	if n := w.queue.open(since); n > 0 && s.Level != fcmsgs.CollisionStateUnknown {
		unjudged(s, fmt.Sprintf("%d configurations measured less than %g s ago are not judged", n, w.limits.timeout.Seconds()))
	}
	w.beside.raise(s, since)
	w.contend(s, now)
	w.doubtWorld(r.model, s)
	s.SpeedScaling = scaling(s) // the level may be worse than judged
	if len(w.queue.waiting) > 0 && news {
		w.late++
	}
	if len(w.queue.waiting) > 0 || len(w.queue.backlog) > 0 {
		nudge(w.wake)
	}
	w.number(s)
	return s
}

// present returns the state of the newest configuration at now. A state that has become
// UNKNOWN stays so, even if the clock is set back. A new contact is reported even if its
// measurements have become stale.
func (w *monitor) present(now time.Time, r round, news bool) *fcmsgs.CollisionState {
	reason, missing := w.absent, []string(nil)
	if w.tracker != nil {
		reason, missing = w.tracker.WhyUnknown(now)
	}
	if why := w.timeless(); why != "" {
		reason = why
	}
	known := w.state
	if known == nil {
		if reason == "" {
			reason = "no complete joint state yet"
		}
		return w.unknown(r.model, reason, missing)
	}
	// All joints can have fresh measurements again while the configuration judged last is too
	// old: a message that completes no configuration refreshes some of them.
	if old := w.tooOld(now); old != "" && (news || reason == "") {
		reason = old
	}
	if reason == "" {
		s := *known
		return &s
	}
	w.state = nil
	if !news {
		return w.unknown(r.model, reason, missing)
	}
	s := *known
	s.MissingJoints = missing
	unjudged(&s, reason)
	return &s
}

// overtaken says what happened during a step that invalidates its results, or returns "".
func (w *monitor) overtaken(r round) string {
	switch {
	case w.model != r.model && !w.model.onlyMoved(r.model):
		return "the model has changed"
	case w.era != r.era:
		return "this process was paused, or a clock was set or stood still, while this state was judged"
	}
	return ""
}

// tooOld says why the state is no longer valid at the time of publication, or returns "": a
// measurement that it rests on is older than the timeout.
func (w *monitor) tooOld(now time.Time) string {
	old := jointstates.Age(now, w.last.Oldest)
	if old <= w.limits.timeout {
		return ""
	}
	return fmt.Sprintf("the measurements behind this state are %.3f s old: the robot may have moved", old.Seconds())
}

func (w *monitor) numbered(s *fcmsgs.CollisionState) *fcmsgs.CollisionState {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.number(s)
	return s
}

// number fills in the counters. The caller holds the lock.
func (w *monitor) number(s *fcmsgs.CollisionState) {
	s.MotionsChecked, s.MotionsUnchecked, s.AnswersLate = w.checked, w.failed+w.queue.unjudged, w.late
	w.attribute(s)
}
