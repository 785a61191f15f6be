package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/lab/planners/lazyprm"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// solve plans for every problem and seed, prints a row for each and the sums.
func (f *flags) solve(ctx context.Context, out, errs io.Writer) (*table, error) {
	robot, err := urdf.Load(f.robot, urdf.Options{SRDF: f.srdf})
	if err != nil {
		return nil, err
	}
	base, err := ccd.New(robot, nil, ccd.Options{Allowed: f.allow})
	if err != nil {
		return nil, err
	}
	t := &table{out: out}
	if f.reliable > 0 {
		compareHeads(out, f)
	} else {
		t.heads()
	}
	for _, arg := range f.problems {
		problems, err := scene.Problems(arg)
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(problems); i += f.every {
			if err := f.problem(ctx, base, &problems[i], t, errs); err != nil {
				return nil, err
			}
		}
	}
	if f.reliable == 0 {
		t.sums()
	}
	return t, nil
}

func (f *flags) problem(ctx context.Context, base *ccd.Checker, from *scene.Problem, t *table, errs io.Writer) error {
	from.File = filepath.Clean(from.File)
	p, err := lazyprm.FromProblem(base, from)
	if err != nil {
		return err
	}
	p.Query.Clearance = f.clearance
	name := fmt.Sprintf("%s/%d", from.Set, from.Index)
	if f.reliable > 0 {
		return f.compare(ctx, p, name, t.out)
	}
	for k := range f.seeds {
		r, err := f.once(ctx, p, f.seed+uint64(k), errs)
		if err != nil {
			return err
		}
		r.name = name
		if err := t.add(r); err != nil {
			return err
		}
		if f.out != "" && k == 0 && r.path != nil {
			if err := write(f.out, from, p, r.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// once plans with one seed, smooths and verifies.
func (f *flags) once(ctx context.Context, p *lazyprm.Problem, seed uint64, errs io.Writer) (row, error) {
	r := row{seed: seed}
	checker, err := f.newChecker(p)
	if err != nil {
		return r, err
	}
	within, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	found, err := lazyprm.Plan(within, p, checker, lazyprm.Options{
		Seed: seed, Milestones: f.milestone, Clock: computing, Progress: f.progress(p, errs),
	})
	r.plan = found.Stats
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.Is(err, lazyprm.ErrEnd):
		r.why, err = touching(ctx, p)
		return r, err
	case errors.Is(err, lazyprm.ErrNoPath):
		r.why = "milestones spent"
		return r, nil
	case errors.Is(err, context.DeadlineExceeded):
		r.why = "time spent"
		return r, nil
	case err != nil:
		return r, err
	}
	r.path = p.Unambiguous(found.Path)
	if r.found, err = p.Verify(ctx, r.path); err != nil || f.smooth == 0 {
		return r, err
	}
	return r, f.shorten(ctx, p, checker, &r)
}

// shorten smooths the path, and keeps the one before where the shorter is not proved.
func (f *flags) shorten(ctx context.Context, p *lazyprm.Problem, checker lazyprm.EdgeChecker, r *row) error {
	path, did, err := lazyprm.Smooth(ctx, p, checker, r.path, lazyprm.SmoothOptions{Seed: r.seed, Rounds: f.smooth, Clock: computing})
	if err != nil {
		return err
	}
	v, err := p.Verify(ctx, path)
	if err != nil {
		return err
	}
	r.smoothing, r.smooth = did, &v
	if v.Status == motion.Free {
		r.path = path
	}
	return nil
}

func (f *flags) newChecker(p *lazyprm.Problem) (lazyprm.EdgeChecker, error) {
	switch f.checker {
	case "engine":
		c, err := lazyprm.NewEngine(p)
		if err == nil {
			c.Forget = f.forget
		}
		return c, err
	case "bisect":
		c, err := lazyprm.NewBisect(p, f.delta, bisect.Options{Refined: f.refined})
		if err == nil {
			c.Forget = f.forget
		}
		return c, err
	case "fixed", "fixedres":
		return f.newSampler(f.checker, p, f.resolution)
	}
	return nil, fmt.Errorf("there is no checker %q: take engine, bisect, fixed or fixedres", f.checker)
}

func (f *flags) newSampler(name string, p *lazyprm.Problem, resolution float64) (lazyprm.EdgeChecker, error) {
	if name == "fixedres" {
		return lazyprm.NewFixedRes(p, resolution)
	}
	return lazyprm.NewFixed(p, resolution)
}

// progress tells how a long plan comes on, twice a second at most.
func (f *flags) progress(p *lazyprm.Problem, errs io.Writer) func(lazyprm.Stats) {
	if f.quiet {
		return nil
	}
	last := time.Now()
	return func(s lazyprm.Stats) {
		if now := time.Now(); now.Sub(last) > 500*time.Millisecond {
			last = now
			fmt.Fprintf(errs, "%s: %d milestones, %d paths tested\n", p.Name, s.Milestones, s.Paths)
		}
	}
}

// touching names what touches at the end that is in collision.
func touching(ctx context.Context, p *lazyprm.Problem) (string, error) {
	for k, q := range [2][]float64{p.Start, p.Goal} {
		v, err := p.Verify(ctx, [][]float64{q})
		if err != nil {
			return "", err
		}
		if v.Status == motion.Contact {
			pair := v.Contact.Pair
			return fmt.Sprintf("at the %s %s and %s touch", [2]string{"start", "goal"}[k], pair.A.Name, pair.B.Name), nil
		}
	}
	return "an end is in collision", nil
}
