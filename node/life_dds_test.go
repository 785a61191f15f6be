//go:build cyclone && cgo

package node

import (
	"os"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
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
