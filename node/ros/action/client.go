package action

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// ClientOptions change a client. The zero value is usable.
type ClientOptions[F any] struct {
	// Feedback, if not nil, gets the feedback of all goals of the action, those of other
	// clients included.
	Feedback func(ID, *F)
	// Status, if not nil, gets the states of all goals of the action after every change.
	Status func(*actionmsgs.GoalStatusArray)
}

// Client sends goals to an action. It is safe for concurrent use.
type Client[G, R, F any, PG Part[G], PR Part[R], PF Part[F]] struct {
	name   string
	send   *ros.Client[sendRequest[G, PG], sendResponse[G, PG]]
	result *ros.Client[resultRequest[R, PR], resultResponse[R, PR]]
	cancel *ros.Client[actionmsgs.CancelGoalRequest, actionmsgs.CancelGoalResponse]
	topics []*ros.Subscription
}

// NewClient returns a client of an action.
func NewClient[G, R, F any, PG Part[G], PR Part[R], PF Part[F]](n *ros.Node, name string, o ClientOptions[F]) (*Client[G, R, F, PG, PR, PF], error) {
	names, err := namesOf(n, name)
	if err != nil {
		return nil, err
	}
	c := &Client[G, R, F, PG, PR, PF]{name: names.action}
	if err := c.connect(n, names, o); err != nil {
		return nil, errors.Join(fmt.Errorf("action %s: %w", names.action, err), c.Close())
	}
	return c, nil
}

func (c *Client[G, R, F, PG, PR, PF]) connect(n *ros.Node, names names, o ClientOptions[F]) (err error) {
	subscribed := func(s *ros.Subscription, err error) error {
		if err == nil {
			c.topics = append(c.topics, s)
		}
		return err
	}
	if o.Feedback != nil {
		err = subscribed(ros.Subscribe(n, names.of("feedback"), FeedbackQoS, func(m *feedbackMessage[F, PF], _ ros.MessageInfo) {
			o.Feedback(m.ID, &m.Feedback)
		}))
	}
	if err == nil && o.Status != nil {
		err = subscribed(ros.Subscribe(n, names.of("status"), StatusQoS, func(m *actionmsgs.GoalStatusArray, _ ros.MessageInfo) {
			o.Status(m)
		}))
	}
	if err != nil {
		return err
	}
	if c.send, err = ros.NewClient[sendRequest[G, PG], sendResponse[G, PG]](n, names.of("send_goal"), ros.ServiceQoS); err != nil {
		return err
	}
	if c.result, err = ros.NewClient[resultRequest[R, PR], resultResponse[R, PR]](n, names.of("get_result"), ros.ServiceQoS); err != nil {
		return err
	}
	c.cancel, err = ros.NewClient[actionmsgs.CancelGoalRequest, actionmsgs.CancelGoalResponse](n, names.of("cancel_goal"), ros.ServiceQoS)
	return err
}

// Name returns the absolute, remapped name.
func (c *Client[G, R, F, PG, PR, PF]) Name() string { return c.name }

// Send sends a goal and returns whether and when the server accepted it. It waits for a
// server, and then for its answer, until the context ends.
func (c *Client[G, R, F, PG, PR, PF]) Send(ctx context.Context, id ID, goal *G) (accepted bool, at time.Time, err error) {
	if err := c.Wait(ctx); err != nil {
		return false, time.Time{}, err
	}
	answer, err := c.send.Call(ctx, &sendRequest[G, PG]{ID: id, Goal: *goal})
	if err != nil {
		return false, time.Time{}, err
	}
	return answer.Accepted, answer.Stamp.Time(), nil
}

// Result waits for a goal's end. The status is Unknown if the server does not know the goal.
func (c *Client[G, R, F, PG, PR, PF]) Result(ctx context.Context, id ID) (Status, *R, error) {
	answer, err := c.result.Call(ctx, &resultRequest[R, PR]{ID: id})
	if err != nil {
		return Unknown, nil, err
	}
	return answer.Status, &answer.Result, nil
}

// Cancel asks the server to cancel a goal. The goal's result tells what became of it.
func (c *Client[G, R, F, PG, PR, PF]) Cancel(ctx context.Context, id ID) (*actionmsgs.CancelGoalResponse, error) {
	return c.CancelGoals(ctx, id, time.Time{})
}

// CancelGoals asks the server to cancel the goal with the id, unless it is zero, and those
// accepted at the time or before, unless it is zero. Two zeros mean all goals.
func (c *Client[G, R, F, PG, PR, PF]) CancelGoals(ctx context.Context, id ID, before time.Time) (*actionmsgs.CancelGoalResponse, error) {
	info := actionmsgs.GoalInfo{GoalID: id.message()}
	if !before.IsZero() {
		info.Stamp = builtininterfaces.TimeOf(before)
	}
	return c.cancel.Call(ctx, &actionmsgs.CancelGoalRequest{GoalInfo: info})
}

// Available reports whether a server with all three services is present.
func (c *Client[G, R, F, PG, PR, PF]) Available() bool {
	return c.send.Available() && c.result.Available() && c.cancel.Available()
}

// Wait blocks until the three services are reachable, or the context ends.
func (c *Client[G, R, F, PG, PR, PF]) Wait(ctx context.Context) error {
	// At the same time: each service takes a moment to be trusted.
	waits := []func(context.Context) error{c.result.Wait, c.cancel.Wait, c.send.Wait}
	errs := make([]error, len(waits))
	var all sync.WaitGroup
	for i, wait := range waits {
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = wait(ctx)
		}()
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Close ends the client. Pending calls wait until their contexts end.
func (c *Client[G, R, F, PG, PR, PF]) Close() (err error) {
	for _, topic := range c.topics {
		err = errors.Join(err, topic.Close())
	}
	if c.send != nil {
		err = errors.Join(err, c.send.Close())
	}
	if c.result != nil {
		err = errors.Join(err, c.result.Close())
	}
	if c.cancel != nil {
		err = errors.Join(err, c.cancel.Close())
	}
	return err
}
