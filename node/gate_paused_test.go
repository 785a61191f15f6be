package node

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/rosgraphmsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// simulator publishes /clock each 5 ms while it runs.
type simulator struct {
	mu     sync.Mutex
	time   time.Duration
	paused bool
}

func (s *simulator) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Unix(0, 0).UTC().Add(s.time)
}

func (s *simulator) change(f func(*simulator)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s)
}

func (s *simulator) run(clock *ros.Publisher[rosgraphmsgs.Clock], done <-chan struct{}) {
	tick := time.NewTicker(5 * ms)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		s.mu.Lock()
		if !s.paused {
			s.time += 5 * ms
		}
		paused, stamp := s.paused, simStamp(s.time)
		s.mu.Unlock()
		if !paused {
			clock.Publish(&rosgraphmsgs.Clock{Clock: stamp})
		}
	}
}

// moving sends a goal that lasts a second and waits until it moves the cart.
func (g *gated) moving() <-chan ending {
	g.Helper()
	g.eventually()
	from := g.controller.At()["right_x"]
	id := action.NewID()
	accepted, _, err := g.user.Send(g.soon(), id, goalOf(bothCarts, []float64{1, 0, 0.5}))
	if err != nil || !accepted {
		g.Fatalf("accepted %v (%v)", accepted, err)
	}
	ends := make(chan ending, 1)
	go func() {
		status, r, err := g.user.Result(g.soon(), id)
		if err != nil {
			r = &gatetest.Result{ErrorString: err.Error()}
		}
		ends <- ending{status, r.ErrorCode, r.ErrorString}
	}()
	for g.controller.At()["right_x"] < from+0.01 {
		select {
		case e := <-ends:
			g.Fatalf("the goal ends %v: %q", e.status, e.text)
		case <-time.After(ms):
		}
	}
	return ends
}

// eventually brings the right cart to 0: soon after a fault of the clock goals are free again.
func (g *gated) eventually() {
	g.Helper()
	for end := time.Now().Add(patience); ; {
		status, r := g.sent(action.NewID(), goalOf(bothCarts, []float64{0.05, 0, 0}))
		if status == action.Succeeded {
			return
		}
		if time.Now().After(end) {
			g.Fatalf("a goal ends %v: %q", status, r.ErrorString)
		}
	}
}

// In a simulator's time a goal goes on after a short pause. It is canceled when the clock stands
// still for longer, or jumps: what the controller does then is not known. No goal waits for ever,
// and none that collides, or comes while there is no time, reaches the controller.
func TestGateUnderSimulatedPauses(t *testing.T) {
	t.Parallel() // it waits for clocks
	sim := &simulator{time: 100 * time.Second, paused: true}
	g := newGatedIn(t, inMemory(), sim.now, "-p", "use_sim_time:=true", "-p", "joint_state_timeout:=2.0")
	clock, err := ros.Advertise[rosgraphmsgs.Clock](g.node, "/clock", ros.ClockQoS)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	g.refused(goalOf(bothCarts, []float64{0.2, 0, 0.1}), "UNDECIDED: ")
	go sim.run(clock, done)
	pause := func(paused bool) { sim.change(func(s *simulator) { s.paused = paused }) }
	pause(false)

	ends := g.moving()
	pause(true)
	time.Sleep(300 * ms)
	pause(false)
	if e := <-ends; e.status != action.Succeeded {
		t.Errorf("after a short pause the goal ends %v: %q", e.status, e.text)
	}
	for name, happens := range map[string]func(){
		"set back":     func() { sim.change(func(s *simulator) { s.time -= 20 * time.Second }) },
		"set ahead":    func() { sim.change(func(s *simulator) { s.time += 20 * time.Second }) },
		"stands still": func() { pause(true) },
	} {
		running := g.moving()
		happens()
		e := <-running
		ends := name == "set ahead" && e.status == action.Succeeded // at once, by the controller's clock
		if !ends && (e.status != action.Aborted || !strings.HasPrefix(e.text, "canceled: ")) {
			t.Errorf("%s: the goal ends %v: %q", name, e.status, e.text)
		}
		g.refused(goalOf(bothCarts, []float64{0.2, 0, -1}), "")
		if name == "stands still" {
			g.refused(goalOf(bothCarts, []float64{0.2, 0, 0.1}), "UNDECIDED: ")
			pause(false)
		}
	}
	g.eventually()
	g.refused(goalOf(bothCarts, []float64{0.2, 0, -1}), "CONTACT: ")
}
