package node

import (
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
)

const (
	levelUnknown = fcmsgs.CollisionStateUnknown
	levelFree    = fcmsgs.CollisionStateFree
)

// inputFaults are the answers to faulty joint states that docs/ros-interface.md
// promises.
var inputFaults = []struct {
	name string
	args []string
	test func(*robot)
}{
	{name: "publisher killed and started again", test: publisherRestarts},
	{name: "fewer positions than names", test: func(r *robot) {
		r.fault("2 names but 1 positions", func() *sensormsgs.JointState {
			m := carts2(0, 0)
			m.Position = m.Position[:1]
			return m
		})
	}},
	{name: "half of the joints", test: halfOfTheJoints},
	{name: "NaN", test: func(r *robot) {
		r.fault("gives joint right_x the position NaN", func() *sensormsgs.JointState { return carts2(0, math.NaN()) })
	}},
	{name: "infinity", test: func(r *robot) {
		r.fault("gives joint left_x the position +Inf", func() *sensormsgs.JointState { return carts2(math.Inf(1), 0) })
	}},
	{name: "stamps of yesterday", test: func(r *robot) {
		r.fault("s in the past", func() *sensormsgs.JointState { return stamped(carts2(0, 0), -24*time.Hour) })
	}},
	{name: "stamps of tomorrow", test: func(r *robot) {
		r.fault("s in the future", func() *sensormsgs.JointState { return stamped(carts2(0, 0), 24*time.Hour) })
	}},
	{name: "unknown joint", test: unknownJoint},
	{name: "silence", test: silence},
	{name: "time running backwards", args: []string{"-p", "joint_state_timeout:=10.0"}, test: timeRunsBackwards},
}

func testInputFaults(t *testing.T, g *graph) {
	for _, c := range inputFaults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(g.newRobot(t, railArgs(t, c.args...)...))
		})
	}
}

func TestInputFaults(t *testing.T) {
	t.Parallel()
	testInputFaults(t, inMemory())
}

// fault plays rest, then messages with a fault, then rest: the level is FREE,
// then UNKNOWN as long as the fault lasts, then FREE again.
func (r *robot) fault(reason string, faulty func() *sensormsgs.JointState) {
	r.Helper()
	r.rest()
	_, at := r.waitLevel(0, levelFree, "")
	r.play(faulty)
	_, at = r.waitLevel(at, levelUnknown, reason)
	r.proofless()
	s, next := r.waitLevel(at+10, levelUnknown, "") // it lasts
	r.heldUnknown(at, next)
	unchecked := s.MotionsUnchecked
	r.rest()
	s, _ = r.waitLevel(next, levelFree, "")
	if s.MotionsUnchecked <= unchecked {
		r.Errorf("the way across the fault is not counted as unchecked: %d before, %d after", unchecked, s.MotionsUnchecked)
	}
}

// proofless waits for the plain topics to say that nothing is proved.
func (r *robot) proofless() {
	r.Helper()
	r.free.wait(r.free.count(), "false", func(m *stdmsgs.Bool) bool { return !m.Data })
	r.distance.wait(r.distance.count(), "NaN", func(m *stdmsgs.Float64) bool { return math.IsNaN(m.Data) })
}

func publisherRestarts(r *robot) {
	kill := r.graph.startPublisher(r.T, r.graph, r.namespace)
	_, at := r.waitLevel(0, levelFree, "")
	kill()
	for range 2 {
		var s *fcmsgs.CollisionState
		s, at = r.waitLevel(at, levelUnknown, "no fresh measurement of left_x, right_x")
		if len(s.MissingJoints) != 2 {
			r.Errorf("missing joints %v", s.MissingJoints)
		}
		r.proofless()
		before := s.MotionsUnchecked
		kill = r.graph.startPublisher(r.T, r.graph, r.namespace)
		s, at = r.waitLevel(at, levelFree, "")
		if s.MotionsUnchecked != before+1 {
			r.Errorf("%d motions unchecked before the restart and %d after: want one more", before, s.MotionsUnchecked)
		}
		kill()
	}
}

func halfOfTheJoints(r *robot) {
	half := func(name string) *sensormsgs.JointState {
		return stamped(&sensormsgs.JointState{Name: []string{name}, Position: []float64{0}}, 0)
	}
	r.play(func() *sensormsgs.JointState { return half("left_x") })
	s, at := r.waitLevel(0, levelUnknown, "no fresh measurement of right_x")
	if len(s.MissingJoints) != 1 || s.MissingJoints[0] != "right_x" {
		r.Errorf("missing joints %v, want right_x", s.MissingJoints)
	}
	_, next := r.waitLevel(at+10, levelUnknown, "right_x")
	r.heldUnknown(0, next)
	// The halves come in turn.
	n := 0
	r.play(func() *sensormsgs.JointState {
		n++
		return half([]string{"left_x", "right_x"}[n%2])
	})
	r.waitLevel(next, levelFree, "")
}

func unknownJoint(r *robot) {
	r.play(func() *sensormsgs.JointState {
		m := carts2(0, 0)
		m.Name, m.Position = append(m.Name, "gripper"), append(m.Position, 7)
		return m
	})
	_, at := r.waitLevel(0, levelFree, "")
	// Nothing but unknown joints is silence.
	r.play(func() *sensormsgs.JointState {
		return stamped(&sensormsgs.JointState{Name: []string{"gripper"}, Position: []float64{7}}, 0)
	})
	_, at = r.waitLevel(at, levelUnknown, "no fresh measurement of left_x, right_x")
	r.rest()
	r.waitLevel(at, levelFree, "")
}

func silence(r *robot) {
	r.rest()
	_, at := r.waitLevel(0, levelFree, "")
	r.hush()
	begin := time.Now()
	s, at := r.waitLevel(at, levelUnknown, "no fresh measurement of left_x, right_x")
	unchecked := s.MotionsUnchecked
	// The node goes on saying that it does not know.
	for time.Since(begin) < r.graph.silence {
		_, next := r.waitLevel(at, levelUnknown, "")
		r.heldUnknown(at, next)
		at = next
	}
	r.proofless()
	r.rest()
	s, _ = r.waitLevel(at, levelFree, "")
	if s.MotionsUnchecked != unchecked+1 {
		r.Errorf("%d motions unchecked during the silence and %d after: want one more", unchecked, s.MotionsUnchecked)
	}
}

func timeRunsBackwards(r *robot) {
	r.rest()
	_, at := r.waitLevel(0, levelFree, "")
	sent := false
	r.play(func() *sensormsgs.JointState {
		if sent {
			return nil
		}
		sent = true
		return stamped(carts2(0, 0), -5*time.Second)
	})
	s, at := r.waitLevel(at, levelUnknown, "time runs backwards: joint left_x is stamped ")
	unchecked := s.MotionsUnchecked
	// From there on the clock runs forward again.
	r.play(func() *sensormsgs.JointState { return stamped(carts2(0, 0), -4*time.Second) })
	s, _ = r.waitLevel(at, levelFree, "")
	if s.MotionsUnchecked != unchecked+1 {
		r.Errorf("%d motions unchecked before and %d after: want one more", unchecked, s.MotionsUnchecked)
	}
}
