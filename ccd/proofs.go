package ccd

import (
	"context"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// WithProofs returns a Checker of the same robot and world that also uses the given
// proofs about pairs of links, as Options.Proofs does. It fails on proofs for another
// robot, other joint limits or other paddings.
func (c *Checker) WithProofs(r *pairproof.Report) (*Checker, error) {
	d := *c
	d.opts.Proofs = r.Clone()
	if err := d.checkProofs(); err != nil {
		return nil, err
	}
	return d.in(context.Background(), c.world, c.model)
}

// The effort for each pair in ProveDefaults.
const (
	// quickBoxes is the number of boxes of joint positions: neighbours and links that
	// are always close are decided by one box, or not by a few.
	quickBoxes = 8
	// quickWorkers is the number of goroutines, so that one slow pair does not hold up
	// the others.
	quickWorkers = 4
	// quickTime is the time for a pair; most take a few milliseconds.
	quickTime = 200 * time.Millisecond
)

// ProveDefaults returns a Checker of the same robot and world that also uses what little
// work can prove about two kinds of pairs of links: those that are left out by default,
// because no SRDF lists them, and those that are closer than near (m) at the checker's
// State. For proofs about all pairs use pairproof.Prove and Options.Proofs. The proofs
// hold for the robot's limits and the options' padding, and replace those that the
// checker had. A context that ends leaves the rest undecided and is no error.
func (c *Checker) ProveDefaults(ctx context.Context, near float64) (*Checker, error) {
	r, err := c.quickProofs(ctx, near)
	if err != nil {
		return nil, err
	}
	return c.WithProofs(r)
}

// quickProofs returns the proofs of ProveDefaults.
func (c *Checker) quickProofs(ctx context.Context, near float64) (*pairproof.Report, error) {
	wanted := map[[2]int]bool{}
	for _, d := range c.defaults {
		wanted[[2]int{d.A, d.B}] = true
	}
	if near > 0 {
		if err := c.addNear(ctx, near, wanted); err != nil {
			return nil, err
		}
	}
	opt := pairproof.Options{
		Boxes: quickBoxes, Deadline: quickTime, Padding: c.opts.Padding, LinkPadding: c.opts.LinkPadding, Shapes: model.PairShapes(c.lib).(*pairproof.Shapes),
		Only: wanted,
	}
	r, err := pairproof.None(c.robot, opt)
	if err != nil || len(wanted) == 0 {
		return &r, err
	}
	return &r, c.quickly(ctx, opt, &r)
}

// quickly adds to the report what is decided before the context ends. It does not wait
// for a pair that takes longer.
func (c *Checker) quickly(ctx context.Context, opt pairproof.Options, r *pairproof.Report) error {
	found := make(chan pairproof.Pair)
	done := make(chan error, 1)
	opt.Workers = quickWorkers
	opt.Progress = func(_, _ int, p pairproof.Pair) {
		select {
		case found <- p:
		case <-ctx.Done():
		}
	}
	go func() {
		_, err := pairproof.All(ctx, c.robot, opt)
		done <- err
	}()
	for {
		select {
		case p := <-found:
			r.Pairs = append(r.Pairs, p)
		case <-ctx.Done():
			return nil
		case err := <-done:
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}

// addNear adds to wanted the pairs of links that are closer than near (m) at the
// checker's state.
func (c *Checker) addNear(ctx context.Context, near float64, wanted map[[2]int]bool) error {
	bare, err := c.in(ctx, nil, c.model) // where allowed pairs may name objects of the world
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if self, _ := bare.checkedPairs(); self == 0 {
		return nil
	}
	d, err := bare.Distance(ctx, nil, motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Max: near}, Relative: 0.01})
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the pairs that are close at the default state: %w", err)
	}
	for i := range d.Pairs {
		p := &d.Pairs[i].Pair
		if p.A.Kind == motion.RobotLink && p.B.Kind == motion.RobotLink {
			a, b := c.robot.Link(p.A.Name), c.robot.Link(p.B.Name)
			wanted[[2]int{min(a, b), max(a, b)}] = true
		}
	}
	return nil
}
