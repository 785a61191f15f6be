package ccd

import (
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/ccd/bisect"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Bisection is what the method of SSL04 makes of a checker's robot and world, for
// planners that test segments one by one and come back to them. It is immutable, and
// any number of goroutines may share it.
type Bisection struct {
	c        *Checker
	prepared *bisect.Prepared
}

// Bisection builds the method's hierarchies.
func (c *Checker) Bisection() (*Bisection, error) {
	e, err := c.engine.all()
	if err != nil {
		return nil, err
	}
	p, err := bisect.Prepare(e.model)
	if err != nil {
		return nil, fmt.Errorf("method %s: %w", motion.Bisect, err)
	}
	return &Bisection{c: c, prepared: p}, nil
}

// PathChecker returns a checker of straight segments between positions (rad or m) of
// the given joints; others keep the checker's state. It takes every pair that the
// checker checks, also such as are proved never to meet. Of q the clearance, the
// tolerance and which pairs are meant count. A joint that is not one of the robot's
// independent ones, a query that the method cannot answer or that leaves nothing to
// check, numbers that make no sense, and a gap of the robot or the scene that is not
// accepted (package premise) are errors.
func (b *Bisection) PathChecker(joints []string, q motion.Query, o bisect.Options) (*bisect.PathChecker, error) {
	if err := validQuery(&q); err != nil {
		return nil, err
	}
	if !anyPair(b.c.model, q.NoSelf, q.NoWorld) {
		return nil, errNothing
	}
	if gap := firstOpen(b.c.premises()); gap != nil {
		return nil, errors.New(gap.Why())
	}
	return b.prepared.NewPathChecker(joints, b.c.state, q, o)
}
