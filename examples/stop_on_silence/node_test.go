//go:build cyclone && cgo

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

const patience = 30 * time.Second

// roleVariable makes the test binary be the node.
const roleVariable = "FIRSTCONTACT_TEST_NODE"

func TestMain(m *testing.M) {
	if os.Getenv(roleVariable) == "" {
		os.Exit(m.Run())
	}
	go func() { // the test holds the other end, also where it is killed
		io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	}()
	if err := runNode(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func runNode(args []string) error {
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	parsed, err := ros.ParseArgs(args)
	if err != nil {
		return err
	}
	n, err := node.New(cyclone.Transport{}, node.Options{Args: parsed, Env: env})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return errors.Join(n.Run(ctx), n.Close())
}

const carts = `<robot name="carts">
  <link name="rail"/>
  <link name="left"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="right"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <joint name="left_x" type="prismatic">
    <parent link="rail"/><child link="left"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="1" velocity="10"/>
  </joint>
  <joint name="right_x" type="prismatic">
    <parent link="rail"/><child link="right"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="1" velocity="10"/>
  </joint>
</robot>`

// cell is a node in another process, a robot, and the example, which stops it.
type cell struct {
	*testing.T
	env  []string
	node *exec.Cmd
	log  bytes.Buffer

	mu    sync.Mutex
	stops []stopAt
	news  chan struct{}
}

type stopAt struct {
	stop bool
	at   time.Time
}

func newCell(t *testing.T) *cell {
	c := &cell{T: t, news: make(chan struct{}, 1)}
	c.env = []string{
		fmt.Sprintf("ROS_DOMAIN_ID=%d", 101+os.Getpid()%100),
		"ROS_DISTRO=jazzy", "ROS_LOCALHOST_ONLY=1", "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST",
		fmt.Sprintf("CYCLONEDDS_URI=<CycloneDDS><Domain><Discovery><Tag>stop_on_silence_%d</Tag></Discovery></Domain></CycloneDDS>", os.Getpid()),
	}
	c.start()
	own := c.join("robot")
	_, err := ros.Subscribe(own, "stop", stopQoS, func(m *stdmsgs.Bool, _ ros.MessageInfo) { c.note(m.Data) })
	if err != nil {
		t.Fatal(err)
	}
	c.drive(own)
	c.works(c.join("stop_on_silence"))
	return c
}

// join makes a node of this process.
func (c *cell) join(name string) *ros.Node {
	c.Helper()
	env, err := ros.ReadEnvironment(func(variable string) (string, bool) {
		for _, v := range c.env {
			if value, ok := bytes.CutPrefix([]byte(v), []byte(variable+"=")); ok {
				return string(value), true
			}
		}
		return "", false
	})
	if err != nil {
		c.Fatal(err)
	}
	n, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: name, Env: env, Logger: ros.NewLogger(io.Discard, name, ros.LevelInfo)})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { n.Close() })
	return n
}

// start starts the node under watch.
func (c *cell) start() {
	c.Helper()
	binary, err := os.Executable()
	if err != nil {
		c.Fatal(err)
	}
	c.node = exec.Command(binary, "--ros-args", "-p", "robot_description:="+carts)
	c.node.Env = append(append(os.Environ(), c.env...), roleVariable+"=1")
	c.node.Stderr = &c.log
	held, err := c.node.StdinPipe()
	if err == nil {
		err = c.node.Start()
	}
	if err != nil {
		c.Fatal(err)
	}
	started := c.node
	c.Cleanup(func() {
		held.Close()
		started.Process.Kill()
		started.Wait()
		if c.Failed() {
			c.Logf("the node said:\n%s", &c.log)
		}
	})
}

// drive publishes joint states until the test ends.
func (c *cell) drive(n *ros.Node) {
	pub, err := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{})
	if err != nil {
		c.Fatal(err)
	}
	c.during(func(ctx context.Context) {
		for tick := time.NewTicker(10 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			m := &sensormsgs.JointState{Name: []string{"left_x", "right_x"}, Position: []float64{0, 0}}
			m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
			pub.Publish(m)
		}
	})
}

// works runs the example until the test ends.
func (c *cell) works(n *ros.Node) {
	c.during(func(ctx context.Context) {
		if err := watch(ctx, n); err != nil {
			c.Error(err)
		}
	})
}

func (c *cell) during(work func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	c.Cleanup(func() {
		stop()
		<-done
	})
}

func (c *cell) note(stop bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stops = append(c.stops, stopAt{stop, time.Now()})
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// moving waits until the robot may move, and has done so for a while.
func (c *cell) moving() {
	c.Helper()
	c.wait("let the robot move", func(s stopAt) bool { return !s.stop && time.Since(s.at) > 100*time.Millisecond })
}

// stopped returns how long after begin the robot was stopped.
func (c *cell) stopped(begin time.Time) time.Duration {
	c.Helper()
	return c.wait("stop the robot", func(s stopAt) bool { return s.stop && s.at.After(begin) }).Sub(begin)
}

// wait waits until the last word to the robot will do.
func (c *cell) wait(what string, ok func(stopAt) bool) time.Time {
	c.Helper()
	for patience := time.After(patience); ; {
		c.mu.Lock()
		if n := len(c.stops); n > 0 && ok(c.stops[n-1]) {
			defer c.mu.Unlock()
			return c.stops[n-1].at
		}
		c.mu.Unlock()
		select {
		case <-c.news:
		case <-time.After(10 * time.Millisecond):
		case <-patience:
			c.Fatalf("nothing does %s", what)
		}
	}
}

func (c *cell) signal(s syscall.Signal) time.Time {
	c.Helper()
	begin := time.Now()
	if err := c.node.Process.Signal(s); err != nil {
		c.Fatal(err)
	}
	return begin
}

// TestStopOnSilence stops the robot of a node that hangs and of one that is
// killed, within the deadline and what a busy machine adds to it.
func TestStopOnSilence(t *testing.T) {
	c := newCell(t)
	const rounds = 10
	var hung, killed []time.Duration
	for range rounds {
		c.moving()
		hung = append(hung, c.stopped(c.signal(syscall.SIGSTOP)))
		time.Sleep(50 * time.Millisecond)
		c.signal(syscall.SIGCONT)
	}
	for range rounds {
		c.moving()
		begin := c.signal(syscall.SIGKILL)
		killed = append(killed, c.stopped(begin))
		c.node.Wait()
		c.start()
	}
	c.moving()
	for what, took := range map[string][]time.Duration{"hangs": hung, "is killed": killed} {
		slices.Sort(took)
		t.Logf("a node that %s: the robot is stopped after %v in the median, %v at most (%d times)", what, took[rounds/2], took[rounds-1], rounds)
		if took[rounds/2] > lease {
			t.Errorf("a node that %s: the robot is stopped after %v", what, took)
		}
	}
}
