package papers

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// cellOf is a workload of SSL04 by its figure.
type cellOf struct{ figure, workload string }

// cells are those of most of its tables.
var cells = []cellOf{
	{"11a", "ssl04-cage-irb"},
	{"11b", "ssl04-cage-f200"},
	{"12a", "ssl04-machine-tool"},
	{"12b", "ssl04-workshop"},
	{"12c", "ssl04-six-irb"},
	{"12d", "ssl04-six-f200"},
}

// smallest is what stands for the paper's δ = 0: touching is a matter of a tolerance here.
const smallest = motion.DefaultTolerance

// bisector is a worker of the method with some options.
func (w *work) bisector(o bisect.Options) (*bisect.Worker, error) {
	p, err := bisect.Prepare(w.model)
	if err != nil {
		return nil, err
	}
	worker := p.NewWorker()
	worker.Options = o
	return worker, nil
}

// counts are means of what a method did.
type counts struct{ volumes, triangles, configurations float64 }

// counted are means of what a worker does for the motions that it decides in its time;
// no number where there is none.
func (b *Bench) counted(w *work, worker *bisect.Worker, motions []*motion.Motion, q motion.Query) (c counts, err error) {
	n := 0.0
	err = b.survey(motions, q, w.by("SSL04", worker, nil), func(v *motion.Verdict) {
		if v.Status == motion.Undecided {
			return
		}
		s := worker.Stats()
		n++
		c.volumes, c.triangles, c.configurations = c.volumes+float64(s.BVTests), c.triangles+float64(s.TriTests), c.configurations+float64(s.Configurations)
	})
	return counts{c.volumes / n, c.triangles / n, c.configurations / n}, err
}

// withDelta is the paper's question at a threshold δ.
func withDelta(q motion.Query, delta float64) motion.Query {
	q.Tolerance = delta
	return q
}

// coverings is SSL04, Figure 3.
func coverings(b *Bench) (*Result, error) {
	t := Table{Title: "a segment", Head: []string{"figure", "n", "bisection: ms", "volumes", "configurations", "ends of what is covered: ms", "volumes", "configurations", "middle of what is not: ms", "volumes", "configurations"}}
	vals := values{}
	var samples []Sample
	for _, cell := range cells {
		w, err := b.workload(cell.workload)
		if err != nil {
			return nil, err
		}
		var methods []method
		var workers []*bisect.Worker
		for _, cover := range []bisect.Cover{bisect.Middle, bisect.Ends, bisect.UncoveredMidst} {
			worker, err := w.bisector(bisect.Options{Cover: cover})
			if err != nil {
				return nil, err
			}
			workers = append(workers, worker)
			methods = append(methods, w.by([]string{"bisection", "ends of what is covered", "middle of what is not"}[len(methods)], worker, nil))
		}
		c, err := b.holdWithin(b.short(), w.of.Set("free"), w.of.Ask, methods...)
		if err != nil {
			return nil, err
		}
		row := []any{cell.figure, len(c.motions)}
		for i, worker := range workers {
			n, err := b.counted(w.work, worker, c.whole(), w.of.Ask)
			if err != nil {
				return nil, err
			}
			row = append(row, milli(c.mean(i)), n.volumes, n.configurations)
			vals[fmt.Sprintf("%s volumes %d", cell.figure, i)], vals[fmt.Sprintf("%s configurations %d", cell.figure, i)] = n.volumes, n.configurations
		}
		t.add(row...)
		samples = append(samples, c.sample("figure "+cell.figure, cell.workload))
	}
	return &Result{
		Setup: []string{"Free segments of Table VI, where the whole must be covered."}, Tables: []Table{t},
		Samples: samples, Values: vals,
	}, nil
}

// refined is SSL04, Table XI.
func refined(b *Bench) (*Result, error) {
	t := Table{Title: "a segment", Head: []string{"figure", "n", "touch", "adaptive: ms", "volumes", "triangles", "refined: ms", "volumes", "triangles", "refined by adaptive, ms", "default engine: ms", "proofs tried"}}
	r := &Result{Values: values{}}
	var agreed agreement
	for _, cell := range cells {
		w, err := b.workload(cell.workload)
		if err != nil {
			return nil, err
		}
		q := w.of.Ask
		var methods []method
		var workers []*bisect.Worker
		for _, o := range []bisect.Options{{}, {Refined: true}} {
			worker, err := w.bisector(o)
			if err != nil {
				return nil, err
			}
			workers = append(workers, worker)
			methods = append(methods, w.by(map[bool]string{false: adaptiveForm, true: refinedForm}[o.Refined], worker, nil))
		}
		c, err := b.holdWithin(b.short(), w.of.Set("random"), q, append(methods, w.byDefault())...)
		if err != nil {
			return nil, err
		}
		row := []any{cell.figure, c.n(), c.count(motion.Contact)}
		var n [2]counts
		for k, worker := range workers {
			if n[k], err = b.counted(w.work, worker, c.whole(), q); err != nil {
				return nil, err
			}
			row = append(row, milli(c.mean(k)), n[k].volumes, n[k].triangles)
		}
		proofs, err := b.proofs(w, c.motions, q)
		if err != nil {
			return nil, err
		}
		t.add(append(row, c.mean(1)/c.mean(0), milli(c.mean(2)), proofs)...)
		r.Values[cell.figure+" volumes"] = n[1].volumes / n[0].volumes
		r.Samples = append(r.Samples, c.sample("figure "+cell.figure+", random segments", cell.workload))
		r.Notes = append(r.Notes, c.undecidedNotes("figure "+cell.figure)...)
		agreed.add(c.agree(0))
	}
	r.Tables, r.Agreed = []Table{t}, agreed
	return r, nil
}

// The forms of the paper's method.
const (
	adaptiveForm = "ADAPTIVE-BISECTION"
	refinedForm  = "REFINED-ADAPTIVE-BISECTION"
)

// badCaseOf is one of SSL04's Tables VIII to X.
func badCaseOf(b *Bench, name string) (*Result, error) {
	w, err := b.workload(name)
	if err != nil {
		return nil, err
	}
	tip, err := w.onlyLast()
	if err != nil {
		return nil, err
	}
	t := Table{Head: []string{"clearance, m", "δ, m", "all links: volumes", "triangles", "ms", "refined: ms", "verdict", "end-effector: volumes", "triangles", "default engine: intervals", "ms", "verdict"}}
	r := &Result{Setup: []string{w.sized()}, Values: values{}}
	for _, of := range [][2]float64{{0.1, 0.1}, {0.01, 0.01}, {0.001, 0.001}, {0.0001, 0.0001}, {0.1, 0.0001}, {0.01, 0.0001}, {0.001, 0.0001}, {0.0001, 0.0001}} {
		motions := w.of.Set(fmt.Sprintf("clearance %g", of[0]))
		worker, err := w.bisector(bisect.Options{})
		if err != nil {
			return nil, err
		}
		q := withDelta(w.of.Ask, of[1])
		q.NoSelf = true // a δ of 0.1 is more than some links have between them
		fine, err := w.bisector(bisect.Options{Refined: true})
		if err != nil {
			return nil, err
		}
		c, err := b.hold(motions, q, w.by(adaptiveForm, worker, nil), w.by(refinedForm, fine, nil), w.byDefault())
		if err != nil {
			return nil, err
		}
		all, err := b.counted(w.work, worker, motions, q)
		if err != nil {
			return nil, err
		}
		if worker, err = tip.bisector(bisect.Options{}); err != nil {
			return nil, err
		}
		last, err := b.counted(tip, worker, motions, q)
		if err != nil {
			return nil, err
		}
		v, ours := &c.answers[0][0].verdict, &c.answers[2][0].verdict
		t.add(digits(of[0]), digits(of[1]), all.volumes, all.triangles, milli(c.mean(0)), milli(c.mean(1)), v.Status, last.volumes, last.triangles, ours.Work.Intervals, milli(c.mean(2)), ours.Status)
		row := fmt.Sprintf("clearance %g, δ %g", of[0], of[1])
		r.Values[row+" volumes"], r.Values[row+" of the end-effector"] = all.volumes, last.volumes
		r.Samples = append(r.Samples, c.sample(row, name))
		r.Notes = append(r.Notes, c.undecidedNotes(fmt.Sprintf("clearance %g, δ %g", of[0], of[1]))...)
	}
	r.Tables = []Table{t}
	return r, nil
}

func badCaseA(b *Bench) (*Result, error) { return badCaseOf(b, "ssl04-bad-floor") }
func badCaseB(b *Bench) (*Result, error) { return badCaseOf(b, "ssl04-bad-box") }
func badCaseC(b *Bench) (*Result, error) { return badCaseOf(b, "ssl04-bad-narrow-box") }

// stepsOfTheTip is SSL04, Figure 13: how far the end-effector goes between two
// configurations of a fixed resolution.
func stepsOfTheTip(b *Bench) (*Result, error) {
	w, err := b.workload(cells[0].workload)
	if err != nil {
		return nil, err
	}
	motions := w.of.Set("free")
	motions = motions[:min(len(motions), b.pick(2, 20))]
	longest, mean := 0.0, 0.0
	tip, frame := w.tip()
	for _, m := range motions {
		n := 1 // it is halved until its parts are shorter
		for length(m)/float64(n) >= resolution {
			n *= 2
		}
		course, err := kin.Bind(w.model.Tree, m, w.state)
		if err != nil {
			return nil, err
		}
		step, _ := w.steps(course, frame, tip, n)
		longest, mean = max(longest, step), mean+step/float64(len(motions))
	}
	return &Result{
		Setup:  []string{w.sized(), fmt.Sprintf("%d free segments, looked at every %g rad in joint space or less.", len(motions), resolution)},
		Values: values{"step": mean / resolution},
		Notes:  []string{fmt.Sprintf("the longest step of all is %s mm: what is thinner may be passed through unseen", digits(1000*longest))},
	}, nil
}

// resolution is ε of SSL04's Table VI.
const resolution = 0.005
