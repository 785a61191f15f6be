package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// outcome is what the controller says of a goal.
type outcome struct {
	status action.Status
	result *result
	err    error
}

// follow watches a trajectory that the controller executes, to its end. It always ends the
// goal.
func (r *run) follow() {
	ctx, stop := context.WithCancel(r.controller.gate.ctx)
	defer stop()
	f := &following{run: r, ctx: ctx, canceling: r.canceling(), replaced: r.replaced, watched: make(chan look, 1), seen: time.Now()}
	if r.goal != nil {
		f.outcomes = make(chan outcome, 1)
		go func() {
			status, result, err := r.controller.client.Result(ctx, r.id)
			f.outcomes <- outcome{status, result, err}
		}()
	}
	f.look()
	defer func() { f.interrupt() }()
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	for !f.step(tick.C) {
	}
}

// look is what a look at the rest of a trajectory has found.
type look struct {
	err         error // why the controller must stop
	interrupted bool  // before it was found
}

// following is the state of follow.
type following struct {
	*run
	ctx       context.Context
	outcomes  chan outcome
	canceling <-chan struct{}
	replaced  <-chan struct{}
	watched   chan look // results of Watch
	watching  bool
	interrupt func()        // ends Watch
	again     bool          // Watch was interrupted to begin anew
	seen      time.Time     // when the controller was last seen
	stopped   error         // why the gate has stopped the controller
	stop      <-chan string // what is found of the stop, later; nil unless the gate has stopped the controller
	giveUp    <-chan time.Time
	unheld    bool // it is said that the robot cannot be held now
}

// executing reports whether the controller may still be executing the trajectory.
func (f *following) executing() bool {
	return f.stopped == nil && !f.superseded()
}

// superseded reports whether a later trajectory has taken the place of this one.
func (f *following) superseded() bool {
	if f.replaced == nil {
		return true
	}
	select {
	case <-f.replaced: // which step has not come to: to hold the robot now would stop the later one
		return true
	default:
		return false
	}
}

// why tells why the trajectory ends before its time. It waits for what is found of the stop.
func (f *following) why() string {
	if f.stopped != nil {
		return "canceled: " + f.stopped.Error() + "; " + <-f.stop
	}
	return "a later trajectory has taken its place"
}

// step waits for one event. It reports whether the trajectory has ended.
func (f *following) step(tick <-chan time.Time) (done bool) {
	c := f.controller
	select {
	case o := <-f.outcomes:
		if o.err != nil {
			f.leave(o.err)
			return true
		}
		if o.status != action.Succeeded {
			c.endedEarly(f.run)
		}
		f.endAs(o)
		return true
	case <-f.canceling:
		f.canceling = nil
		f.cancelThere()
	case <-f.nudged:
		if f.again = f.watching; f.again {
			f.interrupt()
		}
		f.look()
	case <-f.replaced:
		f.replaced = nil
		if f.goal == nil {
			return true
		}
		f.giveUp = time.After(endPatience)
	case found := <-f.watched:
		again := f.again
		f.watching, f.again = false, false
		if found.err != nil && !found.interrupted && f.executing() {
			return f.halt(found.err)
		}
		if again {
			f.look()
		}
	case <-tick:
		return f.tick()
	case <-f.giveUp:
		f.desert()
		return true
	case <-c.gate.ctx.Done():
		f.leave(errStopped)
		return true
	}
	return false
}

// desert ends the goal although its controller has not told how it ended.
func (f *following) desert() {
	c := f.controller
	c.breakOff(f.run)
	if f.replaced == nil {
		c.forget(f.run, true)
	} else {
		c.doubt(f.run)
	}
	f.abort(codeOf(f.stopped), "the controller has not told the goal's end; "+f.why())
}

// tick looks at the controller and at the rest of the trajectory.
func (f *following) tick() (done bool) {
	c := f.controller
	switch {
	case f.goal == nil && f.stopped != nil:
		return f.superseded() || f.release(f.hold())
	case f.goal == nil && f.plan.Over():
		c.forget(f.run, true)
		return true
	case f.goal == nil || c.client.Available():
		f.seen = time.Now()
	case time.Since(f.seen) > lostPatience:
		c.breakOff(f.run)
		c.forget(f.run, false)
		c.gate.log.Errorf("gate of %s: the controller is gone while it executed %s", c.name, f.question.ID)
		f.abort(controlmsgs.FollowJointTrajectoryResultInvalidGoal, "the controller is gone")
		return true
	}
	f.look()
	return false
}

// look has the rest of the trajectory judged, in the background.
func (f *following) look() {
	if f.watching || !f.executing() {
		return
	}
	f.watching = true
	ctx, stop := context.WithCancel(f.ctx)
	f.interrupt = stop
	go func() {
		defer stop()
		err := f.plan.Watch(ctx)
		f.watched <- look{err, ctx.Err() != nil && errors.Is(err, ctx.Err())}
	}()
}

// halt stops the controller because the proof does not hold any more.
func (f *following) halt(reason error) (done bool) {
	c := f.controller
	c.countUp(&c.totals.Stopped)
	f.stopped = reason
	if f.goal != nil {
		c.gate.log.Errorf("gate of %s: %s is canceled: %v", c.name, f.question.ID, reason)
		f.giveUp = time.After(endPatience)
		f.cancelThere()
		f.stop = f.judgeStop()
		return false
	}
	c.gate.log.Errorf("gate of %s: %s is stopped where the robot is: %v", c.name, f.question.ID, reason)
	f.canceled.Store(true) // nothing is sent to the controller, or beside it, before it holds the robot
	held := f.hold()
	c.breakOff(f.run)
	f.judgeStop()
	return f.release(held)
}

// cancelThere has the controller cancel the goal. What other controllers execute is judged again
// meanwhile: a stop waits for nothing.
func (f *following) cancelThere() {
	f.canceled.Store(true)
	f.sent.callOff()
	f.interrupt()
	f.controller.breakOff(f.run)
}

// judgeStop has the stop that has just begun judged, logs the result and returns it once, soon.
func (r *run) judgeStop() <-chan string {
	c := r.controller
	judged := make(chan string, 1)
	began := c.gate.begin(func() {
		ctx, cancel := context.WithTimeout(c.gate.ctx, stopPatience)
		defer cancel()
		free, result := r.plan.Stop(ctx)
		judged <- result
		if free {
			c.gate.log.Infof("gate of %s: %s: %s", c.name, r.question.ID, result)
		} else {
			c.gate.log.Errorf("gate of %s: %s: %s", c.name, r.question.ID, result)
		}
	})
	if !began {
		judged <- "the stop is not judged: " + errStopped.Error()
	}
	return judged
}

// leave ends a trajectory that the gate cannot follow any more: it is canceled.
func (f *following) leave(reason error) {
	c := f.controller
	c.breakOff(f.run)
	if f.goal == nil {
		f.canceled.Store(true)
		f.holdAtLast()
		c.forget(f.run, false)
		return
	}
	text := "canceled, because nobody watches the motion: %v"
	if ends := c.doubt(f.run); c.gate.ctx.Err() != nil {
		reason = errStopped
		if !ends {
			text = "nobody watches the motion, and the controller has been asked to cancel it and has not said that it does: %v"
		}
	}
	f.abort(controlmsgs.FollowJointTrajectoryResultInvalidGoal, fmt.Sprintf(text, reason))
}

// endAs ends the goal as the controller has. One that does not know it may have accepted it just now.
func (f *following) endAs(o outcome) {
	c := f.controller
	if o.status == action.Unknown {
		c.doubt(f.run)
	} else {
		c.forget(f.run, true)
	}
	f.finish(o)
}

// finish passes on how the controller ended the goal.
func (f *following) finish(o outcome) {
	switch {
	case o.status == action.Succeeded:
		f.goal.Succeed(o.result)
	case f.stopped != nil:
		f.abort(codeOf(f.stopped), and(f.why(), o.result.ErrorString))
	case o.status == action.Canceled && f.goal.Canceled(o.result) == nil:
	case o.status == action.Unknown:
		f.abort(controlmsgs.FollowJointTrajectoryResultInvalidGoal, "the controller does not know the goal any more")
	case o.status == action.Canceled:
		f.abort(o.result.ErrorCode, and("the controller has canceled the goal", o.result.ErrorString))
	default:
		f.goal.Abort(o.result)
	}
}

func codeOf(reason error) int32 {
	if errors.Is(reason, ErrDeviation) {
		return controlmsgs.FollowJointTrajectoryResultPathToleranceViolated
	}
	return controlmsgs.FollowJointTrajectoryResultInvalidGoal
}

func and(reason, further string) string {
	if further == "" {
		return reason
	}
	return reason + "; the controller says: " + further
}
