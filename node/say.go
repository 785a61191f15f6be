package node

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// say publishes what is known. It is the last thing that a step does: here, and
// nowhere before, the age of everything that the state rests on is held against the
// clock. News are that a configuration was judged in this step; contact is that one
// was found on the way to an earlier one.
func (w *monitor) say(r round, news, contact bool) {
	s := w.settle(r, news, contact)
	w.publish(s)
	if s.Level == fcmsgs.CollisionStateUnknown || s.Level == fcmsgs.CollisionStateCollision {
		return
	}
	// Between the look at the clock and the network the process may have been stopped.
	// What was said then is taken back at once.
	if late := w.lapsed(r); late != "" {
		w.state = nil
		w.publish(w.numbered(w.unknown(r.model, late, nil)))
	}
}

// lapsed says why a state that has just been published counts no longer, or "".
func (w *monitor) lapsed(r round) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	w.beat(now)
	if w.era != r.era {
		return "this process stood still, or the clock was set, while this was published"
	}
	return w.tooOld(now)
}

// settle makes the state that is to be published now. After a change of the model or a
// pause during the step nothing of it counts, a contact neither.
func (w *monitor) settle(r round, news, contact bool) *fcmsgs.CollisionState {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	w.beat(now)
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
	if len(w.queue.waiting) > 0 && news {
		w.late++
	}
	if len(w.queue.waiting) > 0 || len(w.queue.backlog) > 0 {
		nudge(w.wake)
	}
	w.number(s)
	return s
}

// present is what is known at now of the newest configuration. What has become unknown
// stays so, even if the clock is set back. A contact that is news is told even if it is
// old by now.
func (w *monitor) present(now time.Time, r round, news bool) *fcmsgs.CollisionState {
	reason, missing := w.absent, []string(nil)
	if w.tracker != nil {
		reason, missing = w.tracker.whyUnknown(now)
	}
	known := w.state
	if known == nil {
		if reason == "" {
			reason = "no complete joint state yet"
		}
		return w.unknown(r.model, reason, missing)
	}
	// The joints may be known anew while what was judged last is too old: a message that
	// completes no configuration refreshes some of them.
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

// overtaken tells what happened during a step that leaves nothing of it, or "".
func (w *monitor) overtaken(r round) string {
	switch {
	case w.model != r.model:
		return "the model has changed"
	case w.era != r.era:
		return "this process stood still, or the clock was set, while this was judged"
	}
	return ""
}

// tooOld says why the state no longer counts at a time that it is published, or "":
// something that entered it is older than the timeout.
func (w *monitor) tooOld(now time.Time) string {
	old := age(now, w.last.oldest)
	if old <= w.limits.timeout {
		return ""
	}
	return fmt.Sprintf("what this answer rests on is %.3f s old by now: the robot may be somewhere else", old.Seconds())
}

func (w *monitor) numbered(s *fcmsgs.CollisionState) *fcmsgs.CollisionState {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.number(s)
	return s
}

// number fills in the counters. It needs the lock.
func (w *monitor) number(s *fcmsgs.CollisionState) {
	s.MotionsChecked, s.MotionsUnchecked, s.AnswersLate = w.checked, w.failed+w.queue.unjudged, w.late
	w.attribute(s)
}
