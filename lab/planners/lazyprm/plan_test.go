package lazyprm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// The straight way goes through the sheet; every path that is returned does not.
func TestPathsAreProved(t *testing.T) {
	p := past(t)
	if v := mustVerify(t, p, [][]float64{p.Start, p.Goal}); v.Status != motion.Contact {
		t.Fatalf("the straight way is %v", v.Status)
	}
	for name := range checkers(t, p) {
		for seed := range uint64(8) {
			found, err := Plan(context.Background(), p, checkers(t, p)[name], Options{Seed: seed})
			if err != nil {
				t.Fatal(name, err)
			}
			if !slices.Equal(found.Path[0], p.Start) || !slices.Equal(found.Path[len(found.Path)-1], p.Goal) {
				t.Errorf("%s: the path goes from %v to %v", name, found.Path[0], found.Path[len(found.Path)-1])
			}
			if v := mustVerify(t, p, found.Path); v.Status != motion.Free {
				t.Errorf("%s, seed %d: the path is %v: %v", name, seed, v.Status, v.Contact.Pair)
			}
			for i, q := range found.Path {
				for j, x := range q {
					if l := p.Limits[j]; x < l.Lo || x > l.Hi {
						t.Errorf("%s: waypoint %d has %s at %g, beyond %v", name, i, p.Joints[j], x, l)
					}
				}
			}
			if found.Colliding != found.Paths-1 || found.Edges < len(found.Path)-1 || found.Time <= 0 {
				t.Errorf("%s: %+v", name, found.Stats)
			}
		}
	}
}

// A sampler steps over what is thin.
func TestFixedResolutionPathsCollide(t *testing.T) {
	p := past(t)
	for name, checker := range map[string]func() (EdgeChecker, error){
		"fixed":    func() (EdgeChecker, error) { return NewFixed(p, 0.3) },
		"fixedres": func() (EdgeChecker, error) { return NewFixedRes(p, 0.3) },
	} {
		s, err := Repeat(context.Background(), p, checker, 10, 0, false, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if s.Colliding < 5 || s.Failed > 0 || s.Runs != 10 || s.Mean() <= 0 {
			t.Errorf("%s: %+v", name, s)
		}
		if first, err := Repeat(context.Background(), p, checker, 10, 0, true, Options{Seed: 1}); err != nil || first.Colliding != 1 || first.Runs == 10 {
			t.Errorf("%s: %+v, %v", name, first, err)
		}
	}
}

// The resolution is cut until so many paths in a row are free, and no finer.
func TestReliable(t *testing.T) {
	p := past(t)
	sampler := func(resolution float64) (EdgeChecker, error) { return NewFixed(p, resolution) }
	eps, s, err := Reliable(context.Background(), p, sampler, 0.3, 1e-4, 8, 0, Options{Seed: 1})
	if err != nil || eps >= 0.3 || s.Runs != 8 || s.Colliding != 0 || s.Failed != 0 {
		t.Errorf("resolution %g, %+v, %v", eps, s, err)
	}
	steps := math.Log(0.3/eps) / math.Log(1.2)
	if math.Abs(steps-math.Round(steps)) > 1e-6 {
		t.Errorf("resolution %g is %g cuts below 0.3", eps, steps)
	}
	if _, _, err = Reliable(context.Background(), p, sampler, 0.3, 0.29, 8, 0, Options{Seed: 1}); err == nil {
		t.Error("paths at a resolution of 0.3 are taken for reliable")
	}
}

func TestNoPath(t *testing.T) {
	// A bar around the circle that the arm reaches, but for where it stands.
	walls := []scene.Object{
		scene.NewBox("left", geom.Translation(geom.Vec{Y: 0.3}), geom.Vec{X: 4, Y: 0.01, Z: 0.3}),
		scene.NewBox("right", geom.Translation(geom.Vec{Y: -0.3}), geom.Vec{X: 4, Y: 0.01, Z: 0.3}),
	}
	shut := made(t, "revolute", []float64{0, 0}, []float64{3, 0}, walls...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		p    *Problem
		want error
	}{
		{"shut in", context.Background(), shut, ErrNoPath},
		{"start in collision", context.Background(), made(t, "revolute", []float64{0, 0}, []float64{1, 0}, sheet()), ErrEnd},
		{"goal in collision", context.Background(), made(t, "revolute", []float64{1, 0}, []float64{0, 0}, sheet()), ErrEnd},
		{"cancelled", ctx, shut, context.Canceled},
	} {
		for name, checker := range checkers(t, c.p) {
			found, err := Plan(c.ctx, c.p, checker, Options{Milestones: 60})
			if !errors.Is(err, c.want) || found.Path != nil {
				t.Errorf("%s, %s: %v, path %v; want %v", c.name, name, err, found.Path, c.want)
			}
		}
	}
}

func TestSameSeedSamePath(t *testing.T) {
	p := past(t)
	for name := range checkers(t, p) {
		plan := func(seed uint64) Found {
			found, err := Plan(context.Background(), p, checkers(t, p)[name], Options{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			found.Time = 0
			return found
		}
		a, b, c := plan(5), plan(5), plan(6)
		if !slices.EqualFunc(a.Path, b.Path, slices.Equal) || a.Stats != b.Stats {
			t.Errorf("%s, seed 5: %v, then %v", name, a, b)
		}
		if slices.EqualFunc(a.Path, c.Path, slices.Equal) {
			t.Errorf("%s, seeds 5 and 6: %v", name, a.Path)
		}
	}
}

// Whatever segments collide, the trees stay trees, candidates are paths from start to
// goal, and a segment that was given up is in none of them.
func TestTreesStayTrees(t *testing.T) {
	p := made(t, "revolute", []float64{-1, 0}, []float64{1, 0}, sheet())
	rapid.Check(t, func(r *rapid.T) {
		seed := rapid.Uint64().Draw(r, "seed")
		c := &lots{
			t: t, dice: rand.New(rand.NewPCG(seed, 1)), share: rapid.Float64Range(0.1, 0.9).Draw(r, "share"), p: p,
			hits: map[*Edge]bool{}, free: map[*Edge]bool{},
		}
		g := planner{p: p, checker: c, o: Options{Reach: 0.15}, dice: rand.New(rand.NewPCG(seed, 2))}
		for k, q := range [2][]float64{p.Start, p.Goal} {
			g.trees[k] = newTree(g.dice, g.milestone(q), k == 1)
		}
		g.stats.Milestones = 2
		for range rapid.IntRange(1, 60).Draw(r, "iterations") {
			if _, err := g.iterate(context.Background()); err != nil {
				t.Fatal(err)
			}
			sound(r, &g)
		}
		if c.repeated > 0 {
			r.Errorf("%d segments were tested after they had been found in collision", c.repeated)
		}
	})
}

// sound checks that the trees are what they should be.
func sound(r *rapid.T, g *planner) {
	total := 0
	for _, t := range g.trees {
		size := 0
		t.root.each(func(m *milestone) {
			size++
			if m.home != t {
				r.Fatalf("a milestone is in the wrong tree")
			}
			if c := t.grid.cells[t.grid.keyOf(m)]; c == nil || m.slot >= len(c.milestones) || c.milestones[m.slot] != m || t.grid.filled[c.place] != c {
				r.Fatalf("a milestone is not where the grid looks for it")
			}
			if m == t.root {
				return
			}
			from, to := m.parent, m
			if t.fromGoal {
				from, to = to, from
			}
			if !slices.Equal(m.edge.From, from.q) || !slices.Equal(m.edge.To, to.q) || !slices.Contains(m.parent.children, m) {
				r.Fatalf("a segment leads elsewhere")
			}
		})
		inGrid := 0
		for _, c := range t.grid.filled {
			if len(c.milestones) == 0 {
				r.Fatalf("an empty cell is drawn from")
			}
			inGrid += len(c.milestones)
		}
		if size != t.size || inGrid != size {
			r.Fatalf("%d milestones, counted %d, in the grid %d", size, t.size, inGrid)
		}
		total += size
	}
	if total != g.stats.Milestones {
		r.Fatalf("%d milestones, counted %d", total, g.stats.Milestones)
	}
}
