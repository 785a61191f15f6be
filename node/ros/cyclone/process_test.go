//go:build cyclone && cgo

package cyclone_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdsrvs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// otherProcess, set to JSON of processOptions, makes the test program be the
// node of another process.
const otherProcess = "FIRSTCONTACT_TEST_OTHER_PROCESS"

type processOptions struct {
	Name string
	Env  ros.Environment
	// Pulse is the period of what it publishes on ~/pulse; zero for nothing.
	Pulse time.Duration
}

func TestMain(m *testing.M) {
	if text := os.Getenv(otherProcess); text != "" {
		if err := beOtherProcess(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// beOtherProcess serves a service and latches a message until standard input
// ends.
func beOtherProcess(text string) error {
	var o processOptions
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	n, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: o.Name, Env: o.Env})
	if err != nil {
		return err
	}
	_, err = ros.Serve(n, "~/toggle", ros.ServiceQoS, func(_ context.Context, r *stdsrvs.SetBoolRequest) *stdsrvs.SetBoolResponse {
		return &stdsrvs.SetBoolResponse{Success: r.Data, Message: o.Name}
	})
	if err != nil {
		return err
	}
	pub, err := ros.Advertise[stdmsgs.String](n, "~/description", ros.LatchedQoS)
	if err != nil {
		return err
	}
	if err := pub.Publish(&stdmsgs.String{Data: "from " + o.Name}); err != nil {
		return err
	}
	if o.Pulse > 0 {
		beat, err := ros.Advertise[stdmsgs.Float64](n, "~/pulse", pulseQoS)
		if err != nil {
			return err
		}
		go pulse(beat, o.Pulse)
	}
	io.Copy(io.Discard, os.Stdin)
	return n.Close()
}

// startNode runs a node in another process until the test ends.
func startNode(t *testing.T, env ros.Environment) (name string) {
	t.Helper()
	name, _ = startProcess(t, processOptions{Env: env})
	return name
}

// startProcess runs a node of a new name in another process until the test
// ends, or kills it.
func startProcess(t *testing.T, o processOptions) (name string, process *os.Process) {
	t.Helper()
	name = fmt.Sprintf("n%x", rand.Uint64())
	o.Name = name
	options, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), otherProcess+"="+string(options), "GORACE=atexit_sleep_ms=0")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		err := cmd.Wait()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); err != nil && !(ok && status.Signal() == syscall.SIGKILL) {
			t.Errorf("the other process ended with %v\n%s", err, output.Bytes())
		}
	})
	return name, cmd.Process
}

// TestProcessesFindEachOther starts a node in another process and at once calls
// its service, hears its latched message and looks at the graph, in each of the
// ways to stay on one machine.
func TestProcessesFindEachOther(t *testing.T) {
	networks := map[string]ros.Network{
		"ROS_LOCALHOST_ONLY=1 in Humble":              {LoopbackOnly: true},
		"ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST":     {Range: ros.RangeLocalhost},
		"both, as these tests do":                     loopback(),
		"LOCALHOST with the user's own interface":     {Range: ros.RangeLocalhost, VendorConfig: `<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces></General></Domain></CycloneDDS>`},
		"loopback and SUBNET, the default since Iron": {Range: ros.RangeSubnet, LoopbackOnly: true},
	}
	for name, network := range networks {
		t.Run(name, func(t *testing.T) {
			env := ros.Environment{Domain: testDomain, Network: network, Distro: "jazzy"}
			started := time.Now()
			peer := startNode(t, env)
			n, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "user", Env: env})
			if err != nil {
				t.Fatal(err)
			}
			defer n.Close()
			heard := make(chan string, 1)
			_, err = ros.Subscribe(n, "/"+peer+"/description", ros.LatchedQoS, func(m *stdmsgs.String, _ ros.MessageInfo) { heard <- m.Data })
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			resp, err := ros.Call[stdsrvs.SetBoolRequest, stdsrvs.SetBoolResponse](ctx, n, "/"+peer+"/toggle", ros.ServiceQoS, &stdsrvs.SetBoolRequest{Data: true})
			if err != nil {
				t.Fatal(err)
			}
			if !resp.Success || resp.Message != peer {
				t.Errorf("the response is %+v", resp)
			}
			t.Logf("answered %v after the other process was started", time.Since(started).Round(time.Millisecond))
			select {
			case data := <-heard:
				if data != "from "+peer {
					t.Errorf("heard %q", data)
				}
			case <-ctx.Done():
				t.Error("the latched message did not arrive")
			}
			for {
				g, err := n.Graph()
				if err != nil {
					t.Fatal(err)
				}
				node, found := g.Node("/" + peer)
				if found && len(node.Services) == 1 && len(node.Publishers) == 2 {
					break
				}
				if ctx.Err() != nil {
					t.Fatalf("the graph shows %+v", node)
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}
