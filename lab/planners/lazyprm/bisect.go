package lazyprm

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
)

// Bisect is an EdgeChecker that proves, by ADAPTIVE-BISECTION of SSL04: with it the
// planner is the paper's A-SBL. Each segment keeps the priority queue of what is not
// proved of it (section II-D). What it cannot decide it takes for a collision.
type Bisect struct {
	// Forget has each test begin anew, to measure what keeping queues is worth.
	Forget bool

	p *Problem
	c *bisect.PathChecker
}

// mostQueued is how many elements a segment's queue may hold where options do not say.
// A planner has other segments to try than one that slides along an obstacle (section
// V-F), and shortcuts are drawn to those.
const mostQueued = 4096

// NewBisect returns the checker of a problem. Below delta (m, section II-F) it may give
// a segment up instead of bisecting it; 0 means the tolerance of the problem's query. A
// queue holds 4,096 elements at most, unless the options allow another number.
func NewBisect(p *Problem, delta float64, o bisect.Options) (*Bisect, error) {
	made, err := p.bisection()
	if err != nil {
		return nil, err
	}
	q := p.proofs()
	if delta != 0 {
		q.Tolerance = delta
	}
	if o.MaxQueue == 0 {
		o.MaxQueue = mostQueued
	}
	c, err := bisect.PathsOf(made, p.Joints, q, o)
	if err != nil {
		return nil, err
	}
	return &Bisect{p: p, c: c}, nil
}

// Stats counts what the checker did since it was made, as the paper's tables do.
func (c *Bisect) Stats() bisect.Stats { return c.c.Stats() }

// Free implements EdgeChecker.
func (c *Bisect) Free(ctx context.Context, q []float64) (bool, error) {
	touches, err := c.c.Touches(q)
	return !touches, errors.Join(err, ctx.Err())
}

// Test implements EdgeChecker.
func (c *Bisect) Test(ctx context.Context, edges []*Edge) (int, error) {
	path := make([]*bisect.Edge, 0, len(edges))
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
	outcome, hit, _ := c.c.TestPath(ctx, path)
	if outcome == bisect.Undecided {
		if ctx.Err() != nil {
			return -1, ctx.Err()
		}
		hit = c.undecided(ctx, path)
	}
	if hit >= 0 {
		hit = of[hit]
	}
	return hit, ctx.Err()
}

// queued is the memo of a segment. What another checker knows of it answers another
// question.
type queued struct {
	by    *Bisect
	parts []*bisect.Edge
}

// memo returns the segment as the method knows it, with its queue: in parts where it
// turns a joint by more than half a turn, as the method takes the short way. A segment
// that was turned round is the same segment: its queue holds in either direction.
func (c *Bisect) memo(e *Edge) ([]*bisect.Edge, error) {
	if known, ok := e.Memo.(*queued); ok && known.by == c && !c.Forget {
		return known.parts, nil
	}
	made := &queued{by: c}
	points := c.p.Unambiguous([][]float64{e.From, e.To})
	for i := 1; i < len(points); i++ {
		part, err := c.c.Edge(points[i-1], points[i])
		if err != nil {
			return nil, err
		}
		made.parts = append(made.parts, part)
	}
	e.Memo = made
	return made.parts, nil
}

// undecided finds an edge of which no more can be proved, or else one that is not proved
// free by itself.
func (c *Bisect) undecided(ctx context.Context, path []*bisect.Edge) int {
	for i, e := range path {
		if _, why := c.c.TestSome(ctx, e, 0); why != "" {
			return i
		}
	}
	for i, e := range path {
		if outcome, _ := c.c.Test(ctx, e); outcome != bisect.Free {
			return i
		}
	}
	return -1
}
