package lazyprm

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Engine is an EdgeChecker that proves, by the checker's own engine: segments go on
// from where their proof stopped (ccd.PathChecker). What it cannot decide it takes for a
// collision.
type Engine struct {
	p     *Problem
	query motion.Query
	path  *ccd.PathChecker

	// Forget has each test begin anew, to measure what keeping work is worth.
	Forget bool

	// Work sums what tests of segments took, without those of single configurations.
	Work motion.Work
}

// NewEngine returns the checker of a problem.
func NewEngine(p *Problem) (*Engine, error) {
	q := p.proofs()
	path, err := p.Checker.PathChecker(q)
	if err != nil {
		return nil, err
	}
	return &Engine{p: p, query: q, path: path}, nil
}

// Free implements EdgeChecker: a rest at q is free.
func (c *Engine) Free(ctx context.Context, q []float64) (bool, error) {
	return rests(ctx, c.p, q, c.query)
}

// rests reports whether the robot touches nothing while it stands still at q.
func rests(ctx context.Context, p *Problem, q []float64, query motion.Query) (bool, error) {
	m, err := motion.Path(p.Joints, [][]float64{q}, nil)
	if err != nil {
		return false, err
	}
	v, err := p.Checker.Check(ctx, m, query)
	if err == nil && v.Status == motion.Undecided {
		err = ctx.Err()
	}
	return v.Status == motion.Free, err
}

// Test implements EdgeChecker by one question for each run of segments.
func (c *Engine) Test(ctx context.Context, edges []*Edge) (hit int, err error) {
	hit = -1
	runs(edges, func(first int, run []*Edge) bool {
		var at int
		if at, err = c.run(ctx, run); at >= 0 {
			hit = first + at
		}
		return hit < 0 && err == nil
	})
	return hit, err
}

func (c *Engine) run(ctx context.Context, run []*Edge) (hit int, err error) {
	v, err := c.check(ctx, waypoints(run))
	switch {
	case err != nil:
		return -1, err
	case v.Status == motion.Free:
		return -1, nil
	case v.Status == motion.Contact:
		return v.Piece, nil
	}
	return c.undecided(ctx, run)
}

// undecided finds a segment that is not proved free by itself.
func (c *Engine) undecided(ctx context.Context, run []*Edge) (int, error) {
	for i, e := range run {
		v, err := c.check(ctx, [][]float64{e.From, e.To})
		if err != nil || v.Status != motion.Free {
			return i, err
		}
	}
	return -1, nil
}

func (c *Engine) check(ctx context.Context, path [][]float64) (motion.Verdict, error) {
	m, err := motion.Path(c.p.Joints, path, nil)
	if err != nil {
		return motion.Verdict{}, err
	}
	m.KeepTurns = true
	if c.Forget {
		if c.path, err = c.p.Checker.PathChecker(c.query); err != nil {
			return motion.Verdict{}, err
		}
	}
	v, err := c.path.Check(ctx, m)
	c.Work.Intervals += v.Work.Intervals
	c.Work.Proofs += v.Work.Proofs
	c.Work.Distances += v.Work.Distances
	if err == nil && v.Status == motion.Undecided {
		err = ctx.Err()
	}
	return v, err
}
