package gate

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// cancel asks the controller to cancel a goal, several times if it does not answer. It reports
// whether the controller is there and has answered.
func (c *controller) cancel(id action.ID) (answered bool) {
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), answerPatience)
		_, err := c.client.Cancel(ctx, id)
		cancel()
		if err == nil {
			return true
		}
		if !c.client.Available() {
			break
		}
	}
	c.gate.log.Errorf("gate of %s: the controller was asked to cancel the goal %s and does not answer", c.name, id)
	return false
}

// ends reports whether a goal that the controller was asked to cancel ends soon, or the controller
// does not know it. The answer to the request does not tell: a goal that is being canceled is
// refused like one that has ended.
func (c *controller) ends(id action.ID) bool {
	if !c.cancel(id) {
		return !c.client.Available()
	}
	ctx, cancel := context.WithTimeout(c.gate.ctx, answerPatience)
	defer cancel()
	_, _, err := c.client.Result(ctx, id)
	return err == nil
}

// doubt notes that the controller may execute a goal that the gate does not follow any more. Until
// the controller says that it has ended, nothing is proved beside it, and nothing is sent.
func (c *controller) doubt(id action.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsure[id] = false
	c.askOff(id)
}

// askOff asks the controller to cancel a goal of which it is not known whether it executes it. The
// caller holds mu.
func (c *controller) askOff(id action.ID) {
	if c.unsure[id] {
		return // being asked
	}
	c.unsure[id] = true
	go func() {
		ended := c.ends(id)
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, still := c.unsure[id]; !still {
			return
		}
		if c.unsure[id] = false; ended {
			delete(c.unsure, id)
		}
	}()
}
