package papers

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

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
	hulls    *romtree.RangeOfMotion
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
	us       micro   // each query
	distance float64 // mean of the upper bounds found
	found    int
}

// ms is the mean of the queries.
func (o *asked) ms() float64 { return mean(o.us) / 1000 }

// ask asks along the whole walk, poses not counted.
func (b *Bench) ask(h *humanoid, kind string, q spheretree.Query, r *spheretree.Ranking) asked {
	var where [][]spheretree.Placed
	for _, c := range h.queries {
		where = append(where, h.placed(kind, c))
	}
	var o asked
	found := make([]float64, len(where))
	o.us = b.perPiece(len(where), func(i int) {
		k, got := r.Closest(where[i], q)
		found[i] = math.NaN()
		if k >= 0 {
			found[i] = got.Upper
		}
	})
	for _, d := range found {
		if !math.IsNaN(d) {
			o.found, o.distance = o.found+1, o.distance+d
		}
	}
	o.distance /= float64(max(o.found, 1))
	return o
}

// byGauge is the default engine's distance along the same walk.
func (b *Bench) byGauge(h *humanoid, p place, q motion.DistanceQuery) (micro, error) {
	q.NoSelf, q.NoWorld = p.name != "alone", p.name == "alone"
	g, err := h.checker.DistanceTracker(q)
	if err != nil {
		return nil, err
	}
	us := b.perPiece(len(h.queries), func(i int) {
		if _, e := g.Distance(b.ctx, h.queries[i]); e != nil {
			err = e
		}
	})
	return us, err
}

// bySteps is the paper's method in the form that does best here: range-of-motion hulls
// above the shapes' hulls, alone in three steps and in the kitchen against the world's
// tree. It has no minimum distance.
func (b *Bench) bySteps(h *humanoid, p place, q romtree.Question) (us micro, err error) {
	rom := h.rom()
	ctx := context.Background()
	if p.name == "alone" {
		s := romtree.NewSelfQuery(h.model, rom, nil)
		us = b.perPiece(len(h.queries), func(i int) {
			if _, e := s.Distance(ctx, h.queries[i], q); e != nil {
				err = e
			}
		})
		return us, err
	}
	s := romtree.NewWorldQuery(h.model, rom)
	us = b.perPiece(len(h.queries), func(i int) {
		if _, e := s.Distance(ctx, h.queries[i], q); e != nil {
			err = e
		}
	})
	return us, err
}

// rom are the hulls of what the chains reach, made once.
func (h *humanoid) rom() *romtree.RangeOfMotion {
	if h.hulls == nil {
		h.hulls = romtree.NewRangeOfMotion(h.model, romtree.LimitsBox(h.model.Tree, nil), romtree.RomOptions{})
	}
	return h.hulls
}

// threeStepsForm names it.
const threeStepsForm = "range-of-motion hulls"

// sample is a row of the humanoid's walk.
func (h *humanoid) sample(row string, p place, series map[string]micro) Sample {
	all := strings.Repeat("f", len(h.queries)) // every query is answered
	s := Sample{Row: row, Workload: "sphere-kitchen, " + p.name, Work: "distance", Kinds: all}
	for _, name := range slices.Sorted(maps.Keys(series)) {
		role := ofPaper
		if name == defaultEngine {
			role = ofOurs
		}
		s.Series = append(s.Series, Times{Method: name, Role: role, Said: all, Us: series[name]})
	}
	return s
}

// cubesAndLimits measures SPHERE Figure 9.
func cubesAndLimits(b *Bench) (*Result, error) {
	t, chart, vals, err := cubes(b)
	if err != nil {
		return nil, err
	}
	h, err := theHumanoid(b)
	if err != nil {
		return nil, err
	}
	r := &Result{Setup: []string{h.aboutAll}, Tables: []Table{t}, Charts: []Chart{chart}, Values: vals}
	t = Table{Title: "(b) ms a query, by the maximum distance of interest", Head: []string{"maximum, m"}}
	chart = Chart{Name: "sphere-figure9b", Title: "A humanoid: time by the maximum distance", X: "maximum, m", Y: "ms a query", LogX: true, LogY: true}
	for _, p := range h.places() {
		t.Head = append(t.Head, p.name+": compact", "greedy", threeStepsForm, "default engine", "found")
		chart.Series = append(chart.Series, Series{Name: p.name + ", compact"}, Series{Name: p.name + ", greedy"})
	}
	for _, limit := range []float64{0.003, 0.01, 0.03, 0.1, 0.3, 1, 3} {
		row := []any{digits(limit)}
		for i, p := range h.places() {
			var o asked
			series := map[string]micro{}
			for k, kind := range []string{compactTree, greedyTree} {
				got := b.ask(h, kind, spheretree.Query{Max: limit}, spheretree.NewRanking(p.pairs))
				if k == 0 {
					o = got
				}
				s := &chart.Series[2*i+k]
				s.X, s.Y = append(s.X, limit), append(s.Y, got.ms())
				row = append(row, got.ms())
				series[kind] = got.us
			}
			if series[threeStepsForm], err = b.bySteps(h, p, romtree.Question{Max: limit}); err != nil {
				return nil, err
			}
			if series[defaultEngine], err = b.byGauge(h, p, motion.DistanceQuery{DistanceRanges: motion.DistanceRanges{Max: limit}}); err != nil {
				return nil, err
			}
			row = append(row, mean(series[threeStepsForm])/1000, mean(series[defaultEngine])/1000, fmt.Sprintf("%d of %d", o.found, len(h.queries)))
			r.Samples = append(r.Samples, h.sample(fmt.Sprintf("distance %s, maximum %s m", p.name, digits(limit)), p, series))
		}
		t.add(row...)
	}
	r.Tables, r.Charts = append(r.Tables, t), append(r.Charts, chart)
	return r, nil
}

// tolerances measures SPHERE Figure 10, and what cached centres save (section II-C).
func tolerances(b *Bench) (*Result, error) {
	h, err := theHumanoid(b)
	if err != nil {
		return nil, err
	}
	r := &Result{Setup: []string{h.aboutAll}}
	for _, p := range h.places() {
		t := Table{
			Title: fmt.Sprintf("%s: ms a query and the mean distance found, without a minimum distance and with one of 10 mm, at which the search ends", p.name),
			Head:  []string{"α", "compact", "greedy", threeStepsForm, "default engine", "distance, m", "10 mm: compact", "greedy", "default engine", "distance, m"},
		}
		name := map[string]string{"alone": "b", "in the kitchen": "a"}[p.name]
		chart := Chart{Name: "sphere-figure10" + name, Title: "A humanoid " + p.name + ": time by the tolerance", X: "α", Y: "ms a query", Series: []Series{{Name: "compact"}, {Name: "greedy"}, {Name: "compact, minimum 10 mm"}, {Name: "greedy, minimum 10 mm"}}}
		for _, alpha := range []float64{0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9} {
			row := []any{digits(alpha)}
			for i, least := range []float64{0, 0.01} {
				var o asked
				series := map[string]micro{}
				for k, kind := range []string{compactTree, greedyTree} {
					got := b.ask(h, kind, spheretree.Query{Alpha: alpha, Min: least}, spheretree.NewRanking(p.pairs))
					if k == 0 {
						o = got
					}
					s := &chart.Series[2*i+k]
					s.X, s.Y = append(s.X, alpha), append(s.Y, got.ms())
					row = append(row, got.ms())
					series[kind] = got.us
				}
				if least == 0 {
					if series[threeStepsForm], err = b.bySteps(h, p, romtree.Question{Relative: alpha}); err != nil {
						return nil, err
					}
					row = append(row, mean(series[threeStepsForm])/1000)
				}
				if series[defaultEngine], err = b.byGauge(h, p, motion.DistanceQuery{Relative: alpha, DistanceRanges: motion.DistanceRanges{Min: least}}); err != nil {
					return nil, err
				}
				row = append(row, mean(series[defaultEngine])/1000, o.distance)
				r.Samples = append(r.Samples, h.sample(fmt.Sprintf("distance %s, α = %g, minimum %g m", p.name, alpha, least), p, series))
			}
			t.add(row...)
		}
		r.Tables, r.Charts = append(r.Tables, t), append(r.Charts, chart)
	}
	alone := h.places()[0]
	r.Samples = append(r.Samples, h.sample("cached centres", alone, map[string]micro{
		"with cached centres":    b.ask(h, compactTree, spheretree.Query{}, spheretree.NewRanking(alone.pairs)).us,
		"without cached centres": b.ask(h, compactTree, spheretree.Query{}, spheretree.NewRanking(alone.pairs).Without(false, true)).us,
	}))
	return r, nil
}

// threeSteps runs the self-collision of SPHERE, section IV (Figure 6).
func threeSteps(b *Bench) (*Result, error) {
	h, err := theHumanoid(b)
	if err != nil {
		return nil, err
	}
	box := romtree.LimitsBox(h.model.Tree, nil)
	rom := h.rom()
	tables := romtree.NewTables(h.model, box, nil, romtree.RomOptions{})
	t := Table{Head: []string{"three steps", "pairs of balls", "left out by tables", "by balls", "pairs of shapes opened", "measured", "µs a query"}}
	series := map[string]micro{}
	r := &Result{Setup: []string{h.aboutAll, "Means a query for the smallest distance of the robot to itself."}, Values: values{}}
	n := float64(len(h.queries))
	for _, v := range []struct {
		name   string
		tables *romtree.Tables
		q      romtree.Question
	}{
		{"with lookup tables", tables, romtree.Question{LeaveOutNever: true}},
		{"without", nil, romtree.Question{}},
	} {
		s := romtree.NewSelfQuery(h.model, rom, v.tables)
		work := make([]romtree.SelfWork, len(h.queries))
		us := b.perPiece(len(h.queries), func(i int) {
			d, e := s.Distance(context.Background(), h.queries[i], v.q)
			if e != nil {
				err = e
			}
			work[i] = d.Work
		})
		if err != nil {
			return nil, err
		}
		var sum romtree.SelfWork
		for _, w := range work {
			sum.Balls, sum.ByTable, sum.ByBall = sum.Balls+w.Balls, sum.ByTable+w.ByTable, sum.ByBall+w.ByBall
			sum.Hulls, sum.Measured = sum.Hulls+w.Hulls, sum.Measured+w.Measured
		}
		series["three steps "+v.name] = us
		r.Values["opened "+v.name] = float64(sum.Hulls) / n
		t.add(v.name, float64(sum.Balls)/n, float64(sum.ByTable)/n, float64(sum.ByBall)/n, float64(sum.Hulls)/n, float64(sum.Measured)/n, mean(us))
	}
	r.Values["pairs"] = float64(len(h.self))
	if series[defaultEngine], err = b.byGauge(h, h.places()[0], motion.DistanceQuery{}); err != nil {
		return nil, err
	}
	t.add("the default engine, all pairs", "-", "-", "-", "-", "-", mean(series[defaultEngine]))
	r.Tables, r.Samples = []Table{t}, []Sample{h.sample("three steps alone", h.places()[0], series)}
	return r, nil
}
