//go:build fastdds && cgo

package node

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
	"github.com/firstcontact-ros/firstcontact/node/ros/fastdds"
)

var fastGraphs atomic.Int64

// overFastDDS is a graph in a domain of this process, on the loopback interface.
func overFastDDS() *graph {
	g := inMemory()
	g.transport = fastdds.Transport{}
	g.env = ros.Environment{Domain: 101 + (os.Getpid()+7*int(fastGraphs.Add(1)))%100, Distro: "jazzy", Network: ros.Network{LoopbackOnly: true}}
	return g
}

func TestOverFastDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	t.Parallel()
	g := overFastDDS()
	t.Run("trajectories", func(t *testing.T) { testTrajectoryAnswers(t, g) })
	t.Run("service", func(t *testing.T) { testService(t, g) })
	t.Run("foreign requests", func(t *testing.T) { testForeignRequests(t, g) })
	t.Run("clearance", func(t *testing.T) { testClearance(t, g) })
	t.Run("parameters", func(t *testing.T) { testParameterServices(t, g) })
	t.Run("descriptions", func(t *testing.T) { testDescriptions(t, g) })
}

func TestThousandCallsOnFastDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute: so long do forty participants need")
	}
	testThousandCallsAtOnce(t, overFastDDS())
}

// fastPeer is the program in C++ beside the transport.
type fastPeer struct {
	path   string
	domain int
}

var fastPeerOnce struct {
	sync.Mutex
	program []byte
}

// fastPeerProgram compiles the program, once for all tests, and returns its path.
func fastPeerProgram(t *testing.T) string {
	t.Helper()
	fastPeerOnce.Lock()
	defer fastPeerOnce.Unlock()
	path := filepath.Join(t.TempDir(), "peer")
	if fastPeerOnce.program == nil {
		out, err := exec.Command("g++", "-std=c++17", "-o", path, "ros/fastdds/testdata/peer.cpp", "-lfastrtps", "-lfastcdr").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if fastPeerOnce.program, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, fastPeerOnce.program, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// run returns what the program prints.
func (p fastPeer) run(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	cmd := p.command(ctx, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return string(out)
}

func (p fastPeer) command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, p.path, append([]string{strconv.Itoa(p.domain)}, args...)...)
}

// publish runs the program until the test ends: it publishes the carts at rest.
func (p fastPeer) publish(t *testing.T, r *robot, reliability string) (kill func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := p.command(ctx, "publish", r.namespace+"/joint_states", "10", "0", reliability, "left_x", "right_x")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		cancel()
		cmd.Wait()
	}
	t.Cleanup(kill)
	return kill
}

// TestFastDDSPeer has a program on Fast DDS alone play driver and client: it publishes joint
// states, and calls services in the form of rmw_fastrtps.
func TestFastDDSPeer(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for some seconds")
	}
	t.Parallel()
	g := overFastDDS()
	peer := fastPeer{path: fastPeerProgram(t), domain: g.env.Domain}
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	for _, reliability := range []string{"reliable", "best_effort"} {
		from := r.states.count()
		kill := peer.publish(t, r, reliability)
		r.waitLevel(from, fcmsgs.CollisionStateFree, "")
		if reliability == "reliable" {
			continueWithServices(t, r, peer)
		}
		kill()
		time.Sleep(100 * time.Millisecond)
		r.waitLevel(r.states.count(), fcmsgs.CollisionStateUnknown, "")
	}
}

// TestFastDDSPeerAtTheGate has the program send goals to the gate of a controller, as users of
// rmw_fastrtps do: one that is free, one that collides, and the first again.
func TestFastDDSPeerAtTheGate(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for some seconds")
	}
	t.Parallel()
	graph := overFastDDS()
	peer := fastPeer{path: fastPeerProgram(t), domain: graph.env.Domain}
	g := newGated(t, graph).ready()
	lines := strings.Split(strings.TrimSpace(peer.run(t, "follow", g.namespace+"/carts_checked/follow_joint_trajectory", "right_x", "0.5", "-1", "0.2")), "\n")
	if len(lines) != 3 {
		t.Fatalf("three goals end with %q", lines)
	}
	for i, want := range []struct {
		status action.Status
		code   int32
		reason string
	}{
		{action.Succeeded, controlmsgs.FollowJointTrajectoryResultSuccessful, ""},
		{action.Aborted, controlmsgs.FollowJointTrajectoryResultInvalidGoal, "left and right touch at "},
		{action.Succeeded, controlmsgs.FollowJointTrajectoryResultSuccessful, ""},
	} {
		var status, code, feedbacks, states int
		reason := ""
		if n, err := fmt.Sscanf(lines[i], "%d %d %d %d", &status, &code, &feedbacks, &states); err != nil {
			t.Fatalf("result %d is %q (%d read, %v)", i, lines[i], n, err)
		}
		if fields := strings.SplitN(lines[i], " ", 5); len(fields) == 5 {
			reason = fields[4]
		}
		if action.Status(status) != want.status || int32(code) != want.code || !strings.Contains(reason, want.reason) || states == 0 || want.reason == "" && feedbacks == 0 {
			t.Errorf("result %d is %q, want %v, code %d, with %q", i, lines[i], want.status, want.code, want.reason)
		}
	}
	if taken, at := g.controller.Taken(), g.controller.At()["right_x"]; taken != 2 || at != 0.2 {
		t.Errorf("the controller took %d trajectories and is at %g", taken, at)
	}
}

func continueWithServices(t *testing.T, r *robot, peer fastPeer) {
	service := r.namespace + "/firstcontact/"
	const count = 20
	lines := strings.Split(strings.TrimSpace(peer.run(t, "check", service+"check_trajectory", strconv.Itoa(count), "right_x", "-0.7", "-1")), "\n")
	if len(lines) != 2*count {
		t.Fatalf("%d answers to %d requests: %q", len(lines), 2*count, lines)
	}
	for i, line := range lines {
		position, status, says := "-0.7", fcmsgs.VerdictFree, "proved free"
		if i >= count {
			position, status, says = "-1", fcmsgs.VerdictContact, "left and right touch"
		}
		if want := fmt.Sprintf("%s/%d %d ", position, i%count, status); !strings.HasPrefix(line, want) || !strings.Contains(line, says) {
			t.Errorf("answer %d is %q, not %q ... %q", i, line, want, says)
		}
	}
	if got := peer.run(t, "get", service+"get_parameters", "robot_description_file", "use_sim_time", "no_such_parameter"); got != "4\n1\n0\n" {
		t.Errorf("the parameters have types %q", got)
	}
}
