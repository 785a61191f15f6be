package ccd

import (
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Bisection holds the hierarchies that the method of SSL04 needs of a checker's robot and
// world. It serves planners that test straight segments one by one and return to them
// later (see Segments). It is immutable; any number of goroutines may share it.
type Bisection struct {
	c        *Checker
	prepared *bisect.Prepared
}

// Bisection builds the hierarchies for the method of SSL04.
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

// Segments returns a checker for straight segments between positions (rad or m) of the
// given joints; other joints keep the checker's State. It covers every pair, whether
// proved never to meet or not. Of q it uses Clearance, Tolerance, NoSelf, NoWorld and, for
// the settings of the method, Research.
//
// It fails on a joint that is not an independent joint of the robot, a query that the
// method cannot answer or that leaves no pair, numbers out of range, a scene in whose frame
// the root link floats, and a gap of the robot or the scene that is not accepted (package
// premise).
func (b *Bisection) Segments(joints []string, q motion.Query) (*Segments, error) {
	var o bisect.Options
	if q.Research != "" {
		tuned, err := bisect.Engine{}.Tuned(q.Research)
		if err != nil {
			return nil, err
		}
		o = tuned.(bisect.Engine).Options
	}
	c, err := b.pathChecker(joints, q, o)
	if err != nil {
		return nil, err
	}
	return &Segments{c}, nil
}

func (b *Bisection) pathChecker(joints []string, q motion.Query, o bisect.Options) (*bisect.PathChecker, error) {
	if err := validQuery(&q); err != nil {
		return nil, err
	}
	if !anyPair(b.c.model, q.NoSelf, q.NoWorld) {
		return nil, errNothing
	}
	if b.c.place(b.c.world) == floating {
		return nil, b.c.whereIsRoot()
	}
	if gap := firstOpen(b.c.Premises()); gap != nil {
		return nil, errors.New(gap.Why())
	}
	return b.prepared.NewPathChecker(joints, b.c.state, q, o)
}

func init() {
	bisect.PathsOf = func(bisection any, joints []string, q motion.Query, o bisect.Options) (*bisect.PathChecker, error) {
		return bisection.(*Bisection).pathChecker(joints, q, o)
	}
}
