package main

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// checkAll checks the jobs, several at once, and prints the results in order. It returns the
// worst exit status.
func (f *checkFlags) checkAll(ctx context.Context, io streams, jobs []job) (int, error) {
	results := make([]chan result, len(jobs))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	f.workers = f.jobs / max(1, len(jobs)) // for each job: idle processors
	var pool errgroup.Group
	pool.SetLimit(max(1, f.jobs))
	go func() {
		for i := range jobs {
			pool.Go(func() error {
				results[i] <- f.guarded(ctx, &jobs[i])
				return nil
			})
		}
	}()
	p := newProgress(io.err, 0)
	defer p.clear()
	worst := exitFree
	for i := range results {
		r := <-results[i]
		p.clear()
		if r.Status == "panic" {
			return exitInternal, internalError{fmt.Errorf("%s: %s", r.Motion, r.Message)}
		}
		write := r.writeText
		if f.json {
			write = r.writeJSON
		}
		if err := write(io.out); err != nil {
			return exitInternal, internalError{err}
		}
		worst = worse(worst, r.exit())
		if n := i + 1; n < len(jobs) {
			p.show(func() string { return motionsDone(p, n, len(jobs)) })
		}
	}
	return worst, nil
}

// motionsDone says how many motions are done and how long the rest takes.
func motionsDone(p *progress, n, total int) string {
	return fmt.Sprintf("%d of %d motions, about %v left", n, total, p.left(n, total))
}

// guarded turns a panic into an internal error, so that the exit status is not that of an
// answer.
func (f *checkFlags) guarded(ctx context.Context, j *job) (r result) {
	defer func() {
		if p := recover(); p != nil {
			r = result{Motion: j.id, Status: "panic", Message: fmt.Sprint(p)}
		}
	}()
	return f.check(ctx, j)
}
