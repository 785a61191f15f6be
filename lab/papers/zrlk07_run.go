package papers

import (
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/engine/catch"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// catchRow is a row of ZRLK07's Table 1.
type catchRow struct{ name, workload string }

var catchRows = []catchRow{
	{"Walk", "zrlk07-walk"},
	{"Exercise", "zrlk07-exercise"},
	{"Excavator drives", "zrlk07-excavator-drive"},
	{"Excavator loads", "zrlk07-excavator-load"},
	{"Tower crane drives", "zrlk07-crane-drive"},
	{"Tower crane loads", "zrlk07-crane-load"},
	{"Four trains", "zrlk07-four-trains"},
	{"Falling train", "zrlk07-falling-train"},
	{"Four trains by part", "zrlk07-four-trains" + byPart},
}

// byPart ends the name of a workload whose links are taken apart: the same motions, more
// pairs.
const byPart = "-by-part"

// counted is the workload by which a row counts.
func (r *catchRow) counted() string { return strings.TrimSuffix(r.workload, byPart) }

func (r *catchRow) get(b *Bench) (*generated, []*motion.Motion, error) {
	w, err := b.workload(r.workload)
	if err != nil {
		return nil, nil, err
	}
	return w, w.of.Motions, nil
}

// catcher is a worker of the method with some options.
func (w *work) catcher(o catch.Options) (*catch.Worker, error) {
	p, err := catch.Prepare(w.model)
	if err != nil {
		return nil, err
	}
	worker := p.NewWorker()
	worker.Options = o
	return worker, nil
}

// survey asks about every motion once, in no hurry, and calls each after it.
func (b *Bench) survey(motions []*motion.Motion, q motion.Query, by method, each func(v *motion.Verdict)) error {
	q.Budget = b.limits().one
	for _, m := range motions {
		v, err := by.check(b.ctx, m, q)
		if err == nil {
			err = b.ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", by.name, err)
		}
		each(&v)
	}
	return nil
}

// proofs is how many proof rules the default engine tries on a motion, in the mean: of
// one pair, or of one shape and a part of the world.
func (b *Bench) proofs(w *generated, motions []*motion.Motion, q motion.Query) (float64, error) {
	sum := 0
	err := b.survey(motions, q, w.byDefault(), func(v *motion.Verdict) { sum += v.Work.Proofs })
	return float64(sum) / float64(len(motions)), err
}

// milli writes microseconds as milliseconds.
func milli(us float64) string { return digits(us / 1000) }

// catchTimes is ZRLK07, Table 1.
func catchTimes(b *Bench) (*Result, error) {
	t := Table{
		Title: "ms, by the paper's method and by the default engine",
		Head:  []string{"benchmark", "n", "touch", "Ta", "Tf", "Tc", "Tw", "default: Ta", "Tf", "Tc", "Tw", "Ta by that of the default", "PCLs before", "after culling", "rate"},
	}
	r := &Result{Setup: []string{"Sizes, and the paper's in brackets:"}}
	var all agreement
	for i := range catchRows {
		row := &catchRows[i]
		w, motions, err := row.get(b)
		if err != nil {
			return nil, err
		}
		worker, err := w.catcher(catch.Options{})
		if err != nil {
			return nil, err
		}
		q := w.of.Ask
		c, err := b.hold(motions, q, w.by("CATCH", worker, nil), w.byDefault())
		if err != nil {
			return nil, err
		}
		before, after := 0, 0
		if err := b.survey(c.motions, q, w.by("CATCH", worker, nil), func(*motion.Verdict) {
			s := worker.Stats()
			before, after = before+s.Pairs, after+s.PCLs
		}); err != nil {
			return nil, err
		}
		n := float64(len(c.motions))
		cells := []any{row.name, c.n(), c.count(motion.Contact)}
		for k := range c.methods {
			cells = append(cells, milli(c.mean(k)), milli(c.mean(k, motion.Free)), milli(c.mean(k, motion.Contact)), milli(c.worst(k)))
		}
		cells = append(cells, c.mean(0)/c.mean(1), float64(before)/n, float64(after)/n, percent(1-float64(after)/float64(before)))
		t.add(cells...)
		r.Setup = append(r.Setup, row.name+": "+w.sizes()+".")
		r.Samples = append(r.Samples, c.sample(row.name, row.counted()).differing(w.unlike(before/len(c.motions), theirPairs[row.name])))
		r.Notes = append(r.Notes, c.undecidedNotes(row.name)...)
		all.add(c.agree(0))
	}
	r.Tables, r.Agreed = []Table{t}, all
	return r, nil
}

// theirPairs are the pairs before culling of ZRLK07's Table 2.
var theirPairs = map[string]int{"Walk": 229, "Exercise": 81, "Four trains": 179_574, "Four trains by part": 179_574, "Falling train": 137}

// unlike says in what a workload differs from the paper's by more than a tenth: sizes,
// and pairs before culling where the paper tells them.
func (g *generated) unlike(pairs, theirs int) string {
	var out []string
	far := func(a, b int) bool { return b > 0 && math.Abs(float64(a)/float64(b)-1) > 0.1 }
	for _, s := range g.of.Sizes {
		if far(s.Ours, s.Paper) {
			out = append(out, fmt.Sprintf("%s %s (paper: %s)", s.What, grouped(float64(s.Ours)), grouped(float64(s.Paper))))
		}
	}
	if far(pairs, theirs) {
		out = append(out, fmt.Sprintf("%s pairs (paper: %s)", grouped(float64(pairs)), grouped(float64(theirs))))
	}
	return strings.Join(out, ", ")
}

// percent writes a part of a whole; "-" where there is no whole.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return digits(100*x) + "%"
}

// catchCulling is ZRLK07, Table 2.
func catchCulling(b *Bench) (*Result, error) {
	t := Table{
		Title: "Pairs of elements, means of all motions",
		Head:  []string{"benchmark", "n", "before", "after spatial culling", "rate", "with intervals for Taylor models", "rate", "after temporal culling", "rate", "default engine: proofs tried"},
	}
	r := &Result{Values: values{}}
	for _, i := range []int{0, 1, 6, 8, 7} {
		row := &catchRows[i]
		w, motions, err := row.get(b)
		if err != nil {
			return nil, err
		}
		motions = motions[:min(len(motions), b.pick(4, 100))]
		var taylor, intervals culled
		worker, err := w.catcher(catch.Options{})
		if err != nil {
			return nil, err
		}
		if err := b.survey(motions, w.of.Ask, w.by("CATCH", worker, nil), func(*motion.Verdict) {
			s := worker.Stats()
			taylor.before, taylor.spatial, taylor.temporal = taylor.before+s.Pairs, taylor.spatial+s.PCLs, taylor.temporal+s.Advanced
		}); err != nil {
			return nil, err
		}
		intervals.before = taylor.before
		for _, m := range motions {
			n, err := w.overlapping(m)
			if err != nil {
				return nil, err
			}
			intervals.spatial += n
		}
		proofs, err := b.proofs(w, motions, w.of.Ask)
		if err != nil {
			return nil, err
		}
		n := float64(len(motions))
		t.add(row.name, len(motions), float64(taylor.before)/n, float64(taylor.spatial)/n, percent(taylor.spatially()),
			float64(intervals.spatial)/n, percent(intervals.spatially()), float64(taylor.temporal)/n, percent(taylor.temporally()), proofs)
		r.Values[row.name+" before"] = float64(taylor.before) / n
		r.Values[row.name+" spatial"] = 100 * taylor.spatially()
		r.Values[row.name+" temporal"] = 100 * taylor.temporally()
		r.Values[row.name+" intervals"] = 100 * intervals.spatially()
	}
	r.Tables = []Table{t}
	return r, nil
}

// culled counts pairs.
type culled struct{ before, spatial, temporal int }

func (c culled) spatially() float64  { return 1 - float64(c.spatial)/float64(c.before) }
func (c culled) temporally() float64 { return 1 - float64(c.temporal)/float64(c.spatial) }

// temporalCulling is ZRLK07, Figure 6: how many pairs are advanced of those that remain,
// and what sorting and culling by time are worth.
func temporalCulling(b *Bench) (*Result, error) {
	t := Table{Head: []string{"benchmark", "n", "most PCLs", "motions with at most 2 advanced", "ms", "without sorting", "without culling by time"}}
	r := &Result{}
	r.Values = values{}
	for _, i := range []int{0, 1, 6, 7} {
		row := &catchRows[i]
		w, motions, err := row.get(b)
		if err != nil {
			return nil, err
		}
		worker, err := w.catcher(catch.Options{})
		if err != nil {
			return nil, err
		}
		full := w.by("CATCH", worker, nil)
		variants := []method{full}
		for _, v := range []struct {
			name string
			o    catch.Options
		}{{"CATCH without sorting", catch.Options{NoSorting: true}}, {noTemporal, catch.Options{NoTemporalCulling: true}}} {
			other, err := w.catcher(v.o)
			if err != nil {
				return nil, err
			}
			variants = append(variants, w.by(v.name, other, nil))
		}
		q := w.of.Ask
		c, err := b.holdWithin(b.short(), motions, q, variants...)
		if err != nil {
			return nil, err
		}
		within, most := 0, 0
		if err := b.survey(c.motions, q, full, func(*motion.Verdict) {
			s := worker.Stats()
			most = max(most, s.PCLs)
			if s.Advanced <= 2 {
				within++
			}
		}); err != nil {
			return nil, err
		}
		r.Samples = append(r.Samples, c.sample(row.name, row.counted()))
		r.Values[row.name+" few"], r.Values[row.name+" motions"] = float64(within), float64(len(c.motions))
		t.add(row.name, c.n(), most, percent(float64(within)/float64(len(c.motions))), milli(c.mean(0)), milli(c.mean(1)), milli(c.mean(2)))
	}
	r.Tables = []Table{t}
	return r, nil
}

const (
	noTemporal = "CATCH without culling by time"
	noHulls    = "CATCH without hulls"
)

// short is less time than limits, for what compares variants of one method.
func (b *Bench) short() limits {
	l := b.limits()
	l.all /= 3
	return l
}

// hullsOff is ZRLK07, Figure 7: what lower bounds by convex hulls are worth.
func hullsOff(b *Bench) (*Result, error) {
	t := Table{Head: []string{"benchmark", "n", "ms", "without hulls", "pairs cleared by hulls, of those that were left", "steps of hulls", "steps of shapes", "without hulls: steps of shapes"}}
	r := &Result{}
	for _, i := range []int{0, 1, 6, 7} {
		row := &catchRows[i]
		w, motions, err := row.get(b)
		if err != nil {
			return nil, err
		}
		with, err := w.catcher(catch.Options{})
		if err != nil {
			return nil, err
		}
		without, err := w.catcher(catch.Options{NoHulls: true})
		if err != nil {
			return nil, err
		}
		methods := []method{w.by("CATCH", with, nil), w.by(noHulls, without, nil)}
		q := w.of.Ask
		c, err := b.holdWithin(b.short(), motions, q, methods...)
		if err != nil {
			return nil, err
		}
		var cleared, pcls, hulls, steps, bare int
		if err := b.survey(c.motions, q, methods[0], func(*motion.Verdict) {
			s := with.Stats()
			cleared, pcls, hulls, steps = cleared+s.ClearedByHulls, pcls+s.PCLs, hulls+s.HullSteps, steps+s.Steps
		}); err != nil {
			return nil, err
		}
		if err := b.survey(c.motions, q, methods[1], func(*motion.Verdict) { bare += without.Stats().Steps }); err != nil {
			return nil, err
		}
		n := float64(len(c.motions))
		r.Samples = append(r.Samples, c.sample(row.name, row.counted()))
		t.add(row.name, c.n(), milli(c.mean(0)), milli(c.mean(1)), percent(float64(cleared)/float64(pcls)), float64(hulls)/n, float64(steps)/n, float64(bare)/n)
	}
	r.Tables = []Table{t}
	return r, nil
}

// twoMannequins is ZRLK07, Figure 1.
func twoMannequins(b *Bench) (*Result, error) {
	row := catchRow{"Two mannequins", "zrlk07-two-mannequins"}
	w, motions, err := row.get(b)
	if err != nil {
		return nil, err
	}
	worker, err := w.catcher(catch.Options{})
	if err != nil {
		return nil, err
	}
	c, err := b.holdWithin(b.short(), motions, w.of.Ask, w.by("CATCH", worker, nil), w.byDefault())
	if err != nil {
		return nil, err
	}
	t := Table{Head: []string{"benchmark", "n", "touch", "mean, ms", "worst", "default engine: mean", "worst"}}
	t.add(row.name, c.n(), c.count(motion.Contact), milli(c.mean(0)), milli(c.worst(0)), milli(c.mean(1)), milli(c.worst(1)))
	return &Result{
		Setup: []string{w.sized()}, Tables: []Table{t}, Samples: []Sample{c.sample(row.name, row.counted())},
		Notes: c.undecidedNotes(row.name), Agreed: c.agree(0),
	}, nil
}

// mannequinFrames is ZRLK07, Figure 8 (c) and (d).
func mannequinFrames(b *Bench) (*Result, error) {
	r := &Result{Setup: []string{"Sizes, and the paper's in brackets:"}}
	t := Table{Head: []string{"benchmark", "frames", "touch", "mean, ms", "median", "default engine: mean", "median"}}
	for i, part := range []string{"c", "d"} {
		row := &catchRows[i]
		w, motions, err := row.get(b)
		if err != nil {
			return nil, err
		}
		worker, err := w.catcher(catch.Options{})
		if err != nil {
			return nil, err
		}
		c, err := b.hold(motions, w.of.Ask, w.by("CATCH", worker, nil), w.byDefault())
		if err != nil {
			return nil, err
		}
		chart := Chart{Name: "zrlk07-figure8" + part, Title: row.name + ": time by frame", X: "frame", Y: "ms", LogY: true}
		for k := range c.methods {
			s := Series{Name: c.methods[k].name}
			for i, a := range c.answers[k] {
				s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, micros(a.time)/1000)
			}
			chart.Series = append(chart.Series, s)
		}
		t.add(row.name, c.n(), c.count(motion.Contact), milli(c.mean(0)), milli(c.median(0)), milli(c.mean(1)), milli(c.median(1)))
		r.Charts = append(r.Charts, chart)
		r.Setup = append(r.Setup, row.name+": "+w.sizes()+".")
		r.Samples = append(r.Samples, c.sample(row.name+", frame by frame", row.counted()))
	}
	r.Tables = []Table{t}
	return r, nil
}
