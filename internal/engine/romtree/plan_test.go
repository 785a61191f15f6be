package romtree

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// planned returns a query's scope with and without a plan.
func planned(t testing.TB, m *model.Model, h *Hulls, q motion.DistanceQuery) (plain, by *distance.Scope) {
	t.Helper()
	var out [2]*distance.Scope
	for i := range out {
		s, err := distance.NewScope(m, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = s
	}
	out[1].SetOwn(h.NewPlan(m, out[1].OwnPairs()))
	return out[0], out[1]
}

// linkPairs are the pairs of links that are checked.
func linkPairs(m *model.Model) (out [][2]int) {
	seen := map[[2]int]bool{}
	for i := range m.Pairs {
		p := [2]int{m.Bodies[m.Elements[m.Pairs[i].A].Body].Link, m.Bodies[m.Elements[m.Pairs[i].B].Body].Link}
		if !m.Pairs[i].World && !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

// culling is what a random robot's plan left out, held against the distances of all pairs.
type culling struct{ asked, left, byTable, wrong int }

// cull compares what the plan leaves out with the distances of all pairs, at configurations
// within the limits and beyond some of them. change may break the hulls first.
func (c *culling) cull(t *testing.T, seed uint64, change func(*Hulls)) {
	t.Helper()
	d := diceOf(seed)
	m := modelOf(t, d.robot(drawn{joints: 4 + d.IntN(8), endless: seed%4 == 0}), nil, []float64{0, 0.01}[d.IntN(2)], nil)
	h, err := NewHulls(context.Background(), m, linkPairs(m))
	if err != nil {
		t.Fatal(err)
	}
	change(h)
	var pairs []int32
	for i := range m.Pairs {
		if d.IntN(5) > 0 {
			pairs = append(pairs, int32(i))
		}
	}
	p := h.NewPlan(m, pairs)
	var b distance.Balls
	w := distance.New(m)
	for range 12 {
		q := d.configuration(h.Rom.Box)
		if d.IntN(3) == 0 {
			q[d.IntN(len(q))] += d.In(-9, 9)
		}
		w.At(context.Background(), q, false)
		p.Place(&b, w.State(), q)
		enough := d.In(0, 0.6)
		near, left := p.Cull(&b, enough, nil)
		for _, i := range pairs {
			c.asked++
			x := w.Look(i, math.Inf(1), 0, 0)
			if apart := p.Apart(&b); apart != nil && apart[i] >= 0 {
				c.byTable++
				if x.Upper < apart[i]-1e-9 {
					c.wrong++
				}
			}
			if slices.Contains(near, i) {
				continue
			}
			c.left++
			if x.Upper < left-1e-9 || left < enough {
				c.wrong++
			}
		}
	}
}

// What a plan leaves out is as far apart as it says, within the limits and beyond.
func TestNothingCloseIsCulled(t *testing.T) {
	var c culling
	robots := 60
	if testing.Short() || race.Enabled {
		robots = 15
	}
	if switches.Long.Set() {
		robots = 2000
	}
	for seed := range uint64(robots) {
		c.cull(t, 7000+seed, func(*Hulls) {})
	}
	t.Logf("%+v", c)
	if c.wrong > 0 || c.left < c.asked/10 || c.byTable < c.asked/100 {
		t.Errorf("%+v: pairs were left out that are close, or too few were left out", c)
	}
}

// Hulls that are too small, balls of links that are, and a table that says too much are
// found by the same comparison.
func TestBrokenHullsAreFound(t *testing.T) {
	for name, change := range map[string]func(*Hulls){
		"hulls": func(h *Hulls) {
			for k := range h.Rom.Subtree {
				h.Rom.Subtree[k].Radius *= 0.7
			}
		},
		"links": func(h *Hulls) {
			for k := range h.links {
				h.links[k].Radius *= 0.7
			}
		},
		"table": func(h *Hulls) {
			for p := range h.apart {
				h.apart[p] += 0.3
			}
		},
		"hulls where none hold": func(h *Hulls) {
			for k := range h.fixed {
				h.fixed[k] = h.Rom.Subtree[k].Known
			}
			h.Rom.Box = endlessBox(h.Rom.Box)
		},
	} {
		var c culling
		for seed := range uint64(60) {
			c.cull(t, 7000+seed, change)
		}
		if c.wrong == 0 {
			t.Errorf("broken %s were not found: %+v", name, c)
		}
	}
}

// endlessBox claims that everything is within the limits.
func endlessBox(b *JointBox) *JointBox {
	out := *b
	out.Joints = make([]Range, len(b.Joints))
	for k := range out.Joints {
		out.Joints[k] = Range{math.Inf(-1), math.Inf(1)}
	}
	return &out
}

// Costs of both methods for real robots.
func TestPlanFigures(t *testing.T) {
	measured(t)
	for _, name := range []string{"panda", "ur5", "dual_panda", "allegro_hand", "pr2", "g1", "romeo", "atlas", "baxter", "h1", "nextage", "simple_humanoid", "anymal_c", "booster_k1", "kinova_gen3"} {
		_, m := sharedRobot(t, name, nil)
		begin := engine.ThreadTime().Seconds()
		h, err := NewHulls(context.Background(), m, linkPairs(m))
		if err != nil {
			t.Fatal(err)
		}
		took := engine.ThreadTime().Seconds() - begin
		fixed := 0
		for _, f := range h.fixed {
			if f {
				fixed++
			}
		}
		_, s := planned(t, m, h, motion.DistanceQuery{NoWorld: true})
		t.Logf("%s: %d joints, %d pairs, %d tests, %d hulls in use, %.2f s", name, len(m.Tree.Frames)-1, len(m.Pairs), len(h.NewPlan(m, s.OwnPairs()).tests), fixed, took)
		for _, q := range []motion.DistanceQuery{{}, {Relative: 0.1}, {DistanceRanges: motion.DistanceRanges{Max: 0.1}}, {DistanceRanges: motion.DistanceRanges{Min: 0.01, Max: 0.2}}} {
			q.NoWorld = true
			planFigures(t, m, h, q)
		}
	}
}

func planFigures(t *testing.T, m *model.Model, h *Hulls, q motion.DistanceQuery) {
	plain, by := planned(t, m, h, q)
	d := diceOf(10)
	for _, path := range []bool{false, true} {
		var times [2][]float64
		ws := [2]*distance.Searcher{distance.New(m), distance.New(m)}
		probe := distance.New(m)
		a, b := middle(m), d.configuration(h.Rom.Box)
		var out motion.Distances
		for i := range 300 {
			at := d.configuration(h.Rom.Box)
			if path {
				for k := range at {
					at[k] = a[k] + (b[k]-a[k])*float64(i)/6000
				}
			}
			if err := probe.Measure(context.Background(), at, plain, path, &out); err != nil {
				t.Fatal(err)
			}
			if out.Self.Hi == 0 {
				continue
			}
			for k := range 2 {
				j := (k + i) % 2
				s := [2]*distance.Scope{plain, by}[j]
				begin := engine.ThreadTime().Seconds()
				if err := ws[j].Measure(context.Background(), at, s, path, &out); err != nil {
					t.Fatal(err)
				}
				times[j] = append(times[j], engine.ThreadTime().Seconds()-begin)
			}
		}
		n := len(times[0])
		if n < 10 {
			t.Logf("    path %v: only %d", path, n)
			continue
		}
		for j := range times {
			slices.Sort(times[j])
		}
		f := func(j int) float64 { return times[j][n/2] * 1e6 }
		t.Logf("    [%g,%g] alpha %g, path %-5v: all pairs %7.1f us, spheres %7.1f us, ratio %.2f (of %d)", q.Min, q.Max, q.Relative, path, f(0), f(1), f(1)/math.Max(f(0), 1e-9), n)
	}
}
