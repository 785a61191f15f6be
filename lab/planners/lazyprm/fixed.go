package lazyprm

import (
	"container/heap"
	"context"
	"errors"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Fixed is an EdgeChecker that proves nothing: FIXED-RES-BISECTION of SSL04, section
// V-A. It halves segments, the longest pieces first, and looks at the configurations in
// the middle, until the pieces are shorter than the resolution. What is thin enough it
// steps over, so that its paths may be in collision. It is here for comparison.
type Fixed struct {
	p          *Problem
	resolution float64
	query      motion.Query

	// Looked counts the configurations that were tested.
	Looked int
}

// NewFixed returns the checker of a problem with a resolution in rad (or m), Euclidean
// in joint space.
func NewFixed(p *Problem, resolution float64) (*Fixed, error) {
	if err := checkResolution(resolution); err != nil {
		return nil, err
	}
	return &Fixed{p: p, resolution: resolution, query: p.poses()}, nil
}

func checkResolution(resolution float64) error {
	if !(resolution > 0) || math.IsInf(resolution, 0) {
		return errors.New("a resolution is a positive number of radians")
	}
	return nil
}

// Free implements EdgeChecker.
func (c *Fixed) Free(ctx context.Context, q []float64) (bool, error) {
	c.Looked++
	return rests(ctx, c.p, q, c.query)
}

// halved is the memo of a segment: into 2^levels pieces it has been cut.
type halved struct {
	by     *Fixed
	levels int
	piece  float64 // length of each
	hit    bool
}

func (c *Fixed) memo(e *Edge) *halved {
	h, ok := e.Memo.(*halved)
	if !ok || h.by != c {
		h = &halved{by: c, piece: distance(e.From, e.To)}
		e.Memo = h
	}
	return h
}

// Test implements EdgeChecker.
func (c *Fixed) Test(ctx context.Context, edges []*Edge) (int, error) {
	var left longestFirst
	for i, e := range edges {
		h := c.memo(e)
		if h.hit {
			return i, nil
		}
		if h.piece >= c.resolution {
			left = append(left, pending{i, h})
		}
	}
	heap.Init(&left)
	for len(left) > 0 {
		next := left[0]
		free, err := c.halve(ctx, edges[next.place], next.memo)
		if err != nil {
			return -1, err
		}
		if !free {
			return next.place, nil
		}
		if next.memo.piece >= c.resolution {
			heap.Fix(&left, 0)
		} else {
			heap.Pop(&left)
		}
	}
	return -1, nil
}

// halve looks at the middles of a segment's pieces.
func (c *Fixed) halve(ctx context.Context, e *Edge, h *halved) (free bool, err error) {
	n := 1 << h.levels
	for k := range n {
		if free, err = c.Free(ctx, between(e.From, e.To, (float64(k)+0.5)/float64(n))); err != nil {
			return false, err
		}
		if !free {
			h.hit = true
			return false, nil
		}
	}
	h.levels++
	h.piece /= 2
	return true, nil
}

// pending is a segment whose pieces are too long.
type pending struct {
	place int
	memo  *halved
}

// longestFirst is a heap; of pieces equally long the earlier come first, so that runs
// can be repeated.
type longestFirst []pending

func (l longestFirst) Len() int { return len(l) }

func (l longestFirst) Less(i, j int) bool {
	if l[i].memo.piece != l[j].memo.piece {
		return l[i].memo.piece > l[j].memo.piece
	}
	return l[i].place < l[j].place
}

func (l longestFirst) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

func (l *longestFirst) Push(x any) { *l = append(*l, x.(pending)) }

func (l *longestFirst) Pop() any {
	end := len(*l) - 1
	x := (*l)[end]
	*l = (*l)[:end]
	return x
}
