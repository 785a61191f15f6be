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

// counted sums what a worker does for each motion.
func (b *Bench) counted(w *work, worker *bisect.Worker, motions []*motion.Motion, q motion.Query) (c counts, err error) {
	err = b.survey(motions, q, w.by("SSL04", worker, nil), func(*motion.Verdict) {
		s := worker.Stats()
		c.volumes, c.triangles, c.configurations = c.volumes+float64(s.BVTests), c.triangles+float64(s.TriTests), c.configurations+float64(s.Configurations)
	})
	n := float64(len(motions))
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
	var sums [3]counts
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
			methods = append(methods, w.by("ADAPTIVE-BISECTION", worker, nil))
		}
		c, err := b.holdWithin(b.short(), w.of.Set("free"), w.of.Ask, methods...)
		if err != nil {
			return nil, err
		}
		row := []any{cell.figure, len(c.motions)}
		for i, worker := range workers {
			n, err := b.counted(w.work, worker, c.motions, w.of.Ask)
			if err != nil {
				return nil, err
			}
			row = append(row, milli(c.mean(i)), n.volumes, n.configurations)
			sums[i].volumes, sums[i].configurations = sums[i].volumes+n.volumes, sums[i].configurations+n.configurations
		}
		t.add(row...)
	}
	return &Result{
		Setup: []string{"Free segments of Table VI, where the whole must be covered."}, Tables: []Table{t},
		Claims: []Claim{
			atMost("the potential gains of another strategy are small: volumes that the middle of what is not covered saves", "small", 100*(1-sums[2].volumes/sums[0].volumes), 30, "%"),
			moreThan("it takes forward kinematics at many more configurations: by those of bisection", "many more", sums[2].configurations/sums[0].configurations, 1, "times"),
		},
	}, nil
}

// refined is SSL04, Table XI.
func refined(b *Bench) (*Result, error) {
	t := Table{Title: "a segment", Head: []string{"figure", "n", "touch", "adaptive: ms", "volumes", "triangles", "refined: ms", "volumes", "triangles", "refined by adaptive, ms", "default engine: ms", "proofs tried"}}
	r := &Result{}
	theirs := b.theirs()
	var ratio, volumes, all float64
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
			methods = append(methods, w.by(map[bool]string{false: "ADAPTIVE-BISECTION", true: "REFINED-ADAPTIVE-BISECTION"}[o.Refined], worker, nil))
		}
		c, err := b.holdWithin(b.short(), w.of.Set("random"), q, append(methods, w.byDefault())...)
		if err != nil {
			return nil, err
		}
		row := []any{cell.figure, len(c.motions), c.count(motion.Contact)}
		var n [2]counts
		for k, worker := range workers {
			if n[k], err = b.counted(w.work, worker, c.motions, q); err != nil {
				return nil, err
			}
			row = append(row, milli(c.mean(k)), n[k].volumes, n[k].triangles)
		}
		proofs, err := b.proofs(w, c.motions, q)
		if err != nil {
			return nil, err
		}
		t.add(append(row, c.mean(1)/c.mean(0), milli(c.mean(2)), proofs)...)
		ratio, volumes, all = ratio+c.mean(1)/c.mean(0), volumes+n[1].volumes/n[0].volumes, all+1
		r.Duels = append(r.Duels, c.duels("figure "+cell.figure+", random segments")...)
		r.Notes = append(r.Notes, c.undecidedNotes("figure "+cell.figure)...)
		agreed.add(c.agree(0))
	}
	r.Tables, r.Agreed = []Table{t}, agreed
	r.Claims = []Claim{
		atMost("the refined checker takes less time: its mean by the original's, mean of the figures", "between 0.5 and 0.9", ratio/all, 1, "times"),
		atMost("and tests fewer volumes", digits(theirs.column("volumes", 1)/theirs.column("volumes", 0))+" of them", volumes/all, 1, "of them"),
	}
	return r, nil
}

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
	t := Table{Head: []string{"clearance, m", "δ, m", "all links: volumes", "triangles", "ms", "verdict", "end-effector: volumes", "triangles", "default engine: intervals", "ms", "verdict"}}
	r := &Result{Setup: []string{w.sized()}}
	var full, part []float64
	for _, of := range [][2]float64{{0.1, 0.1}, {0.01, 0.01}, {0.001, 0.001}, {0.0001, 0.0001}, {0.1, 0.0001}, {0.01, 0.0001}, {0.001, 0.0001}, {0.0001, 0.0001}} {
		motions := w.of.Set(fmt.Sprintf("clearance %g", of[0]))
		worker, err := w.bisector(bisect.Options{})
		if err != nil {
			return nil, err
		}
		q := withDelta(w.of.Ask, of[1])
		q.NoSelf = true // a δ of 0.1 is more than some links have between them
		c, err := b.hold(motions, q, w.by("ADAPTIVE-BISECTION", worker, nil), w.byDefault())
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
		v, ours := &c.answers[0][0].verdict, &c.answers[1][0].verdict
		t.add(digits(of[0]), digits(of[1]), all.volumes, all.triangles, milli(c.mean(0)), v.Status, last.volumes, last.triangles, ours.Work.Intervals, milli(c.mean(1)), ours.Status)
		full, part = append(full, all.volumes), append(part, last.volumes)
		r.Duels = append(r.Duels, c.duels(fmt.Sprintf("%s, clearance %g, δ %g", name, of[0], of[1]))...)
		r.Notes = append(r.Notes, c.undecidedNotes(fmt.Sprintf("clearance %g, δ %g", of[0], of[1]))...)
	}
	theirs := b.theirs()
	of := func(row int, column string) float64 { return theirs.value(row, column) }
	r.Tables = []Table{t}
	r.Claims = []Claim{
		moreThan("tests grow as clearance and δ shrink: volumes at 0.0001 by those at 0.1", digits(of(3, "all links: volumes")/of(0, "all links: volumes"))+" times", full[3]/full[0], 1, "times"),
		moreThan("other links barely count: the end-effector's share of the volumes at 0.001", percent(of(2, "end-effector: volumes")/of(2, "all links: volumes")), 100*part[2]/full[2], 50, "%"),
		moreThan("a threshold below the clearance helps: volumes at clearance and δ 0.1 by those at δ 0.0001", digits(of(0, "all links: volumes")/of(4, "all links: volumes"))+" times", full[0]/full[4], 1, "times"),
	}
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
		Setup: []string{w.sized(), fmt.Sprintf("%d free segments, looked at every %g rad in joint space or less.", len(motions), resolution)},
		Claims: []Claim{
			moreThan("the tip's steps are longer than the resolution: the longest of a segment, in the mean", "longer, it says", mean/resolution, 1, "times the resolution"),
		},
		Notes: []string{fmt.Sprintf("the longest step of all is %s mm: what is thinner may be passed through unseen", digits(1000*longest))},
	}, nil
}

// resolution is ε of SSL04's Table VI.
const resolution = 0.005
