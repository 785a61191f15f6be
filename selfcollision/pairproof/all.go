package pairproof

import (
	"context"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/urdf"

	"golang.org/x/sync/errgroup"
)

// All decides, for every pair of the robot's links with collision geometry, whether they
// can meet. Poses of floating joints and ranges of joints without limits are unknown:
// pairs that such a joint moves are Undecided, or Sometimes if a witness was found.
//
// A cancelled context is not an error: the report then has the pairs finished so far.
// All fails on a robot that is not a tree of valid shapes, on numbers in opt that are
// negative or NaN, and on a Known report of another model.
func All(ctx context.Context, robot *urdf.Robot, opt Options) (Report, error) {
	begin := time.Now()
	r, err := emptyReport(robot, opt)
	if err != nil {
		return Report{}, err
	}
	if opt.Known != nil {
		if err := opt.Known.Fits(robot, opt); err != nil {
			return Report{}, err
		}
	}
	s, err := newSubject(ctx, robot, r, opt)
	if err != nil && ctx.Err() != nil {
		r.Pairs = opt.Known.decided() // nothing more is finished
		return *r, nil
	}
	if err != nil {
		return Report{}, err
	}
	c := campaign{subject: s, ctx: ctx, todo: s.problems()}
	c.known(opt.Known)
	var pool errgroup.Group
	for range max(1, opt.Workers) {
		pool.Go(func() error {
			c.work()
			return nil
		})
	}
	_ = pool.Wait() // no worker fails
	for i := range c.done {
		if c.done[i] != nil {
			r.Pairs = append(r.Pairs, *c.done[i])
		}
	}
	r.Took = time.Since(begin)
	return *r, nil
}

// decided lists the pairs that are decided; none of a nil report.
func (r *Report) decided() (out []Pair) {
	if r == nil {
		return nil
	}
	for i := range r.Pairs {
		if r.Pairs[i].Meets != Undecided {
			out = append(out, r.Pairs[i])
		}
	}
	return out
}

// campaign is the list of pairs that the workers share.
type campaign struct {
	*subject
	ctx  context.Context
	todo []*problem

	mu   sync.Mutex
	next int
	over int
	done []*Pair // per problem, nil until it is done
}

// known copies the decided pairs of an earlier run.
func (c *campaign) known(r *Report) {
	c.done = make([]*Pair, len(c.todo))
	decided := map[[2]int]Pair{}
	for _, p := range r.decided() {
		decided[[2]int{p.A, p.B}] = p
	}
	for i, p := range c.todo {
		if q, ok := decided[[2]int{p.link(p.a), p.link(p.b)}]; ok {
			c.finish(i, q)
		}
	}
}

// work decides one pair after the other until none is left or the context is done.
func (c *campaign) work() {
	s := newScratch(c.subject)
	s.stop = func() bool { return c.ctx.Err() != nil }
	for {
		i := c.take()
		if i < 0 {
			return
		}
		p := c.todo[i].report()
		begin := time.Now()
		s.begin(c.todo[i], &p)
		s.decide()
		p.Took = time.Since(begin)
		if p.Meets == Undecided && c.ctx.Err() != nil {
			return
		}
		c.finish(i, p)
	}
}

// take returns the index of the next pair, negative if there is none.
func (c *campaign) take() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.next < len(c.todo) && c.done[c.next] != nil {
		c.next++
	}
	if c.next == len(c.todo) || c.ctx.Err() != nil {
		return -1
	}
	c.next++
	return c.next - 1
}

func (c *campaign) finish(i int, p Pair) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[i] = &p
	c.over++
	if c.opt.Progress != nil {
		c.opt.Progress(c.over, len(c.todo), p)
	}
}
