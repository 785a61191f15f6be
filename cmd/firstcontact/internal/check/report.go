package check

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/buildinfo"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/internal/show/viewer"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Of each motion a report lists this many pairs, the closest found at this many configurations.
// Bounds of pairs take at most this much time, of all motions and of one.
const (
	reportPairs   = 40
	reportSamples = 80
	reportBudget  = 20 * time.Second
	motionBudget  = 2 * time.Second
)

// addPage gathers what the report shows of an answer besides the answer itself.
func (f *Flags) addPage(ctx context.Context, j *Job, a *node.Answer) error {
	course, err := a.Checker.Resolve(j.Motion)
	if err != nil {
		return err
	}
	q := f.Query()
	page := &show.Motion{Name: j.ID, Checker: a.Checker, Course: course, Clearance: f.Clearance, Moments: show.MomentsOf(a.Verdict, a.Touch)}
	if err := page.AddProfile(ctx, f.Profile.query(q)); err != nil {
		return err
	}
	pairs := a.Checker.Pairs()
	if !f.NoSelf {
		page.PairsOf += pairs.Self
	}
	if !f.NoWorld {
		page.PairsOf += pairs.World
	}
	err = page.AddPairs(ctx, show.PairsQuery{
		Most: reportPairs, Samples: reportSamples, Budget: min(motionBudget, reportBudget/time.Duration(max(1, f.motions))), NoSelf: f.NoSelf, NoWorld: f.NoWorld,
	})
	if err != nil {
		return err
	}
	j.page = page
	return nil
}

// finishPage adds the answer to what the report shows of a motion.
func (f *Flags) finishPage(j *Job, r *verdict.Result) {
	if j.page == nil { // there is no answer
		j.page = &show.Motion{Name: j.ID}
	}
	j.page.Answer = r
	r.Tell(j.page)
	for _, text := range j.Rests {
		j.page.Rests = append(j.page.Rests, verdict.AsSentence(text))
	}
}

// addReport writes the report of all motions, and says so.
func (f *Flags) addReport(s cli.Streams, robot *urdf.Robot, jobs []Job) error {
	title := jobs[0].ID
	if n := len(jobs); n > 1 {
		title = fmt.Sprintf("%d motions", n)
	}
	if err := f.WriteReport(title, robot, jobs); err != nil || f.json {
		return err
	}
	_, err := fmt.Fprintf(s.Out, "    its report is %s\n", f.report)
	return err
}

// WriteReport writes the report of all motions. Those that were not begun before an interrupt
// are in it, too.
func (f *Flags) WriteReport(title string, robot *urdf.Robot, jobs []Job) error {
	report := &show.Report{Program: buildinfo.Version(), Robot: robot}
	for i := range jobs {
		page := jobs[i].page
		if page == nil {
			page = &show.Motion{Name: jobs[i].ID, Status: skipped, Headline: "It was not checked: the command was interrupted before."}
		}
		report.Motions = append(report.Motions, page)
	}
	return cli.Create(cli.Output{Flag: "report", Path: f.report}, func(w io.Writer) error {
		return viewer.Write(w, title+" - firstcontact", report)
	})
}

// CheckForReport checks the motions of the jobs, one goroutine for each, for WriteReport to a file. It
// prints no results: jobs have them.
func (f *Flags) CheckForReport(ctx context.Context, s cli.Streams, file string, jobs []Job) error {
	defer func(n int) { f.Jobs = n }(f.Jobs)
	f.Jobs = min(f.Jobs, len(jobs))
	f.report, f.motions, f.lost = file, len(jobs), nil
	_, err := f.checkAll(ctx, cli.Streams{In: s.In, Out: io.Discard, Err: s.Err}, jobs)
	return err
}

// Unwritten is the failure to write files that only show results, nil if all were written.
func (f *Flags) Unwritten() error { return f.lost }

// Result returns what CheckForReport has found.
func (j *Job) Result() *verdict.Result { return j.page.Answer.(*verdict.Result) }
