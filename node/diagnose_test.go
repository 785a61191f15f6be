package node

import (
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/diagnosticmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// waitStatus waits for a message from now on in which the part has the level, and a message
// with the words.
func (b *inbox[T]) waitStatus(part string, level diagnostics.Level, words string) (found diagnosticmsgs.DiagnosticStatus) {
	b.r.Helper()
	name := b.r.namespace + "/firstcontact: " + part
	b.wait(b.count(), part+" says "+words, func(m *T) bool {
		for _, s := range any(m).(*diagnosticmsgs.DiagnosticArray).Status {
			if s.Name == name && s.Level == level && strings.Contains(s.Message, words) {
				found = s
				return true
			}
		}
		return false
	})
	return found
}

func valueOf(s diagnosticmsgs.DiagnosticStatus, key string) string {
	for _, v := range s.Values {
		if v.Key == key {
			return v.Value
		}
	}
	return "there is no " + key
}

func TestDiagnostics(t *testing.T) {
	t.Parallel() // it waits for many messages that come once a second
	g, log := inMemory(), &lines{}
	g.log = log
	testDiagnostics(t, g)
	if !strings.Contains(log.String(), "/firstcontact/state: a subscriber asks for more") {
		t.Errorf("the log does not tell the mismatch:\n%s", log)
	}
}

func testDiagnostics(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	board := collect[diagnosticmsgs.DiagnosticArray](r, "/diagnostics", ros.QoS{Depth: 10})
	board.waitStatus("joint states", diagnostics.Stale, "no joint state has come on "+r.namespace+"/joint_states")
	board.waitStatus("state", diagnostics.Stale, "UNKNOWN: ")

	r.rest()
	s := board.waitStatus("state", diagnostics.OK, "FREE: ")
	if s.HardwareID != "carts" || valueOf(s, "level") != "FREE" {
		t.Errorf("free: %+v", s)
	}
	if s = board.waitStatus("model", diagnostics.OK, ""); valueOf(s, "checked pairs") != "3" || valueOf(s, "unproven allowed pairs") != "0" {
		t.Errorf("model: %+v", s)
	}
	s = board.waitStatus("joint states", diagnostics.OK, "")
	if valueOf(s, "publishers") != "1" || valueOf(s, "rate (Hz)") == "0" {
		t.Errorf("joint states: %+v", s)
	}
	r.play(func() *sensormsgs.JointState { return carts2(0, -0.795) })
	if s = board.waitStatus("state", diagnostics.Error, "STOP: left and right"); valueOf(s, "closest pair") != "left / right" {
		t.Errorf("stop: %+v", s)
	}
	r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: "q", JointNames: []string{"nobody"}, Start: []float64{0}, Goal: []float64{0}}))
	r.waitVerdict("q")
	if s = board.waitStatus("questions", diagnostics.OK, ""); valueOf(s, "INVALID") != "1" || valueOf(s, "FREE") != "0" {
		t.Errorf("questions: %+v", s)
	}

	// Somebody who asks for states faster than they come, and somebody who forges them.
	if _, err := ros.Subscribe(r.node, "firstcontact/state", ros.QoS{Deadline: time.Millisecond}, func(*fcmsgs.CollisionState, ros.MessageInfo) {}); err != nil {
		t.Fatal(err)
	}
	s = board.waitStatus("graph", diagnostics.Warn, r.namespace+"/firstcontact/state: a subscriber asks for more")
	if !strings.Contains(s.Message, "policy deadline") {
		t.Errorf("graph: %+v", s)
	}
	if _, err := ros.Advertise[fcmsgs.CollisionState](r.node, "firstcontact/state", ros.QoS{Depth: 1}); err != nil {
		t.Fatal(err)
	}
	if s = board.waitStatus("graph", diagnostics.Error, "other participants publish on this node's topics"); valueOf(s, "impostors") != "1" {
		t.Errorf("graph: %+v", s)
	}
	r.hush()
	board.waitStatus("joint states", diagnostics.Stale, "no joint state has come for")
	board.waitStatus("state", diagnostics.Stale, "UNKNOWN")
}
