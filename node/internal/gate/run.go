package gate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// run is one trajectory on its way through the gate.
type run struct {
	controller *controller
	number     uint64 // in order of arrival
	id         action.ID
	goal       *serverGoal // nil for a trajectory from the topic
	sent       *dispatch   // nil before it is sent to the controller's action
	question   Question
	came       time.Time
	asked      time.Time
	late       time.Duration // see Question.Late
	verdicts   chan Verdict
	around     map[*controller]*run // what each controller executed when the question was asked
	plan       Plan
	replaced   chan struct{} // closed when a later trajectory has taken its place
	canceled   atomic.Bool   // the controller was asked to cancel it
	nudged     chan struct{} // capacity 1: another controller does not execute what it should
}

var errStopped = errors.New("the gate is closed")

// ask asks the judge, anew if it was asked before.
func (r *run) ask() {
	c := r.controller
	r.asked = time.Now()
	q := r.question
	q.Came, q.Time, q.Late = r.came, max(c.gate.Deadline()-time.Since(r.came), 0), r.late
	r.around = map[*controller]*run{}
	for _, other := range c.gate.all() {
		running := other.present()
		r.around[other] = running
		switch {
		case running == nil:
		case other == c:
			q.Running = running.plan
		default:
			q.Beside = append(q.Beside, running.plan)
		}
	}
	verdicts := make(chan Verdict, 1)
	r.verdicts = verdicts
	c.gate.Judge.Ask(q, func(v Verdict) { verdicts <- v })
}

// serve takes the trajectory through the gate.
func (r *run) serve() {
	for again := range math.MaxInt {
		v, err := r.verdict()
		switch {
		case errors.Is(err, errCanceled):
			r.endCanceled(&result{ErrorString: "canceled before it was forwarded"})
			return
		case err != nil:
			r.refuse(err.Error())
			return
		case v.Plan == nil:
			r.refuse(v.Reason)
			return
		}
		r.plan = v.Plan
		if err = r.reach(); err == nil {
			err = r.forward()
		}
		var changed *againError
		switch {
		case err == nil:
			r.question.Goal = nil // not needed any more
			r.follow()
			return
		case errors.As(err, &changed) && time.Since(r.came) < r.controller.gate.Deadline():
			r.late = time.Since(r.asked)
			if again > 0 {
				time.Sleep(pauseAgain)
			}
			r.ask()
		default:
			r.refuse(err.Error())
			return
		}
	}
}

// pauseAgain bounds how often a trajectory is judged again and again: what it waits for, such as a scene,
// may take longer than a verdict.
const pauseAgain = 10 * time.Millisecond

// againError says why a verdict no longer holds.
type againError struct{ reason error }

func (e *againError) Error() string {
	return "the proof no longer holds, and the deadline has passed: " + e.reason.Error()
}

var errCanceled = errors.New("the goal was canceled")

// verdict waits for the judge.
func (r *run) verdict() (Verdict, error) {
	timer := time.NewTimer(time.Until(r.came.Add(r.controller.gate.Deadline() + verdictGrace)))
	defer timer.Stop()
	select {
	case v := <-r.verdicts:
		return v, nil
	case <-r.canceling():
		return Verdict{}, errCanceled
	case <-timer.C:
		return Verdict{}, errors.New("there was no verdict within the deadline")
	case <-r.controller.gate.ctx.Done():
		return Verdict{}, errStopped
	}
}

// canceling returns a channel that is closed when the user asks to cancel; nil if that is
// impossible.
func (r *run) canceling() <-chan struct{} {
	if r.goal == nil {
		return nil
	}
	return r.goal.Canceling()
}

// reach waits for the controller's action server, as long as there is time.
func (r *run) reach() error {
	c := r.controller
	if r.goal == nil || c.client.Available() {
		return nil
	}
	ctx, cancel := context.WithDeadline(c.gate.ctx, r.came.Add(c.gate.Deadline()))
	defer cancel()
	switch err := c.client.Wait(ctx); {
	case c.gate.ctx.Err() != nil:
		return errStopped
	case err != nil:
		return fmt.Errorf("there is no action server %s: is the controller active, and on Cyclone DDS?", c.client.Name())
	}
	return &againError{errors.New("the controller has just appeared")}
}

// forward sends the trajectory to the controller if its proof holds still. Trajectories of all
// controllers are forwarded one at a time, those of one controller in order of arrival: one
// that was overtaken is refused.
func (r *run) forward() error {
	c := r.controller
	select {
	case c.gate.turn <- struct{}{}:
		defer func() { <-c.gate.turn }()
	case <-c.gate.ctx.Done(): // which hears tells
	}
	if err := c.hears(r); err != nil {
		return err
	}
	select {
	case <-r.canceling():
		return errors.New("canceled before it was forwarded")
	default:
	}
	if err := c.admits(r); err != nil {
		return err
	}
	if err := r.plan.Ready(); err != nil {
		return &againError{err}
	}
	if r.goal == nil {
		if err := c.out.Publish(&r.question.Goal.Trajectory); err != nil {
			return err
		}
		c.begins(r)
		return nil
	}
	return r.send()
}

// admits reports why a trajectory must not be forwarded now.
func (c *controller) admits(r *run) error {
	c.mu.Lock()
	overtaken := r.number < c.newest
	c.mu.Unlock()
	if overtaken {
		return errors.New("a later trajectory was forwarded before its verdict")
	}
	for _, each := range c.gate.all() {
		if err := each.isStill(r.around[each]); err != nil {
			return err
		}
	}
	return nil
}

// isStill reports why the controller may not execute what it did, nil for nothing, when a
// trajectory for it or another controller was judged.
func (c *controller) isStill(executing *run) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.unsure {
		return fmt.Errorf("the controller %s may still execute the goal %s, which this gate does not follow any more: it is asked again and again to cancel that", c.name, id)
	}
	for id := range c.foreign {
		return fmt.Errorf("the controller %s executes the goal %s, which this gate does not follow: cancel it there first", c.name, id)
	}
	switch {
	case c.running != nil && c.running.canceled.Load():
		return &againError{fmt.Errorf("what the controller %s executes is being canceled", c.name)}
	case c.running != executing:
		return &againError{fmt.Errorf("what the controller %s executes has changed", c.name)}
	}
	return nil
}

// tookOver notes the controller's answer to a goal. One that it has ended while it was asked to replace
// it, and that was not replaced, is broken off.
func (c *controller) tookOver(accepted bool) {
	c.mu.Lock()
	ended := c.ending
	c.sending, c.ending = false, nil
	c.mu.Unlock()
	if ended != nil && !accepted {
		c.breakOff(ended)
	}
}

// begins notes that the controller executes a trajectory.
func (c *controller) begins(r *run) {
	r.plan.Begin() // before another trajectory is judged beside it
	c.mu.Lock()
	if c.running != nil {
		close(c.running.replaced)
	}
	c.running, c.newest = r, r.number
	c.totals.Forwarded++
	c.mu.Unlock()
	c.gate.log.Infof("gate of %s: %s is proved free and forwarded", c.name, r.question.ID)
}

// forget ends the controller's knowledge of a trajectory. ended says that the controller does
// not execute it any more.
func (c *controller) forget(r *run, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(r)
	if ended {
		c.noteEnd(r.id)
	}
}

// drop ends the gate's knowledge of a trajectory. Unless its end is noted, the controller may execute
// it still. The caller holds mu.
func (c *controller) drop(r *run) {
	delete(c.runs, r.id)
	if c.running == r {
		c.running = nil
	}
	if r.sent != nil && len(c.lost) < limit.ActionGoals {
		c.lost[r.id] = r.sent
	}
}

// noteEnd notes that the controller does not execute a goal any more. The caller holds mu.
func (c *controller) noteEnd(id action.ID) {
	delete(c.unsure, id)
	delete(c.lost, id)
	if len(c.ended) >= limit.ActionResults {
		clear(c.ended)
	}
	c.ended[id] = true
}

// refuse ends a trajectory that is not forwarded.
func (r *run) refuse(reason string) {
	c := r.controller
	c.countUp(&c.totals.Refused)
	c.gate.log.Warnf("gate of %s: %s is refused: %s", c.name, r.question.ID, reason)
	if r.goal == nil {
		return
	}
	select {
	case <-r.goal.Canceling():
		r.endCanceled(&result{ErrorString: reason})
	default:
		r.abort(controlmsgs.FollowJointTrajectoryResultInvalidGoal, reason)
	}
}

func (r *run) abort(code int32, reason string) {
	if r.goal != nil {
		r.goal.Abort(&result{ErrorCode: code, ErrorString: reason})
	}
}

// endCanceled ends a goal that its user has canceled.
func (r *run) endCanceled(answer *result) {
	if r.goal.Canceled(answer) != nil {
		r.goal.Abort(answer)
	}
}
