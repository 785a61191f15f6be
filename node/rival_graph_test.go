package node

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestRivals(t *testing.T) {
	t.Parallel()
	testRivals(t, inMemory())
}

// The robot is in collision at 60 Hz. Another publisher of the same joints says
// otherwise, with stamps ahead of the time: nothing better than a contact is proved. The
// timeout outlasts the pauses of a busy machine.
func testRivals(t *testing.T, g *graph) {
	for _, rate := range []int{100, 200, 1000} {
		for _, ahead := range []time.Duration{0, 475 * ms} {
			t.Run(fmt.Sprintf("%d Hz, %v ahead", rate, ahead), func(t *testing.T) {
				t.Parallel()
				r := g.newRobot(t, railArgs(t, "-p", "joint_state_timeout:=0.5")...)
				r.play(func() *sensormsgs.JointState { return carts2(0, -0.9) })
				_, at := r.waitLevel(0, fcmsgs.CollisionStateCollision, "touch")
				stop := r.rival(rate, func() *sensormsgs.JointState { return stamped(carts2(0, 0), ahead) })
				time.Sleep(2 * time.Second)
				stop()
				levels := map[uint8]int{} // before the contact is over
				r.states.mu.Lock()
				for _, s := range r.states.items[at:] {
					levels[s.Level]++
				}
				r.states.mu.Unlock()
				t.Logf("%d FREE, %d WARN, %d STOP, %d UNKNOWN, %d COLLISION", levels[levelFree], levels[fcmsgs.CollisionStateWarn],
					levels[fcmsgs.CollisionStateStop], levels[levelUnknown], levels[fcmsgs.CollisionStateCollision])
				if levels[levelFree]+levels[fcmsgs.CollisionStateWarn]+levels[fcmsgs.CollisionStateStop] > 0 {
					t.Errorf("levels %v where one of two publishers measures a contact", levels)
				}
				if levels[fcmsgs.CollisionStateCollision] < 50 {
					t.Errorf("levels %v: the contact is hidden", levels)
				}
				r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
				r.waitLevel(r.states.count(), levelFree, "")
			})
		}
	}
}

func TestClocks(t *testing.T) {
	t.Parallel()
	testClocks(t, inMemory())
}

// The state tells how far the clock of the publisher's stamps is off, whether its
// joint states are still believed or not.
func testClocks(t *testing.T, g *graph) {
	for _, c := range []struct {
		ahead time.Duration
		level uint8
	}{{-keptFresh * 6 / 10, levelFree}, {keptFresh * 6 / 10, levelFree}, {-2 * keptFresh, levelUnknown}, {2 * keptFresh, levelUnknown}} {
		t.Run(c.ahead.String(), func(t *testing.T) {
			t.Parallel()
			r := g.newRobot(t, railArgs(t)...)
			r.play(func() *sensormsgs.JointState { return stamped(carts2(0, 0), c.ahead) })
			s, _ := r.states.wait(0, "with the offset, within what a message is on its way", func(s *fcmsgs.CollisionState) bool {
				d := s.ClockOffset + c.ahead.Seconds()
				if d < 0 {
					t.Errorf("offset %g where stamps are %v ahead", s.ClockOffset, c.ahead)
				}
				return d <= 0.02
			})
			r.waitLevel(0, c.level, "")
			t.Logf("stamps %v ahead: clock_offset %.4f s", c.ahead, s.ClockOffset)
		})
	}
}

// A program that is started again within the timeout is another publisher. The joints pass
// to it once the transport has lost the first, and never are both silent.
func testRestartWithinTheTimeout(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t, "-p", "joint_state_timeout:=20.0")...)
	next := func() *sensormsgs.JointState { return carts2(0, 0) }
	stop := r.rival(100, next)
	_, at := r.waitLevel(0, levelFree, "")
	stop()
	begin := time.Now()
	stop = r.rival(100, next)
	defer stop()
	// Between the two lies UNKNOWN, unless the monitor takes the first two messages in one step.
	s, _ := r.states.wait(at, "of the second publisher", func(s *fcmsgs.CollisionState) bool {
		return s.Level == levelFree && s.MotionsUnchecked > 0
	})
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("the joints pass to the second publisher after %v", took)
	}
	if s.MotionsUnchecked != 1 {
		t.Errorf("%d motions unchecked, want one", s.MotionsUnchecked)
	}
	if len(s.JointStateConflicts) > 0 {
		t.Errorf("conflicts %q", s.JointStateConflicts)
	}
}

func TestRestartWithinTheTimeout(t *testing.T) { testRestartWithinTheTimeout(t, inMemory()) }

// rival makes another node publish joint states until it is stopped.
func (r *robot) rival(rate int, next func() *sensormsgs.JointState) (stop func()) {
	r.Helper()
	n, err := ros.NewNode(r.graph.transport, ros.Options{Name: "rival", Namespace: r.namespace, Env: r.graph.env, Logger: quiet()})
	if err != nil {
		r.Fatal(err)
	}
	pub, err := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{Reliability: ros.BestEffort})
	if err != nil {
		r.Fatal(err)
	}
	if err := pub.WaitSubscribers(r.soon(), 1); err != nil {
		r.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second / time.Duration(rate))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := pub.Publish(next()); err != nil {
					r.Error(err)
				}
			}
		}
	}()
	return func() {
		cancel()
		<-done
		if err := n.Close(); err != nil {
			r.Error(err)
		}
	}
}
