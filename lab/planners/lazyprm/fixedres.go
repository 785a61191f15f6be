package lazyprm

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
)

// FixedRes is Fixed with the hierarchies of SSL04's own method: what Bisect is to be
// compared with, as both look at configurations with the same means. It proves nothing.
type FixedRes struct {
	p *Problem
	c *bisect.PathChecker
	f *bisect.FixedRes
}

// NewFixedRes returns the checker of a problem with a resolution in rad (or m),
// Euclidean in joint space.
func NewFixedRes(p *Problem, resolution float64) (*FixedRes, error) {
	if err := checkResolution(resolution); err != nil {
		return nil, err
	}
	made, err := p.bisection()
	if err != nil {
		return nil, err
	}
	c, err := bisect.PathsOf(made, p.Joints, p.poses(), bisect.Options{})
	if err != nil {
		return nil, err
	}
	f, err := c.NewFixedRes(resolution)
	return &FixedRes{p, c, f}, err
}

// Stats counts what the checker did since it was made.
func (c *FixedRes) Stats() bisect.Stats { return c.c.Stats() }

// Free implements EdgeChecker.
func (c *FixedRes) Free(ctx context.Context, q []float64) (bool, error) {
	touches, err := c.c.Touches(q)
	return !touches, errors.Join(err, ctx.Err())
}

// sampled is the memo of a segment: how finely it has been looked at.
type sampled struct {
	by    *FixedRes
	parts []*bisect.SampledEdge // as Bisect has them
}

// Test implements EdgeChecker.
func (c *FixedRes) Test(ctx context.Context, edges []*Edge) (int, error) {
	path := make([]*bisect.SampledEdge, 0, len(edges))
	of := make([]int, 0, len(edges)) // the segment that each edge of path is of
	for i, e := range edges {
		known, err := c.memo(e)
		if err != nil {
			return -1, err
		}
		for _, part := range known {
			path, of = append(path, part), append(of, i)
		}
	}
	hit, ended := c.f.TestPath(ctx, path)
	switch {
	case hit >= 0:
		return of[hit], nil
	case ended:
		return -1, ctx.Err()
	}
	return -1, nil
}

func (c *FixedRes) memo(e *Edge) ([]*bisect.SampledEdge, error) {
	if known, ok := e.Memo.(*sampled); ok && known.by == c {
		return known.parts, nil
	}
	made := &sampled{by: c}
	points := c.p.Unambiguous([][]float64{e.From, e.To})
	for i := 1; i < len(points); i++ {
		part, err := c.f.Edge(points[i-1], points[i])
		if err != nil {
			return nil, err
		}
		made.parts = append(made.parts, part)
	}
	e.Memo = made
	return made.parts, nil
}
