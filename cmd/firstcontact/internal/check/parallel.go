package check

import (
	"context"
	"fmt"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
)

// checkAll checks the jobs, several at once, and prints the results in order. It returns the
// worst exit status. Nothing is left running then.
func (f *Flags) checkAll(ctx context.Context, s cli.Streams, jobs []Job) (int, error) {
	f.workers = f.Jobs / max(1, len(jobs)) // for each job: idle processors
	ctx, stop := context.WithCancel(ctx)
	results, ended := f.begin(ctx, jobs)
	defer func() { stop(); <-ended }()
	show := f.printer(s, jobs)
	all := verdict.NewTotals()
	for i := range results {
		r := <-results[i]
		if r.Status == "panic" {
			return cli.ExitInternal, cli.InternalError{Err: fmt.Errorf("%s: %s", r.Motion, r.Message)}
		}
		if r.Status == skipped {
			all.Left++
			continue
		}
		if err := show(&r); err != nil {
			return cli.ExitInternal, err
		}
		all.Add(&r)
		cli.MotionsDone(ctx, "checking motions", i+1, len(jobs))
	}
	all.Stopped = ctx.Err() != nil
	if len(jobs) > 1 {
		if err := f.writeTotals(s, all); err != nil {
			return cli.ExitInternal, err
		}
	}
	if all.Left > 0 {
		return cli.ExitUndecided, cli.Interruption{Left: fmt.Sprintf("%d of %d motions are not checked", all.Left, len(jobs))}
	}
	return all.Exit(), nil
}

// begin has the jobs checked, and returns where their results come and what is closed when none is left running.
func (f *Flags) begin(ctx context.Context, jobs []Job) (results []chan verdict.Result, ended chan struct{}) {
	results, ended = make([]chan verdict.Result, len(jobs)), make(chan struct{})
	for i := range results {
		results[i] = make(chan verdict.Result, 1)
	}
	var pool errgroup.Group
	pool.SetLimit(max(1, f.Jobs))
	go func() {
		defer close(ended)
		for i := range jobs {
			pool.Go(func() error {
				if ctx.Err() != nil {
					results[i] <- verdict.Result{Status: skipped}
					return nil
				}
				results[i] <- f.guarded(ctx, &jobs[i])
				return nil
			})
		}
		_ = pool.Wait() // none fails
	}()
	return results, ended
}

// writeTotals prints what the results add up to.
func (f *Flags) writeTotals(s cli.Streams, all *verdict.Totals) error {
	if f.json {
		return all.WriteJSON(s.Out)
	}
	return all.Write(s.Out)
}

// skipped is the status of a motion that was not begun before an interrupt.
const skipped = "skipped"

// printer returns the function that prints a result: as JSON, with details if there is one
// motion or if they are asked for, otherwise on one line.
func (f *Flags) printer(s cli.Streams, jobs []Job) func(*verdict.Result) error {
	paint := verdict.PainterFor(s.Out)
	switch {
	case f.json:
		return func(r *verdict.Result) error {
			if r.Status == "invalid" { // whose output goes to a program
				fmt.Fprintf(s.Err, "firstcontact: %s: %s\n", r.Motion, r.Message)
			}
			return r.WriteJSON(s.Out)
		}
	case len(jobs) == 1 || f.details || f.premises:
		return func(r *verdict.Result) error { return r.WriteText(s.Out, paint) }
	}
	width := 0
	for i := range jobs {
		width = max(width, utf8.RuneCountInString(jobs[i].ID))
	}
	width = min(width, maxColumn)
	return func(r *verdict.Result) error { return r.WriteLine(s.Out, paint, width) }
}

// maxColumn is how far names of motions move the rest of their lines to the right.
const maxColumn = 48

// guarded turns a panic into an internal error, so that the exit status is not that of an
// answer.
func (f *Flags) guarded(ctx context.Context, j *Job) (r verdict.Result) {
	defer func() {
		if p := recover(); p != nil {
			r = verdict.Result{Motion: j.ID, Status: "panic", Message: fmt.Sprint(p)}
		}
	}()
	return f.check(ctx, j)
}
