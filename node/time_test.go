package node

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rosgraphmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// simulated is a monitor of the carts in the time of a simulator. w.clock is the true time, in
// which the process runs.
type simulated struct {
	*watched
	sim time.Duration // of the simulator, since the Unix epoch
}

// simulatedNode is a node whose time is that of a simulator, with a robot that is measured at rest.
func simulatedNode(t *testing.T) (*model, *simulated, *Node) {
	t.Helper()
	m := railModel(t)
	w := simulate(m)
	w.tick(0, 0)
	w.tick(10*ms, 10*ms)
	w.measure(0, 0, 0)
	return m, w, &Node{monitor: w.monitor, loader: &loader{model: m}}
}

func simulate(m *model) *simulated {
	w := &simulated{watched: watch(m), sim: time.Second}
	w.clock = time.Hour
	w.simulate()
	w.heartbeat()
	return w
}

func simStamp(d time.Duration) builtininterfaces.Time {
	return builtininterfaces.TimeOf(time.Unix(0, 0).Add(d))
}

// tick lets the simulator's time pass, and real time, and publishes the first on /clock.
func (w *simulated) tick(sim, real time.Duration) {
	w.sim += sim
	w.live(real)
	w.hearClock(&rosgraphmsgs.Clock{Clock: simStamp(w.sim)}, ros.MessageInfo{SourceTime: w.now()})
}

// live lets real time pass while the process runs.
func (w *simulated) live(d time.Duration) {
	for end := w.clock + d; w.clock < end; {
		w.clock += min(10*ms, end-w.clock)
		w.heartbeat()
	}
}

// measure delivers joint states that were stamped a while ago, and written now.
func (w *simulated) measure(ago time.Duration, left, right float64) *fcmsgs.CollisionState {
	m := joints(0, "left_x right_x", left, right)
	m.Header.Stamp = simStamp(w.sim - ago)
	w.receive(m, w.now())
	return w.look()
}

const timeFree, timeUnknown = fcmsgs.CollisionStateFree, fcmsgs.CollisionStateUnknown

// Ages are those of the simulator's time, however fast or slowly it passes.
func TestSimulatedAges(t *testing.T) {
	for _, c := range []struct{ sim, real time.Duration }{
		{20 * ms, 20 * ms},   // in step
		{2 * ms, 400 * ms},   // slowed down 200 times
		{50 * ms, ms},        // sped up 50 times
		{20 * ms, 0 * ms},    // as fast as can be
		{timeout, 900 * ms},  // a clock as coarse as the timeout
		{ms, 999 * ms},       // a thousand times slower
		{1 * ms, 1000 * ms},  // as seldom as the clock may advance
		{timeout, 1000 * ms}, // the same
	} {
		w := simulate(railModel(t))
		wantLevel(t, w.look(), timeUnknown, "nothing has come on /clock yet")
		wantLevel(t, w.measure(0, 0, 0), timeUnknown, "nothing has come on /clock yet")
		w.tick(0, 0)
		wantLevel(t, w.look(), timeUnknown, "no fresh measurement") // what came before the clock does not count
		for i := range 20 {
			w.tick(c.sim, c.real)
			s := w.measure(0, 0, -0.01*float64(i))
			wantLevel(t, s, timeFree, "")
			if s.Header.Stamp != simStamp(w.sim) || s.OldestSource != simStamp(w.sim) {
				t.Fatalf("%v: stamp %+v, oldest source %+v", c, s.Header.Stamp, s.OldestSource)
			}
		}
		for old := time.Duration(0); old < timeout; old += c.sim { // without measurements
			wantLevel(t, w.look(), timeFree, "")
			w.tick(c.sim, c.real)
		}
		w.tick(ms, ms)
		wantLevel(t, w.look(), timeUnknown, "no fresh measurement of left_x, right_x")
	}
}

func TestSimulatedTimeFaults(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(w *simulated)
		says    string
		holds   bool // the configuration is known again at once
	}{
		"set back":           {func(w *simulated) { w.tick(-ms, 10*ms) }, "the simulated clock was set back by 0.001 s", false},
		"starts again":       {func(w *simulated) { w.sim = 0; w.tick(0, 10*ms) }, "set back by", false},
		"set ahead":          {func(w *simulated) { w.tick(timeout+ms, 10*ms) }, "went ahead by 0.101 s at once", false},
		"stands still":       {func(w *simulated) { w.live(1100 * ms) }, "stands still", false},
		"is repeated":        {func(w *simulated) { w.tick(0, 500*ms); w.tick(0, 600*ms) }, "stands still", false},
		"the process paused": {func(w *simulated) { w.clock += 5 * time.Second }, "paused for 5.000 s, and nothing has come on /clock since", false},
		"paused shortly":     {func(w *simulated) { w.live(900 * ms) }, "", true},
		"the wall clock set": {func(w *simulated) {
			now := w.now
			w.now = func() time.Time { return now().Add(-time.Hour) }
		}, "the clock was set back by 3600", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := simulate(railModel(t))
			w.tick(0, 0)
			w.tick(10*ms, 10*ms)
			wantLevel(t, w.measure(0, 0, 0), timeFree, "")
			c.happens(w)
			if c.holds {
				wantLevel(t, w.look(), timeFree, "")
				return
			}
			wantLevel(t, w.look(), timeUnknown, c.says)
			w.live(2 * time.Second) // what was under way has come, and the clock has stopped meanwhile
			wantLevel(t, w.measure(0, 0, 0), timeUnknown, "/clock")
			w.tick(20*ms, 10*ms)
			wantLevel(t, w.look(), timeUnknown, "")
			if known := w.measured(); len(known) > 0 {
				t.Errorf("questions rest on %v, which came without a clock", known)
			}
			w.tick(20*ms, 10*ms)
			wantLevel(t, w.measure(0, 0, 0), timeFree, "")
		})
	}
}

// A stamp by another clock is never fresh, and a message without one has no age.
func TestStampsMustBeSimulated(t *testing.T) {
	w := simulate(railModel(t))
	w.tick(0, 0)
	w.tick(10*ms, 10*ms)
	for says, stamp := range map[string]builtininterfaces.Time{
		"in the future":                      builtininterfaces.TimeOf(w.now()), // the wall clock's
		"in the past":                        simStamp(w.sim - timeout - ms),
		"neither a stamp nor a source time":  {},
		"stamped 0.101 s in the future: the": simStamp(w.sim + timeout + ms),
	} {
		m := joints(0, "left_x right_x", 0, 0)
		m.Header.Stamp = stamp
		w.receive(m, w.now())
		wantLevel(t, w.look(), timeUnknown, says)
	}
}

// A message on /clock that waited while the process was paused does not make old measurements
// fresh.
func TestClockFromBeforeAPause(t *testing.T) {
	w := simulate(railModel(t))
	w.tick(0, 0)
	w.tick(10*ms, 10*ms)
	wantLevel(t, w.measure(0, 0, 0), timeFree, "")
	written := w.now().Add(10 * ms)
	w.clock += 5 * time.Second
	w.hearClock(&rosgraphmsgs.Clock{Clock: simStamp(w.sim + 10*ms)}, ros.MessageInfo{SourceTime: written})
	m := joints(0, "left_x right_x", 0, 0)
	m.Header.Stamp = simStamp(w.sim + 10*ms)
	w.receive(m, written)
	wantLevel(t, w.look(), timeUnknown, "nothing has come on /clock since")
}

// The gate watches a trajectory for as long as it lasts in the simulator's time, and lets none
// pass while that is not known.
func TestGateInSimulatedTime(t *testing.T) {
	m := railModel(t)
	w := simulate(m)
	w.tick(0, 0)
	rest, err := motion.Between(strings.Fields(bothCarts), []float64{0, 0}, []float64{0.1, 0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{monitor: w.monitor, loader: &loader{model: m}}
	q := &question{plan: &jtc.Plan{Start: n.now(), Motion: rest}, stamp: n.now(), controller: controller{handover: timeout}, forward: &forwarding{era: n.monitor.epoch()}}
	p := &passage{node: n, q: q, running: q.plan}
	p.course.Store(&course{node: n, members: []*passage{p}, model: m, rest: rest})
	w.live(5 * time.Second)
	if p.Over() {
		t.Error("it is over in no time")
	}
	if err := p.Ready(); err == nil || !strings.Contains(err.Error(), "stood still") {
		t.Errorf("without a clock: %v", err)
	}
	q.forward.era = n.monitor.epoch() // judged when it stood still
	if err := p.Ready(); err == nil || !strings.Contains(err.Error(), "stands still") {
		t.Errorf("without a clock: %v", err)
	}
	w.tick(50*ms, ms)
	if err := p.Ready(); err != nil {
		t.Error(err)
	}
	w.tick(100*ms, ms)
	if err := p.Ready(); err == nil || !strings.Contains(err.Error(), "longer than the motion that runs") {
		t.Errorf("too late: %v", err)
	}
	w.tick(900*ms, ms)
	if p.Over() {
		t.Error("it is over after 1.05 s, although the controller may have begun 0.1 s late")
	}
	w.tick(100*ms, ms)
	if p.Over() {
		t.Error("it is over, although where the robot is has not been measured")
	}
	w.measure(0, 0.1, 0)
	q.forward.era = n.monitor.epoch() // the steps above are pauses of the clock
	if !p.Over() {
		t.Error("it is not over after 1.15 s")
	}
}

// A motion that ends where it begins is not over before it has begun, however late that is.
func TestThereAndBackIsOverOnceItIsFollowed(t *testing.T) {
	m, w, n := simulatedNode(t)
	way, err := motion.Path(strings.Fields(bothCarts), [][]float64{{0, 0}, {0, 0.5}, {0, 0}}, []float64{0, 0.2, 0.4})
	if err != nil {
		t.Fatal(err)
	}
	q := &question{plan: &jtc.Plan{Start: n.now(), Motion: way}, stamp: time.Unix(0, 0), controller: controller{handover: 50 * ms}}
	q.forward, q.judged.model, q.judged.way = &forwarding{era: n.monitor.epoch()}, m, way
	p := n.newPassage(q, []string{"right_x"}, 0.05)
	p.sent = n.now()
	p.Begin()
	after := func(elapsed int, x float64) {
		for range elapsed / 10 {
			w.tick(10*ms, 10*ms)
		}
		w.measure(0, 0, x)
		if err := p.Watch(t.Context()); err != nil {
			t.Fatalf("at %g: %v", x, err)
		}
	}
	after(1000, 0)
	if p.Over() {
		t.Error("it is over, and the cart has not moved")
	}
	for _, x := range []float64{0.1, 0.25, 0.4, 0.5, 0.4, 0.25, 0.1} {
		if after(40, x); p.Over() {
			t.Errorf("it is over with the cart at %g", x)
		}
	}
	if after(40, 0); !p.Over() {
		t.Error("it is not over when it has been followed to its end")
	}
}

// In random episodes, a state that is neither UNKNOWN nor COLLISION is never published unless
// the clock advanced within the last second, and each joint was measured within the timeout by
// /clock and since the time broke last.
func TestNothingStaleIsFreeInSimulatedTime(t *testing.T) {
	race.LeaveOut(t)
	m := railModel(t)
	free := 0
	for seed := range uint64(300) {
		e := &simEpisode{simulated: simulate(m), random: rand.New(rand.NewPCG(seed, 1)), said: -1, last: -1}
		publish := e.publish
		e.publish = func(s *fcmsgs.CollisionState) {
			publish(s)
			if s.Level != fcmsgs.CollisionStateUnknown && s.Level != fcmsgs.CollisionStateCollision {
				free++
				if why := e.why(); why != "" {
					t.Errorf("seed %d: level %d, but %s", seed, s.Level, why)
				}
			}
		}
		for range 80 {
			e.happen()
			e.step(context.Background(), true)
		}
	}
	if free < 1000 {
		t.Errorf("only %d states tell of a distance", free)
	}
}

// simEpisode is a simulator that is paused, reset and slow, and the witness of what the monitor
// may know.
type simEpisode struct {
	*simulated
	random *rand.Rand
	paused bool
	said   time.Duration // newest value on /clock; negative if there is none that counts
	last   time.Duration // newest value on /clock
	moved  time.Duration // true time when it advanced
	stamps [2]time.Duration
	known  [2]bool
}

func (e *simEpisode) broken() { e.known = [2]bool{} }

func (e *simEpisode) happen() {
	real := []time.Duration{1, 5, 10, 20, 40, 300}[e.random.IntN(6)] * ms
	switch e.random.IntN(40) {
	case 0:
		e.paused = !e.paused
	case 1: // the simulator starts again
		e.sim, e.paused = time.Duration(e.random.IntN(1000))*ms, false
	case 2: // it goes ahead
		e.sim += []time.Duration{50 * ms, 150 * ms, time.Minute}[e.random.IntN(3)]
	case 3: // the process is paused
		e.clock += 2 * time.Second
		e.broken()
		e.said = -1
	}
	e.live(real)
	if !e.paused {
		e.sim += time.Duration(float64(real) * []float64{0.01, 1, 1, 1, 3}[e.random.IntN(5)])
	}
	if e.random.IntN(8) > 0 {
		e.publishClock()
	}
	for j, name := range [2]string{"left_x", "right_x"} {
		if e.random.IntN(3) > 0 {
			e.measureJoint(j, name)
		}
	}
}

func (e *simEpisode) publishClock() {
	if e.said >= 0 && (e.sim < e.said || e.sim-e.said > e.limits.pause() || e.clock-e.moved > time.Second) {
		e.broken()
	}
	if e.sim != e.last {
		e.said, e.last, e.moved = e.sim, e.sim, e.clock
	}
	e.hearClock(&rosgraphmsgs.Clock{Clock: simStamp(e.sim)}, ros.MessageInfo{SourceTime: e.now().Add(1)})
}

func (e *simEpisode) measureJoint(j int, name string) {
	if e.clock-e.moved > time.Second {
		e.broken()
	}
	stamp := e.sim - []time.Duration{0, 0, 5, 50, 99, 120}[e.random.IntN(6)]*ms
	m := &sensormsgs.JointState{Name: []string{name}, Position: []float64{0}}
	m.Header.Stamp = simStamp(stamp)
	e.receive(m, e.now().Add(1))
	if e.said >= 0 && stamp != 0 { // zero is none
		e.stamps[j], e.known[j] = stamp, true
	}
}

// why says why nothing may be known now.
func (e *simEpisode) why() string {
	switch {
	case e.said < 0:
		return "/clock is absent"
	case e.clock-e.moved > time.Second:
		return fmt.Sprintf("/clock stands still for %v", e.clock-e.moved)
	}
	for j := range e.known {
		if old := e.said - e.stamps[j]; !e.known[j] || old > timeout {
			return fmt.Sprintf("joint %d was measured %v ago (known %v)", j, old, e.known[j])
		}
	}
	return ""
}

func TestSimulatedTime(t *testing.T) {
	t.Parallel()
	testSimulatedTime(t, inMemory())
}

// testSimulatedTime plays the robot in the time of a simulator that is slower than the system's
// clock, is paused, and starts again.
func testSimulatedTime(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t, "-p", "use_sim_time:=true")...)
	clock := advertise[rosgraphmsgs.Clock](r, "/clock")
	_, at := r.waitLevel(0, timeUnknown, "nothing has come on /clock yet")
	var paused, again atomic.Bool
	now := 50 * time.Second
	r.play(func() *sensormsgs.JointState {
		if again.Swap(false) {
			now = time.Second
		}
		if !paused.Load() {
			now += streamPeriod / 3
		}
		if err := clock.Publish(&rosgraphmsgs.Clock{Clock: simStamp(now)}); err != nil {
			t.Error(err)
		}
		m := carts2(0, 0)
		m.Header.Stamp = simStamp(now)
		return m
	})
	s, at := r.waitLevel(at, timeFree, "")
	if s.Header.Stamp.Sec < 50 || s.Header.Stamp.Sec > 200 || s.OldestSource.Sec < 50 || s.OldestSource.Sec > 200 {
		t.Errorf("the state is stamped %v, from %v", s.Header.Stamp, s.OldestSource)
	}
	paused.Store(true)
	_, at = r.waitLevel(at, timeUnknown, "clock") // it stands still, or it has since the process was kept waiting
	paused.Store(false)
	s, at = r.waitLevel(at, timeFree, "")
	unchecked := s.MotionsUnchecked
	again.Store(true)
	r.states.wait(at, "in the new time", func(s *fcmsgs.CollisionState) bool {
		return s.Level == timeFree && s.Header.Stamp.Sec < 50 && s.MotionsUnchecked > unchecked
	})
}
