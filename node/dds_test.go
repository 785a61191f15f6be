//go:build cyclone && cgo

package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// The same graph over DDS: the node under test and the driver are processes of
// their own, and everything goes over the loopback interface. These tests mostly
// compute, so they run one after the other, beside tests that wait.
func TestOverDDS(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	g := overDDS()
	t.Run("trajectories", func(t *testing.T) { testTrajectoryAnswers(t, g) })
	t.Run("pairs", func(t *testing.T) { testPairs(t, g) })
	t.Run("service", func(t *testing.T) { testService(t, g) })
	t.Run("foreign requests", func(t *testing.T) { testForeignRequests(t, g) })
	t.Run("clearance", func(t *testing.T) { testClearance(t, g) })
	t.Run("state validity", func(t *testing.T) { testStateValidity(t, g) })
	t.Run("planned paths", func(t *testing.T) { testPlannedPaths(t, g) })
	t.Run("parameters", func(t *testing.T) { testParameterServices(t, g) })
	t.Run("type descriptions", func(t *testing.T) { testTypeDescriptions(t, g) })
	t.Run("scopes", func(t *testing.T) { testScopes(t, g) })
	t.Run("descriptions", func(t *testing.T) { testDescriptions(t, g) })
	t.Run("gate", func(t *testing.T) { testGateForwards(t, g) })
	t.Run("gate replaces", func(t *testing.T) { testGateReplaces(t, g) })
	t.Run("gate on a topic", func(t *testing.T) { testGateOnTheTopic(t, g) })
	// Under the race detector these take long, and in one process they run anyway.
	for name, test := range map[string]func(*testing.T, *graph){
		"long trajectory": testLongTrajectory,
		"trees":           testTrees,
		"beyond bounds":   testQuestionsBeyondBounds,
		"thousand calls":  testThousandCallsAtOnce,
	} {
		t.Run(name, func(t *testing.T) {
			race.LeaveOut(t)
			test(t, g)
		})
	}
}

func TestLoadedBesideOverDDS(t *testing.T) { testLoadedBeside(t, overDDS()) }

// These mostly wait, so they run side by side, each in a domain of its own.
func TestWaitingOverDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	t.Parallel()
	for name, test := range map[string]func(*testing.T, *graph){
		"input faults":               testInputFaults,
		"pinned":                     testPinned,
		"impostors":                  testImpostors,
		"rivals":                     testRivals,
		"clocks":                     testClocks,
		"simulated time":             testSimulatedTime,
		"point clouds":               testPointClouds,
		"restart within the timeout": testRestartWithinTheTimeout,
		"planning scene":             testPlanningScene,
		"shift":                      testShift,
		"simulated shift":            testSimulatedShift,
		"lifecycle":                  testLifecycle,
		"diagnostics":                testDiagnostics,
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "shift") {
				race.LeaveOut(t) // it also runs in one process
			}
			t.Parallel()
			test(t, overDDS())
		})
	}
}

var graphs atomic.Int64

// newest is the process of the node that a *graph has started last.
var newest sync.Map

// overDDS is a graph that is apart from every other, on this machine too: by its
// domain, and where that is taken by a tag.
func overDDS() *graph {
	n := int(graphs.Add(1))
	variables := []string{
		fmt.Sprintf("ROS_DOMAIN_ID=%d", 1+(os.Getpid()+n)%100),
		"ROS_LOCALHOST_ONLY=1",
		"ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST",
		// Without multicast, Cyclone DDS takes ten processes of a domain unless told otherwise.
		fmt.Sprintf("CYCLONEDDS_URI=<CycloneDDS><Domain><Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60</MaxAutoParticipantIndex>"+
			"<Tag>node_test_%d_%d</Tag></Discovery></Domain></CycloneDDS>", os.Getpid(), n),
	}
	g := &graph{
		transport:      cyclone.Transport{},
		env:            environmentOf(variables),
		variables:      variables,
		startNode:      startProcess,
		startPublisher: startDriver,
		silence:        10 * time.Second,
	}
	g.footprint = func() (footprint, error) {
		p, _ := newest.Load(g)
		return p.(*process).footprint()
	}
	return g
}

func environmentOf(variables []string) ros.Environment {
	env, err := ros.ReadEnvironment(func(name string) (string, bool) {
		for _, v := range variables {
			if value, ok := bytes.CutPrefix([]byte(v), []byte(name+"=")); ok {
				return string(value), true
			}
		}
		return "", false
	})
	if err != nil {
		panic(err)
	}
	return env
}

func init() {
	roles["node"] = playNode
	roles["driver"] = playDriver
}

func playNode(args []string) error { return runNode(args, func(*Node) {}) }

// runNode runs a node that was prepared until it is interrupted.
func runNode(args []string, prepare func(*Node)) error {
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	parsed, err := ros.ParseArgs(args)
	if err != nil {
		return err
	}
	n, err := New(cyclone.Transport{}, Options{Args: parsed, Env: env})
	if err != nil {
		return err
	}
	prepare(n)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return errors.Join(n.Run(ctx), n.Close())
}

func notify(s os.Signal) <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, s)
	return c
}

func playDriver(args []string) error {
	return publishAtRest(context.Background(), overDDSAs(os.Environ()), args[0])
}

func overDDSAs(variables []string) *graph {
	return &graph{transport: cyclone.Transport{}, env: environmentOf(variables)}
}

// process is this test binary in another role.
type process struct {
	cmd *exec.Cmd
	log *lines

	asking  sync.Mutex
	in      io.Writer
	answers *json.Decoder
}

// footprint asks the process for its footprint.
func (p *process) footprint() (f footprint, err error) {
	p.asking.Lock()
	defer p.asking.Unlock()
	if _, err := fmt.Fprintln(p.in, "footprint"); err != nil {
		return f, err
	}
	return f, p.answers.Decode(&f)
}

func (g *graph) start(t *testing.T, role string, args ...string) *process {
	t.Helper()
	return g.startWith(t, nil, role, args...)
}

// startWith starts a process with another standard error than the log.
func (g *graph) startWith(t *testing.T, stderr *os.File, role string, args ...string) *process {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(binary, args...), log: &lines{}}
	p.cmd.Env = append(append(os.Environ(), g.variables...), roleVariable+"="+role)
	p.cmd.Stderr = p.log
	if stderr != nil {
		p.cmd.Stderr = stderr
	}
	held, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.answers = held, json.NewDecoder(said)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		held.Close()
		if t.Failed() {
			t.Logf("the %s said:\n%s", role, p.log)
		}
	})
	return p
}

func startProcess(t *testing.T, g *graph, args []string) { g.startNodeProcess(t, args) }

// startNodeProcess starts the node under test as a process that ends with the test.
func (g *graph) startNodeProcess(t *testing.T, args []string) *process {
	p := g.start(t, "node", append([]string{"--ros-args"}, args...)...)
	newest.Store(g, p)
	t.Cleanup(func() {
		p.cmd.Process.Signal(os.Interrupt)
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("the node ends with %v", err)
		}
	})
	return p
}

func startDriver(t *testing.T, g *graph, namespace string) (kill func()) {
	p := g.start(t, "driver", namespace)
	return func() {
		if err := p.cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		p.cmd.Wait()
		if s, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || s.Signal() != syscall.SIGKILL {
			t.Errorf("the driver ended with %v before it was killed", p.cmd.ProcessState)
		}
	}
}
