package engine

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Clock tells a search when its budget is spent, its deadline has passed or its context has
// ended. The zero value never does.
type Clock struct {
	// Reason says why the search must stop; it is empty until then.
	Reason string
	// Others, if not nil, is called at each look and reports whether searches that share the
	// question end this one. It may set Reason.
	Others func() bool

	done     <-chan struct{}
	pause    func()    // nil, or called regularly to yield
	deadline time.Time // on the wall clock; zero for none
	budget   time.Duration
	meter    meter
	lookAt   time.Duration // the budget cannot be spent before this elapsed time
	ticks    int
}

// Watch starts the clock for a search without budget and without a measured computing time.
func (c *Clock) Watch(ctx context.Context) {
	*c = Clock{done: ctx.Done(), pause: PauseOf(ctx), Others: c.Others}
	c.deadline, _ = ctx.Deadline()
	c.Look()
}

// Begin starts the clock for a question. The calling goroutine stays on its thread until it
// calls End.
func (c *Clock) Begin(ctx context.Context, q *motion.Query) {
	*c = Clock{done: ctx.Done(), pause: PauseOf(ctx), Others: c.Others, budget: q.Budget, lookAt: q.Budget, deadline: q.Deadline}
	if d, ok := ctx.Deadline(); ok && (c.deadline.IsZero() || d.Before(c.deadline)) {
		c.deadline = d
	}
	c.meter.start()
	if c.pause != nil {
		c.meter.refine() // pauses are not computing time, whenever they come
	}
	c.Look()
}

// End ends the question and returns its computing time.
func (c *Clock) End() time.Duration { return c.meter.stop() }

// ticksPerLook is how many proofs pass between readings of the clock: some 5 us.
const ticksPerLook = 16

// Out reports whether to stop. It reads the clock every ticksPerLook calls: call it once per
// attempted proof.
func (c *Clock) Out() bool {
	if c.Reason != "" {
		return true
	}
	if c.ticks++; c.ticks%ticksPerLook != 0 {
		return false
	}
	if c.ticks >= ticksBeforeMetering {
		c.meter.refine()
	}
	return c.Look()
}

// Look is like Out, but always reads the clock.
func (c *Clock) Look() bool {
	if c.Reason != "" {
		return true
	}
	if c.pause != nil {
		c.pause()
	}
	select {
	case <-c.done:
		c.Reason = "cancelled"
		return true
	default:
	}
	switch {
	case !c.deadline.IsZero() && time.Now().After(c.deadline):
		c.Reason = "the deadline has passed"
		return true
	case c.budget > 0 && c.spent():
		c.Reason = "the budget of computing time is spent"
		return true
	}
	return c.Others != nil && c.Others()
}

// spent reports whether the budget is spent. A thread's computing time does not exceed the
// wall time, which takes a tenth of the time to read: the thread's clock is read only when the
// wall time allows for a spent budget.
func (c *Clock) spent() bool {
	passed := c.meter.passed()
	if passed < c.lookAt {
		return false
	}
	left := c.budget - c.meter.spent()
	c.lookAt = passed + left
	return left <= 0
}
