//go:build cyclone && cgo

package node

import (
	"os"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/lifecycle"
)

// A node that is told to end shuts down in order: its last state is UNKNOWN, its last transition
// ends in finalized, and its exit status is 0.
func TestNodeEndsInOrderOverDDS(t *testing.T) {
	t.Parallel()
	g := overDDS()
	var p *process
	g.startNode = func(t *testing.T, g *graph, args []string) {
		p = g.start(t, "node", append([]string{"--ros-args"}, args...)...)
	}
	r := g.newRobot(t, railArgs(t)...)
	events := collect[lifecyclemsgs.TransitionEvent](r, "firstcontact/transition_event", ros.QoS{Depth: 100})
	r.rest()
	r.waitLevel(0, levelFree, "")
	begin := time.Now()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the node ends with %v", err)
	}
	t.Logf("it took %.3f s", time.Since(begin).Seconds())
	r.waitLevel(0, levelUnknown, stopped)
	events.wait(0, "that ends in finalized", func(e *lifecyclemsgs.TransitionEvent) bool { return e.GoalState.ID == uint8(lifecycle.Finalized) })
}

// A node that is told to end has a trajectory from the topic held before it leaves.
func TestTopicIsHeldWhenTheNodeEndsOverDDS(t *testing.T) {
	t.Parallel()
	g := overDDS()
	var p *process
	g.startNode = func(t *testing.T, g *graph, args []string) {
		p = g.start(t, "node", append([]string{"--ros-args"}, args...)...)
	}
	made := newGated(t, g).ready()
	topic := advertise[trajectorymsgs.JointTrajectory](made.robot, "carts_checked/joint_trajectory")
	way := path("right_x", []float64{20, 1.5})
	way.Header.Stamp = builtininterfaces.Time{}
	made.publish(topic.Publish(way))
	taken := func(n int) {
		for end := time.Now().Add(patience); made.controller.Taken() < n; time.Sleep(ms) {
			if time.Now().After(end) {
				t.Fatalf("the controller has not got trajectory %d", n)
			}
		}
	}
	taken(1)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the node ends with %v", err)
	}
	taken(2)
	if at := made.controller.At()["right_x"]; at > 1 {
		t.Errorf("the cart is held at %g", at)
	}
}
