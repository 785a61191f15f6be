package romtree

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
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

// Costs of both methods for real robots.
func TestPlanFigures(t *testing.T) {
	measured(t)
	for _, name := range []string{"panda", "ur5", "dual_panda", "allegro_hand", "pr2", "g1", "romeo", "atlas", "baxter", "h1", "nextage", "simple_humanoid", "anymal_c", "booster_k1", "kinova_gen3"} {
		_, m := sharedRobot(t, name, nil)
		begin := engine.ThreadTime().Seconds()
		h, err := NewHulls(context.Background(), m)
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
		for _, q := range []motion.DistanceQuery{{}, {Relative: 0.1}, {Max: 0.1}, {Min: 0.01, Max: 0.2}} {
			q.NoWorld = true
			variants := map[string]*Hulls{"all": h}
			for _, name := range []string{"no tables", "no hulls", "neither"} {
				other := *h
				if name != "no hulls" {
					other.apart = nil
				}
				if name != "no tables" {
					other.fixed = make([]bool, len(h.fixed))
				}
				variants[name] = &other
			}
			for _, name := range []string{"all", "no tables", "no hulls", "neither"} {
				t.Log(name)
				planFigures(t, m, variants[name], q)
			}
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
