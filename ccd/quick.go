package ccd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine/defaultpairs"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// quickBoxes is how many boxes of joint positions a quick proof looks at: neighbours
// and links that are always close are told apart by one, or by none soon.
const quickBoxes = 8

// quickWorkers share the quick proofs, so that a slow one does not hold up the rest.
const quickWorkers = 4

// quickTime is how long a quick proof may take; most take a few milliseconds.
const quickTime = 200 * time.Millisecond

// QuickProofs tries, with little work for each, to prove something of the pairs that
// are left out by default (where no SRDF says what to check), and of the robot's own
// pairs that are closer than near (m) at the state for joints that are not named. The
// report holds for the robot's limits and the options' padding. A context that ends
// leaves pairs undecided.
func (c *Checker) QuickProofs(ctx context.Context, near float64) (*pairproof.Report, error) {
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
		Boxes: quickBoxes, Deadline: quickTime, Padding: c.opts.Padding, LinkPadding: c.opts.LinkPadding, Library: c.lib,
		Only: wanted,
	}
	r, err := pairproof.None(c.robot, opt)
	if err != nil || len(wanted) == 0 {
		return &r, err
	}
	return &r, c.quickly(ctx, opt, &r)
}

// quickly puts what is decided before the context ends into the report. A pair that
// takes longer is left behind, and holds up no more than its own worker.
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

// addNear adds the robot's own pairs that are closer than near at the default state.
func (c *Checker) addNear(ctx context.Context, near float64, wanted map[[2]int]bool) error {
	bare, err := c.in(ctx, nil) // where allowed pairs may name objects of the world
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if self, _ := bare.CheckedPairs(); self == 0 {
		return nil
	}
	d, err := bare.Distance(ctx, nil, motion.DistanceQuery{K: -1, Max: near, Relative: 0.01})
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

// WithProofs returns a Checker of the same robot and world that also knows of the
// proofs, as Options.Proven; those of another model are an error.
func (c *Checker) WithProofs(r *pairproof.Report) (*Checker, error) {
	d := *c
	d.opts.Proven = r.Clone()
	if err := d.checkProven(); err != nil {
		return nil, err
	}
	return d.in(context.Background(), c.world)
}

// namedPairs is how many pairs a line names: more than robots for which nobody has
// written an SRDF have.
const namedPairs = 200

// DefaultWords says on one line which pairs are left out by default, of those that
// AssumedPairs lists, and what is proved of them. What is but assumed is named,
// as far as a line goes.
func DefaultWords(pairs []AssumedPair) string {
	always, never, defaults := 0, 0, 0
	var open []string
	for _, p := range pairs {
		if !strings.HasPrefix(p.Reason, defaultpairs.Adjacent) && !strings.HasPrefix(p.Reason, defaultpairs.TouchAtRest) {
			continue
		}
		defaults++
		switch {
		case strings.HasSuffix(p.Reason, ProvedAlways):
			always++
		case strings.HasSuffix(p.Reason, ProvedNever):
			never++
		default:
			open = append(open, p.A+"/"+p.B+" ("+p.Reason+")")
		}
	}
	out := fmt.Sprintf("%d pairs of links are not checked: %d proved to touch always, %d proved never to touch, %d assumed to be meant to",
		defaults, always, never, len(open))
	if more := len(open) - namedPairs; more > 0 {
		open = append(open[:namedPairs:namedPairs], fmt.Sprintf("and %d more", more))
	}
	if len(open) > 0 {
		out += ": " + strings.Join(open, ", ")
	}
	return out
}
