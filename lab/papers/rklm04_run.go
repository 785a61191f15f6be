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

// byStage times the stages of a method on each motion, once. Motions that are not
// decided in their time are left out of the sums by kind.
func (b *Bench) byStage(w *generated, c *contest, o articulate.Options, row string) (touch, free stageTimes, each Sample, err error) {
	o.Timed = true
	worker, err := w.articulated(o)
	if err != nil {
		return touch, free, each, err
	}
	each = Sample{Row: row, Workload: w.of.Name, Work: "stages", Series: []Times{{Method: "stage 1"}, {Method: "stage 2"}, {Method: "stage 3"}}}
	i := 0
	err = b.survey(c.motions, w.of.Ask, w.by("ARTICULATE", worker, nil), func(v *motion.Verdict) {
		s := worker.Stats()
		took := [3]float64{micros(s.DynamicBVH), micros(s.SweptVolume), micros(s.OBBTrees + s.Solver)}
		each.Kinds += string(letterOf[c.truth(i)])
		for k := range each.Series {
			t := &each.Series[k]
			t.Role, t.Said, t.Us = stage, t.Said+string(letterOf[v.Status]), append(t.Us, took[k])
		}
		to := &free
		if c.truth(i) == motion.Contact {
			to = &touch
		}
		if c.decided(i) && v.Status != motion.Undecided {
			to.first, to.second, to.third, to.n = to.first+took[0], to.second+took[1], to.third+took[2], to.n+1
		}
		i++
	})
	return touch, free, each, err
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
	row := append(first, c.n(), c.count(motion.Contact))
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
	for _, s := range w.of.Sets {
		c, err := b.hold(s.Motions, w.of.Ask, w.by("ARTICULATE", worker, nil), w.by(oneStep, printed, nil), w.byDefault())
		if err != nil {
			return nil, err
		}
		touch, free, each, err := b.byStage(w, c, asPrinted, s.Name+", one step")
		if err != nil {
			return nil, err
		}
		r.Samples = append(r.Samples, each)
		t.add(stageRow([]any{s.Name + ", one step"}, c, 1, &touch, &free)...)
		if touch, free, each, err = b.byStage(w, c, articulate.Options{}, s.Name); err != nil {
			return nil, err
		}
		r.Samples = append(r.Samples, each, c.sample("pipes, "+s.Name, w.of.Name))
		t.add(stageRow([]any{s.Name}, c, 0, &touch, &free)...)
		r.Notes = append(r.Notes, c.undecidedNotes("pipes, "+s.Name)...)
		all.add(c.agree(0))
	}
	r.Tables, r.Agreed = []Table{t}, all
	return r, nil
}

// oneStep names the method with its last stage as the paper prints it.
const oneStep = "ARTICULATE in one step"

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
		r.Samples = append(r.Samples, some.sample(name, w.of.Name), few.sample(name+", with stage 3 alone", w.of.Name))
		for _, c := range []*contest{some, few} {
			r.Notes = append(r.Notes, c.undecidedNotes(name)...)
			all.add(c.agree(0))
		}
	}
	r.Tables, r.Agreed = []Table{t}, all
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
		touch, free, _, err := b.byStage(w, c, stageSets[k].o, s.Name)
		if err != nil {
			return nil, err
		}
		t.add(stageRow([]any{s.Name, stageSets[k].name}, c, slices.Index(sets, k), &touch, &free)...)
	}
	return c, nil
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
		Values: values{"touch": float64(touch), "missed": float64(missed)},
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
	culled := values{}
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
			culled[name+" "+s.Name] = 100 * left.rate(1)
			t.add(name, s.Name, len(motions), float64(left.in[0])/n, percent(left.rate(0)), float64(left.in[1])/n, percent(left.rate(1)), float64(left.in[1]-left.out[1])/n, proofs)
		}
	}
	return &Result{Tables: []Table{t}, Values: culled}, nil
}
