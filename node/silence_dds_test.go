//go:build cyclone && cgo

package node

import (
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func init() {
	roles["stuck node"] = playStuckNode
	roles["hog"] = playHog
}

// playStuckNode is a node whose monitor is stuck from SIGUSR1 on, in
// a process that nobody reads the log of. It ends as the command does.
func playStuckNode(args []string) error {
	var hung atomic.Bool
	hang := notify(syscall.SIGUSR1)
	go func() {
		<-hang
		hung.Store(true)
	}()
	err := runNode(args, func(n *Node) {
		n.abort = func() { os.Exit(70) }
		n.monitor.now = func() time.Time {
			if hung.Load() && onStack(").say(") && !onStack(").settle(") {
				select {}
			}
			return time.Now()
		}
	})
	if errors.Is(err, ErrInternal) {
		os.Stderr.WriteString(err.Error()) // blocks where nobody reads
		os.Exit(70)
	}
	return err
}

// playHog computes until it is ended.
func playHog([]string) error {
	for {
	}
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
		s.process = start(t, role, append([]string{"--ros-args"}, args...)...)
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
	s := startSilent(t, "stuck node")
	s.waitLevel(0, levelFree, "")
	begin := s.signal(syscall.SIGUSR1)
	_, at := s.waitLevel(s.states.count(), levelUnknown, "the monitor has said nothing")
	t.Logf("UNKNOWN comes after %v", time.Since(begin))
	s.process.cmd.Wait()
	t.Logf("the process ends after %v", time.Since(begin))
	if code := s.process.cmd.ProcessState.ExitCode(); code != 70 {
		t.Errorf("exit status %d", code)
	}
	s.heldUnknown(at, s.states.count())
	if !strings.Contains(s.process.log.String(), "made no progress") {
		t.Errorf("it says\n%s", s.process.log)
	}
}

// A process that was stopped goes on where it was when it is continued: the
// watchdog says nothing of its own before the monitor has.
func TestWatchdogForgivesAStop(t *testing.T) {
	s := startSilent(t, "node", "-p", "joint_state_timeout:=0.5")
	s.waitLevel(0, levelFree, "")
	for range 10 {
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
		t.Skip("takes ten seconds of all processors")
	}
	s := startSilent(t, "node")
	s.waitLevel(0, levelFree, "")
	for range 16 {
		hog := start(t, "hog")
		t.Cleanup(func() {
			hog.cmd.Process.Kill()
			hog.cmd.Wait()
		})
	}
	from, begin := s.states.count(), time.Now()
	time.Sleep(10 * time.Second)
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
