//go:build cyclone && cgo

package node

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func init() {
	roles["stuck node"] = playStuckNode
	roles["stuck caller"] = playStuckCaller
	roles["fatal node"] = playFatalNode
	roles["hog"] = playHog
}

// playStuckNode is a node whose monitor is stuck from SIGUSR1 on. It ends as the
// command does.
func playStuckNode(args []string) error {
	err := playStuck(args)
	if errors.Is(err, ErrInternal) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(70)
	}
	return err
}

func playStuck(args []string) error {
	var hung atomic.Bool
	hang := notify(syscall.SIGUSR1)
	go func() {
		<-hang
		hung.Store(true)
	}()
	return runNode(args, func(n *Node) {
		n.abort = func() { os.Exit(70) }
		n.monitor.now = func() time.Time {
			if hung.Load() && onStack(").say(") && !onStack(").settle(") {
				select {}
			}
			return time.Now()
		}
	})
}

// playStuckCaller is the same, but for that who called Run is stuck as well.
func playStuckCaller(args []string) error {
	go func() {
		time.Sleep(time.Minute) // or the process would end for a deadlock
	}()
	playStuck(args)
	select {}
}

// playFatalNode is a node that commits a fault which no Go program can answer, as
// running out of memory is, on SIGUSR1.
func playFatalNode(args []string) error {
	fault := notify(syscall.SIGUSR1)
	go func() {
		<-fault
		new(sync.Mutex).Unlock()
	}()
	return playNode(args)
}

// playHog computes until it is ended.
func playHog([]string) error {
	var n atomic.Uint64
	for n.Add(1) > 0 {
	}
	return nil
}

// silentNode is a node in a process of its own.
type silentNode struct {
	*robot
	process *process
}

func startSilent(t *testing.T, role string, args ...string) *silentNode {
	g := overDDS()
	s := &silentNode{}
	g.startNode = func(t *testing.T, _ *graph, args []string) {
		s.process = g.start(t, role, append([]string{"--ros-args"}, args...)...)
		t.Cleanup(func() {
			s.process.cmd.Process.Kill()
			s.process.cmd.Wait()
		})
	}
	s.robot = g.newRobot(t, railArgs(t, args...)...)
	s.rest()
	return s
}

func (s *silentNode) signal(sig syscall.Signal) time.Time {
	s.Helper()
	if err := s.process.cmd.Process.Signal(sig); err != nil {
		s.Fatal(err)
	}
	return time.Now()
}

// A process whose monitor is stuck says UNKNOWN and ends with exit status 70.
func TestStuckProcess(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"stuck node", "stuck caller"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			testStuckProcess(t, role)
		})
	}
}

func testStuckProcess(t *testing.T, role string) {
	s := startSilent(t, role)
	s.waitLevel(0, levelFree, "")
	begin := s.signal(syscall.SIGUSR1)
	_, at := s.waitLevel(s.states.count(), levelUnknown, "the monitor has published nothing")
	t.Logf("UNKNOWN comes after %v", time.Since(begin))
	s.process.cmd.Wait()
	t.Logf("the process ends after %v", time.Since(begin))
	if code := s.process.cmd.ProcessState.ExitCode(); code != 70 {
		t.Errorf("exit status %d", code)
	}
	s.heldUnknown(at, s.states.count())
	if role == "stuck node" && !strings.Contains(s.process.log.String(), "made no progress") {
		t.Errorf("it says\n%s", s.process.log)
	}
}

// A process that was stopped goes on where it was when it is continued: the
// watchdog says nothing of its own before the monitor has. The check rate is low so
// that a busy machine is not a silence of its own; each stop is longer than three periods.
func TestWatchdogForgivesAStop(t *testing.T) {
	t.Parallel()
	s := startSilent(t, "node", "-p", "joint_state_timeout:=0.5", "-p", "check_rate:=20.0")
	s.waitLevel(0, levelFree, "")
	for range 4 {
		s.signal(syscall.SIGSTOP)
		time.Sleep(200 * ms)
		s.signal(syscall.SIGCONT)
		time.Sleep(200 * ms)
	}
	s.signal(syscall.SIGSTOP)
	time.Sleep(3 * time.Second)
	at := s.states.count()
	s.signal(syscall.SIGCONT)
	s.waitLevel(at, levelFree, "")
	if log := s.process.log.String(); strings.Contains(log, "[ERROR]") {
		t.Errorf("the watchdog takes a stop for a fault:\n%s", log)
	}
}

// A machine with far more work than it can do makes no node end.
func TestNodeSurvivesLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes all processors for some seconds")
	}
	s := startSilent(t, "node")
	s.waitLevel(0, levelFree, "")
	for range 4 * runtime.NumCPU() {
		hog := s.graph.start(t, "hog")
		t.Cleanup(func() {
			hog.cmd.Process.Kill()
			hog.cmd.Wait()
		})
	}
	from, begin := s.states.count(), time.Now()
	time.Sleep(5 * time.Second)
	levels := map[uint8]int{}
	s.states.mu.Lock()
	for _, state := range s.states.items[from:] {
		levels[state.Level]++
	}
	s.states.mu.Unlock()
	t.Logf("in %v: %d FREE, %d UNKNOWN; %d silences in the log", time.Since(begin), levels[levelFree], levels[levelUnknown], strings.Count(s.process.log.String(), "silence"))
	if err := s.process.cmd.Process.Signal(syscall.Signal(0)); err != nil || strings.Contains(s.process.log.String(), "no progress") {
		t.Errorf("the node ends under load: %v\n%s", err, s.process.log)
	}
	s.waitLevel(s.states.count(), levelFree, "")
}

// A model that takes long to load leaves the monitor alone: it says UNKNOWN at its
// rate, and nobody takes it for stuck.
func TestLoadingIsNotSilence(t *testing.T) {
	t.Parallel()
	const folder = "../testdata/humanoid/"
	g := overDDS()
	var p *process
	g.startNode = func(t *testing.T, _ *graph, args []string) {
		p = g.start(t, "node", append([]string{"--ros-args"}, args...)...)
		t.Cleanup(func() {
			p.cmd.Process.Kill()
			p.cmd.Wait()
		})
	}
	r := g.newRobot(t, "-p", "robot_description_file:="+folder+"humanoid.urdf", "-p", "robot_description_semantic_file:="+folder+"humanoid.srdf",
		"-p", "scene:="+folder+"obstacles.yaml", "-p", "acm.source:=proven", "-p", "acm.budget:=3.0")
	s, _ := r.states.wait(0, "with a model", func(s *fcmsgs.CollisionState) bool { return s.ModelHash != "" })
	t.Logf("%d states until the model is there; %d silences in the log", r.states.count(), strings.Count(p.log.String(), "published no state"))
	if strings.Contains(p.log.String(), "no progress") {
		t.Errorf("the node ends as it loads, at %s:\n%s", s.Reason, p.log)
	}
}

// A process that dies without a word, or is stopped, is noticed by the deadline and by
// the liveliness that ~/state offers.
func TestDeathWithoutAWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		role   string
		signal syscall.Signal
		code   int
	}{
		{"killed", "node", syscall.SIGKILL, -1},
		{"a fatal error of the runtime", "fatal node", syscall.SIGUSR1, 2},
		{"stopped", "node", syscall.SIGSTOP, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := startSilent(t, c.role)
			s.waitLevel(0, levelFree, "")
			type event struct {
				ros.EndpointStats
				at time.Time
			}
			events := make(chan event, 10000)
			q := limits{rate: 100, timeout: 100 * ms}.stateQoS()
			sub, err := ros.Subscribe(s.node, "firstcontact/state", ros.QoS{Deadline: q.Deadline, Lease: q.Lease},
				func(*fcmsgs.CollisionState, ros.MessageInfo) {},
				ros.OnSilence(func(stats ros.EndpointStats) { events <- event{stats, time.Now()} }))
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * ms)
			before := sub.Stats().DeadlineMissed // on a busy machine
			begin := s.signal(c.signal)
			told := func(what string, ok func(event) bool) time.Duration {
				for deadline := time.After(patience); ; {
					select {
					case e := <-events:
						if e.at.After(begin) && ok(e) {
							return e.at.Sub(begin)
						}
					case <-deadline:
						t.Fatalf("%s is not told", what)
					}
				}
			}
			missed := told("the missed deadline", func(e event) bool { return e.DeadlineMissed > before })
			lost := told("the lost liveliness", func(e event) bool { return e.Alive == 0 })
			t.Logf("the deadline is missed after %v, the liveliness lost after %v", missed, lost)
			if c.signal == syscall.SIGSTOP {
				return
			}
			s.process.cmd.Wait()
			if code := s.process.cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
		})
	}
}
