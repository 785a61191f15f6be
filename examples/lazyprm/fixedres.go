package lazyprm

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/ccd/bisect"
)

// FixedRes is Fixed with the hierarchies of SSL04's own method: what Bisect is to be
// compared with, as both look at configurations with the same means. It proves nothing.
type FixedRes struct {
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
	c, err := made.PathChecker(p.Joints, p.poses(), bisect.Options{})
	if err != nil {
		return nil, err
	}
	f, err := c.NewFixedRes(resolution)
	return &FixedRes{c, f}, err
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
	by   *FixedRes
	edge *bisect.SampledEdge
}

// Test implements EdgeChecker.
func (c *FixedRes) Test(ctx context.Context, edges []*Edge) (int, error) {
	path := make([]*bisect.SampledEdge, len(edges))
	for i, e := range edges {
		known, ok := e.Memo.(*sampled)
		if !ok || known.by != c {
			made, err := c.f.Edge(e.From, e.To)
			if err != nil {
				return -1, err
			}
			known = &sampled{c, made}
			e.Memo = known
		}
		path[i] = known.edge
	}
	hit, ended := c.f.TestPath(ctx, path)
	if hit < 0 && ended {
		return -1, ctx.Err()
	}
	return hit, nil
}
