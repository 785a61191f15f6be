package main

import (
	"context"
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/lab/planners/lazyprm"
)

// finest is the resolution in rad at which the search for a reliable one ends.
const finest = 1e-5

// compare prints for a problem what SSL04 tabulates in IV and V: a resolution at which
// so many runs in a row of the planner with samples return no path in collision, what
// such a run takes, and what one takes that proves.
func (f *flags) compare(ctx context.Context, p *lazyprm.Problem, name string, out io.Writer) error {
	o := lazyprm.Options{Seed: f.seed, Milestones: f.milestone, Clock: computing}
	sampler := map[string]string{"engine": "fixed", "bisect": "fixedres"}[f.checker] // by the same means
	resolution, sbl, err := lazyprm.Reliable(ctx, p, func(resolution float64) (lazyprm.EdgeChecker, error) {
		return f.newSampler(sampler, p, resolution)
	}, f.resolution, finest, f.reliable, f.timeout, o)
	if err != nil {
		return err
	}
	asbl, err := lazyprm.Repeat(ctx, p, func() (lazyprm.EdgeChecker, error) { return f.newChecker(p) }, f.reliable, f.timeout, false, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%-32s %12.6f %10.4fs %8d %10.4fs %8d %9d\n", name,
		resolution, sbl.Mean().Seconds(), sbl.Failed, asbl.Mean().Seconds(), asbl.Failed, asbl.Colliding)
	return err
}

func compareHeads(out io.Writer, f *flags) {
	fmt.Fprintf(out, "%d runs each; a resolution that passed by luck is among them\n", f.reliable)
	fmt.Fprintf(out, "%-32s %12s %11s %8s %11s %8s %9s\n", "problem", "samples, rad", "fixed, mean", "failed", f.checker+", mean", "failed", "collide")
}
