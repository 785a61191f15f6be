package papers

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/lab/papers/workload"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const (
	pipesWorkload = "rklm04-pipes"
	roomWorkload  = "rklm04-machine-room"
)

// articulated is a worker of the method with some of its stages.
func (w *work) articulated(o articulate.Options) (*articulate.Worker, error) {
	p, err := articulate.Prepare(w.model)
	if err != nil {
		return nil, err
	}
	worker := p.NewWorker()
	worker.Options = o
	return worker, nil
}

// stageTimes are means over motions of one kind, in µs.
type stageTimes struct {
	first, second, third float64
	n                    int
}

func (s *stageTimes) cells() []string {
	if s.n == 0 {
		return []string{"-", "-", "-"}
	}
	out := make([]string, 0, 3)
	for _, sum := range []float64{s.first, s.second, s.third} {
		if sum == 0 { // the stage is off
			out = append(out, "-")
			continue
		}
		out = append(out, milli(sum/float64(s.n)))
	}
	return out
}

// byStage times the stages of a method on each kind of motion, once for each motion.
func (b *Bench) byStage(w *generated, c *contest, o articulate.Options) (touch, free stageTimes, left culledStages, err error) {
	o.Timed = true
	worker, err := w.articulated(o)
	if err != nil {
		return touch, free, left, err
	}
	i := 0
	err = b.survey(c.motions, w.of.Ask, w.by("ARTICULATE", worker, nil), func(*motion.Verdict) {
		s := worker.Stats()
		to := &free
		if c.truth(i) == motion.Contact {
			to = &touch
		}
		i++
		to.first, to.second, to.third, to.n = to.first+micros(s.DynamicBVH), to.second+micros(s.SweptVolume), to.third+micros(s.OBBTrees+s.Solver), to.n+1
		left.add(&s)
	})
	return touch, free, left, err
}

// culledStages counts the pairs of elements that went into the culling stages and that
// these left out, over all intervals of time that the stages were gone through for.
type culledStages struct{ in, out [2]int }

func (c *culledStages) add(s *articulate.Stats) {
	for i := range c.in {
		c.in[i], c.out[i] = c.in[i]+s.PairsIn[i], c.out[i]+s.PairsOut[i]
	}
}

func (c *culledStages) rate(stage int) float64 { return float64(c.out[stage]) / float64(c.in[stage]) }

// stageHead are the columns that RKLM04's tables have.
func stageHead(first ...string) []string {
	return append(first, "n", "touch",
		"stage 1 COL", "stage 1 NO-COL", "stage 2 COL", "stage 2 NO-COL", "stage 3 COL", "stage 3 NO-COL", "total COL", "total NO-COL",
		"default engine COL", "NO-COL", "by that: COL", "NO-COL")
}

// stageRow is a row of them: times of stages, of the whole, and of the default engine.
func stageRow(first []any, c *contest, method int, touch, free *stageTimes) []any {
	row := append(first, len(c.motions), c.count(motion.Contact))
	a, b := touch.cells(), free.cells()
	for i := range a {
		row = append(row, a[i], b[i])
	}
	ours := len(c.methods) - 1
	for _, k := range []int{method, ours} {
		row = append(row, milli(c.mean(k, motion.Contact)), milli(c.mean(k, motion.Free)))
	}
	return append(row, c.mean(method, motion.Contact)/c.mean(ours, motion.Contact), c.mean(method, motion.Free)/c.mean(ours, motion.Free))
}

// pipes is RKLM04, Table 1.
func pipes(b *Bench) (*Result, error) {
	w, err := b.workload(pipesWorkload)
	if err != nil {
		return nil, err
	}
	worker, err := w.articulated(articulate.Options{})
	if err != nil {
		return nil, err
	}
	printed, err := w.articulated(asPrinted)
	if err != nil {
		return nil, err
	}
	t := Table{Title: "mean, ms", Head: stageHead("θmax")}
	r := &Result{Setup: []string{w.sized(), "Rows in one step go through stage 3 once for the whole motion, as the paper prints it; the others halve a motion that is too long for the overlap tests, which departs from it."}}
	var all agreement
	var third, first, once []float64
	for _, s := range w.of.Sets {
		c, err := b.hold(s.Motions, w.of.Ask, w.by("ARTICULATE", worker, nil), w.by("ARTICULATE in one step", printed, nil), w.byDefault())
		if err != nil {
			return nil, err
		}
		touch, free, _, err := b.byStage(w, c, asPrinted)
		if err != nil {
			return nil, err
		}
		once = append(once, (touch.third+free.third)/float64(touch.n+free.n))
		t.add(stageRow([]any{s.Name + ", one step"}, c, 1, &touch, &free)...)
		if touch, free, _, err = b.byStage(w, c, articulate.Options{}); err != nil {
			return nil, err
		}
		t.add(stageRow([]any{s.Name}, c, 0, &touch, &free)...)
		sum := float64(touch.n + free.n)
		first = append(first, (touch.first+free.first)/sum)
		third = append(third, (touch.third+free.third)/sum)
		r.Duels = append(r.Duels, c.duels("pipes, "+s.Name)...)
		r.Notes = append(r.Notes, c.undecidedNotes("pipes, "+s.Name)...)
		all.add(c.agree(0))
	}
	last := len(third) - 1
	theirs := b.theirs()
	r.Tables, r.Agreed = []Table{t}, all
	r.Claims = []Claim{
		moreThan("stage 3 grows with the motion: its time at the largest by that at the smallest θmax", digits(theirs.value(3, "stage 3 COL")/theirs.value(0, "stage 3 COL"))+" times (COL)", third[last]/third[0], 1, "times"),
		moreThan("the same in one step", digits(theirs.value(3, "stage 3 COL")/theirs.value(0, "stage 3 COL"))+" times (COL)", once[last]/once[0], 1, "times"),
		atMost("stage 1 takes very little of the time (largest θmax)", percent(theirs.value(3, "stage 1 COL")/theirs.value(3, "total COL"))+" (COL)", 100*first[last]/(first[last]+third[last]), 50, "% of stages 1 and 3"),
	}
	return r, nil
}

// asPrinted is stage 3 as the paper prints it.
var asPrinted = articulate.Options{OneStep: true}

// stageSets are the sets of stages that RKLM04's Table 2 compares.
var stageSets = []struct {
	name string
	o    articulate.Options
}{
	{"1+2+3", articulate.Options{}},
	{"1+3", articulate.Options{NoSweptCull: true}},
	{"2+3", articulate.Options{NoDynamicBVH: true}},
	{"3", articulate.Options{NoDynamicBVH: true, NoSweptCull: true}},
}

// machineRoom is RKLM04, Table 2. Without any culling a check takes so long that it is
// measured apart, on few motions, beside what culls.
func machineRoom(b *Bench) (*Result, error) {
	w, err := b.workload(roomWorkload)
	if err != nil {
		return nil, err
	}
	t := Table{Title: "mean, ms", Head: stageHead("θmax", "stages")}
	r := &Result{Setup: []string{w.sized()}}
	var all agreement
	var totals []stageTotals
	for _, s := range w.of.Sets {
		name := "machine room, " + s.Name
		some, err := b.stages(w, s, &t, b.limits(), []int{0, 1, 2}, []int{0, 1, 2})
		if err != nil {
			return nil, err
		}
		few, err := b.stages(w, s, &t, b.short(), []int{0, 1, 3}, []int{3})
		if err != nil {
			return nil, err
		}
		totals = append(totals, stageTotals{
			all: some.mean(0), noSwept: some.mean(1), noBoxes: some.mean(2),
			none: few.mean(2) / min(few.mean(0), few.mean(1)),
		})
		r.Duels = append(r.Duels, some.duels(name)...)
		for _, c := range []*contest{some, few} {
			r.Notes = append(r.Notes, c.undecidedNotes(name)...)
			all.add(c.agree(0))
		}
	}
	r.Tables, r.Agreed = []Table{t}, all
	r.Claims = b.worthOfStages(totals)
	return r, nil
}

// stages holds sets of stages against each other and the default engine on one set of
// motions, and writes the rows of some of them.
func (b *Bench) stages(w *generated, s workload.Set, t *Table, within limits, sets, rows []int) (*contest, error) {
	var methods []method
	for _, k := range sets {
		worker, err := w.articulated(stageSets[k].o)
		if err != nil {
			return nil, err
		}
		methods = append(methods, w.by("ARTICULATE "+stageSets[k].name, worker, nil))
	}
	c, err := b.holdWithin(within, s.Motions, w.of.Ask, append(methods, w.byDefault())...)
	if err != nil {
		return nil, err
	}
	for _, k := range rows {
		touch, free, _, err := b.byStage(w, c, stageSets[k].o)
		if err != nil {
			return nil, err
		}
		t.add(stageRow([]any{s.Name, stageSets[k].name}, c, slices.Index(sets, k), &touch, &free)...)
	}
	return c, nil
}

// stageTotals are mean times of sets of stages on the same motions, in µs; none is that
// of stage 3 alone by the least of those that cull.
type stageTotals struct{ all, noSwept, noBoxes, none float64 }

// worthOfStages says what each stage saves, as RKLM04's Table 2 shows it.
func (b *Bench) worthOfStages(totals []stageTotals) []Claim {
	theirs := b.theirs()
	var out []Claim
	for i := range totals {
		name := theirs.Rows[4*i][0]
		of := func(set int) float64 { return theirs.value(4*i+set, "total COL") }
		out = append(out,
			moreThan("stage 1 is worth its while, θmax "+name+": time of 2+3 by that of 1+2+3", digits(of(2)/of(0))+" times (COL)", totals[i].noBoxes/totals[i].all, 1, "times"),
			moreThan("culling is worth its while, θmax "+name+": time of 3 alone by the least of 1+2+3 and 1+3", digits(of(3)/min(of(0), of(1)))+" times (COL)", totals[i].none, 1, "times"))
	}
	if last := len(totals) - 1; last >= 2 {
		gain := func(x stageTotals) float64 { return x.noSwept / x.all }
		of := func(i int) float64 { return theirs.value(4*i+1, "total COL") / theirs.value(4*i, "total COL") }
		out = append(out, moreThan("stage 2 gets useful where motions get large: time of 1+3 by that of 1+2+3, at the largest by that at the smallest θmax",
			digits(of(2)/of(0))+" times (COL)", gain(totals[last])/gain(totals[0]), 1, "times"))
	}
	return out
}

// throughPipes is RKLM04, Figure 1: what a test of both ends misses.
func throughPipes(b *Bench) (*Result, error) {
	w, err := b.workload(pipesWorkload)
	if err != nil {
		return nil, err
	}
	ours := w.byDefault()
	touch, missed := 0, 0
	t := Table{Head: []string{"θmax", "motions", "touch", "of these free at both ends"}}
	for _, s := range w.of.Sets {
		hits, passed := 0, 0
		if err := b.survey(s.Motions, w.of.Ask, ours, func(*motion.Verdict) {}); err != nil {
			return nil, err
		}
		for _, m := range s.Motions {
			v, err := ours.check(b.ctx, m, w.of.Ask)
			if err != nil {
				return nil, err
			}
			if v.Status != motion.Contact {
				continue
			}
			hits++
			end, err := motion.Path(m.Joints, [][]float64{m.At(m.Duration())}, nil)
			if err != nil {
				return nil, err
			}
			if v, err = ours.check(b.ctx, end, motion.Query{Question: motion.IsFree, NoSelf: w.of.Ask.NoSelf}); err != nil {
				return nil, err
			}
			if v.Status == motion.Free {
				passed++
			}
		}
		t.add(s.Name, len(s.Motions), hits, passed)
		touch, missed = touch+hits, missed+passed
	}
	test, err := b.boxTest(w)
	if err != nil {
		return nil, err
	}
	return &Result{
		Setup: []string{w.sized()}, Tables: []Table{t},
		Notes:  []string{fmt.Sprintf("a continuous overlap test of two OBBs took %s µs here, the descent of the trees and the bounds of matrices included", digits(test))},
		Claims: []Claim{moreThan("a test at discrete times misses contacts that the continuous one finds: motions that touch and are free at both ends", "not available in the text", 100*float64(missed)/float64(touch), 0, "% of those that touch")},
	}, nil
}

// boxTest is the mean time of a continuous overlap test in µs.
func (b *Bench) boxTest(w *generated) (float64, error) {
	worker, err := w.articulated(articulate.Options{Timed: true})
	if err != nil {
		return 0, err
	}
	var took float64
	tests := 0
	motions := w.of.Motions[:min(len(w.of.Motions), b.pick(10, 400))]
	err = b.survey(motions, w.of.Ask, w.by("ARTICULATE", worker, nil), func(*motion.Verdict) {
		s := worker.Stats()
		took, tests = took+micros(s.OBBTrees), tests+s.BoxTests
	})
	return took / float64(max(1, tests)), err
}

// fitOfSpheres is RKLM04, Figure 5.
func fitOfSpheres(b *Bench) (*Result, error) {
	w, err := b.workload(pipesWorkload)
	if err != nil {
		return nil, err
	}
	t := Table{Head: []string{"link", "line, m", "radius, m", "volume of the line swept sphere by that of the link's box"}}
	for i := range w.model.Bodies {
		body := &w.model.Bodies[i]
		if body.Kind != motion.RobotLink || len(body.Elements) == 0 {
			continue
		}
		lss := articulate.LSSOfBody(w.model, i)
		t.add(body.Name, geom.Norm(geom.Vec{X: lss.B.X - lss.A.X, Y: lss.B.Y - lss.A.Y, Z: lss.B.Z - lss.A.Z}), lss.Radius, lss.Volume()/w.boxOf(i))
	}
	return &Result{Tables: []Table{t}}, nil
}

// boxOf is the volume of the box around a body, its sides along the axes of its frame.
func (w *work) boxOf(body int) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	box := geom.Box{Min: geom.Vec{X: lo, Y: lo, Z: lo}, Max: geom.Vec{X: hi, Y: hi, Z: hi}}
	shapes := w.shapes()
	for _, k := range w.model.Bodies[body].Elements {
		e := &w.model.Elements[k]
		for _, v := range shapes[k].Mesh.Vertices {
			p := e.PoseFE.Apply(v)
			box.Min = geom.Vec{X: min(box.Min.X, p.X), Y: min(box.Min.Y, p.Y), Z: min(box.Min.Z, p.Z)}
			box.Max = geom.Vec{X: max(box.Max.X, p.X), Y: max(box.Max.Y, p.Y), Z: max(box.Max.Z, p.Z)}
		}
	}
	return (box.Max.X - box.Min.X) * (box.Max.Y - box.Min.Y) * (box.Max.Z - box.Min.Z)
}

// culledByStages is RKLM04, Figure 6: what the culling stages leave.
func culledByStages(b *Bench) (*Result, error) {
	t := Table{Title: "Pairs of elements, means of all motions; an interval of time that is given up for its halves counts with them", Head: []string{"scene", "θmax", "n", "into stage 1", "culled", "into stage 2", "culled", "left for stage 3", "default engine: proofs tried"}}
	var last float64
	for _, name := range []string{pipesWorkload, roomWorkload} {
		w, err := b.workload(name)
		if err != nil {
			return nil, err
		}
		worker, err := w.articulated(articulate.Options{})
		if err != nil {
			return nil, err
		}
		for _, s := range w.of.Sets {
			motions := s.Motions[:min(len(s.Motions), b.pick(3, 40))]
			var left culledStages
			if err := b.survey(motions, w.of.Ask, w.by("ARTICULATE", worker, nil), func(*motion.Verdict) {
				s := worker.Stats()
				left.add(&s)
			}); err != nil {
				return nil, err
			}
			proofs, err := b.proofs(w, motions, w.of.Ask)
			if err != nil {
				return nil, err
			}
			n := float64(len(motions))
			last = 100 * left.rate(1)
			t.add(name, s.Name, len(motions), float64(left.in[0])/n, percent(left.rate(0)), float64(left.in[1])/n, percent(left.rate(1)), float64(left.in[1]-left.out[1])/n, proofs)
		}
	}
	return &Result{Tables: []Table{t}, Claims: []Claim{
		moreThan(fmt.Sprintf("swept volumes cull even very large motions (%s, the largest θmax): of the pairs that stage 1 leaves", roomWorkload), "not available in the text", last, 0, "%"),
	}}, nil
}
