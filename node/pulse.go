package node

import (
	"context"
	"fmt"
	"time"
)

// pulse detects that the process was stopped, or the clock was set. While the process runs,
// read is called at least every quarter of its bound. A longer gap on the monotonic clock is a
// pause: SIGSTOP, a debugger, a frozen container, an overloaded machine. If the wall clock
// deviates from the monotonic clock, it was set, or the machine was suspended: the monotonic
// clock stands still while suspended.
type pulse struct {
	wall  time.Time     // at the last reading, without its monotonic part
	up    time.Duration // the same, on the monotonic clock
	alive bool          // read is called regularly
}

// read returns what happened since the previous reading, or "", and whether ages by the wall
// clock are no longer reliable. It detects nothing before it is called regularly.
func (p *pulse) read(wall time.Time, up, bound time.Duration) (happened string, set bool) {
	wall = wall.Round(0)
	gap := up - p.up
	jump := wall.Sub(p.wall) - gap
	p.wall, p.up = wall, up
	switch {
	case !p.alive:
		return "", false
	case gap > bound:
		return fmt.Sprintf("this process was paused for %.3f s", gap.Seconds()), jump < -bound || jump > bound
	case jump < -bound:
		return fmt.Sprintf("the clock was set back by %.3f s", -jump.Seconds()), true
	case jump > bound:
		return fmt.Sprintf("the clock was set ahead by %.3f s, or the machine was suspended", jump.Seconds()), true
	}
	return "", false
}

// leastPause is the shortest gap that is taken for a pause of the process: schedulers of busy
// machines make shorter ones. With a timeout below it, stale measurements are found by their
// age alone.
const leastPause = 50 * time.Millisecond

// pause is the gap beyond which nothing measured before it counts. Measurements received
// before such a gap exceed the timeout by their age, provided that every clock is right and
// every source time is known.
func (l *limits) pause() time.Duration { return max(l.timeout, leastPause) }

// live reads the clocks regularly, until the context ends.
func (w *monitor) live(ctx context.Context) error {
	tick := time.NewTicker(w.limits.pause() / 4)
	defer tick.Stop()
	for {
		w.heartbeat()
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// heartbeat records that the process is running.
func (w *monitor) heartbeat() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read()
	w.pulse.alive = true
}

// beat reads the clocks and, after a pause, discards everything that was measured before its
// end. The caller holds the lock. Every method that takes input or produces output calls beat
// first, so whichever runs first after a pause detects it.
func (w *monitor) beat(now time.Time) {
	before, up := w.pulse.up, w.up()
	happened, set := w.pulse.read(now, up, w.limits.pause())
	if happened == "" {
		return
	}
	if set || w.sim != nil { // what /clock does meanwhile is not seen
		w.timelines++
	}
	set = set || w.resumed.clockSet && before < w.resumed.drained
	w.resumed = resumption{at: now.Round(0), drained: up + draining, clockSet: set}
	if w.sim != nil {
		w.sim.Lose(happened)
		now = w.sim.Now()
	}
	w.discard(happened, now)
}

// discard discards everything that was measured by now, in the node's time, and records why. The
// caller holds the lock.
func (w *monitor) discard(why string, now time.Time) {
	w.era, w.lapse = w.era+1, why
	w.queue.drop()
	w.meantime = meantime{}
	w.queue.lost = time.Time{} // no earlier measurement counts, so none is missing
	if w.tracker != nil {
		w.tracker.Lose(why, now)
	}
	w.past.Forget()
	if w.discarded != nil {
		w.discarded()
	}
	nudge(w.wake)
}

// resumption is the end of a pause.
type resumption struct {
	at       time.Time     // on the wall clock; zero if there was none
	drained  time.Duration // on the monotonic clock: messages in transit have arrived by then
	clockSet bool
}

// draining is the longest time that a message is assumed to be in transit when its source time
// is unknown.
const draining = time.Second

// before reports whether a message received at up may have been measured or written before the
// pause ended. A zero stamp is none, or one of another clock than the system's. A message that waited
// in a socket during the pause is not used, however recent its stamps: the next one arrives soon. After
// the clock was set, and if the transport reports no source time, any message may have waited until
// those in transit have arrived. Those that come later are judged by their age alone: a publisher whose
// stamps are old is to be told so.
func (r *resumption) before(stamp, source time.Time, up time.Duration) bool {
	switch {
	case r.at.IsZero():
		return false
	case up < r.drained && (r.clockSet || source.IsZero()):
		return true
	}
	return !source.IsZero() && !source.After(r.at) || up < r.drained && !stamp.IsZero() && !stamp.After(r.at)
}
