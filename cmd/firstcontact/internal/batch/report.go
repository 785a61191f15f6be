//go:build !js

package batch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/check"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
)

// reportName is the file with the page about the worst motions.
const reportName = "report.html"

// show writes the report of check about the worst motions that have a verdict, and links it from the summary. They
// are checked again for it, and must get the verdicts that they have: else there would be two about one motion.
func (f *flags) show(ctx context.Context, s cli.Streams, c *batch.Checker, base *setting.Setting, summary *batch.Summary, out string) error {
	worst := summary.Shown
	switch {
	case f.reported == 0:
		return nil
	case len(worst) == 0:
		_, err := fmt.Fprintf(s.Err, "note: no %s is written: no motion is worse than another one (--min-clearance tells how close free ones come)\n", reportName)
		return err
	}
	jobs := make([]check.Job, len(worst))
	for i := range worst {
		if err := f.again(ctx, c, base, &worst[i], &jobs[i]); err != nil {
			return fmt.Errorf("%s: %w", reportName, err)
		}
		jobs[i].Notes = append(jobs[i].Notes, fmt.Sprintf("the page shows the %d worst of the %d motions of a batch, this is number %d", len(worst), summary.Motions, i+1))
	}
	err := f.CheckForReport(ctx, s, filepath.Join(out, reportName), jobs)
	if ctx.Err() != nil {
		return cli.Interruption{Left: fmt.Sprintf("%s is not written: --resume with --report %d does that", reportName, f.reported)}
	}
	for i := range jobs {
		if err == nil {
			err = sameVerdict(&worst[i], jobs[i].Result())
		}
	}
	if err == nil {
		err = f.WriteReport(fmt.Sprintf("the worst of %d motions", summary.Motions), base.Checker.Robot(), jobs)
	}
	if err == nil {
		summary.Link(reportName)
	}
	return errors.Join(err, f.Unwritten())
}

// again makes a job of a motion of the batch.
func (f *flags) again(ctx context.Context, c *batch.Checker, base *setting.Setting, w *batch.Worst, j *check.Job) error {
	l, err := c.Motion(ctx, w.Index)
	if err != nil {
		return err
	}
	robot := base.Checker.Robot()
	*j = check.Job{Rests: l.Premises, Task: input.Task{ID: w.Motion, File: w.File, Robot: robot, Motion: l.Motion, Joined: l.Interpolation, Measured: l.Measured, Notes: slices.Clone(l.Warnings)}}
	j.Checker = func() (*ccd.Checker, []string, error) { return base.CheckerOf(&l.Loaded) }
	return nil
}

// sameVerdict fails unless a result says what the row of its motion does.
func sameVerdict(w *batch.Worst, r *verdict.Result) error {
	if r.Status == w.Status && (w.Time == nil || r.TOC != nil && r.TOC[1] == *w.Time) {
		return nil
	}
	return cli.InternalError{Err: fmt.Errorf("%s: is %s by its row, and %s when it is checked again", w.Motion, w.Status, r.Status)}
}
