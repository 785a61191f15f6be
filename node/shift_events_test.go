package node

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rosgraphmsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// clockwork is a simulator's clock, which goes on and publishes itself every 10 ms.
type clockwork struct {
	mu sync.Mutex
	at time.Time
}

func (c *clockwork) now() time.Time { return c.set(0) }

// set changes the time, and returns it.
func (c *clockwork) set(by time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
	return c.at
}

// run makes the clock go until the test ends.
func (c *clockwork) run(r *robot) {
	pub := advertise[rosgraphmsgs.Clock](r, "/clock")
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(10 * ms); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				pub.Publish(&rosgraphmsgs.Clock{Clock: builtininterfaces.TimeOf(c.set(10 * ms))})
			}
		}
	}()
	r.Cleanup(func() {
		stop()
		<-done
	})
}

// now is the time by the driver's clock.
func (s *workday) now() time.Time {
	if s.clock == nil {
		return time.Now()
	}
	return s.clock.now()
}

// goalEnd is how a goal ended.
type goalEnd struct {
	status action.Status
	result *gatetest.Result
}

// going sends a goal and waits until the robot moves, or the goal has ended.
func (s *workday) going(id action.ID, to, seconds float64) <-chan goalEnd {
	s.Helper()
	ended := make(chan goalEnd, 1)
	accepted, _, err := s.user.Send(s.soon(), id, goalOf(bothCarts, []float64{seconds, 0, to}))
	if err != nil || !accepted {
		s.Fatalf("a goal is accepted %v (%v)", accepted, err)
	}
	go func() {
		status, r, err := s.user.Result(s.soon(), id)
		if err != nil {
			s.Errorf("the result of %v: %v", id, err)
			r = &gatetest.Result{}
		}
		ended <- goalEnd{status, r}
	}()
	for deadline := time.Now().Add(patience); len(ended) == 0 && s.controller.At()["right_x"] == s.right && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	return ended
}

// stopped takes the place where the robot was stopped.
func (s *workday) stopped() {
	s.right = s.controller.At()["right_x"]
	s.rested()
}

// far draws a place that is farther off than a distance, with a way there that keeps a gap.
func (s *workday) far(from, off, gap float64) (to float64, ok bool) {
	for range 50 {
		to = math.Round(s.dice.In(-0.7, 1.7)*1000) / 1000
		if math.Abs(to-from) > off && s.gapOn(from, to) > gap {
			return to, true
		}
	}
	return 0, false
}

// clear takes the crate out of the way.
func (s *workday) clear() {
	s.Helper()
	if s.crate != -5 {
		s.changed(func() { s.put(-5) })
	}
}

// cancel is a user who thinks better of a goal.
func (s *workday) cancel() {
	s.clear()
	to, ok := s.far(s.right, 0.3, 0.05)
	if !ok {
		return
	}
	id := action.NewID()
	ended := s.going(id, to, 3)
	if _, err := s.user.Cancel(s.soon(), id); err != nil {
		s.Fatalf("cancel: %v", err)
	}
	e := <-ended
	if e.status != action.Canceled && e.status != action.Succeeded {
		s.Errorf("a goal that is canceled ends %v: %q", e.status, e.result.ErrorString)
	}
	s.ends["canceled: "+e.status.String()]++
	s.stopped()
	s.expect()
}

// replace is a goal that takes the place of one under way, and one that would collide and does
// not.
func (s *workday) replace() {
	s.clear()
	to, ok := s.far(s.right, 0.2, 0.3)
	other, too := s.far(to, 0.2, 0.3)
	if !ok || !too || math.Abs(to-s.right) > 0.8 || math.Abs(other-s.right) > 0.8 || s.gapOn(s.right, other) < 0.3 {
		return
	}
	ended := s.going(action.NewID(), to, 1.5)
	s.refused(goalOf(bothCarts, []float64{1, 0, -1.1}), "") // the carts overlap there
	status, r := s.sent(action.NewID(), goalOf(bothCarts, []float64{0.7, 0, other}))
	first := <-ended
	switch {
	case status == action.Succeeded && (first.status == action.Succeeded || strings.Contains(first.result.ErrorString, "replaced by a new goal")):
	case status == action.Aborted && first.status == action.Succeeded && (strings.Contains(r.ErrorString, "UNDECIDED") || strings.Contains(r.ErrorString, "within their tube")):
		// It came too late to take over, or the controller might have taken it over anywhere.
	default:
		s.Errorf("the goal that replaces another ends %v: %q; the other %v: %q", status, r.ErrorString, first.status, first.result.ErrorString)
	}
	s.ends[fmt.Sprintf("replaced: %v, then %v", first.status, status)]++
	s.stopped()
	s.expect()
}

// edit changes the scene while the robot moves: the crate is put elsewhere, or in the way.
func (s *workday) edit() {
	s.clear()
	to, ok := s.far(s.right, 0.8, 0.05)
	if !ok {
		return
	}
	crateTo, hits := -3.0, s.dice.IntN(3) > 0
	if hits {
		if crateTo = s.reach(to) - 0.05; to < s.right {
			crateTo = 0.9 + to + 0.05
		}
	}
	versions := s.states.count()
	last, _ := s.states.wait(max(versions-1, 0), "a state", func(*fcmsgs.CollisionState) bool { return true })
	ended := s.going(action.NewID(), to, 1.5)
	s.put(crateTo)
	e := <-ended
	says := e.result.ErrorString
	switch {
	case e.status == action.Succeeded && (!hits || s.controller.At()["right_x"] == to): // the change may come too late
	case e.status == action.Aborted && hits && strings.Contains(says, "crate"):
	default:
		s.Errorf("from %g to %g, with the crate at %g from then on, the goal ends %v: %q", s.right, to, crateTo, e.status, says)
	}
	s.ends[fmt.Sprintf("edited in the way %v: %v", hits, e.status)]++
	s.stopped()
	s.states.wait(versions, "in the new scene", func(c *fcmsgs.CollisionState) bool { return c.SceneVersion > last.SceneVersion })
	s.expect()
}

// plan is a planner's path, which it shows before it is executed.
func (s *workday) plan() {
	to := s.dice.In(-0.9, 1.9)
	gap := s.gapOn(s.right, to)
	if unclear(gap) {
		return
	}
	s.plans++
	m := planFrom(0, s.right, path(bothCarts, []float64{0, 0, s.right}, []float64{1, 0, to}))
	m.Trajectory[0].JointTrajectory.Header.Stamp.Sec = int32(s.plans)
	if s.tool { // a whole state says all that is attached
		m.TrajectoryStart.IsDiff = true
	}
	s.asked++
	s.publish(s.planner.Publish(m))
	want := fcmsgs.VerdictFree
	if gap < 0 {
		want = fcmsgs.VerdictContact
	}
	v := s.waitVerdict(fmt.Sprintf("%s/display_planned_path@%d.000000000", s.namespace, s.plans))
	if v.Status != want {
		s.Errorf("a plan from %g to %g, gap %g: status %d: %s", s.right, to, gap, v.Status, v.Message)
	}
}

// skew is a driver whose clock is set, and set right again.
func (s *workday) skew() {
	off := 5 * time.Second
	if s.dice.IntN(2) == 0 {
		off = -off
	}
	from := s.states.count()
	s.off.Store(int64(off))
	s.waitLevel(from, levelUnknown, "")
	s.off.Store(0)
	s.again()
}

// jump sets the simulated clock back or ahead.
func (s *workday) jump() {
	if s.clock == nil {
		return
	}
	by := []time.Duration{-20 * time.Second, -3 * time.Second, 5 * time.Second, time.Hour}[s.dice.IntN(4)]
	from := s.states.count()
	last, _ := s.states.wait(max(from-1, 0), "a state", func(*fcmsgs.CollisionState) bool { return true })
	at := s.clock.set(by)
	s.states.wait(from, "in the new time", func(c *fcmsgs.CollisionState) bool {
		away := c.Header.Stamp.Time().Sub(at)
		return away > -ms && away < time.Second+abs(by)/2 && c.MotionsUnchecked > last.MotionsUnchecked
	})
	s.again()
}

func abs(d time.Duration) time.Duration { return max(d, -d) }

// again waits until the node follows.
func (s *workday) again() {
	s.Helper()
	s.rested()
	s.expect()
}

// death kills the driver, and starts it again where it stood.
func (s *workday) death() {
	if s.clock != nil {
		return // the other driver goes by the system's clock
	}
	if s.right != 0 && s.gapOn(s.right, 0) > 0.05 {
		s.succeeds(goalOf(bothCarts, []float64{0.1, 0, 0}))
		s.stopped()
	}
	if s.right != 0 {
		return
	}
	s.lose()
	kill := s.graph.startPublisher(s.T, s.graph, s.namespace)
	s.expect()
	from := s.states.count()
	kill()
	s.waitLevel(from, levelUnknown, "no fresh measurement")
	s.drive()
	s.again()
}

// lose ends the driver.
func (s *workday) lose() {
	from := s.states.count()
	if err := s.controller.Close(); err != nil {
		s.Fatal(err)
	}
	s.controller = nil
	s.waitLevel(from, levelUnknown, "")
}

// restart ends the driver and starts it again.
func (s *workday) restart() {
	s.lose()
	s.driver.At = map[string]float64{"left_x": 0, "right_x": s.right}
	s.drive()
	s.again()
}

// configure takes the node down to nothing but its parameters, and up again.
func (s *workday) configure() {
	s.manage.must("deactivate", "cleanup")
	s.waitLevel(s.states.count(), levelUnknown, "unconfigured")
	s.refused(goalOf(bothCarts, []float64{0.05, 0, s.right}), "unconfigured")
	s.manage.must("configure", "activate")
	s.expect()
}

// put moves the crate, and lets whoever asks for the scene know.
func (s *workday) put(x float64) {
	s.Helper()
	s.crate = x
	s.move.mu.Lock()
	s.move.scene.World.CollisionObjects = []moveitmsgs.CollisionObject{crate("crate", x, moveitmsgs.CollisionObjectAdd)}
	s.move.mu.Unlock()
	s.move.change(changeOf(crate("crate", x, moveitmsgs.CollisionObjectMove)))
}

// whole is move_group publishing its whole scene, as it does at times between the changes.
func (s *workday) whole() {
	s.move.mu.Lock()
	m := s.move.scene
	s.move.mu.Unlock()
	s.publish(s.move.pub.Publish(&m))
	s.expect()
}
