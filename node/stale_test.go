package node

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

// Whatever happens to messages, to the process and to its clock, a state that is
// neither UNKNOWN nor COLLISION rests on the newest measurements, all of them younger than
// the timeout and made since the last pause, and no contact that was measured within
// the timeout is passed over. The witness knows the true time and is written from
// docs/ros-interface.md.
//
// FIRSTCONTACT_STALE is the number of episodes; FIRSTCONTACT_SEED the first of them.
func TestNothingStaleIsFree(t *testing.T) {
	race.LeaveOut(t)
	episodes, seed := switches.Stale.Or(400), switches.Seed.Or(1)
	m := railModel(t)
	var total tally
	played := 0
	for i := range episodes {
		played++
		e := newEpisode(m, seed+uint64(i))
		e.play(60)
		total.add(&e.tally)
		for _, v := range e.violations {
			t.Errorf("seed %d: %s", seed+uint64(i), v)
		}
		if total.violations > 20 {
			break
		}
	}
	t.Logf("%d episodes: %s", played, total.String())
	for level, n := range total.levels {
		if n == 0 {
			t.Errorf("level %d never occurred", level)
		}
	}
}

type tally struct {
	states, pauses, jumps, messages, violations int
	levels                                      [5]int
	oldest                                      time.Duration // of a state that is neither UNKNOWN nor COLLISION
}

func (t *tally) add(o *tally) {
	t.states, t.pauses, t.jumps, t.messages = t.states+o.states, t.pauses+o.pauses, t.jumps+o.jumps, t.messages+o.messages
	t.violations, t.oldest = t.violations+o.violations, max(t.oldest, o.oldest)
	for i := range t.levels {
		t.levels[i] += o.levels[i]
	}
}

func (t *tally) String() string {
	return fmt.Sprintf("%d messages, %d pauses, %d jumps of the clock; %d states, by level %v; the oldest that is not UNKNOWN or COLLISION %v; %d violations",
		t.messages, t.pauses, t.jumps, t.states, t.levels, t.oldest, t.violations)
}

// sent is a message with what its publisher knows of it.
type sent struct {
	message       *sensormsgs.JointState
	stamp, source time.Duration // true time
	arrives       time.Duration
	left, right   float64 // NaN for a joint that is not named
	faulty        bool
}

// episode is a monitor, its publishers, and the witness.
type episode struct {
	*watched
	random *rand.Rand
	skew   time.Duration // of the node's wall clock against the true time, which is clock
	lags   [2]time.Duration
	flight [2][]sent     // by publisher, in order
	both   bool          // one publisher for both joints
	ran    time.Duration // when the process looked at its clock last

	witness
	tally
	violations []string
}

// witness is what must be known of a state.
type witness struct {
	joints  [2]joint
	configs []stood
	resumed time.Duration // end of the last pause
	settled time.Duration // a second after the clock was set
	broken  bool
	begin   int // configurations there were when the step began
}

type joint struct {
	x                       float64
	stamp, source, received time.Duration
	known                   bool
}

type stood struct {
	left, right             float64
	stamp, source, received time.Duration // the oldest of both joints, and when it was complete
	touches, told           bool
}

func newEpisode(m *model, seed uint64) *episode {
	e := &episode{watched: watch(m), random: rand.New(rand.NewPCG(seed, 0))}
	e.clock = time.Second
	e.watched.now = func() time.Time { return epoch.Add(e.clock + e.skew) }
	e.watched.up = func() time.Duration {
		e.ran = e.clock
		return e.clock
	}
	publish := e.publish
	e.watched.publish = func(s *fcmsgs.CollisionState) {
		publish(s)
		e.judge(s)
	}
	e.heartbeat()
	e.both = e.random.IntN(2) == 0
	for i := range e.lags {
		e.lags[i] = []time.Duration{0, 2 * ms, 50 * ms, 95 * ms}[e.random.IntN(4)]
	}
	e.witness.broken = true
	e.resumed = -time.Second
	return e
}

// chance is true once in n times.
func (e *episode) chance(n int) bool { return e.random.IntN(n) == 0 }

func (e *episode) play(events int) {
	for range events {
		e.pass(e.some(1, 2, 5, 10, 10, 10, 20, 60, 150), e.chance(15))
		e.happen()
		if e.chance(5) {
			continue
		}
		e.spare = []time.Duration{0, time.Minute}[e.random.IntN(2)]
		e.begin = len(e.configs)
		e.step(&meanwhile{context.Background(), e.duringStep()}, e.chance(2))
		if e.chance(4) {
			e.elaborate(context.Background())
		}
	}
}

func (e *episode) some(ms ...int) time.Duration {
	return time.Duration(ms[e.random.IntN(len(ms))]) * time.Millisecond
}

// duringStep is what happens while the monitor judges.
func (e *episode) duringStep() func() {
	if !e.chance(3) {
		return nil
	}
	return func() {
		e.pass(e.some(1, 5, 40, 120), e.chance(4))
		if e.chance(2) {
			e.happen()
		}
	}
}

// pass lets time pass, in which the process may be stopped and the publishers are not.
func (e *episode) pass(d time.Duration, stopped bool) {
	if stopped {
		d += e.some(0, 60, 150, 1500)
	}
	for end := e.clock + d; e.clock < end; {
		e.clock += min(20*ms, end-e.clock)
		e.send()
		if !stopped {
			e.heartbeat()
		}
	}
	// Two stops are one pause where nothing ran between them.
	if e.clock-e.ran > e.limits.pause() {
		e.pauses++
		if e.ran < e.settled { // what was under way waited, too
			e.settled = e.clock + time.Second
		}
		e.forget()
	}
}

func (e *episode) forget() {
	e.resumed = e.clock
	e.configs, e.begin = nil, 0
	for i := range e.joints {
		e.joints[i].known = false
	}
	e.witness.broken = true
}

// happen is the delivery of what has come, or that somebody sets the clock.
func (e *episode) happen() {
	e.send()
	if e.chance(60) || e.skew != 0 && e.chance(4) {
		e.jumps++
		if e.skew != 0 {
			e.skew = 0
		} else {
			e.skew = []time.Duration{-5000, -400, 400, 5000}[e.random.IntN(4)] * ms // messages travel for less
		}
		e.forget()
		e.settled = e.clock + time.Second
		e.heartbeat()
	}
	for p := range e.flight {
		for len(e.flight[p]) > 0 && e.flight[p][0].arrives <= e.clock {
			m := e.flight[p][0]
			e.flight[p] = e.flight[p][1:]
			e.deliver(m)
		}
	}
}

// send makes the publishers write, now.
func (e *episode) send() {
	for p := range e.flight {
		if p == 1 && e.both || e.chance(4) {
			continue
		}
		m := e.compose(p)
		if n := len(e.flight[p]); n > 0 {
			m.arrives = max(m.arrives, e.flight[p][n-1].arrives)
		}
		e.flight[p] = append(e.flight[p], m)
	}
}

func (e *episode) compose(p int) sent {
	m := sent{source: e.clock, stamp: e.clock - e.lags[p], left: math.NaN(), right: math.NaN()}
	m.arrives = e.clock + e.some(0, 0, 0, 1, 1, 3, 40, 110)
	pick := func(x ...float64) float64 { return x[e.random.IntN(len(x))] }
	var names string
	var positions []float64
	if p == 0 {
		m.left = pick(0, 0, 0, 0.3, 0.74, 0.795)
		names, positions = "left_x", []float64{m.left}
	}
	if p == 1 || e.both {
		m.right = pick(0, 0, 0, 0, 0, -0.02, 1.85, 1.9, 4)
		names, positions = names+" right_x", append(positions, m.right)
	}
	if e.chance(25) {
		m.faulty = true
		switch e.random.IntN(4) {
		case 0:
			positions[0] = math.NaN()
		case 1:
			positions[0] = 1e300
		case 2:
			positions = append(positions, 0)
		case 3:
			names, positions = names+" "+names, append(positions, positions...)
		}
	}
	m.message = &sensormsgs.JointState{Name: strings.Fields(names), Position: positions}
	m.message.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(m.stamp))
	if e.lags[p] == 0 && e.random.IntN(2) == 0 {
		m.message.Header.Stamp = builtininterfaces.Time{}
	}
	return m
}

// deliver gives a message to the monitor and to the witness.
func (e *episode) deliver(m sent) {
	e.messages++
	e.receive(m.message, epoch.Add(m.source))
	old := e.clock-m.source > timeout || e.clock-m.stamp > timeout
	if m.source <= e.resumed || m.stamp <= e.resumed || e.clock < e.settled {
		return // nobody counts it
	}
	for i, x := range []float64{m.left, m.right} {
		j := &e.joints[i]
		switch {
		case math.IsNaN(x):
		case m.faulty || old:
			j.known, e.witness.broken = false, true
		default:
			e.witness.broken = e.witness.broken || j.known && j.age(e.clock) > timeout
			*j = joint{x, m.stamp, m.source, e.clock, true}
		}
	}
	if m.faulty || old || !e.fresh() {
		return
	}
	l, r := &e.joints[0], &e.joints[1]
	c := stood{left: l.x, right: r.x, stamp: min(l.stamp, r.stamp), source: min(l.source, r.source), received: e.clock}
	from := c
	if n := len(e.configs); n > 0 && !e.witness.broken {
		from = e.configs[n-1]
	}
	c.touches = meets(1+from.right-from.left, 1+c.right-c.left, 0.2) || meets(from.left-3, c.left-3, 0.11) || meets(1+from.right-3, 1+c.right-3, 0.11)
	e.witness.broken = false
	e.configs = append(e.configs, c)
}

// meets tells whether the way from x to y comes closer to zero than r.
func meets(x, y, r float64) bool { return min(x, y) < r && max(x, y) > -r }

func (j *joint) age(now time.Duration) time.Duration {
	return now - min(j.stamp, j.source, j.received)
}

func (e *episode) fresh() bool {
	for i := range e.joints {
		if !e.joints[i].known || e.joints[i].age(e.clock) > timeout {
			return false
		}
	}
	return true
}

func (e *episode) violate(format string, args ...any) {
	e.tally.violations++
	e.violations = append(e.violations, fmt.Sprintf("at %v: ", e.clock)+fmt.Sprintf(format, args...))
}

// judge holds a state against what is true when it is published.
func (e *episode) judge(s *fcmsgs.CollisionState) {
	e.states++
	e.levels[s.Level]++
	if s.Level == fcmsgs.CollisionStateCollision {
		for i := range e.configs[:e.begin] {
			e.configs[i].told = true
		}
	}
	if s.Level == fcmsgs.CollisionStateUnknown || s.Level == fcmsgs.CollisionStateCollision {
		return
	}
	if e.skew != 0 {
		e.violate("level %d by a clock that is %v off", s.Level, e.skew)
	}
	if !e.fresh() {
		e.violate("level %d with the joints at %+v, resumed at %v", s.Level, e.joints, e.resumed)
	}
	if e.begin == 0 {
		e.violate("level %d without a configuration since the pause that ended at %v", s.Level, e.resumed)
		return
	}
	newest := e.configs[e.begin-1]
	if s.Header.Stamp != builtininterfaces.TimeOf(epoch.Add(newest.stamp)) || s.OldestSource != builtininterfaces.TimeOf(epoch.Add(newest.source)) {
		e.violate("level %d is of %v, written %v; the newest is of %v, written %v", s.Level, s.Header.Stamp.Time().Sub(epoch), s.OldestSource.Time().Sub(epoch), newest.stamp, newest.source)
	}
	age := e.clock - min(newest.stamp, newest.source, newest.received)
	if e.oldest = max(e.oldest, age); age > timeout {
		e.violate("level %d of what is %v old", s.Level, age)
	}
	for _, c := range e.configs[:e.begin] {
		if c.touches && !c.told && e.clock-c.received <= timeout {
			e.violate("level %d, and nobody told that %+v touches", s.Level, c)
		}
	}
	if want := levelAt(gap(newest.left, newest.right)); s.Level != want {
		e.violate("level %d at %+v, want %d", s.Level, newest, want)
	}
}

func levelAt(gap float64) uint8 {
	switch {
	case gap <= 0:
		return fcmsgs.CollisionStateCollision
	case gap < 0.01:
		return fcmsgs.CollisionStateStop
	case gap < 0.05:
		return fcmsgs.CollisionStateWarn
	}
	return fcmsgs.CollisionStateFree
}
