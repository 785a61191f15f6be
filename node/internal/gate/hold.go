package gate

import "time"

// A trajectory from the topic has no goal that could be canceled: the gate sends another one that
// holds the robot. Until that is sent the controller executes the first, so the gate must not
// forget it.

// hold has the controller hold the robot where it is. It reports whether that was sent.
func (f *following) hold() (sent bool) {
	c := f.controller
	hold := f.plan.Hold()
	if hold != nil {
		err := c.out.Publish(hold)
		if err == nil {
			return true
		}
		c.gate.log.Errorf("gate of %s: %s should be stopped: %v", c.name, f.question.ID, err)
	}
	if hold == nil && !f.unheld {
		f.unheld = true // once is enough
		c.gate.log.Errorf("gate of %s: %s should be stopped, but where the robot is is not known: it is stopped as soon as that is measured", c.name, f.question.ID)
	}
	return false
}

// release forgets a trajectory that the controller does not execute any more because it holds the
// robot. Otherwise step tries again.
func (f *following) release(held bool) bool {
	if held {
		f.controller.forget(f.run, true)
	}
	return held
}

// holdAtLast has the controller hold the robot when the gate closes. If that is not possible at once,
// it tries again until the gate has closed.
func (f *following) holdAtLast() {
	for !f.superseded() && !f.hold() {
		select {
		case <-f.controller.gate.last.Done():
			f.controller.gate.log.Errorf("gate of %s: nobody watches %s any more, and the controller may still execute it", f.controller.name, f.question.ID)
			return
		case <-time.After(watchPeriod):
		}
	}
}
