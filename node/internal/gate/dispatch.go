package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// dispatch is a goal that was sent to the controller.
type dispatch struct {
	controller *controller
	id         action.ID
	began      time.Time

	answered chan struct{} // closed when the controller has answered, or is not waited for any more
	accepted bool          // the answer; it and the rest are valid then
	err      error         // why there is none
	at       time.Time     // when it came

	recalling
}

// errNoAnswer is the answer of a controller that has not given one yet.
var errNoAnswer = errors.New("it did not answer in time")

// dispatch sends a goal to the controller, and listens for its answer for as long as that may come.
func (c *controller) dispatch(r *run) *dispatch {
	d := &dispatch{controller: c, id: r.id, began: time.Now(), answered: make(chan struct{})}
	goal := r.question.Goal
	c.mu.Lock()
	c.runs[r.id], c.sending = r, true // before its status comes
	c.mu.Unlock()
	c.gate.atLast(func() {
		defer close(d.answered)
		ctx, cancel := context.WithTimeout(c.gate.last, strayPatience)
		defer cancel()
		d.accepted, _, d.err = c.client.Send(ctx, d.id, goal)
		d.at = time.Now()
	})
	return d
}

// isAnswered reports whether the controller has answered, or is not waited for any more.
func (d *dispatch) isAnswered() bool {
	select {
	case <-d.answered:
		return true
	default:
		return false
	}
}

// answer returns what the controller has answered until now.
func (d *dispatch) answer() (accepted bool, err error) {
	if !d.isAnswered() {
		return false, errNoAnswer
	}
	return d.accepted, d.err
}

// settled reports whether the controller, if it does not know the goal, has ended or never got it.
// Before, the goal may be on its way, or accepted and not noted yet: controllers answer first.
func (d *dispatch) settled() bool {
	if _, err := d.answer(); err == nil {
		return time.Since(d.at) > notePatience
	}
	return time.Since(d.began) > strayPatience
}

// send sends a goal to the controller, and waits for the answer.
func (r *run) send() error {
	c := r.controller
	r.sent = c.dispatch(r)
	r.awaitAnswer()
	accepted, err := r.sent.answer()
	defer c.tookOver(accepted)
	switch {
	case err != nil:
		return r.doubt(err)
	case !accepted:
		c.forget(r, true)
		return errors.New("proved free, but the controller rejected the goal: see its log")
	}
	c.begins(r)
	r.goal.Execute()
	return nil
}

// hears waits until the controller hears what it is sent, while the gate is open.
func (c *controller) hears(r *run) (err error) {
	if r.goal != nil {
		ctx, cancel := context.WithTimeout(c.gate.ctx, lostPatience)
		defer cancel()
		err = c.client.Wait(ctx)
	}
	switch {
	case c.gate.ctx.Err() != nil:
		return errStopped
	case err != nil:
		return &againError{errors.New("the controller has disappeared")}
	}
	return nil
}

// awaitAnswer waits for the controller's answer to the goal, for some time and while the gate is open.
func (r *run) awaitAnswer() {
	late := time.NewTimer(answerPatience)
	defer late.Stop()
	canceling := r.canceling()
	for {
		select {
		case <-r.sent.answered:
			return
		case <-canceling:
			canceling = nil
			r.canceled.Store(true)
			r.sent.callOff()
		case <-late.C:
			return
		case <-r.controller.gate.ctx.Done():
			return
		}
	}
}

// doubt ends a goal that the controller may have without having said so.
func (r *run) doubt(reason error) error {
	c := r.controller
	r.plan.Begin()
	c.breakOff(r)
	ends := c.doubt(r)
	switch {
	case c.gate.ctx.Err() == nil:
		return fmt.Errorf("the controller did not answer, and is asked to cancel the goal: %w", reason)
	case ends:
		return fmt.Errorf("%w: the goal was on its way to the controller, and is not executed", errStopped)
	}
	return fmt.Errorf("%w: the goal was on its way to the controller, which has been asked to cancel it and has not said that it does", errStopped)
}
