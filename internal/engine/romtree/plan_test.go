package romtree

import (
	"context"
	"fmt"
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
		if d.IntN(2) == 0 {
			for k := range q {
				if d.IntN(2) == 0 {
					q[k] += d.In(-9, 9)
				}
			}
		}
		w.At(context.Background(), q, false)
		p.Place(&b, w.State(), q)
		far := map[int32]float64{}
		for _, i := range pairs {
			far[i] = w.Look(i, math.Inf(1), 0, 0).Upper
			if apart := p.Apart(&b); apart != nil && apart[i] >= 0 {
				c.byTable++
				if far[i] < apart[i]-1e-9 {
					c.wrong++
				}
			}
		}
		for range 6 { // a little more than a pair is apart, so that it must not be left out
			if len(pairs) == 0 {
				break
			}
			enough := far[pairs[d.IntN(len(pairs))]]*1.01 + 1e-6
			near, left := p.Cull(&b, enough, nil)
			for _, i := range pairs {
				c.asked++
				if slices.Contains(near, i) {
					continue
				}
				c.left++
				if far[i] < left-1e-9 || left < enough {
					c.wrong++
				}
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
		robots = 600
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
			if c.cull(t, 7000+seed, change); c.wrong > 0 {
				break
			}
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

// A query with a plan says what one of all pairs says, whatever it asks, wherever the
// searcher comes from.
func TestPlanAnswersAreThoseOfAllPairs(t *testing.T) {
	robots := 36
	if testing.Short() || race.Enabled {
		robots = 10
	}
	if switches.Long.Set() {
		robots = 400
	}
	compared, stopped, beyond := 0, 0, 0
	for seed := range uint64(robots) {
		d := diceOf(8000 + seed)
		m := modelOf(t, d.robot(drawn{joints: 6 + d.IntN(8), endless: seed%4 == 0}), nil, []float64{0, 0.01}[d.IntN(2)], nil)
		h, err := NewHulls(context.Background(), m, linkPairs(m))
		if err != nil {
			t.Fatal(err)
		}
		plain, w := distance.New(m), distance.New(m)
		var q []float64
		for range 8 {
			if q == nil || d.IntN(2) == 0 {
				q = d.configuration(h.Rom.Box)
			} else {
				for k := range q {
					q[k] += d.In(-0.03, 0.03)
				}
			}
			all, err := plain.Distances(context.Background(), q, motion.DistanceQuery{K: -1, NoWorld: true})
			if err != nil {
				t.Fatal(err)
			}
			ask := d.query(&all)
			_, s := planned(t, m, h, ask)
			// From somewhere else, so that a pair that is far now comes first.
			var got motion.Distances
			for i := range 2 {
				at := q
				if i == 0 {
					at = d.configuration(h.Rom.Box)
				}
				if err := w.Measure(context.Background(), at, s, true, &got); err != nil {
					t.Fatal(err)
				}
			}
			compared++
			if got.Stopped {
				stopped++
			}
			if math.IsInf(got.Self.Hi, 1) {
				beyond++
			}
			if wrong := wrongBounds(&ask, &got, &all); wrong != "" {
				t.Errorf("seed %d: %+v at %v: %s: %+v", seed, ask, q, wrong, got)
			}
		}
	}
	t.Logf("%d compared, %d stopped, %d beyond their range", compared, stopped, beyond)
	if compared < robots*4 || stopped < compared/50 || beyond < compared/100 {
		t.Errorf("%d compared, %d stopped, %d beyond their range: too few", compared, stopped, beyond)
	}
}

// query draws a query with ranges about the distances that there are.
func (d dice) query(all *motion.Distances) motion.DistanceQuery {
	q := motion.DistanceQuery{NoWorld: true, K: []int{0, 1, 2, 4, -1}[d.IntN(5)], Relative: []float64{0, 0.1}[d.IntN(2)]}
	if d.IntN(2) == 0 {
		q.Max = d.In(0, 0.6)
	}
	for _, p := range all.Pairs {
		if d.IntN(8) == 0 {
			r := motion.DistanceRange{Min: p.Bounds.Lo * d.In(0.2, 1.02)}
			q.Ranges = append(q.Ranges, motion.PairRange{A: p.Pair.A.Name, B: p.Pair.B.Name, DistanceRange: r})
		}
	}
	return q
}

// wrongBounds tells what is wrong with an answer, all pairs' distances being known.
func wrongBounds(q *motion.DistanceQuery, got, all *motion.Distances) string {
	const eps = 1e-8
	far := q.Max
	if far == 0 || len(q.Ranges) > 0 {
		far = math.Inf(1)
	}
	exact, least := map[motion.Pair]float64{}, math.Inf(1)
	for i := range all.Pairs {
		p := &all.Pairs[i]
		exact[p.Pair] = p.Distance
		least = min(least, p.Distance)
	}
	for i := range got.Pairs {
		if p := &got.Pairs[i]; p.Bounds.Lo > exact[p.Pair]+eps || p.Bounds.Hi < exact[p.Pair]-eps {
			return fmt.Sprintf("%v is %g m apart", p.Pair, exact[p.Pair])
		}
	}
	if got.Self.Lo > least+eps || got.Self.Hi < least-eps {
		return fmt.Sprintf("the least distance is %g m", least)
	}
	if got.Stopped {
		return ""
	}
	for _, r := range q.Ranges {
		for pair, x := range exact {
			if pair.A.Name == r.A && pair.B.Name == r.B && x < r.Min*(1-q.Relative)-eps {
				return fmt.Sprintf("%v is only %g m apart", pair, x)
			}
		}
	}
	switch {
	case len(q.Ranges) > 0 && q.Max > 0:
	case least <= far*(1-q.Relative) && got.Self.Hi-got.Self.Lo > eps+q.Relative*got.Self.Hi:
		return "the bounds are too far apart"
	case least > far && got.Self.Lo < far-eps:
		return "nothing is in the range, and that is not proved"
	}
	return ""
}

// figureRobots are those of the tables of lab/docs/self-collision.md.
var figureRobots = []string{
	"panda", "ur5", "kinova_gen3", "dual_panda", "nextage", "baxter", "pr2", "allegro_hand", "anymal_c", "h1", "g1", "booster_k1", "romeo", "atlas",
}

// Costs of the ways to find the closest of the robot's own pairs, with FIRSTCONTACT_LONG:
// what lab/docs/self-collision.md publishes.
func TestPlanFigures(t *testing.T) {
	measured(t)
	for _, name := range figureRobots {
		_, m := sharedRobot(t, name, nil)
		begin := engine.ThreadTime().Seconds()
		h, err := NewHulls(context.Background(), m, linkPairs(m))
		if err != nil {
			t.Fatal(err)
		}
		took := engine.ThreadTime().Seconds() - begin
		all, tight := h.Count()
		_, s := planned(t, m, h, motion.DistanceQuery{NoWorld: true})
		spheres := 0
		for i := range m.Elements[:m.Real] {
			n, _ := m.Elements[i].Spheres()
			spheres += n
		}
		t.Logf("| %s | %d | %d | %d | %d | %d, %d | %d | %.2f |", name, len(m.Tree.Frames)-1, len(m.Pairs), len(h.NewPlan(m, s.OwnPairs()).tests), spheres, all, tight, len(h.apart)/2, took)
		for _, path := range []bool{true, false} {
			for _, q := range []motion.DistanceQuery{{}, {Relative: 0.1}, {DistanceRanges: motion.DistanceRanges{Max: 0.1}}, {DistanceRanges: motion.DistanceRanges{Min: 0.01, Max: 0.2}}, {K: 5, DistanceRanges: motion.DistanceRanges{Max: 0.2}, Relative: 0.1}} {
				q.NoWorld = true
				planFigures(t, name, m, h, q, path)
			}
		}
	}
}

// measuredWay is one way to answer a query.
type measuredWay struct {
	scope *distance.Scope
	w     *distance.Searcher
	queue *SelfQuery // instead of scope
	times []float64
}

func planFigures(t *testing.T, name string, m *model.Model, h *Hulls, q motion.DistanceQuery, path bool) {
	t.Helper()
	noFixed := make([]bool, len(h.fixed))
	noTable := &Hulls{Rom: h.Rom, links: h.links, fixed: h.fixed}
	noHulls := &Hulls{Rom: h.Rom, links: h.links, fixed: noFixed, apart: h.apart}
	neither := &Hulls{Rom: h.Rom, links: h.links, fixed: noFixed}
	plain, full := planned(t, m, h, q)
	ways := []*measuredWay{{scope: plain}, {queue: NewSelfQuery(m, h.Rom, nil)}, {scope: full}}
	for _, other := range []*Hulls{noTable, noHulls, neither} {
		_, s := planned(t, m, other, q)
		ways = append(ways, &measuredWay{scope: s})
	}
	for _, way := range ways {
		way.w = distance.New(m)
	}
	probe, d := distance.New(m), diceOf(10)
	n, turn := 0, 0
	for _, run := range figureRuns(t, m, d, probe, h.Rom.Box, path) {
		for step, at := range run {
			turn++ // who comes first finds the meshes in no cache
			for k := range ways {
				way := ways[(k+turn)%len(ways)]
				took := way.ask(t, at, q, path)
				if step > 0 || !path {
					way.times = append(way.times, took)
				}
			}
			if step > 0 || !path {
				n++
			}
		}
	}
	if n < 20 {
		t.Logf("| %s | %s | too few configurations without overlap |", name, queryName(&q, path))
		return
	}
	text := ""
	base := 0.0
	for i, way := range ways {
		slices.Sort(way.times)
		us := way.times[n/2] * 1e6
		if i == 0 {
			base = us
			text += fmt.Sprintf(" %.1f |", us)
			continue
		}
		if way.queue != nil && q.K > 1 {
			text += " - |" // it answers for one pair
			continue
		}
		text += fmt.Sprintf(" %.2f |", us/base)
	}
	t.Logf("| %s | %s | %d |%s", name, queryName(&q, path), n, text)
}

// figureRuns are single configurations, or motions in small steps, along which nothing
// overlaps.
func figureRuns(t *testing.T, m *model.Model, d dice, probe *distance.Searcher, box *JointBox, path bool) (runs [][][]float64) {
	t.Helper()
	free := func(q []float64) bool { return allPairs(t, probe, q).Self.Lo > 0 }
	for tries := 0; tries < 3000 && len(runs) < map[bool]int{false: 200, true: 12}[path]; tries++ {
		a, b := d.configuration(box), d.configuration(box)
		for k := range a { // far from all limits robots overlap less
			a[k] = middle(m)[k] + (a[k]-middle(m)[k])*[...]float64{1, 0.5, 0.2}[tries%3]
		}
		run := [][]float64{a}
		for i := 1; path && i < 26; i++ {
			q := make([]float64, len(a))
			for k := range q {
				q[k] = a[k] + (b[k]-a[k])*float64(i)/2000
			}
			run = append(run, q)
		}
		if !slices.ContainsFunc(run, func(q []float64) bool { return !free(q) }) {
			runs = append(runs, run)
		}
	}
	return runs
}

// ask answers a query and tells how long that took.
func (w *measuredWay) ask(t *testing.T, at []float64, q motion.DistanceQuery, warm bool) float64 {
	t.Helper()
	var out motion.Distances
	begin := engine.ThreadTime().Seconds()
	var err error
	if w.queue != nil {
		_, err = w.queue.Distance(context.Background(), at, Question{Max: q.Max, Relative: q.Relative, Cold: !warm})
	} else {
		err = w.w.Measure(context.Background(), at, w.scope, warm, &out)
	}
	took := engine.ThreadTime().Seconds() - begin
	if err != nil {
		t.Fatal(err)
	}
	return took
}

func queryName(q *motion.DistanceQuery, path bool) string {
	text := "single"
	if path {
		text = "repeated"
	}
	if q.Max > 0 {
		text += fmt.Sprintf(", [%g, %g] m", q.Min, q.Max)
	}
	if q.Relative > 0 {
		text += fmt.Sprintf(", alpha %g", q.Relative)
	}
	if q.K > 1 {
		text += fmt.Sprintf(", %d pairs", q.K)
	}
	return text
}

// A plan that is used again, in another world or for other pairs, is the one that would be made.
func TestPlanIsMadeOnceForThePairs(t *testing.T) {
	d := diceOf(5)
	robot := d.robot(drawn{joints: 8})
	m := modelOf(t, robot, nil, 0, nil)
	h, err := NewHulls(context.Background(), m, linkPairs(m))
	if err != nil {
		t.Fatal(err)
	}
	all := make([]int32, len(m.Pairs))
	for i := range all {
		all[i] = int32(i)
	}
	moved := *m // the elements of the same pairs are others
	moved.Pairs = slices.Clone(m.Pairs)
	moved.Pairs[0], moved.Pairs[len(all)-1] = moved.Pairs[len(all)-1], moved.Pairs[0]
	more := *m
	more.Pairs = append(slices.Clone(m.Pairs), m.Pairs[0])
	first := h.NewPlan(m, all)
	if h.NewPlan(m, all) != first {
		t.Error("the same pairs are planned again")
	}
	for name, c := range map[string]struct {
		m     *model.Model
		pairs []int32
	}{"other pairs": {m, all[1:]}, "other elements": {&moved, all}, "more pairs": {&more, all}} {
		h.NewPlan(m, all)
		got := h.NewPlan(c.m, c.pairs)
		h.last.Store(nil)
		want := h.NewPlan(c.m, c.pairs)
		if !slices.Equal(got.tests, want.tests) || !slices.Equal(got.pairs, want.pairs) || !slices.Equal(got.apart, want.apart) || len(got.apart) != len(c.m.Pairs) {
			t.Errorf("%s: the plan of the last pairs is used", name)
		}
	}
}
