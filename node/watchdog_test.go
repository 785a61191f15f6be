package node

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// dog is a watchdog whose clock and monitor the test moves.
type dog struct {
	*watchdog
	clock          time.Time
	said, progress uint64
}

func newDog(rate float64, timeout time.Duration) *dog {
	d := &dog{clock: epoch}
	d.watchdog = newWatchdog(limits{rate: rate, timeout: timeout}, func() uint64 { return d.said }, func() uint64 { return d.progress })
	d.now = func() time.Time { return d.clock }
	return d
}

// after looks again after some time.
func (d *dog) after(t time.Duration) alarm {
	d.clock = d.clock.Add(t)
	return d.look()
}

// live looks at every tick while the monitor works.
func (d *dog) live(t *testing.T, during time.Duration) {
	t.Helper()
	for passed := time.Duration(0); passed < during; passed += d.tick {
		if d.said++; d.after(d.tick) > calm {
			t.Fatalf("%v after its start a monitor that speaks is not left alone", passed)
		}
	}
}

// until looks at every tick until something is found, and returns how long it
// took.
func (d *dog) until(t *testing.T, want alarm) time.Duration {
	t.Helper()
	begin := d.clock
	for range 100000 {
		if found := d.after(d.tick); found == want {
			return d.clock.Sub(begin)
		}
	}
	t.Fatalf("finding %d does not come", want)
	return 0
}

func TestWatchdogSpeaksAfterThreePeriods(t *testing.T) {
	for _, rate := range []float64{1, 50, 100, 300} {
		d := newDog(rate, 100*ms)
		d.live(t, time.Second)
		if took := d.until(t, silent); took < d.period*3 || took > d.period*4 {
			t.Errorf("%g Hz: UNKNOWN is said after %v", rate, took)
		}
		// Again at every period, until the monitor is back.
		for range 5 {
			if took := d.until(t, silent); (took - d.period).Abs() > time.Microsecond {
				t.Errorf("%g Hz: UNKNOWN is said again after %v", rate, took)
			}
		}
		d.said++
		if found := d.after(d.tick); found != back {
			t.Errorf("%g Hz: finding %d where the monitor is back", rate, found)
		}
		d.live(t, time.Second)
	}
}

func TestWatchdogGivesUp(t *testing.T) {
	for _, c := range []struct {
		rate            float64
		timeout, during time.Duration
	}{
		{100, 100 * ms, 2 * time.Second},
		{1, 100 * ms, 20 * time.Second},
		{100, 3 * time.Second, 12 * time.Second},
	} {
		d := newDog(c.rate, c.timeout)
		d.live(t, time.Second)
		if took := d.until(t, stuck); took < c.during-d.tick || took > c.during+2*d.tick {
			t.Errorf("%g Hz, timeout %v: given up after %v", c.rate, c.timeout, took)
		}
	}
}

// A monitor that judges for long, step by step, is silent but not stuck.
func TestWatchdogBearsWithProgress(t *testing.T) {
	d := newDog(100, 100*ms)
	d.live(t, time.Second)
	for step := range 1000 {
		if d.after(d.tick) == stuck {
			t.Fatalf("given up at step %d", step)
		}
		if step%50 == 0 {
			d.progress++
		}
	}
}

// After a pause of the process the monitor is left as much time as ever, however
// long the pause was and whatever was found before.
func TestWatchdogForgivesPauses(t *testing.T) {
	for _, pause := range []time.Duration{40 * ms, time.Second, time.Hour} {
		for before := range 6 {
			d := newDog(100, 100*ms)
			d.live(t, time.Second)
			for range before {
				if d.after(d.tick) != calm {
					t.Fatal("it barks early")
				}
			}
			if found := d.after(pause); found != calm {
				t.Fatalf("finding %d at once after a pause of %v", found, pause)
			}
			if took := d.until(t, silent); took < 25*ms {
				t.Errorf("UNKNOWN is said %v after a pause of %v", took, pause)
			}
		}
	}
	// Nor do many pauses add up to a stuck monitor.
	d := newDog(100, 100*ms)
	for range 150 {
		d.said++
		if found := d.after(time.Second); found == stuck {
			t.Fatal("given up for pauses")
		}
	}
}

// stuckNode is a node on rails of which the monitor gets stuck.
type stuckNode struct {
	*Node
	robot *robot
	log   *lines
	done  chan error
}

// hangs starts a node, waits until it is FREE, and lets it hang. What prepare does ends
// with release.
func hangs(t *testing.T, prepare func(n *Node, hung *atomic.Bool, release <-chan struct{})) *stuckNode {
	t.Helper()
	g := inMemory()
	var hung atomic.Bool
	release := make(chan struct{})
	s := &stuckNode{log: &lines{}, done: make(chan error, 1)}
	g.startNode = func(t *testing.T, g *graph, args []string) {
		parsed, err := ros.ParseArgs(append([]string{"--ros-args"}, args...))
		if err != nil {
			t.Fatal(err)
		}
		s.Node, err = New(g.transport, Options{Args: parsed, Env: g.env, Logger: ros.NewLogger(s.log, "firstcontact", ros.LevelInfo)})
		if err != nil {
			t.Fatal(err)
		}
		prepare(s.Node, &hung, release)
		ctx, stop := context.WithCancel(context.Background())
		go func() { s.done <- s.Run(ctx) }()
		t.Cleanup(func() {
			stop()
			close(release)
			s.Close()
		})
	}
	s.robot = g.newRobot(t, railArgs(t)...)
	s.robot.rest()
	s.robot.waitLevel(0, levelFree, "")
	hung.Store(true)
	return s
}

func (s *stuckNode) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(patience):
		t.Fatal("Run does not return")
	}
	return nil
}

// onStack reports whether a function is running.
func onStack(function string) bool { return strings.Contains(string(debug.Stack()), function) }

// The monitor gets stuck in each of the places in which it can. UNKNOWN is
// published for it, on every topic, and the node ends with an internal error.
func TestStuckMonitor(t *testing.T) {
	t.Parallel()
	stop := func(hung *atomic.Bool, release <-chan struct{}) {
		if hung.Load() {
			<-release
		}
	}
	for name, prepare := range map[string]func(n *Node, hung *atomic.Bool, release <-chan struct{}){
		"without a lock": func(n *Node, hung *atomic.Bool, release <-chan struct{}) {
			n.monitor.now = func() time.Time {
				if hung.Load() && onStack(").say(") && !onStack(").settle(") {
					<-release
				}
				return time.Now()
			}
		},
		"holding its lock": func(n *Node, hung *atomic.Bool, release <-chan struct{}) {
			n.monitor.now = func() time.Time {
				if hung.Load() && onStack(").next(") {
					<-release
				}
				return time.Now()
			}
		},
		"as it publishes": func(n *Node, hung *atomic.Bool, release <-chan struct{}) {
			publish := n.monitor.publish
			n.monitor.publish = func(s *fcmsgs.CollisionState) {
				stop(hung, release)
				publish(s)
			}
		},
		"on a plain topic": func(n *Node, hung *atomic.Bool, release <-chan struct{}) {
			topic := n.out.states.topics[2]
			write := topic.write
			topic.write = func(s *fcmsgs.CollisionState) error {
				stop(hung, release)
				return write(s)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := hangs(t, prepare)
			begin := time.Now()
			_, at := s.robot.waitLevel(s.robot.states.count(), levelUnknown, "the monitor has published nothing for 0.0")
			t.Logf("UNKNOWN comes after %v", time.Since(begin))
			s.robot.free.wait(s.robot.free.count(), "false", func(m *stdmsgs.Bool) bool { return !m.Data })
			if err := s.wait(t); !errors.Is(err, ErrInternal) || !strings.Contains(err.Error(), "no progress") {
				t.Errorf("Run returns %v", err)
			}
			t.Logf("given up after %v", time.Since(begin))
			s.robot.heldUnknown(at, s.robot.states.count())
			if !strings.Contains(s.log.String(), "[ERROR]") || !strings.Contains(s.log.String(), "published no state for 0.0") {
				t.Errorf("the log says\n%s", s.log)
			}
		})
	}
}

// A monitor that wakes up after it was given up does not have the last word.
func TestLastWordIsUnknown(t *testing.T) {
	t.Parallel()
	var wake atomic.Bool
	s := hangs(t, func(n *Node, hung *atomic.Bool, release <-chan struct{}) {
		write := n.out.states.topics[1].write
		n.out.states.topics[1].write = func(m *fcmsgs.CollisionState) error {
			for hung.Load() && !wake.Load() {
				time.Sleep(ms)
			}
			return write(m)
		}
	})
	if err := s.wait(t); !errors.Is(err, ErrInternal) {
		t.Errorf("Run returns %v", err)
	}
	count := s.robot.states.count()
	wake.Store(true)
	time.Sleep(100 * ms)
	if later := s.robot.states.count(); later > count {
		s.robot.heldUnknown(count, later)
	}
}

// A monitor that stops for a while is spoken for, and comes back.
func TestMonitorComesBack(t *testing.T) {
	t.Parallel()
	s := hangs(t, func(n *Node, hung *atomic.Bool, release <-chan struct{}) {
		publish := n.monitor.publish
		n.monitor.publish = func(m *fcmsgs.CollisionState) {
			if hung.CompareAndSwap(true, false) {
				time.Sleep(200 * ms)
			}
			publish(m)
		}
	})
	_, at := s.robot.waitLevel(s.robot.states.count(), levelUnknown, "the monitor has published nothing")
	s.robot.waitLevel(at, levelFree, "")
	for deadline := time.Now().Add(patience); !strings.Contains(s.log.String(), "the monitor is back after a silence of"); time.Sleep(ms) {
		if time.Now().After(deadline) {
			t.Fatalf("the log says\n%s", s.log)
		}
	}
	select {
	case err := <-s.done:
		t.Errorf("Run returns %v", err)
	default:
	}
}
