package node

import (
	"context"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

// pulse finds out when the process was stopped, or the clock was set. While the
// process lives it is read at least every quarter of its bound. A longer gap on the
// monotonic clock is a pause: SIGSTOP, a debugger, a frozen container, a machine
// without time to give. A wall clock that runs apart from the monotonic one was set,
// or the machine was suspended: the monotonic clock stands still in suspend.
type pulse struct {
	wall  time.Time     // at the last reading, without its monotonic part
	up    time.Duration // the same, on the monotonic clock
	alive bool          // somebody reads it regularly
}

// read returns what happened since the reading before, or "", and whether ages by
// the wall clock can no longer be told. Nothing is found before somebody reads
// regularly.
func (p *pulse) read(wall time.Time, up, bound time.Duration) (happened string, set bool) {
	wall = wall.Round(0)
	gap := up - p.up
	jump := wall.Sub(p.wall) - gap
	p.wall, p.up = wall, up
	switch {
	case !p.alive:
		return "", false
	case gap > bound:
		return fmt.Sprintf("this process stood still for %.3f s", gap.Seconds()), jump < -bound || jump > bound
	case jump < -bound:
		return fmt.Sprintf("the clock was set back by %.3f s", -jump.Seconds()), true
	case jump > bound:
		return fmt.Sprintf("the clock was set ahead by %.3f s, or the machine was suspended", jump.Seconds()), true
	}
	return "", false
}

// leastPause is the shortest gap that is taken for a pause of the process: schedulers
// of busy machines make shorter ones. With a timeout below it what is too old is found by
// its age alone.
const leastPause = 50 * time.Millisecond

// pause is the gap beyond which nothing from before it counts. What was received before
// such a gap is older than the timeout by itself, as long as every clock is right and every
// source time is known.
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

// heartbeat notes that the process lives.
func (w *monitor) heartbeat() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beat(w.now())
	w.pulse.alive = true
}

// beat reads the clocks and, after a pause, forgets everything that was measured
// before its end. It needs the lock. Everything that takes or gives an answer beats
// first, so whatever runs first after a pause finds it.
func (w *monitor) beat(now time.Time) {
	before, up := w.pulse.up, w.up()
	happened, set := w.pulse.read(now, up, w.limits.pause())
	if happened == "" {
		return
	}
	w.era++
	set = set || w.resumed.clockSet && before < w.resumed.drained
	w.resumed = resumption{at: now.Round(0), drained: up + draining, clockSet: set}
	w.queue.drop()
	w.queue.lost = time.Time{} // nothing from before counts, so none of it is missing
	if w.tracker != nil {
		w.tracker.lose(happened, now)
	}
	nudge(w.wake)
}

// resumption is the end of a pause.
type resumption struct {
	at       time.Time     // on the wall clock; zero where there was none
	drained  time.Duration // on the monotonic clock: what was under way has come by then
	clockSet bool
}

// draining is how long a message may be under way, where nobody can tell when it was
// written.
const draining = time.Second

// before tells whether a message that comes at up may have been measured or written
// before the pause ended. What waited in a socket meanwhile is not used, however young
// it is by its own account: the next message comes soon. After the clock was set, and
// where the transport does not tell when a message was written, any message may have
// waited until what was under way has come.
func (r *resumption) before(m *sensormsgs.JointState, source time.Time, up time.Duration) bool {
	switch {
	case r.at.IsZero():
		return false
	case up < r.drained && (r.clockSet || source.IsZero()):
		return true
	}
	stamped := m.Header.Stamp != (builtininterfaces.Time{})
	return !source.IsZero() && !source.After(r.at) || stamped && !m.Header.Stamp.Time().After(r.at)
}
