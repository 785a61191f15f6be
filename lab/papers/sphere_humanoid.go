package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/romtree"
	"github.com/firstcontact-ros/firstcontact/lab/spheretree"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// humanoid is a robot by itself and in a kitchen, its shapes as sphere trees.
type humanoid struct {
	*work
	trees    map[string][]*spheretree.Tree // by kind, by element of the model
	queries  [][]float64                   // configurations, of the tree's variables
	self     [][2]int32                    // pairs of elements
	kitchen  [][2]int32
	aboutAll string
}

// places are the two questions: alone and in the kitchen.
func (h *humanoid) places() []place {
	return []place{{"alone", h.self}, {"in the kitchen", h.kitchen}}
}

type place struct {
	name  string
	pairs [][2]int32
}

// theHumanoid is made once.
func theHumanoid(b *Bench) (*humanoid, error) {
	return once(b, "humanoid", func() (*humanoid, error) {
		w, err := b.workload("sphere-kitchen")
		if err != nil {
			return nil, err
		}
		h := &humanoid{work: w.work, trees: map[string][]*spheretree.Tree{}}
		for _, k := range []string{compactTree, greedyTree} {
			if h.trees[k], err = h.plant(k); err != nil {
				return nil, err
			}
		}
		for i := range h.model.Pairs {
			p := &h.model.Pairs[i]
			pair := [2]int32{int32(p.A), int32(p.B)}
			if p.World {
				h.kitchen = append(h.kitchen, pair)
			} else {
				h.self = append(h.self, pair)
			}
		}
		h.walk(w, b.pick(3, 60))
		robot, world := w.of.Triangles()
		h.aboutAll = fmt.Sprintf("A humanoid of %d joints and %s triangles in a kitchen of %s; %d configurations along its gestures; %d pairs of shapes alone, %d with the kitchen.",
			len(h.model.Tree.Dofs), digits(float64(robot)), digits(float64(world)), len(h.queries), len(h.self), len(h.kitchen))
		return h, nil
	})
}

// plant makes a tree of every element's shape.
func (h *humanoid) plant(kind string) ([]*spheretree.Tree, error) {
	var out []*spheretree.Tree
	for _, s := range h.shapes() {
		surface, err := spheretree.OfShape(s, 1e-4)
		if err != nil {
			return nil, err
		}
		t, err := plant(surface, kind)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// walk takes n configurations along the workload's motions, twenty of each.
func (h *humanoid) walk(g *generated, n int) {
	const steps = 20
	motions := g.of.Motions
	at := map[string]int{}
	for i := range h.model.Tree.Dofs {
		at[h.model.Tree.Dofs[i].Name] = i
	}
	for i := range n {
		m := motions[i/steps%len(motions)]
		q := append([]float64(nil), h.state...)
		for j, x := range m.At(m.Duration() * float64(i%steps) / steps) {
			q[at[m.Joints[j]]] = x
		}
		h.queries = append(h.queries, q)
	}
}

// placed puts every tree where a configuration has it, in the root's frame.
func (h *humanoid) placed(kind string, q []float64) []spheretree.Placed {
	st := kin.NewState(h.model.Tree)
	at := make([]kin.Around, len(q))
	for i := range q {
		at[i] = kin.Around{Q: q[i], MaxAbs: math.Abs(q[i])}
	}
	st.Set(at)
	out := make([]spheretree.Placed, h.model.Real)
	for i := range out {
		e := &h.model.Elements[i]
		pose := geom.IdentityPose()
		pose.Compose(&st.PoseWF[e.Frame], &e.PoseFE)
		out[i] = spheretree.Placed{Tree: h.trees[kind][i], PoseWT: pose}
	}
	return out
}

// asked is what a walk of queries took and found.
type asked struct {
	ms       float64 // a query
	distance float64 // mean of the upper bounds found
	found    int
	work     spheretree.Work
}

// ask asks along the whole walk, poses not counted.
func (b *Bench) ask(h *humanoid, kind string, p place, q spheretree.Query, r *spheretree.Ranking) asked {
	var where [][]spheretree.Placed
	for _, c := range h.queries {
		where = append(where, h.placed(kind, c))
	}
	var o asked
	took := b.median(func() {
		o.distance, o.found, o.work = 0, 0, spheretree.Work{}
		for _, trees := range where {
			i, got := r.Closest(trees, q)
			o.work.Add(got.Work)
			if i >= 0 {
				o.found++
				o.distance += got.Upper
			}
		}
	})
	o.ms = micros(took) / 1000 / float64(len(where))
	o.distance /= float64(max(o.found, 1))
	return o
}

// byGauge is the default engine's distance along the same walk: ms a query.
func (b *Bench) byGauge(h *humanoid, p place, q motion.DistanceQuery) (float64, error) {
	q.NoSelf, q.NoWorld = p.name != "alone", p.name == "alone"
	g, err := h.checker.DistanceTracker(q)
	if err != nil {
		return 0, err
	}
	took := b.median(func() {
		for _, c := range h.queries {
			if _, e := g.Distance(b.ctx, c); e != nil {
				err = e
			}
		}
	})
	return micros(took) / 1000 / float64(len(h.queries)), err
}

// cubesAndLimits measures SPHERE Figure 9.
func cubesAndLimits(b *Bench) (*Result, error) {
	t, chart, claims, err := cubes(b)
	if err != nil {
		return nil, err
	}
	h, err := theHumanoid(b)
	if err != nil {
		return nil, err
	}
	r := &Result{Setup: []string{h.aboutAll}, Tables: []Table{t}, Charts: []Chart{chart}, Claims: claims}
	t = Table{Title: "(b) ms a query, by the maximum distance of interest", Head: []string{"maximum, m"}}
	chart = Chart{Name: "sphere-figure9b", Title: "A humanoid: time by the maximum distance", X: "maximum, m", Y: "ms a query", LogX: true, LogY: true}
	for _, p := range h.places() {
		t.Head = append(t.Head, p.name+": compact", "greedy", "default engine", "found")
		chart.Series = append(chart.Series, Series{Name: p.name + ", compact"}, Series{Name: p.name + ", greedy"})
	}
	var alone []float64
	most := []float64{0.003, 0.01, 0.03, 0.1, 0.3, 1, 3}
	for _, limit := range most {
		row := []any{digits(limit)}
		for i, p := range h.places() {
			var o asked
			for k, kind := range []string{compactTree, greedyTree} {
				got := b.ask(h, kind, p, spheretree.Query{Max: limit}, spheretree.NewRanking(p.pairs))
				if k == 0 {
					o = got
				}
				s := &chart.Series[2*i+k]
				s.X, s.Y = append(s.X, limit), append(s.Y, got.ms)
				row = append(row, got.ms)
			}
			ours, err := b.byGauge(h, p, motion.DistanceQuery{DistanceRanges: motion.DistanceRanges{Max: limit}})
			if err != nil {
				return nil, err
			}
			row = append(row, ours, fmt.Sprintf("%d of %d", o.found, len(h.queries)))
			if i == 0 {
				alone = append(alone, o.ms)
			}
			r.Duels = append(r.Duels, Duel{What: fmt.Sprintf("distance %s, maximum %s m", p.name, digits(limit)), Method: "compact sphere trees", Theirs: o.ms * 1000, Ours: ours * 1000, N: len(h.queries)})
		}
		t.add(row...)
	}
	r.Tables, r.Charts = append(r.Tables, t), append(r.Charts, chart)
	r.Claims = append(r.Claims, moreThan("a maximum below the distances helps: time at 3 m by that at 3 mm, alone", "not available in the text", alone[len(alone)-1]/alone[0], 1, "times"))
	return r, nil
}

// tolerances measures SPHERE Figure 10, and what cached centres save (section II-C).
func tolerances(b *Bench) (*Result, error) {
	h, err := theHumanoid(b)
	if err != nil {
		return nil, err
	}
	r := &Result{Setup: []string{h.aboutAll}}
	kept := map[string][]asked{}
	for _, p := range h.places() {
		t := Table{
			Title: fmt.Sprintf("%s: ms a query and the mean distance found, without a minimum distance and with one of 10 mm, at which the search ends", p.name),
			Head:  []string{"α", "compact", "greedy", "default engine", "distance, m", "10 mm: compact", "greedy", "default engine", "distance, m"},
		}
		name := map[string]string{"alone": "b", "in the kitchen": "a"}[p.name]
		chart := Chart{Name: "sphere-figure10" + name, Title: "A humanoid " + p.name + ": time by the tolerance", X: "α", Y: "ms a query", Series: []Series{{Name: "compact"}, {Name: "greedy"}, {Name: "compact, minimum 10 mm"}, {Name: "greedy, minimum 10 mm"}}}
		for _, alpha := range []float64{0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9} {
			row := []any{digits(alpha)}
			for i, least := range []float64{0, 0.01} {
				var o asked
				for k, kind := range []string{compactTree, greedyTree} {
					got := b.ask(h, kind, p, spheretree.Query{Alpha: alpha, Min: least}, spheretree.NewRanking(p.pairs))
					if k == 0 {
						o = got
					}
					s := &chart.Series[2*i+k]
					s.X, s.Y = append(s.X, alpha), append(s.Y, got.ms)
					row = append(row, got.ms)
				}
				ours, err := b.byGauge(h, p, motion.DistanceQuery{Relative: alpha, DistanceRanges: motion.DistanceRanges{Min: least}})
				if err != nil {
					return nil, err
				}
				row = append(row, ours, o.distance)
				r.Duels = append(r.Duels, Duel{What: fmt.Sprintf("distance %s, α = %g, minimum %g m", p.name, alpha, least), Method: "compact sphere trees", Theirs: o.ms * 1000, Ours: ours * 1000, N: len(h.queries)})
				if i == 0 {
					kept[p.name] = append(kept[p.name], o)
				}
			}
			t.add(row...)
		}
		r.Tables, r.Charts = append(r.Tables, t), append(r.Charts, chart)
	}
	gain := func(name string) float64 { return kept[name][0].ms / kept[name][4].ms }
	r.Claims = append(r.Claims,
		moreThan("a tolerance of 0.5 is faster, alone", "not available in the text", gain("alone"), 1, "times"),
		moreThan("and in the kitchen", "not available in the text", gain("in the kitchen"), 1, "times"),
		moreThan("it helps more alone than in the kitchen", "not available in the text", gain("alone")/gain("in the kitchen"), 1, "times"),
	)
	r.Claims = append(r.Claims, b.cachedCentres(h))
	return r, nil
}

// cachedCentres measures what caching a ball's centre saves, alone.
func (b *Bench) cachedCentres(h *humanoid) Claim {
	p := h.places()[0]
	with := b.ask(h, compactTree, p, spheretree.Query{}, spheretree.NewRanking(p.pairs))
	without := b.ask(h, compactTree, p, spheretree.Query{}, spheretree.NewRanking(p.pairs).Without(false, true))
	return moreThan("cached centres save time, alone, α = 0", "approximately 30%", 100*(1-with.ms/without.ms), 0, "%")
}

// threeSteps runs the self-collision of SPHERE, section IV (Figure 6).
func threeSteps(b *Bench) (*Result, error) {
	h, err := theHumanoid(b)
	if err != nil {
		return nil, err
	}
	box := romtree.LimitsBox(h.model.Tree, nil)
	rom := romtree.NewRangeOfMotion(h.model, box, romtree.RomOptions{})
	tables := romtree.NewTables(h.model, box, nil, romtree.RomOptions{})
	t := Table{Head: []string{"three steps", "pairs of balls", "left out by tables", "by balls", "pairs of shapes opened", "measured", "µs a query"}}
	var opened float64
	for _, v := range []struct {
		name   string
		tables *romtree.Tables
		q      romtree.Question
	}{
		{"with lookup tables", tables, romtree.Question{LeaveOutNever: true}},
		{"without", nil, romtree.Question{}},
	} {
		s := romtree.NewSelfQuery(h.model, rom, v.tables)
		var sum romtree.SelfWork
		took := b.median(func() {
			sum = romtree.SelfWork{}
			for _, q := range h.queries {
				d, e := s.Distance(context.Background(), q, v.q)
				if e != nil {
					err = e
				}
				w := d.Work
				sum.Balls, sum.ByTable, sum.ByBall = sum.Balls+w.Balls, sum.ByTable+w.ByTable, sum.ByBall+w.ByBall
				sum.Hulls, sum.Measured = sum.Hulls+w.Hulls, sum.Measured+w.Measured
			}
		})
		if err != nil {
			return nil, err
		}
		n := float64(len(h.queries))
		if v.tables != nil {
			opened = float64(sum.Hulls) / n
		}
		t.add(v.name, float64(sum.Balls)/n, float64(sum.ByTable)/n, float64(sum.ByBall)/n, float64(sum.Hulls)/n, float64(sum.Measured)/n, micros(took)/n)
	}
	return &Result{
		Setup: []string{h.aboutAll, "Means a query for the smallest distance of the robot to itself."}, Tables: []Table{t},
		Claims: []Claim{moreThan("the steps spare pairs of shapes: those left unopened", "not available in the text", 100*(1-opened/float64(len(h.self))), 0, "% of all")},
	}, nil
}
