package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/buildinfo"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
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
func (f *checkFlags) addPage(ctx context.Context, j *job, a *node.Answer) error {
	course, err := a.Checker.Resolve(j.Motion)
	if err != nil {
		return err
	}
	q := f.query()
	page := &show.Motion{Name: j.ID, Checker: a.Checker, Course: course, Clearance: f.clearance, Moments: show.MomentsOf(a.Verdict, a.Touch)}
	if err := page.AddProfile(ctx, f.profile.query(q)); err != nil {
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
func (f *checkFlags) finishPage(j *job, r *result) {
	if j.page == nil { // there is no answer
		j.page = &show.Motion{Name: j.ID}
	}
	j.page.Answer = r
	r.tell(j.page)
	for _, text := range j.rests {
		j.page.Rests = append(j.page.Rests, asSentence(text))
	}
}

// addReport writes the report of all motions, and says so.
func (f *checkFlags) addReport(s cli.Streams, robot *urdf.Robot, jobs []job) error {
	title := jobs[0].ID
	if n := len(jobs); n > 1 {
		title = fmt.Sprintf("%d motions", n)
	}
	if err := f.writeReport(title, robot, jobs); err != nil || f.json {
		return err
	}
	_, err := fmt.Fprintf(s.Out, "    its report is %s\n", f.report)
	return err
}

// writeReport writes the report of all motions. Those that were not begun before an interrupt
// are in it, too.
func (f *checkFlags) writeReport(title string, robot *urdf.Robot, jobs []job) error {
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
