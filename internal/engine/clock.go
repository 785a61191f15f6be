package engine

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Clock tells a search when its budget is spent or its caller has gone. The zero
// value never does.
type Clock struct {
	// Reason says why the search is to stop; empty as long as it is not.
	Reason string
	// Others, where not nil, is asked at each look whether searches that share the
	// question end this one. It may set Reason.
	Others func() bool

	deadline time.Time
	done     <-chan struct{}
	pause    func() // nil, or to be called when there is time to
	ticks    int
}

// Begin starts the clock for a question asked now.
func (c *Clock) Begin(ctx context.Context, q *motion.Query, now time.Time) {
	*c = Clock{done: ctx.Done(), pause: PauseOf(ctx), Others: c.Others}
	if q.Budget > 0 {
		c.deadline = now.Add(q.Budget)
	}
	if d, ok := ctx.Deadline(); ok && (c.deadline.IsZero() || d.Before(c.deadline)) {
		c.deadline = d
	}
	c.Look()
}

// ticksPerLook is how many proofs pass between looks at the clock: some 5 us.
const ticksPerLook = 16

// Out reports whether to stop. It looks at the clock every so many calls: call it
// once for each proof that is tried.
func (c *Clock) Out() bool {
	if c.Reason != "" {
		return true
	}
	if c.ticks++; c.ticks%ticksPerLook != 0 {
		return false
	}
	return c.Look()
}

// Look is Out that looks at the clock.
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
	if !c.deadline.IsZero() && time.Now().After(c.deadline) {
		c.Reason = "the budget of computing time is spent"
		return true
	}
	return c.Others != nil && c.Others()
}
