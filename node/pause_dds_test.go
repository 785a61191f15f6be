//go:build cyclone && cgo

package node

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// The node's process is stopped and goes on, while its publisher goes on or is silent,
// with stamps and without, fresh and nearly as old as the timeout. By the clock of the
// write no state that is neither UNKNOWN nor COLLISION is of anything older than the
// timeout, unless it was caught on its way out: then UNKNOWN follows.
func TestPausesOverDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a quarter of a minute")
	}
	t.Parallel()
	g := overDDS()
	var node *process
	g.startNode = func(t *testing.T, g *graph, args []string) { node = g.startNodeProcess(t, args) }
	r := g.newRobot(t, railArgs(t, shortlyFresh...)...)
	h := hear(r)
	bare := func() *sensormsgs.JointState {
		m := carts2(0, 0)
		m.Header.Stamp = builtininterfaces.Time{}
		return m
	}
	lagging := func() *sensormsgs.JointState { return stamped(carts2(0, 0), -85*ms) }
	type publisher struct {
		says        func() *sensormsgs.JointState
		nearlyStale bool
	}
	for i, publisher := range []publisher{{bare, false}, {lagging, true}, {fresh, false}, {bare, false}, {fresh, false}, {bare, false}, {lagging, true}, {fresh, false}} {
		r.play(publisher.says)
		_, at := r.waitLevel(r.states.count(), levelFree, "")
		time.Sleep(time.Duration(rand.IntN(50)) * ms)
		dies := i%2 == 0
		h.pause(node, time.Duration(150+rand.IntN(700))*ms, func() {
			if dies {
				r.hush()
			}
		})
		_, next := r.waitLevel(at, levelUnknown, "")
		if dies {
			time.Sleep(150 * ms)
			s, next := r.waitLevel(next, levelUnknown, "")
			unchecked := s.MotionsUnchecked
			r.play(publisher.says)
			s, _ = r.waitLevel(next, levelFree, "")
			// Of stamps nearly as old as the timeout each that a busy machine brings 15 ms late is one more, rightly.
			if s.MotionsUnchecked <= unchecked || s.MotionsUnchecked > unchecked+1 && !publisher.nearlyStale {
				t.Errorf("publisher %d: %d motions unchecked in the pause and %d after: want one more", i, unchecked, s.MotionsUnchecked)
			}
		}
	}
	h.check(t)
}

// shortlyFresh is the default, which these tests hold the node to.
var shortlyFresh = []string{"-p", "joint_state_timeout:=0.1"}

func fresh() *sensormsgs.JointState { return carts2(0, 0) }

// heard is what was heard of a node's states, with when it wrote them.
type heard struct {
	mu     sync.Mutex
	states []*fcmsgs.CollisionState
	wrote  []time.Time
	pauses [][2]time.Time
}

func hear(r *robot) *heard {
	h := &heard{}
	_, err := ros.Subscribe(r.node, "firstcontact/state", ros.QoS{Depth: 1000}, func(m *fcmsgs.CollisionState, info ros.MessageInfo) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.states, h.wrote = append(h.states, m), append(h.wrote, info.SourceTime)
	})
	if err != nil {
		r.Fatal(err)
	}
	return h
}

// pause stops a process for some time; meanwhile comes halfway.
func (h *heard) pause(p *process, d time.Duration, meanwhile func()) {
	begin := time.Now()
	p.cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(d - 60*ms)
	meanwhile()
	time.Sleep(60 * ms)
	h.pauses = append(h.pauses, [2]time.Time{begin, time.Now()})
	p.cmd.Process.Signal(syscall.SIGCONT)
}

// check holds every state against the clock, and those after a pause against what was
// measured before its end.
func (h *heard) check(t *testing.T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var ages []time.Duration
	caught := 0
	for i, s := range h.states {
		if s.Level == levelUnknown || s.Level == fcmsgs.CollisionStateCollision {
			continue
		}
		oldest := earliest(s.Header.Stamp.Time(), s.OldestSource.Time())
		age := h.wrote[i].Sub(oldest)
		ages = append(ages, age)
		stale := ""
		if age > timeout {
			stale = fmt.Sprintf("is %v old when it is written", age)
		}
		for _, p := range h.pauses {
			if h.wrote[i].After(p[1]) && p[1].Sub(p[0]) > timeout && oldest.Before(p[1]) {
				stale = fmt.Sprintf("rests on what was measured %v before the end of a pause", p[1].Sub(oldest))
			}
		}
		switch {
		case stale == "":
		case i+1 < len(h.states) && h.states[i+1].Level == levelUnknown:
			caught++
		default:
			t.Errorf("state %d of %d, of level %d, %s", i, len(h.states), s.Level, stale)
		}
	}
	slices.Sort(ages)
	t.Logf("%d states, %d pauses; %d neither UNKNOWN nor COLLISION, %v old in the median and %v at most; %d were caught on their way out and taken back",
		len(h.states), len(h.pauses), len(ages), ages[len(ages)/2], ages[len(ages)-1], caught)
}

// Every joint state follows on a faulty one, so that every one begins a new chain, and
// they come at twice the check rate: each state is still about the newest.
func TestBreaksOverDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	r := overDDS().newRobot(t, railArgs(t, shortlyFresh...)...)
	h := hear(r)
	r.rest()
	r.waitLevel(0, levelFree, "")
	r.hush()
	sent := map[builtininterfaces.Time]time.Time{}
	tick := time.NewTicker(5 * ms)
	defer tick.Stop()
	for begin := time.Now(); time.Since(begin) < 3*time.Second; <-tick.C {
		broken, whole := carts2(0, math.NaN()), carts2(0, 0)
		sent[whole.Header.Stamp] = time.Now()
		r.publish(r.joints.Publish(broken))
		r.publish(r.joints.Publish(whole))
	}
	late := time.Now().Add(-time.Second)
	time.Sleep(200 * ms)
	h.check(t)
	h.mu.Lock()
	defer h.mu.Unlock()
	var latency []time.Duration
	inLastSecond := 0
	for i, s := range h.states {
		at, ok := sent[s.Header.Stamp]
		if !ok || s.Level != levelFree {
			continue
		}
		delete(sent, s.Header.Stamp) // it may be said again
		latency = append(latency, h.wrote[i].Sub(at))
		if h.wrote[i].After(late) {
			inLastSecond++
		}
	}
	slices.Sort(latency)
	if inLastSecond < 10 {
		t.Fatalf("%d of %d states in the last second are FREE", inLastSecond, len(latency))
	}
	t.Logf("%d joint states are told FREE, %d of them in the last of three seconds; %v after they were sent in the median, %v at most",
		len(latency), inLastSecond, latency[len(latency)/2], latency[len(latency)-1])
}

// Stamps are almost as old as the timeout: each state lives for some milliseconds, and
// every joint state begins a new chain.
func TestOldStampsOverDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	r := overDDS().newRobot(t, railArgs(t, shortlyFresh...)...)
	h := hear(r)
	r.rest()
	r.waitLevel(0, levelFree, "")
	r.hush()
	tick := time.NewTicker(10 * ms)
	defer tick.Stop()
	for begin := time.Now(); time.Since(begin) < 3*time.Second; <-tick.C {
		r.publish(r.joints.Publish(stamped(carts2(0, 0), -95*ms)))
	}
	time.Sleep(200 * ms)
	h.check(t)
}
