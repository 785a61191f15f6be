package node

import (
	"fmt"
	"runtime"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// watchdog publishes UNKNOWN if the monitor publishes nothing, and ends the node if the
// monitor makes no progress. It shares no lock with the monitor and waits only for the clock,
// so it does not get stuck with the monitor.
//
// Only time in which the watchdog itself ran counts. After a pause of the process the monitor
// runs first, and a process that waits for the processor is not stuck; subscribers detect both
// by the deadline.
type watchdog struct {
	tick     time.Duration // between two checks
	silence  time.Duration // time without a state before the watchdog publishes UNKNOWN
	period   time.Duration // at which it repeats that
	patience time.Duration // time without progress before it gives up
	now      func() time.Time

	said, progress func() uint64 // counters of the monitor

	// Used by look only.
	last     time.Time // of the previous check
	saw      [2]uint64 // the counters at that time
	quiet    time.Duration
	idle     time.Duration
	repeat   time.Duration // since UNKNOWN was last published
	speaking bool
}

// silence is how long the monitor may publish nothing: three periods, but not less than a
// scheduler may delay a process.
func (l limits) silence() time.Duration { return max(3*l.period(), 10*time.Millisecond) }

// patience is how long the monitor may make no progress. One step has a budget of
// joint_state_timeout; four of them allow for code that checks the clock late. On a busy
// machine less than two seconds does not indicate a fault.
func (l limits) patience() time.Duration {
	return max(2*time.Second, 20*l.period(), 4*l.timeout)
}

func newWatchdog(l limits, said, progress func() uint64) *watchdog {
	return &watchdog{
		tick: max(l.period()/2, time.Millisecond), silence: l.silence(), period: l.period(), patience: l.patience(),
		now: time.Now, said: said, progress: progress,
	}
}

// alarm is the result of a check of the monitor.
type alarm int

const (
	calm   alarm = iota // nothing to do
	silent              // publish UNKNOWN
	back                // the monitor has published again
	stuck               // give up
)

// look is called at every tick.
func (d *watchdog) look() alarm {
	now, saw := d.now(), [2]uint64{d.said(), d.progress()}
	passed := now.Sub(d.last)
	if passed >= d.silence { // the process was paused, or this is the first check
		d.quiet, passed = 0, 0
	}
	passed = min(passed, 2*d.tick)
	d.quiet, d.idle, d.repeat = d.quiet+passed, d.idle+passed, d.repeat+passed
	spoken := saw[0] != d.saw[0]
	if spoken {
		d.quiet = 0
	}
	if saw != d.saw {
		d.idle = 0
	}
	d.last, d.saw = now, saw
	switch {
	case d.idle >= d.patience:
		return stuck
	case spoken && d.speaking:
		d.speaking = false
		return back
	case d.quiet >= d.silence && (!d.speaking || d.repeat >= d.period-d.tick/2):
		d.speaking, d.repeat = true, 0
		return silent
	}
	return calm
}

// watch supervises the monitor until it has returned. It fails if the monitor is
// stuck; the last published state is then UNKNOWN.
func (n *Node) watch(returned <-chan struct{}) error {
	d := newWatchdog(limitsOf(n.values), n.out.states.said.Load, n.monitor.progress.Load)
	tick := time.NewTicker(d.tick)
	defer tick.Stop()
	var words complaints
	for {
		select {
		case <-returned:
			return nil
		case <-tick.C:
		}
		switch d.look() {
		case silent:
			n.out.states.interject(n.speechless(d.quiet), d.period, func() {})
			words.begin(n, d)
		case back:
			words.end(n)
		case stuck:
			return n.giveUp(d)
		}
	}
}

// speechless is the state while the monitor publishes nothing.
func (n *Node) speechless(since time.Duration) *fcmsgs.CollisionState {
	s := n.monitor.unknown(n.monitor.used.Load(), fmt.Sprintf("the monitor has published nothing for %.3f s: its last state is old", since.Seconds()), nil)
	n.describe(s)
	return s
}

// lastWords is the time limit for publishing the last state.
const lastWords = 200 * time.Millisecond

// giveUp publishes the last state and returns the error that ends the node.
func (n *Node) giveUp(d *watchdog) error {
	v := n.out.states
	close(v.ended)
	spoken := make(chan struct{}, 1)
	for deadline := time.After(lastWords); ; {
		v.interject(n.speechless(d.quiet), lastWords, func() { nudge(spoken) })
		select {
		case <-spoken:
		case <-deadline:
		case <-time.After(time.Millisecond):
			continue // a topic was busy
		}
		break
	}
	stacks := make([]byte, 64<<10)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return fmt.Errorf("%w: the monitor has made no progress for %.1f s, although the process ran\n%s", ErrInternal, d.idle.Seconds(), stacks)
}

// complaints log silences, at most once per second, and never block the watchdog.
type complaints struct {
	aside aside
	last  time.Time // when a silence was last logged
	since time.Time // when the silence began
	count int       // silences so far
}

func (c *complaints) begin(n *Node, d *watchdog) {
	if !c.since.IsZero() {
		return // this silence was logged already
	}
	c.since = time.Now().Add(-d.quiet)
	c.count++
	if time.Since(c.last) < time.Second {
		return
	}
	c.last = time.Now()
	quiet, count := d.quiet, c.count
	c.aside.try(func() {
		n.ros.Logger().Errorf("the monitor has published no state for %.3f s (silence %d so far): UNKNOWN is published for it. If the machine is too slow for the robot, lower check_rate",
			quiet.Seconds(), count)
	})
}

func (c *complaints) end(n *Node) {
	took, told := time.Since(c.since), c.last.After(c.since)
	c.since = time.Time{}
	if told {
		c.aside.try(func() { n.ros.Logger().Warnf("the monitor is back after a silence of %.3f s", took.Seconds()) })
	}
}
