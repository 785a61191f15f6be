package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// rest is a motion that stays at a configuration.
func (g *generated) rest(q []float64) (*motion.Motion, error) {
	return motion.Path(g.of.Joints, [][]float64{q}, nil)
}

// wayOfMeasuring is one of the algorithms that SSL04's Table I compares, and what it took.
type wayOfMeasuring struct {
	how                bisect.Distance
	volumes, triangles int
	time               time.Duration
	ratio              float64 // sum of its bound by the exact distance, of pairs apart
}

// waysToMeasure is SSL04, Table I.
func waysToMeasure(b *Bench) (*Result, error) {
	t := Table{
		Title: "tests of volumes / of triangles a query; µs a query",
		Head:  []string{"figure", "queries", "COLL-CHECKER", "GREEDY-DIST", "EXACT-DIST", "APPROX-DIST", "ρ of GREEDY-DIST", "ρ of APPROX-DIST", "COLL-CHECKER, µs", "GREEDY-DIST, µs", "EXACT-DIST, µs", "APPROX-DIST, µs"},
	}
	setup := []string{"Links of the robots against obstacles at random configurations. EXACT-DIST starts with the exact distance, as in the paper. Sizes, and the paper's in brackets:"}
	vals := values{}
	for _, cell := range append([]cellOf{{"1a", "ssl04-tori"}}, cells...) {
		w, err := b.workload(cell.workload)
		if err != nil {
			return nil, err
		}
		ways, n, err := b.measureWays(w)
		if err != nil {
			return nil, err
		}
		per := func(x int) float64 { return float64(x) / float64(n.queries) }
		setup = append(setup, fmt.Sprintf("Figure %s: %s.", cell.figure, w.sizes()))
		row := []any{cell.figure, digits(float64(n.queries))}
		for k := range ways {
			row = append(row, digits(per(ways[k].volumes))+" / "+digits(per(ways[k].triangles)))
		}
		row = append(row, ways[1].ratio/float64(n.apart), ways[3].ratio/float64(n.apart))
		for k := range ways {
			row = append(row, micros(ways[k].time)/float64(n.queries))
		}
		t.add(row...)
		vals[cell.figure+" greedy"] = float64(ways[1].volumes) / float64(max(1, ways[0].volumes))
		vals[cell.figure+" exact"] = float64(ways[2].volumes) / float64(max(1, ways[1].volumes))
		vals[cell.figure+" approx"] = micros(ways[3].time) / micros(ways[1].time)
		vals[cell.figure+" rho"] = ways[1].ratio / float64(n.apart)
	}
	return &Result{Setup: setup, Tables: []Table{t}, Values: vals}, nil
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// queried counts queries and those of pairs that are apart.
type queried struct{ queries, apart int }

// measureWays measures all pairs of robot and world at the workload's configurations by
// each way, as far as time allows.
func (b *Bench) measureWays(w *generated) (ways [4]wayOfMeasuring, n queried, err error) {
	for i, how := range []bisect.Distance{bisect.CollisionOnly, bisect.Greedy, bisect.Exact, bisect.Approximate} {
		ways[i].how = how
	}
	worker, err := w.bisector(bisect.Options{})
	if err != nil {
		return ways, n, err
	}
	spent := time.Duration(0)
	for _, q := range w.of.Configurations {
		if spent > b.short().all || b.ctx.Err() != nil {
			break
		}
		m, err := w.rest(q)
		if err != nil {
			return ways, n, err
		}
		course, err := kin.Bind(w.model.Tree, m, w.state)
		if err != nil {
			return ways, n, err
		}
		for pair := range w.model.Pairs {
			if !w.model.Pairs[pair].World {
				continue
			}
			took, err := measurePair(worker, course, pair, &ways, &n)
			if err != nil {
				return ways, n, err
			}
			spent += took
		}
	}
	return ways, n, b.ctx.Err()
}

// measurePair measures one pair by all ways.
func measurePair(worker *bisect.Worker, course *kin.Course, pair int, ways *[4]wayOfMeasuring, n *queried) (spent time.Duration, err error) {
	var first bisect.Measurement
	spent = computing(func() { first, err = worker.Measure(course, 0, 0, pair, bisect.Exact, math.Inf(1)) })
	n.queries++
	if first.Distance > 0 {
		n.apart++
	}
	for k := range ways {
		way, start := &ways[k], math.Inf(1)
		if way.how == bisect.Exact {
			start = first.Distance
		}
		var got bisect.Measurement
		took := computing(func() {
			if err == nil {
				got, err = worker.Measure(course, 0, 0, pair, way.how, start)
			}
		})
		spent += took
		way.time += took
		way.volumes, way.triangles = way.volumes+got.BVTests, way.triangles+got.TriTests
		if first.Distance > 0 {
			way.ratio += got.Distance / first.Distance
		}
	}
	return spent, err
}

// qualityOfBounds is SSL04, Figure 9.
func qualityOfBounds(b *Bench) (*Result, error) {
	r := &Result{Values: values{}}
	t := Table{Head: []string{"robot", "ratios", "within 2", "within 5", "within 10", "within 15", "99% are below"}}
	for _, robot := range []struct {
		name, workload string
		self           bool
	}{
		{"arm of 20 joints", "ssl04-tori", false},
		{"IRB 2400", "ssl04-cage-irb", false},
		{"F 200", "ssl04-cage-f200", false},
		{"IRB 2400, with its own pairs", "ssl04-cage-irb", true},
	} {
		w, err := b.workload(robot.workload)
		if err != nil {
			return nil, err
		}
		h, err := b.ratios(w, robot.self)
		if err != nil {
			return nil, err
		}
		row := []any{robot.name, h.N}
		for _, f := range []float64{2, 5, 10, 15} {
			row = append(row, percent(h.Within(f)))
		}
		top := 1.0
		for top < 60 && h.Within(top) < 0.99 {
			top += h.Width
		}
		t.add(append(row, top)...)
		r.Values[robot.name+" within 5"], r.Values[robot.name+" within 15"] = 100*h.Within(5), 100*h.Within(15)
		part := string("abcd"[len(r.Charts)])
		chart := Chart{Name: "ssl04-figure9" + part, Title: robot.name + ": bound of a link's path length", X: "by the length of a point's curve", Y: "% of the links' segments", Steps: true, Series: []Series{{Name: robot.name}}}
		for k := range h.Counts {
			if x := 1 + float64(k)*h.Width; x <= top {
				s := &chart.Series[0]
				s.X, s.Y = append(s.X, x), append(s.Y, 100*float64(h.Counts[k])/float64(h.N))
			}
		}
		r.Charts = append(r.Charts, chart)
	}
	r.Tables = []Table{t}
	return r, nil
}

// ratios are those of bounds to lengths over random segments: of each link in the world,
// and with self of each pair of the robot's links besides.
func (b *Bench) ratios(w *generated, self bool) (*bisect.Histogram, error) {
	worker, err := w.bisector(bisect.Options{})
	if err != nil {
		return nil, err
	}
	d := rand.New(rand.NewPCG(9, 9))
	h := bisect.NewHistogram(0.25, 60)
	sides := w.sides(self)
	all := w.of.Configurations
	for i := range min(b.pick(6, 400), len(all)-1) {
		m, err := motion.Between(w.of.Joints, all[i], all[i+1], 1)
		if err != nil {
			return nil, err
		}
		m.KeepTurns = true
		course, err := kin.Bind(w.model.Tree, m, w.state)
		if err != nil {
			return nil, err
		}
		for _, s := range sides {
			p, err := worker.PathLength(course, 0, s[0], s[1], geom.Vec{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64()}, 64)
			if err != nil {
				return nil, err
			}
			h.Add(p.Ratio())
		}
	}
	return h, b.ctx.Err()
}

// sides are the elements that move, each with one pair that has it and something of the
// world; with self, also with every pair of the robot's own, the side that moves in it.
func (w *generated) sides(self bool) [][2]int {
	var out [][2]int
	seen := map[int]bool{}
	for i := range w.model.Pairs {
		p := &w.model.Pairs[i]
		for _, e := range []int{p.A, p.B} {
			moves := len(w.model.Tree.Chain(w.model.Elements[e].Frame)) > p.Parting
			switch {
			case !moves:
			case p.World && !seen[e]:
				seen[e] = true
				out = append(out, [2]int{i, e})
			case !p.World && self:
				out = append(out, [2]int{i, e})
			}
		}
	}
	return out
}

// sampling is FIXED-RES-BISECTION with a resolution ε.
type sampling struct {
	paths *bisect.PathChecker
	fixed *bisect.FixedRes
}

// sampler is the fixed-resolution checker as a method. What it does not find it leaves
// undecided: it proves nothing.
func (g *generated) sampler(epsilon float64) (*sampling, method, error) {
	p, err := bisect.Prepare(g.model)
	if err != nil {
		return nil, method{}, err
	}
	paths, err := p.NewPathChecker(g.of.Joints, g.state, g.of.Ask, bisect.Options{})
	if err != nil {
		return nil, method{}, err
	}
	fixed, err := paths.NewFixedRes(epsilon)
	if err != nil {
		return nil, method{}, err
	}
	s := &sampling{paths, fixed}
	return s, method{name: "FIXED-RES-BISECTION", samples: true, check: s.check}, nil
}

func (s *sampling) check(ctx context.Context, m *motion.Motion, q motion.Query) (v motion.Verdict, err error) {
	if q.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.Budget)
		defer cancel()
	}
	e, err := s.fixed.Edge(m.At(0), m.At(m.Duration()))
	if err != nil {
		return v, err
	}
	if hit, _ := s.fixed.TestPath(ctx, []*bisect.SampledEdge{e}); hit >= 0 {
		v.Status = motion.Contact
	}
	return v, nil
}

// counted sums what the sampler does, which counts on from check to check.
func (b *Bench) sampled(s *sampling, by method, motions []*motion.Motion, q motion.Query) (counts, error) {
	before := s.paths.Stats()
	err := b.survey(motions, q, by, func(*motion.Verdict) {})
	after, n := s.paths.Stats(), float64(len(motions))
	return counts{float64(after.BVTests-before.BVTests) / n, float64(after.TriTests-before.TriTests) / n, float64(after.Configurations-before.Configurations) / n}, err
}

// collidingSegments is SSL04, Table III.
func collidingSegments(b *Bench) (*Result, error) {
	t := Table{Title: "a segment", Head: []string{"figure", "n", "fixed, ε = 0: ms", "volumes", "triangles", "adaptive, δ = 1e-6: ms", "volumes", "triangles", "adaptive, δ = 0.001: ms", "volumes", "triangles", "refined, δ = 0.001: ms", "default engine: ms", "proofs tried"}}
	return b.segmentsTable(t, "colliding", 0, smallest, 0.001)
}

// freeSegments is SSL04, Table VI.
func freeSegments(b *Bench) (*Result, error) {
	t := Table{Title: "a segment", Head: []string{"figure", "n", fmt.Sprintf("fixed, ε = %g: ms", resolution), "volumes", "triangles", "adaptive, δ = 0.001: ms", "volumes", "triangles", "refined, δ = 0.001: ms", "default engine: ms", "proofs tried"}}
	return b.segmentsTable(t, "free", resolution, 0.001)
}

// segmentsTable compares the fixed resolution with adaptive bisection at some δ and with
// the default engine.
func (b *Bench) segmentsTable(t Table, set string, epsilon float64, deltas ...float64) (*Result, error) {
	r := &Result{Values: values{}}
	missed := 0
	var agreed agreement
	for _, cell := range cells {
		w, err := b.workload(cell.workload)
		if err != nil {
			return nil, err
		}
		s, fixed, err := w.sampler(epsilon)
		if err != nil {
			return nil, err
		}
		q := withDelta(w.of.Ask, deltas[0])
		methods := []method{fixed}
		var workers []*bisect.Worker
		for _, delta := range deltas {
			worker, err := w.bisector(bisect.Options{})
			if err != nil {
				return nil, err
			}
			workers = append(workers, worker)
			methods = append(methods, atDelta(w.by(fmt.Sprintf("%s, δ = %g", adaptiveForm, delta), worker, nil), delta))
		}
		fine, err := w.bisector(bisect.Options{Refined: true})
		if err != nil {
			return nil, err
		}
		methods = append(methods, atDelta(w.by(refinedForm+", δ = 0.001", fine, nil), 0.001))
		c, err := b.holdWithin(b.short(), w.of.Set(set), q, append(methods, w.byDefault())...)
		if err != nil {
			return nil, err
		}
		n, err := b.sampled(s, fixed, c.whole(), q)
		if err != nil {
			return nil, err
		}
		row := []any{cell.figure, c.n(), milli(c.mean(0)), n.volumes, n.triangles}
		for i, worker := range workers {
			k, err := b.counted(w.work, worker, c.whole(), withDelta(q, deltas[i]))
			if err != nil {
				return nil, err
			}
			row = append(row, milli(c.mean(1+i)), k.volumes, k.triangles)
			if i == 0 {
				r.Values[cell.figure+" volumes"] = k.volumes / n.volumes
			}
		}
		proofs, err := b.proofs(w, c.motions, q)
		if err != nil {
			return nil, err
		}
		t.add(append(row, milli(c.mean(len(methods)-1)), milli(c.mean(len(methods))), proofs)...)
		for i, a := range c.answers[0] {
			if c.truth(i) == motion.Contact && a.verdict.Status != motion.Contact {
				missed++
			}
		}
		r.Samples = append(r.Samples, c.sample("figure "+cell.figure+", "+set+" segments", cell.workload))
		r.Notes = append(r.Notes, c.undecidedNotes("figure "+cell.figure)...)
		agreed.add(c.agree(0))
	}
	r.Tables = []Table{t}
	r.Agreed = agreed
	if missed > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the fixed resolution did not find %d of the contacts in its time", missed))
	}
	return r, nil
}

// atDelta asks a method with a tolerance of its own.
func atDelta(by method, delta float64) method {
	check := by.check
	by.check = func(ctx context.Context, m *motion.Motion, q motion.Query) (motion.Verdict, error) {
		return check(ctx, m, withDelta(q, delta))
	}
	return by
}
