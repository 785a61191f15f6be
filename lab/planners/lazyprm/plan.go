package lazyprm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Options of Plan; the zero value is the documented default.
type Options struct {
	// Seed of the planner's lots: the same seed, problem and checker give the same path.
	Seed uint64
	// Reach of the box around a milestone in which the next is drawn, as a share of
	// each joint's limits; 0 means 0.15.
	Reach float64
	// Milestones after which the planner gives up; 0 means 100,000.
	Milestones int
	// Clock tells the time that Stats count; nil is that on the wall.
	Clock func() time.Duration
	// Progress, if not nil, is told now and then how far the planner has come.
	Progress func(Stats)
}

// Stats count what a plan took.
type Stats struct {
	Time       time.Duration
	Milestones int // configurations in both trees
	Drawn      int // configurations that were tested for being one
	Paths      int // candidate paths that were tested
	Edges      int // segments that were part of one of them
	Again      int // of these, the ones that a later candidate had as well, so that what was kept of them was used
	Colliding  int // segments found in collision, and given up
}

// Found is a path and what it took to find.
type Found struct {
	Path [][]float64 // from start to goal, one position (rad, m) per joint
	Stats
}

// What keeps Plan from finding a path. ErrNoPath does not say that there is none.
var (
	ErrNoPath = errors.New("no path found")
	ErrEnd    = errors.New("the start or the goal is in collision")
)

// Plan looks for a path whose segments the checker finds free. Where start or goal are
// in collision it fails with ErrEnd, where its milestones are spent with ErrNoPath, and
// where the context ends with its error; Found then has the Stats.
func Plan(ctx context.Context, p *Problem, checker EdgeChecker, o Options) (Found, error) {
	g := planner{p: p, checker: checker, o: o, dice: rand.New(rand.NewPCG(o.Seed, 0x5b1))}
	g.o.Reach = orDefault(o.Reach, 0.15)
	g.o.Milestones = int(orDefault(float64(o.Milestones), 100_000))
	if o.Clock == nil {
		g.o.Clock = wall()
	}
	begin := g.o.Clock()
	path, err := g.plan(ctx)
	g.stats.Time = g.o.Clock() - begin
	if err != nil {
		err = fmt.Errorf("problem %s: %w", p.Name, err)
	}
	return Found{Path: path, Stats: g.stats}, err
}

func wall() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

func orDefault(x, otherwise float64) float64 {
	if x == 0 {
		return otherwise
	}
	return x
}

// planner is one plan.
type planner struct {
	p       *Problem
	checker EdgeChecker
	o       Options
	dice    *rand.Rand
	trees   [2]*tree // from the start, from the goal
	stats   Stats
}

func (g *planner) plan(ctx context.Context) ([][]float64, error) {
	for k, q := range [2][]float64{g.p.Start, g.p.Goal} {
		free, err := g.checker.Free(ctx, q)
		if err != nil {
			return nil, err
		}
		if !free {
			return nil, fmt.Errorf("%w: the %s", ErrEnd, [2]string{"start", "goal"}[k])
		}
		g.trees[k] = newTree(g.dice, g.milestone(q), k == 1)
	}
	g.stats.Milestones = 2
	path, err := g.try(ctx, g.trees[0].root, g.trees[1].root)
	for path == nil && err == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		if g.stats.Milestones >= g.o.Milestones {
			return nil, fmt.Errorf("%w with %d milestones", ErrNoPath, g.stats.Milestones)
		}
		path, err = g.iterate(ctx)
	}
	return path, err
}

// iterate adds a milestone to either tree and tries to join it to the other: to the
// closest in its neighbourhood there, and to any (SSL04, section V-D).
func (g *planner) iterate(ctx context.Context) ([][]float64, error) {
	m, err := g.expand(ctx, g.trees[g.dice.IntN(2)])
	if err != nil || m == nil {
		return nil, err
	}
	if g.o.Progress != nil && g.stats.Milestones%256 == 0 {
		g.o.Progress(g.stats)
	}
	other := g.other(m.home)
	if n := other.grid.closest(m); n != nil {
		if path, err := g.try(ctx, m, n); path != nil || err != nil {
			return path, err
		}
	}
	// A path that failed may have handed m over to the other tree.
	return g.try(ctx, m, g.other(m.home).grid.draw(g.dice))
}

func (g *planner) other(t *tree) *tree {
	if t == g.trees[0] {
		return g.trees[1]
	}
	return g.trees[0]
}

// tries is how many boxes, each smaller than the last, are tried around a milestone.
const tries = 12

// expand draws a milestone where they are few and then a configuration near it, nearer
// from try to try, until one is free: it becomes a milestone, and the segment to it is
// not tested. It returns nil where none was found.
func (g *planner) expand(ctx context.Context, t *tree) (*milestone, error) {
	parent := t.grid.draw(g.dice)
	for i := 1; i <= tries; i++ {
		q := g.near(parent.q, g.o.Reach/float64(i))
		g.stats.Drawn++
		free, err := g.checker.Free(ctx, q)
		if err != nil {
			return nil, err
		}
		if !free {
			continue
		}
		m := g.milestone(q)
		t.grow(parent, m)
		g.stats.Milestones++
		if n := t.size; n&(n-1) == 0 { // as the tree doubles
			t.sort(g.dice)
		}
		return m, nil
	}
	return nil, nil
}

// near draws a configuration within the limits from the box around q.
func (g *planner) near(q []float64, reach float64) []float64 {
	out := make([]float64, len(q))
	for j, l := range g.p.Limits {
		half := reach * (l.Hi - l.Lo)
		lo, hi := max(l.Lo, q[j]-half), min(l.Hi, q[j]+half)
		out[j] = min(lo+g.dice.Float64()*(hi-lo), hi)
	}
	return out
}

func (g *planner) milestone(q []float64) *milestone {
	unit := make([]float64, len(q))
	for j, l := range g.p.Limits {
		if l.Hi > l.Lo {
			unit[j] = (q[j] - l.Lo) / (l.Hi - l.Lo)
		}
	}
	return &milestone{q: q, unit: unit}
}

// try joins milestones of the two trees and tests the whole path from start to goal
// that this makes. It returns nil where a segment of it is in collision; that one is
// given up, and the trees made trees again.
func (g *planner) try(ctx context.Context, a, b *milestone) ([][]float64, error) {
	if a.home == g.trees[1] {
		a, b = b, a
	}
	bridge := NewEdge(a.q, b.q)
	up := a.toRoot()
	path := make([]*Edge, 0, len(up)+16)
	for i := len(up) - 1; i >= 0; i-- {
		path = append(path, up[i])
	}
	path = append(append(path, bridge), b.toRoot()...)
	g.count(path)
	hit, err := g.checker.Test(ctx, path)
	switch {
	case err != nil:
		return nil, err
	case hit < 0:
		return waypoints(path), nil
	}
	g.stats.Colliding++
	g.giveUp(a, b, bridge, path[hit])
	return nil, nil
}

func (g *planner) count(path []*Edge) {
	g.stats.Paths++
	for _, e := range path {
		switch e.tests++; e.tests {
		case 1:
			g.stats.Edges++
		case 2:
			g.stats.Again++
		}
	}
}

// giveUp removes a segment in collision. Where it is not the bridge, the milestones
// that hung on it go over to the other tree by the bridge, of which nothing bad is
// known.
func (g *planner) giveUp(a, b *milestone, bridge, hit *Edge) {
	if hit == bridge {
		return
	}
	for end, other := range map[*milestone]*milestone{a: b, b: a} {
		for n := end; n.parent != nil; n = n.parent {
			if n.edge == hit {
				n.cut()
				rehang(end, n, other, bridge)
				return
			}
		}
	}
}
