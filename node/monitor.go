package node

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

// limits are the distances and times that levels depend on.
type limits struct {
	stop, warn, far float64 // m
	pairs           int
	rate            float64 // Hz
	timeout         time.Duration
}

// monitor judges each measured configuration and the motion that led to it, and
// publishes a state for each, and at the check rate when none comes.
//
// run owns the judging and publishes; the other methods may be called from any
// goroutine.
type monitor struct {
	limits  limits
	publish func(*fcmsgs.CollisionState)
	tell    func(format string, args ...any) // warns
	now     func() time.Time
	wake    chan struct{} // something has come

	interrupt atomic.Pointer[context.CancelFunc] // of what gives way to anything new

	mu      sync.Mutex
	model   *model // nil where there is none
	absent  string // and why
	tracker *tracker
	queue   queue
	checked uint64 // motions judged
	failed  uint64 // motions that could not be judged, besides the queue's
	late    uint64

	// Of run alone.
	last  *sample                // judged before
	state *fcmsgs.CollisionState // what is known of it
	by    *model                 // that it was judged by

	elaborated bool // state has all the pairs that are wanted
}

func newMonitor(l limits, publish func(*fcmsgs.CollisionState), tell func(string, ...any)) *monitor {
	return &monitor{
		limits: l, publish: publish, tell: tell, now: time.Now, wake: make(chan struct{}, 1),
		absent: "there is no model yet",
	}
}

// use makes the monitor judge by another model; nil, with the reason, is none.
// What is known of the joints is forgotten.
func (w *monitor) use(m *model, absent string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.model, w.absent, w.tracker = m, absent, nil
	if m != nil {
		w.tracker = newTracker(m.joints, m.others, w.limits.timeout)
	}
	w.queue.drop()
	w.alert()
}

// receive takes a joint state that was written at the source time, zero if that is not
// known; it keeps nothing of the message.
func (w *monitor) receive(m *sensormsgs.JointState, source time.Time) {
	for _, name := range w.note(m, source) {
		w.tell("joint states name %s, which the robot does not have: it is ignored", name)
	}
	w.alert()
}

// note queues the configuration that the message completes, if it does, and
// returns the names in it that are new and nobody's.
func (w *monitor) note(m *sensormsgs.JointState, source time.Time) (unknown []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker == nil {
		return nil
	}
	s, broken := w.tracker.update(m, source, w.now())
	w.queue.broken = w.queue.broken || broken
	if s != nil {
		w.queue.push(s)
	}
	return w.tracker.unknown()
}

// measured returns the joints' fresh positions by name; it may be empty.
func (w *monitor) measured() map[string]float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	positions := map[string]float64{}
	if w.tracker == nil {
		return positions
	}
	now := w.now()
	for i := range w.tracker.joints {
		if j := &w.tracker.joints[i]; j.known && !j.stale(now, w.limits.timeout) {
			positions[w.tracker.names[i]] = j.position
		}
	}
	return positions
}

// run judges until the context ends. A configuration is judged as soon as it
// comes, but those that come faster than the check rate are judged several at a
// time. The last word is UNKNOWN: nobody shall go on believing what was said
// before.
func (w *monitor) run(ctx context.Context) error {
	defer func() { w.publish(w.numbered(w.unknown(nil, stopped, nil))) }()
	period := time.Duration(float64(time.Second) / w.limits.rate)
	repeat := time.NewTimer(0)
	defer repeat.Stop()
	var ready time.Time
	for {
		due := false
		select {
		case <-ctx.Done():
			return nil
		case <-repeat.C:
			due = true
		case <-w.wake:
			if !sleepUntil(ctx, ready) {
				return nil
			}
		}
		begin := time.Now()
		said, judged := w.step(ctx, due)
		if judged {
			ready = begin.Add(period)
		}
		if said {
			repeat.Reset(period)
		}
		w.elaborate(ctx)
	}
}

// round is what one step has to do.
type round struct {
	model   *model
	chain   []*sample // to be judged; may be empty
	unknown string    // why the present configuration is not known, or ""
	missing []string
}

func (w *monitor) next() round {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := round{model: w.model, chain: w.queue.take(), unknown: w.absent}
	if w.tracker != nil {
		r.unknown, r.missing = w.tracker.whyUnknown(w.now())
	}
	return r
}

// step judges what has come since the step before, and publishes. Where nothing
// is to be judged it says again what is known, if that is due or has changed.
func (w *monitor) step(ctx context.Context, due bool) (said, judged bool) {
	r := w.next()
	if w.by != r.model {
		w.by, w.last, w.state = r.model, nil, nil
	}
	if len(r.chain) == 0 {
		if lost := w.state != nil && r.unknown != ""; !due && !lost {
			return false, false
		}
		w.publish(w.numbered(w.present(r)))
		return true, false
	}
	if r.chain[0].first {
		w.last = nil
	}
	chain := r.chain
	if w.last != nil {
		chain = append([]*sample{w.last}, chain...)
	}
	s, motions := w.judge(ctx, r.model, chain)
	w.last = chain[len(chain)-1]
	if w.count(motions, len(chain)-1) || r.unknown != "" {
		nudge(w.wake) // there is more to say
	}
	w.state, w.elaborated = w.ifCurrent(r.model, s), false
	w.publish(w.numbered(w.state))
	return true, true
}

// present is the state where nothing new has come.
func (w *monitor) present(r round) *fcmsgs.CollisionState {
	switch {
	case r.unknown != "":
		w.state = nil // what was known is known no more, even if the clock is set back
		return w.unknown(r.model, r.unknown, r.missing)
	case w.state == nil:
		return w.unknown(r.model, "no complete joint state yet", r.missing)
	}
	// The joints may be known anew while what was judged last is too old: a message that
	// completes no configuration refreshes some of them.
	if old := w.tooOld(w.last); old != "" {
		w.state = nil
		return w.unknown(r.model, old, r.missing)
	}
	return w.state
}

// tooOld says, at the time that a state is published, why the configuration that it is
// about no longer counts: something that entered it is older than the timeout by then.
func (w *monitor) tooOld(end *sample) string {
	age := w.now().Sub(end.oldest)
	if age <= w.limits.timeout {
		return ""
	}
	return fmt.Sprintf("what this answer rests on is %.3f s old by now: the robot may be somewhere else", age.Seconds())
}

// count notes how many of a chain's motions were judged, and whether the answer
// comes after the next state. It reports whether more waits.
func (w *monitor) count(judged, all int) (more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checked += uint64(judged)
	w.failed += uint64(all - judged)
	if len(w.queue.waiting) > 0 {
		w.late++
		return true
	}
	return false
}

// ifCurrent returns s, unless the model that it was judged by has been replaced
// in the meantime.
func (w *monitor) ifCurrent(m *model, s *fcmsgs.CollisionState) *fcmsgs.CollisionState {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.model == m {
		return s
	}
	return w.unknown(m, "the model has changed", nil)
}

func (w *monitor) numbered(s *fcmsgs.CollisionState) *fcmsgs.CollisionState {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.MotionsChecked, s.MotionsUnchecked, s.AnswersLate = w.checked, w.failed+w.queue.unjudged, w.late
	return s
}

// sleepUntil reports whether the time came before the context ended.
func sleepUntil(ctx context.Context, t time.Time) bool {
	wait := time.Until(t)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// nudge leaves a token in a channel of capacity one.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
