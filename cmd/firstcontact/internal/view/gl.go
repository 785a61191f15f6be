//go:build gl && cgo

package view

import (
	"context"
	"fmt"
	"maps"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/window"
	"github.com/firstcontact-ros/firstcontact/internal/show"
)

// showLive shows in a window what a running node says.
func (f *flags) showLive(ctx context.Context, watched *feed) error {
	stage := stageOf(watched.checker, f.node)
	positions := map[string]float64{} // what is not measured any more is drawn where it was
	stage.Poses = func(float64) ([]geom.Pose, error) {
		maps.Copy(positions, watched.Now().Positions)
		poses, err := watched.checker.LinkPoses(positions)
		if err != nil {
			return nil, err
		}
		links := watched.checker.Robot().Links
		out := make([]geom.Pose, len(links))
		for i := range links {
			out[i] = poses[links[i].Name]
		}
		return out, nil
	}
	stage.Status = func() window.Status {
		level, text := watched.standing()
		return window.Status{Level: level, Text: text}
	}
	return window.Show(ctx, stage, window.Options{})
}

// play shows a motion.
func (f *flags) play(ctx context.Context, io cli.Streams, args []string) error {
	f.Interpolation = "jtc"
	robot, err := f.Load(ctx)
	if err != nil {
		return err
	}
	jobs, err := f.Tasks(ctx, io, robot, args)
	if err != nil {
		return err
	}
	if len(jobs) != 1 {
		return cli.UsageError{Err: fmt.Errorf("%s has %d motions: give a file with one", args[0], len(jobs))}
	}
	checker, _, err := jobs[0].Checker()
	if err != nil {
		return fmt.Errorf("%s: %w", jobs[0].ID, err)
	}
	course, err := checker.Resolve(jobs[0].Motion)
	if err != nil {
		return fmt.Errorf("%s: %w", jobs[0].ID, err)
	}
	stage := stageOf(checker, jobs[0].ID)
	stage.Poses = func(t float64) ([]geom.Pose, error) { return show.PosesAt(checker, course, t) }
	stage.Start, stage.End = course.Pieces[0].Start, course.Pieces[len(course.Pieces)-1].End
	return window.Show(ctx, stage, window.Options{})
}

// stageOf is what a checker's robot and scene look like.
func stageOf(c *ccd.Checker, title string) window.Stage {
	bodies := append(show.Links(c.Robot(), show.DefaultTriangles), show.Objects(c.Robot(), c.World(), show.DefaultTriangles)...)
	return window.Stage{Title: title + " - firstcontact", Bodies: bodies}
}
