package node

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestPlainTopics(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t)...)
	right := 0.0
	at := 0
	for _, c := range []struct {
		right float64
		level uint8
		free  bool
	}{
		{0, levelFree, true},
		{-0.76, fcmsgs.CollisionStateWarn, true},
		{-0.795, fcmsgs.CollisionStateStop, true},
		{-0.9, fcmsgs.CollisionStateCollision, false},
	} {
		right = c.right
		r.play(func() *sensormsgs.JointState { return carts2(0, c.right) })
		_, at = r.waitLevel(at, c.level, "")
		r.free.wait(r.free.count(), "of this level", func(m *stdmsgs.Bool) bool { return m.Data == c.free })
		r.distance.wait(r.distance.count(), "of this level", func(m *stdmsgs.Float64) bool {
			want := min(gap(0, right), 0.5)
			stops := c.level == fcmsgs.CollisionStateStop // the search does, and other pairs may be anywhere
			return m.Data <= want+1e-9 && (stops || m.Data >= want*(1-tolerance)-1e-9)
		})
	}
}

func TestStatesComeAtTheCheckRate(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "check_rate:=50.0")...)
	begin, n := time.Now(), r.states.count()
	_, _ = r.states.wait(n+49, "the fiftieth", func(*fcmsgs.CollisionState) bool { return true })
	// Never faster than the rate; how much slower is up to the machine.
	if took := time.Since(begin); took < 900*ms {
		t.Errorf("50 states at 50 Hz take %v", took)
	}
}

// A panic in a callback ends the node with an internal error.
func TestFaultInACallback(t *testing.T) {
	g := inMemory()
	n, err := New(g.transport, Options{Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	n.mustNotPanic(func() { panic("a fault") })
	n.mustNotPanic(func() { panic("another") })
	if err := n.Run(context.Background()); !errors.Is(err, ErrInternal) || !strings.Contains(err.Error(), "a fault") {
		t.Errorf("Run returns %v", err)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		n, err := New(ros.NewMemory(), Options{Logger: quiet(), Args: ros.Args{Parameters: []ros.Parameter{{Node: "/**", Name: "robot_description", Value: railURDF}}}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- n.Run(ctx) }()
		stop()
		if err := errors.Join(<-done, n.Close()); err != nil {
			t.Fatal(err)
		}
	}
	deadline := time.Now().Add(patience)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			buffer := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buffer[:runtime.Stack(buffer, true)])
		}
		time.Sleep(ms)
	}
}

func TestTrajectoryTopicsOfControllers(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "trajectory.topics:=[arm_controller]")...)
	r.waitModel()
	pub := advertise[trajectory](r, "arm_controller/joint_trajectory")
	m := path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 1})
	m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
	r.publish(pub.Publish(m))
	if v := r.waitVerdict(fmt.Sprintf("%s/arm_controller/joint_trajectory@%d.%09d", r.namespace, m.Header.Stamp.Sec, m.Header.Stamp.Nanosec)); v.Status != fcmsgs.VerdictFree {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
}

// What DDS drops before the monitor sees it is told.
func TestLossesAreTold(t *testing.T) {
	t.Parallel()
	transport := ros.NewMemory()
	log := &lines{}
	n, err := New(transport, Options{Logger: ros.NewLogger(log, "firstcontact", ros.LevelInfo)})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	driver, err := ros.NewNode(transport, ros.Options{Name: "driver", Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close()
	pub, err := ros.Advertise[sensormsgs.JointState](driver, "joint_states", ros.QoS{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- n.Run(ctx) }()
	publish := func(count int) {
		for range count {
			if err := pub.Publish(carts2(0, 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	publish(1)
	for n.states.Stats().Samples == 0 {
		time.Sleep(ms)
	}
	n.monitor.mu.Lock() // the monitor stands still while more come than history holds
	publish(2 * limit.RepairedSamples)
	n.monitor.mu.Unlock()
	for deadline := time.Now().Add(patience); !strings.Contains(log.String(), "joint states were lost in transport"); time.Sleep(10 * ms) {
		if time.Now().After(deadline) {
			t.Fatalf("nothing is said of the loss:\n%s", log)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A node that needs keys ends without them, however it lost them.
func TestSecurityIsRequired(t *testing.T) {
	args, err := ros.ParseArgs(strings.Fields("--ros-args -p security.required:=true"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []ros.Security{
		{},
		{Enforce: true, Keystore: "/keystore"}, // not enabled
		{Enabled: true, Keystore: "/nonexistent"},
	} {
		n, err := New(ros.NewMemory(), Options{Args: args, Env: ros.Environment{Security: s}, Logger: quiet()})
		if err == nil {
			n.Close()
		}
		if !errors.Is(err, errNotSecured) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
