package node

import (
	"context"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/lifecycle"
	"github.com/firstcontact-ros/firstcontact/node/selftest"
)

// manager asks the node under test for transitions.
type manager struct {
	*robot
	change *ros.Client[lifecyclemsgs.ChangeStateRequest, lifecyclemsgs.ChangeStateResponse]
	get    *ros.Client[lifecyclemsgs.GetStateRequest, lifecyclemsgs.GetStateResponse]
}

func (r *robot) manage() *manager {
	r.Helper()
	m := &manager{robot: r}
	var err error
	if m.change, err = ros.NewClient[lifecyclemsgs.ChangeStateRequest, lifecyclemsgs.ChangeStateResponse](r.node, "firstcontact/change_state", ros.ServiceQoS); err != nil {
		r.Fatal(err)
	}
	if m.get, err = ros.NewClient[lifecyclemsgs.GetStateRequest, lifecyclemsgs.GetStateResponse](r.node, "firstcontact/get_state", ros.ServiceQoS); err != nil {
		r.Fatal(err)
	}
	if err := m.change.Wait(r.soon()); err != nil {
		r.Fatal(err)
	}
	return m
}

// ask asks for a transition and reports whether it was made.
func (m *manager) ask(label string) bool {
	m.Helper()
	a, err := m.change.Call(m.soon(), &lifecyclemsgs.ChangeStateRequest{Transition: lifecyclemsgs.Transition{Label: label}})
	if err != nil {
		m.Fatalf("%s: %v", label, err)
	}
	return a.Success
}

func (m *manager) must(labels ...string) {
	m.Helper()
	for _, label := range labels {
		if !m.ask(label) {
			m.Fatalf("%s is refused or fails", label)
		}
	}
}

func (m *manager) at(want lifecycle.State) {
	m.Helper()
	a, err := m.get.Call(m.soon(), &lifecyclemsgs.GetStateRequest{})
	if err != nil || a.CurrentState.ID != uint8(want) {
		m.Errorf("the node is %+v, %v; want %s", a, err, want)
	}
}

// verdict asks about a motion that is free.
func (m *manager) verdict(id string) *fcmsgs.Verdict {
	m.Helper()
	m.publish(m.pair.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: []float64{0.1, 0}}))
	return m.waitVerdict(id)
}

// withheld checks that from the state that tells why on all are UNKNOWN, and verdicts UNDECIDED.
func (m *manager) withheld(why string) {
	m.Helper()
	_, from := m.waitLevel(m.states.count(), levelUnknown, why)
	if v := m.verdict(why); v.Status != fcmsgs.VerdictUndecided || !strings.Contains(v.Message, why) {
		m.Errorf("a verdict of status %d: %s", v.Status, v.Message)
	}
	time.Sleep(100 * ms)
	m.states.mu.Lock()
	defer m.states.mu.Unlock()
	for _, s := range m.states.items[from:] {
		if s.Level != levelUnknown {
			m.Errorf("%s: a state of level %d: %s", why, s.Level, s.Reason)
		}
	}
}

func TestLifecycle(t *testing.T) {
	t.Parallel()
	testLifecycle(t, inMemory())
}

func testLifecycle(t *testing.T, g *graph) {
	dir := t.TempDir()
	urdf, scene := filepath.Join(dir, "carts.urdf"), filepath.Join(dir, "wall.yaml")
	write(t, urdf, railURDF)
	write(t, scene, railScene)
	m := g.newRobot(t, "-p", "robot_description_file:="+urdf, "-p", "scene:="+scene, "-p", "autostart:=false").manage()
	m.rest()
	m.at(lifecycle.Unconfigured)
	m.withheld("unconfigured")
	for _, label := range []string{lifecycle.Activate, lifecycle.Deactivate, lifecycle.Cleanup, "transition_success"} {
		if m.ask(label) {
			t.Errorf("%s while unconfigured", label)
		}
	}
	m.must(lifecycle.Configure)
	m.at(lifecycle.Inactive)
	m.withheld("inactive")
	m.must(lifecycle.Activate)
	m.at(lifecycle.Active)
	m.waitLevel(m.states.count(), levelFree, "")
	if v := m.verdict("active"); v.Status != fcmsgs.VerdictFree {
		t.Errorf("while active: status %d: %s", v.Status, v.Message)
	}
	m.must(lifecycle.Deactivate)
	m.withheld("inactive")
	m.must(lifecycle.Activate)
	m.waitLevel(m.states.count(), levelFree, "")

	// Another scene, and a model that cannot be loaded.
	m.must(lifecycle.Deactivate, lifecycle.Cleanup)
	m.withheld("unconfigured")
	write(t, scene, "nonsense")
	if m.ask(lifecycle.Configure) {
		t.Error("configured without a scene")
	}
	m.at(lifecycle.Unconfigured)
	write(t, scene, strings.Replace(railScene, "[3, 0, 0]", "[0.05, 0, 0]", 1))
	m.must(lifecycle.Configure, lifecycle.Activate)
	m.waitLevel(m.states.count(), fcmsgs.CollisionStateCollision, "wall")
	m.must(lifecycle.Shutdown)
	m.at(lifecycle.Finalized)
	m.withheld("shut down")
}

// A model that cannot be loaded ends a node that starts by itself, as a launch file expects.
func TestAutostartFailsWithTheModel(t *testing.T) {
	args, err := ros.ParseArgs([]string{"--ros-args", "-p", "robot_description_file:=nowhere.urdf"})
	if err != nil {
		t.Fatal(err)
	}
	n, err := New(ros.NewMemory(), Options{Args: args, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if err := n.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "nowhere.urdf") {
		t.Errorf("Run: %v", err)
	}
}

// Without a description on the topic configuring fails in time, and nothing is loaded before.
func TestConfigureWaitsForTheTopic(t *testing.T) {
	t.Parallel()
	m := inMemory().newRobot(t, "-p", "autostart:=false", "-p", "robot_description_timeout:=0.3").manage()
	m.rest()
	if m.ask(lifecycle.Configure) {
		t.Error("configured without a robot")
	}
	m.at(lifecycle.Unconfigured)
	pub, err := ros.Advertise[stdmsgs.String](m.node, "robot_description", ros.LatchedQoS)
	if err != nil {
		t.Fatal(err)
	}
	m.publish(pub.Publish(&stdmsgs.String{Data: railURDF}))
	for !m.ask(lifecycle.Configure) { // the text may not have arrived yet
		m.at(lifecycle.Unconfigured)
	}
	m.withheld("inactive")
	m.must(lifecycle.Activate)
	m.waitLevel(m.states.count(), levelFree, "")
	m.must(lifecycle.Deactivate, lifecycle.Cleanup, lifecycle.Configure, lifecycle.Activate) // by the same text
	m.waitLevel(m.states.count(), levelFree, "")
}

// A program whose self-test fails never becomes active.
func TestSelfTestKeepsTheNodeInactive(t *testing.T) {
	t.Parallel()
	g, log := inMemory(), &lines{}
	wrong := func() []selftest.Question {
		q := selftest.Questions()
		q[0].Status = motion.Free
		return q
	}
	g.startNode = func(t *testing.T, g *graph, args []string) {
		parsed, err := ros.ParseArgs(append([]string{"--ros-args"}, args...))
		if err != nil {
			t.Fatal(err)
		}
		n, err := New(g.transport, Options{Args: parsed, Logger: ros.NewLogger(log, "firstcontact", ros.LevelInfo)})
		if err != nil {
			t.Fatal(err)
		}
		n.life.questions = wrong
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- n.Run(ctx) }()
		t.Cleanup(func() {
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
			n.Close()
		})
	}
	m := g.newRobot(t, railArgs(t)...).manage()
	m.rest()
	m.withheld(untrusted)
	m.at(lifecycle.Inactive)
	if m.ask(lifecycle.Activate) {
		t.Error("activated although an answer is wrong")
	}
	m.withheld(untrusted)
	if !strings.Contains(log.String(), "[FATAL]") || !strings.Contains(log.String(), selftest.Questions()[0].Name) {
		t.Errorf("the log:\n%s", log)
	}
}

// Whatever is asked for in whatever order: FREE is published only between an activation and the
// next deactivation, and nothing is left behind.
func TestTransitionsAtRandom(t *testing.T) {
	m := inMemory().newRobot(t, railArgs(t, "-p", "check_rate:=500.0")...).manage()
	m.rest()
	m.waitLevel(0, levelFree, "")
	m.must(lifecycle.Deactivate, lifecycle.Cleanup)
	m.withheld("unconfigured")
	before, state := runtime.NumGoroutine(), lifecycle.Unconfigured
	draw := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	labels := []string{lifecycle.Configure, lifecycle.Activate, lifecycle.Deactivate, lifecycle.Cleanup}
	for range 200 {
		label, next := labels[draw.IntN(len(labels))], state
		switch {
		case label == lifecycle.Configure && state == lifecycle.Unconfigured, label == lifecycle.Deactivate && state == lifecycle.Active:
			next = lifecycle.Inactive
		case label == lifecycle.Activate && state == lifecycle.Inactive:
			next = lifecycle.Active
		case label == lifecycle.Cleanup && state == lifecycle.Inactive:
			next = lifecycle.Unconfigured
		}
		from := m.states.count()
		if made := m.ask(label); made != (next != state) {
			t.Fatalf("%s from %s: %v", label, state, made)
		}
		if label == lifecycle.Deactivate && next != state {
			_, from = m.waitLevel(from, levelUnknown, "inactive")
		}
		time.Sleep(time.Duration(draw.IntN(10)) * ms)
		if state != lifecycle.Active && next != lifecycle.Active || label == lifecycle.Deactivate && next != state {
			m.states.mu.Lock()
			for _, s := range m.states.items[from:] {
				if s.Level != levelUnknown {
					t.Errorf("%s, then %s: level %d: %s", state, label, s.Level, s.Reason)
				}
			}
			m.states.mu.Unlock()
		}
		state = next
	}
	m.hush()
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before+5; time.Sleep(ms) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// Cleaning up frees the model.
func TestCleanupFreesTheModel(t *testing.T) {
	args, err := ros.ParseArgs(append([]string{"--ros-args"}, railArgs(t)...))
	if err != nil {
		t.Fatal(err)
	}
	n, err := New(ros.NewMemory(), Options{Args: args, Logger: ros.NewLogger(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	defer func() {
		stop()
		<-done
		n.Close()
	}()
	freed := make(chan struct{})
	for n.life.State() != lifecycle.Active {
		time.Sleep(ms)
	}
	runtime.SetFinalizer(n.loader.kept(), func(*model) { close(freed) })
	for _, label := range []string{lifecycle.Deactivate, lifecycle.Cleanup} {
		if err := n.life.Change(ctx, label, 0); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * ms) {
		runtime.GC()
		select {
		case <-freed:
			return
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the model is still there")
		}
	}
}
