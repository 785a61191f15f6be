package gate_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// slowCell is a cell whose controller decides about a goal when the test says so, and counts the
// requests to cancel that reach it.
type slowCell struct {
	*cell
	came    atomic.Int32 // goals
	decide  chan struct{}
	cancels atomic.Int32
}

func startSlow(t *testing.T, rejects bool) *slowCell {
	t.Helper()
	c := &slowCell{decide: make(chan struct{})}
	c.cell = startWith(t, func(o *gatetest.Options) {
		o.Hesitates = func(action.ID) <-chan struct{} {
			c.came.Add(1)
			return c.decide
		}
		o.Rejects = func(action.ID) bool { return rejects }
	})
	// Requests reach every server of a service. This one does not answer.
	_, err := ros.ServeEach(c.node("spy"), "arm/follow_joint_trajectory/_action/cancel_goal", ros.ServiceQoS,
		func(*actionmsgs.CancelGoalRequest, ros.RequestInfo, func(*actionmsgs.CancelGoalResponse)) {
			c.cancels.Add(1)
		})
	c.must(err)
	return c
}

// onItsWay sends a goal that lasts, and waits until the controller has it.
func (c *slowCell) onItsWay(id action.ID) <-chan end {
	c.t.Helper()
	ends := c.sent(id, trajectory(0.5, 100))
	c.wait("on its way", func() bool { return c.came.Load() > 0 })
	return ends
}

// isCanceledInVain reports whether the controller was asked to cancel a goal that it does not know.
func (c *slowCell) isCanceledInVain() bool { return c.cancels.Load() > 0 }

// stands expects that the controller stops what it executes, if anything.
func (c *cell) stands() {
	c.t.Helper()
	c.wait("the robot stands", func() bool { return !c.controller.Executing() })
}

func (c *cell) closeGate() <-chan error {
	closed := make(chan error, 1)
	go func() { closed <- c.gate.Close() }()
	return closed
}

// The request to cancel overtakes the goal: the controller does not know the goal then, and accepts
// it later.
func TestGoalThatIsAcceptedAfterTheGateClosed(t *testing.T) {
	c := startSlow(t, false)
	ends := c.onItsWay(action.NewID())
	closed := c.closeGate()
	c.wait("canceled in vain", c.isCanceledInVain)
	close(c.decide)
	c.expect(ends, action.Aborted, -1, "the gate is closed: the goal was on its way to the controller, and is not executed")
	c.must(<-closed)
	c.taken(1)
	c.stands()
}

func TestGoalThatIsRejectedAfterTheGateClosed(t *testing.T) {
	c := startSlow(t, true)
	ends := c.onItsWay(action.NewID())
	closed := c.closeGate()
	c.wait("canceled in vain", c.isCanceledInVain)
	close(c.decide)
	c.expect(ends, action.Aborted, -1, "the gate is closed: the goal was on its way to the controller, and is not executed")
	c.must(<-closed)
	c.taken(0)
}

// A controller that does not answer keeps no gate open, and the result does not say that the goal is
// canceled.
func TestGateClosesWhateverTheControllerDoes(t *testing.T) {
	t.Parallel() // it waits for 4 s
	c := startSlow(t, false)
	defer close(c.decide)
	ends := c.onItsWay(action.NewID())
	closed := c.closeGate()
	c.expect(ends, action.Aborted, -1, "the gate is closed: the goal was on its way to the controller, which has been asked to cancel it and has not said that it does")
	c.must(<-closed)
}

func TestUserCancelsAGoalOnItsWay(t *testing.T) {
	c := startSlow(t, false)
	id := action.NewID()
	ends := c.onItsWay(id)
	_, err := c.user.Cancel(c.ctx, id)
	c.must(err)
	c.wait("canceled in vain", c.isCanceledInVain)
	close(c.decide)
	c.expect(ends, action.Canceled, 0, "")
	c.taken(1)
	c.stands()
}

// The controller answers to a goal when the gate does not wait for it any more: what it executes
// then is canceled, without another goal that would have the gate look.
func TestGoalThatIsAcceptedTooLate(t *testing.T) {
	t.Parallel() // it waits for 2 s
	c := startSlow(t, false)
	id := action.NewID()
	ends := c.onItsWay(id)
	c.expect(ends, action.Aborted, -1, "the controller did not answer, and is asked to cancel the goal")
	c.expect(c.sent(action.NewID(), trajectory(0.3, 0.05)), action.Aborted, -1, "may still execute the goal "+id.String())
	close(c.decide)
	c.wait("taken", c.isTaken(1))
	c.stands()
	c.wait("the gate knows it", func() bool { return !c.gate.Report().Controllers[0].Executing })
	c.expect(c.sent(action.NewID(), trajectory(0.3, 0.05)), action.Succeeded, 0, "")
}

// What one controller executes is canceled, too, when the gate closes while a goal is on its way to
// another one.
func TestGateClosesWithAGoalOnItsWayBesideAnother(t *testing.T) {
	c := startSlow(t, false)
	hand, err := gatetest.New(c.node("hand"), gatetest.Options{Name: "hand", At: map[string]float64{"h": 0}})
	c.must(err)
	defer hand.Close()
	grip, err := gatetest.NewClient(c.userNode, "hand_checked", action.ClientOptions[gatetest.Feedback]{})
	c.must(err)
	closing := trajectory(0.2, 100)
	closing.Trajectory.JointNames = []string{"h"}
	gripping := action.NewID()
	_, _, err = grip.Send(c.ctx, gripping, closing)
	c.must(err)
	c.wait("taken by the hand", hand.Executing)
	ends := c.onItsWay(action.NewID())
	closed := c.closeGate()
	status, r, err := grip.Result(c.ctx, gripping)
	c.must(err)
	if status != action.Aborted || r.ErrorString != "canceled, because nobody watches the motion: the gate is closed" {
		t.Errorf("the hand's goal ends %v: %q", status, r.ErrorString)
	}
	c.wait("the hand stands", func() bool { return !hand.Executing() })
	c.wait("canceled in vain", c.isCanceledInVain)
	close(c.decide)
	c.expect(ends, action.Aborted, -1, "the gate is closed")
	c.must(<-closed)
	c.stands()
}

// A goal that waits for its controller when the gate closes is not sent, for that reason.
func TestGateClosesWhileAGoalWaitsForItsController(t *testing.T) {
	c := start(t)
	c.stopController()
	c.deadline.Store(int64(time.Minute))
	id := action.NewID()
	c.sent(id, trajectory(0.5, 100))
	c.wait("judged", func() (is bool) {
		c.judge.change(func(j *judge) { is = len(j.asked) > 0 })
		return is
	})
	c.must(<-c.closeGate()) // and its user, if slow to ask for it, gets no result
	c.gateNode.Logger().Flush(time.Minute)
	if want := id.String() + " is refused: the gate is closed"; !strings.Contains(c.log.String(), want) {
		t.Errorf("the log lacks %q: %s", want, &c.log)
	}
}

// A controller may answer to a goal before it can cancel it.
func TestRefusedCancelIsRepeated(t *testing.T) {
	const refusals = 3
	reasons := map[string]struct {
		stop   func(c *cell, id action.ID)
		status action.Status
		text   string
	}{
		"the user":  {func(c *cell, id action.ID) { c.user.Cancel(c.ctx, id) }, action.Canceled, ""},
		"the proof": {func(c *cell, _ action.ID) { c.judge.change(func(j *judge) { j.watch = errors.New("a box") }) }, action.Aborted, "canceled: a box; the robot stops free"},
		"the end":   {func(c *cell, _ action.ID) { c.closeGate() }, action.Aborted, "canceled, because nobody watches the motion: the gate is closed"},
	}
	for name, reason := range reasons {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			c := startWith(t, func(o *gatetest.Options) {
				o.Refuses = func(action.ID) bool { return asked.Add(1) <= refusals }
			})
			id := action.NewID()
			ends := c.sent(id, trajectory(0.5, 100))
			c.wait("taken", c.isTaken(1))
			reason.stop(c, id)
			var code int32
			if reason.status == action.Aborted {
				code = -1
			}
			c.expect(ends, reason.status, code, reason.text)
			c.stands()
			if asked.Load() <= refusals {
				t.Errorf("asked %d times", asked.Load())
			}
		})
	}
}

// A controller that was gone, and is back with the goal: nobody has watched it meanwhile.
func TestGoalOfAControllerThatIsBack(t *testing.T) {
	c := start(t)
	id := action.NewID()
	ends := c.sent(id, trajectory(0.5, 100))
	c.wait("taken", c.isTaken(1))
	c.stopController()
	c.expect(ends, action.Aborted, -1, "the controller is gone")
	c.startController()
	direct, err := gatetest.NewClient(c.userNode, "arm", action.ClientOptions[gatetest.Feedback]{})
	c.must(err)
	accepted, _, err := direct.Send(c.ctx, id, trajectory(0.5, 100))
	if !accepted || err != nil {
		t.Fatal(accepted, err)
	}
	c.stands()
}

// A look at the rest of the motion that is interrupted has found nothing: the goal is canceled for its
// user, not for that.
func TestInterruptedLookIsNoReason(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.slowWatch = true })
	c.controller.Stubborn(true)
	id := action.NewID()
	ends := c.sent(id, trajectory(0.5, 100))
	looks := func(n int) func() bool {
		return func() (is bool) {
			c.judge.change(func(j *judge) { is = j.looks == n })
			return is
		}
	}
	c.wait("looking", looks(1))
	_, err := c.user.Cancel(c.ctx, id)
	c.must(err)
	c.wait("looking again", looks(2))
	c.controller.Stubborn(false)
	c.expect(ends, action.Canceled, 0, "")
	if r := c.gate.Report().Controllers[0]; r.Stopped != 0 {
		t.Errorf("report %+v", r)
	}
}
