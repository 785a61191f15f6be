package papers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/lab/planners/lazyprm"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// problem is a workload's planning problem.
func (g *generated) problem() (*lazyprm.Problem, error) {
	if len(g.of.Problems) == 0 {
		return nil, fmt.Errorf("workload %s has no problem", g.of.Name)
	}
	of := &g.of.Problems[0]
	return lazyprm.New(g.of.Name, g.checker, g.of.Joints, of.Start, of.Goal)
}

// planners are the ways to test segments: the default engine's, the paper's, and a fixed
// resolution, which proves nothing.
func provedByDefault(p *lazyprm.Problem) func() (lazyprm.EdgeChecker, error) {
	return func() (lazyprm.EdgeChecker, error) { return lazyprm.NewEngine(p) }
}

func provedByBisection(p *lazyprm.Problem, delta float64, refined bool) func() (lazyprm.EdgeChecker, error) {
	return func() (lazyprm.EdgeChecker, error) {
		return lazyprm.NewBisect(p, delta, bisect.Options{Refined: refined})
	}
}

func sampledEvery(p *lazyprm.Problem, resolution float64) func() (lazyprm.EdgeChecker, error) {
	return func() (lazyprm.EdgeChecker, error) { return lazyprm.NewFixedRes(p, resolution) }
}

// series is what came of planning again and again, each time with another seed.
type series struct {
	runs, failed, colliding int
	us                      micro  // of each run
	said                    string // f for one that found a path, u for one that found none in its time
}

func (s *series) add(o series) {
	s.runs, s.failed, s.colliding = s.runs+o.runs, s.failed+o.failed, s.colliding+o.colliding
	s.us, s.said = append(s.us, o.us...), s.said+o.said
}

// mean is the mean time of the runs that found a path, in µs.
func (s *series) mean() float64 {
	var found []float64
	for i, us := range s.us {
		if s.said[i] == 'f' {
			found = append(found, us)
		}
	}
	return mean(found)
}

// planned is a row of planners with the same seeds, as far as all of them came.
func planned(row, workload string, names []string, all []series) Sample {
	n := all[0].runs
	for i := range all {
		n = min(n, all[i].runs)
	}
	s := Sample{Row: row, Workload: workload, Work: "planning", Kinds: strings.Repeat("f", n)}
	for i, name := range names {
		role := ofPaper
		switch {
		case name == defaultEngine:
			role = ofOurs
		case strings.HasPrefix(name, "SBL"):
			role = sampled
		}
		s.Series = append(s.Series, Times{Method: name, Role: role, Said: all[i].said[:n], Us: all[i].us[:n]})
	}
	return s
}

// told says how many runs found a path, where not all did.
func (s *series) told() string {
	if s.failed == 0 {
		return fmt.Sprint(s.runs)
	}
	return fmt.Sprintf("%d, %d without a path", s.runs, s.failed)
}

// plan plans with so many seeds, as far as time allows, and verifies each path by the
// default engine. With stop it ends at the first path in collision.
func (b *Bench) plan(p *lazyprm.Problem, checker func() (lazyprm.EdgeChecker, error), runs int, within time.Duration, stop bool) (s series, err error) {
	begin := engine.ThreadTime()
	for seed := range uint64(runs) {
		if s.runs > 0 && engine.ThreadTime()-begin > within {
			break
		}
		one, err := b.planOnce(p, checker, seed+1)
		s.add(one)
		if err != nil || stop && s.colliding > 0 {
			return s, err
		}
	}
	return s, nil
}

func (b *Bench) planOnce(p *lazyprm.Problem, checker func() (lazyprm.EdgeChecker, error), seed uint64) (s series, err error) {
	c, err := checker()
	if err != nil {
		return s, err
	}
	// The limit is of computing time; the clock on the wall ends what never asks for it.
	limit := b.limits().one
	ctx, cancel := context.WithTimeout(b.ctx, 30*limit)
	defer cancel()
	begin := engine.ThreadTime()
	within := func(lazyprm.Stats) {
		if engine.ThreadTime()-begin > limit {
			cancel()
		}
	}
	s.runs, s.said, s.us = 1, "u", micro{micros(limit)}
	found, err := lazyprm.Plan(ctx, p, c, lazyprm.Options{Seed: seed, Clock: engine.ThreadTime, Progress: within})
	switch {
	case b.ctx.Err() != nil:
		return s, b.ctx.Err()
	case errors.Is(err, lazyprm.ErrNoPath), errors.Is(err, lazyprm.ErrEnd), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		// ErrEnd: start or goal is closer to something than δ.
		s.failed = 1
		return s, nil
	case err != nil:
		return s, err
	}
	if found.Time > limit {
		s.failed = 1
		return s, nil
	}
	s.said, s.us[0] = "f", micros(found.Time)
	v, err := p.Verify(b.ctx, found.Path)
	if v.Status != motion.Free {
		s.colliding = 1
	}
	return s, err
}

// perProblem is how long a column of a planner's table may compute for a problem.
func (b *Bench) perProblem() time.Duration { return b.limits().all / 6 }

// plannersFixed is SSL04, Table IV.
func plannersFixed(b *Bench) (*Result, error) {
	n := b.pick(2, 50)
	t := Table{Head: []string{
		"figure", fmt.Sprintf("SBL, N = %d: ε", n), "runs", "ms", "colliding paths at larger ε",
		"A-SBL, δ = 0.001: runs", "ms", "colliding", "with the refined checker: runs", "ms", "default engine: runs", "ms", "colliding",
	}}
	r := &Result{Values: values{}, Setup: []string{fmt.Sprintf("One problem for each workload. ε begins at 0.5 rad and is divided by 1.2 whenever a path collides; a series has up to %d runs. A path is judged by the default engine.", n)}}
	var lost, proved, own series
	for _, cell := range cells {
		w, err := b.workload(cell.workload)
		if err != nil {
			return nil, err
		}
		p, err := w.problem()
		if err != nil {
			return nil, err
		}
		epsilon, last, missed, err := b.reliable(p, n)
		if err != nil {
			return nil, err
		}
		lost.add(missed)
		adaptive, err := b.plan(p, provedByBisection(p, 0.001, false), n, b.perProblem(), false)
		if err != nil {
			return nil, err
		}
		fine, err := b.plan(p, provedByBisection(p, 0.001, true), n, b.perProblem(), false)
		if err != nil {
			return nil, err
		}
		ours, err := b.plan(p, provedByDefault(p), n, b.perProblem(), false)
		if err != nil {
			return nil, err
		}
		proved.add(adaptive)
		proved.add(fine)
		own.add(ours)
		t.add(cell.figure, digits(epsilon), last.told(), milli(last.mean()), missed.colliding,
			adaptive.told(), milli(adaptive.mean()), adaptive.colliding, fine.told(), milli(fine.mean()), ours.told(), milli(ours.mean()), ours.colliding)
		r.Samples = append(r.Samples, planned("planning, figure "+cell.figure, cell.workload,
			[]string{"SBL at that ε", "A-SBL, δ = 0.001", "A-SBL, refined, δ = 0.001", defaultEngine}, []series{last, adaptive, fine, ours}))
	}
	r.Tables = []Table{t}
	for name, x := range map[string]series{"SBL": lost, "A-SBL": proved, "default": own} {
		r.Values[name+" runs"], r.Values[name+" colliding"] = float64(x.runs), float64(x.colliding)
	}
	return r, nil
}

// reliable looks for a resolution at which a series of runs gives no path in collision;
// missed are the series that gave one.
func (b *Bench) reliable(p *lazyprm.Problem, runs int) (epsilon float64, last, missed series, err error) {
	const coarsest, finest = 0.5, 1e-4
	begin := engine.ThreadTime()
	for epsilon = coarsest; epsilon > finest; epsilon /= 1.2 {
		last, err = b.plan(p, sampledEvery(p, epsilon), runs, b.perProblem(), true)
		if err != nil || last.colliding == 0 || engine.ThreadTime()-begin > 4*b.perProblem() {
			break
		}
		missed.add(last)
	}
	return epsilon, last, missed, err
}

// plannersAdaptive is SSL04, Table V.
func plannersAdaptive(b *Bench) (*Result, error) {
	deltas := []float64{0.01, 0.001, 0.0001, 0.00001, smallest}
	t := Table{Title: "ms, mean of the runs that found a path", Head: []string{"figure", "runs"}}
	for _, d := range deltas {
		t.Head = append(t.Head, fmt.Sprintf("δ = %g", d))
	}
	t.Head = append(t.Head, "default engine, tolerance 1e-6")
	r := &Result{Values: values{}, Setup: []string{"The problems of Table IV. For δ = 0 stands 1e-6 m. A run may take some seconds."}}
	var all series
	for _, cell := range cells {
		w, err := b.workload(cell.workload)
		if err != nil {
			return nil, err
		}
		p, err := w.problem()
		if err != nil {
			return nil, err
		}
		row := []any{}
		least, most := 0, 0
		var names []string
		var each []series
		note := func(s series) {
			if least == 0 || s.runs < least {
				least = s.runs
			}
			most = max(most, s.runs)
			cell := milli(s.mean())
			if s.failed > 0 {
				cell += fmt.Sprintf(" (%d without a path)", s.failed)
			}
			row = append(row, cell)
		}
		for _, d := range deltas {
			s, err := b.plan(p, provedByBisection(p, d, false), b.pick(1, 10), b.perProblem()/2, false)
			if err != nil {
				return nil, err
			}
			all.add(s)
			note(s)
			names, each = append(names, fmt.Sprintf("A-SBL, δ = %g", d)), append(each, s)
		}
		ours, err := b.plan(p, provedByDefault(p), b.pick(1, 10), b.perProblem()/2, false)
		if err != nil {
			return nil, err
		}
		note(ours)
		r.Samples = append(r.Samples, planned("planning, figure "+cell.figure+", by δ", cell.workload, append(names, defaultEngine), append(each, ours)))
		runs := fmt.Sprint(most)
		if least < most {
			runs = fmt.Sprintf("%d to %d", least, most)
		}
		t.add(append([]any{cell.figure, runs}, row...)...)
	}
	r.Tables = []Table{t}
	r.Values["runs"], r.Values["colliding"] = float64(all.runs), float64(all.colliding)
	return r, nil
}

// walksAndSmoothing is SSL04, Table VII.
func walksAndSmoothing(b *Bench) (*Result, error) {
	t := Table{Head: []string{"figure", "segments of the walk", "bisection: ms", "refined: ms", "default engine: ms", "N of smoothing", "bisection: ms", "length by that before", "default engine: ms", "length by that before"}}
	r := &Result{Values: values{}}
	rounds := b.pick(2, 60)
	for _, cell := range []cellOf{{"1a", "ssl04-tori"}, {"11c, 1 linkage", "ssl04-lattice"}, {"11c, 9 linkages", "ssl04-lattice-9"}} {
		w, err := b.workload(cell.workload)
		if err != nil {
			return nil, err
		}
		worker, err := w.bisector(bisect.Options{})
		if err != nil {
			return nil, err
		}
		fine, err := w.bisector(bisect.Options{Refined: true})
		if err != nil {
			return nil, err
		}
		c, err := b.holdWithin(b.short(), w.of.Set("walk"), w.of.Ask, w.by(adaptiveForm, worker, nil), w.by(refinedForm, fine, nil), w.byDefault())
		if err != nil {
			return nil, err
		}
		path := w.walked(c)
		p, err := lazyprm.New(w.of.Name, w.checker, w.of.Joints, path[0], path[len(path)-1])
		if err != nil {
			return nil, err
		}
		n := float64(c.n())
		row := []any{cell.figure, c.n(), milli(n * c.mean(0)), milli(n * c.mean(1)), milli(n * c.mean(2)), rounds}
		var ratios []float64
		for _, checker := range []func() (lazyprm.EdgeChecker, error){provedByBisection(p, 0, false), provedByDefault(p)} {
			ms, ratio, err := b.smooth(p, checker, path, rounds)
			if err != nil {
				return nil, err
			}
			ratios = append(ratios, ratio)
			row = append(row, milli(ms), ratio)
		}
		t.add(row...)
		r.Values[cell.figure+" left"] = max(ratios[0], ratios[1])
		r.Samples = append(r.Samples, c.sample("random walk, figure "+cell.figure, cell.workload))
	}
	r.Tables = []Table{t}
	return r, nil
}

// walked is the path of a walk's free steps, which follow one another.
func (g *generated) walked(c *contest) [][]float64 {
	path := [][]float64{c.motions[0].At(0)}
	for i, m := range c.motions {
		if c.truth(i) == motion.Free {
			path = append(path, m.At(m.Duration()))
		}
	}
	return path
}

// smooth shortens a path, and returns the time in µs and the length by that before.
func (b *Bench) smooth(p *lazyprm.Problem, checker func() (lazyprm.EdgeChecker, error), path [][]float64, rounds int) (us, ratio float64, err error) {
	c, err := checker()
	if err != nil {
		return 0, 0, err
	}
	_, did, err := lazyprm.Smooth(b.ctx, p, c, path, lazyprm.SmoothOptions{Seed: 1, Rounds: rounds, Together: 1, Clock: engine.ThreadTime})
	return micros(did.Time), did.After / did.Before, err
}
