package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// timeTogether asks about all segments that have the same answer in one call, in this goroutine. Each takes an
// equal part of the time.
func (b *benchmark) timeTogether(ctx context.Context, r *row, reps int) error {
	all := ccd.Batch{Workers: 1}
	if err := b.checkAll(ctx, r, r.motions, &all); err != nil {
		return err
	}
	for k := range r.answers {
		r.answers[k].verdict = all.Into[k].Verdict
	}
	for _, status := range []motion.Status{motion.Free, motion.Contact, motion.Undecided} {
		var alike []*motion.Motion
		for k := range r.answers {
			if r.answers[k].verdict.Status == status {
				alike = append(alike, r.motions[k])
			}
		}
		least, err := b.leastTogether(ctx, r, alike, reps, &all)
		if err != nil {
			return err
		}
		for k := range r.answers {
			if r.answers[k].verdict.Status == status {
				r.answers[k].time = least / time.Duration(len(alike))
			}
		}
	}
	return nil
}

// leastTogether returns the fastest of some repetitions of a call.
func (b *benchmark) leastTogether(ctx context.Context, r *row, motions []*motion.Motion, reps int, all *ccd.Batch) (least time.Duration, err error) {
	for i := range reps {
		before, err := b.clock()
		if err != nil {
			return 0, cli.InternalError{Err: err}
		}
		if err := b.checkAll(ctx, r, motions, all); err != nil {
			return 0, err
		}
		after, err := b.clock()
		if err != nil {
			return 0, cli.InternalError{Err: err}
		}
		if took := after - before; i == 0 || took < least {
			least = took
		}
	}
	return least, nil
}

// checkAll asks about motions in one call.
func (b *benchmark) checkAll(ctx context.Context, r *row, motions []*motion.Motion, all *ccd.Batch) error {
	all.Workers = 1
	all.Into = b.checker.CheckAll(ctx, motions, r.query, *all)
	for k := range all.Into {
		if err := all.Into[k].Err; err != nil {
			return fmt.Errorf("%s: %s: %w", motions[k].ID, r.method.name, err)
		}
	}
	return ctx.Err() // an interrupted check is no measurement
}
