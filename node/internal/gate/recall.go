package gate

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// recalling is the state of a goal that the controller is not to execute any more.
type recalling struct {
	mu   sync.Mutex
	done chan struct{} // closed when the recall that goes on has ended; nil without one

	// The recall uses these, and others once it has ended.
	ends bool // the controller has said that it ends the goal, or has ended it
	told bool // that it does not
}

// callOff has the controller end the goal, in the background, however often it must be asked. The
// channel is closed when that has ended.
func (d *dispatch) callOff() (done <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done != nil {
		return d.done
	}
	ended := make(chan struct{})
	d.done = ended
	work := func() {
		defer close(ended)
		d.recall()
	}
	if g := d.controller.gate; !g.begin(work) {
		g.atLast(work)
	}
	return ended
}

// recall asks the controller to cancel the goal until the goal has ended. A request that overtakes
// the goal is without effect, and so is one that comes before the controller has noted what it
// accepted. When the gate closes, it is enough that the controller says that it cancels the goal.
func (d *dispatch) recall() {
	c, present, ended := d.controller, true, false
	defer func() { d.recalled(present, ended) }()
	for pause := askPause; c.gate.last.Err() == nil; pause = min(2*pause, answerPatience) {
		if present = c.reachable(); !present {
			return
		}
		answered := d.isAnswered()
		d.cancel()
		if d.ends && c.gate.ctx.Err() != nil {
			return
		}
		if ended = d.hasEnded(answered, pause); ended {
			return
		}
		if answered != d.isAnswered() {
			pause = askPause / 2 // what was asked before was perhaps in vain
		}
	}
}

// recalled notes the end of a recall. Of a controller that is gone nothing more is expected, until
// its status has the goal.
func (d *dispatch) recalled(present, ended bool) {
	d.ends = d.ends || ended
	d.mu.Lock()
	d.done = nil
	d.mu.Unlock()
	c := d.controller
	if c.gate.ctx.Err() != nil && !d.ends {
		c.gate.log.Errorf("gate of %s: the gate is closed, and the controller has not said that it cancels the goal %s: it may execute it", c.name, d.id)
	}
	if ended || !present {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.unsure, d.id)
	}
}

// reachable reports whether the controller is there, or appears soon.
func (c *controller) reachable() bool {
	if c.client.Available() {
		return true
	}
	ctx, cancel := context.WithTimeout(c.gate.last, lostPatience)
	defer cancel()
	return c.client.Wait(ctx) == nil
}

// cancel asks the controller once to cancel the goal. One that is being canceled is refused like one
// that has ended.
func (d *dispatch) cancel() {
	c := d.controller
	ctx, cancel := context.WithTimeout(c.gate.last, answerPatience)
	defer cancel()
	answer, err := c.client.Cancel(ctx, d.id)
	why := "does not answer"
	if err == nil {
		why = "refuses"
		canceling := slices.ContainsFunc(answer.GoalsCanceling, func(g actionmsgs.GoalInfo) bool { return g.GoalID.UUID == d.id })
		if canceling || answer.ReturnCode == actionmsgs.CancelGoalResponseErrorGoalTerminated {
			d.ends = true
			return
		}
		if answer.ReturnCode == actionmsgs.CancelGoalResponseErrorUnknownGoalID {
			return
		}
	}
	if !d.told && c.client.Available() {
		d.told = true
		c.gate.log.Errorf("gate of %s: the controller was asked to cancel the goal %s and %s: it is asked again", c.name, d.id, why)
	}
}

// hasEnded waits for the end of the goal, until the pause is over or the controller has answered to
// the goal, if it has not before. It reports whether the controller does not execute the goal, and
// will not.
func (d *dispatch) hasEnded(answered bool, pause time.Duration) bool {
	c := d.controller
	open := c.gate.last
	if d.ends {
		open = c.gate.ctx
	}
	ctx, cancel := context.WithTimeout(open, pause)
	defer cancel()
	if !answered {
		go func() {
			select {
			case <-d.answered:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	status, _, err := c.client.Result(ctx, d.id)
	accepted, missing := d.answer()
	switch {
	case err == nil && status.Final(), missing == nil && !accepted:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.noteEnd(d.id)
		return true
	case err == nil && status == action.Unknown && d.settled():
		return true
	}
	<-ctx.Done()
	return false
}

// doubt notes that the controller may execute a trajectory that the gate does not follow any more.
// Until the controller says that it has ended, nothing is proved beside it, and nothing is sent. A
// gate that closes waits, and reports whether the controller has said that it ends it.
func (c *controller) doubt(r *run) (ends bool) {
	c.mu.Lock()
	c.drop(r)
	c.unsure[r.id] = true
	c.mu.Unlock()
	done := r.sent.callOff()
	if c.gate.ctx.Err() == nil {
		c.gate.log.Errorf("gate of %s: the controller may execute the goal %s, which is not followed any more: it is asked to cancel it, and sent nothing until that has ended", c.name, r.id)
		return false
	}
	<-done
	return r.sent.ends
}
