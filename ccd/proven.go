package ccd

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// A pair that is proved never to meet is left out of a check where the proof holds: for
// the shapes, paddings and clearance that it was made for, with the joints between the
// two links within the box that it was made for, and with mimic joints exactly where the
// joints that they follow put them. A check that violates one of these conditions in a
// joint covers all pairs that this joint moves.

// neverPairs are the pairs of a model that are proved never to meet.
type neverPairs struct {
	report *pairproof.Report
	tree   *kin.Tree
	pairs  []neverPair
	used   []bool // per condition: a pair depends on it

	mu    sync.Mutex
	built map[string]engine // by the violated conditions
}

// neverPair is one such pair: elements of the model's bodies a and b are apart while
// none of its conditions is violated. Condition d is that variable d stays within
// its range, condition len(Dofs)+k that mimic joint k follows exactly.
type neverPair struct {
	a, b       int // bodies
	conditions []int
}

// neverPairsOf returns the pairs of m that the proofs show never to meet with the
// paddings of the world; nil where there are none.
func (c *Checker) neverPairsOf(m *model.Model, world *scene.Snapshot) *neverPairs {
	r := c.opts.Proofs
	if r == nil {
		return nil
	}
	t := &neverPairs{report: r, tree: m.Tree, built: map[string]engine{}}
	t.used = make([]bool, len(m.Tree.Dofs)+len(m.Tree.Frames))
	body := map[int]int{}
	for i := range m.Bodies {
		if m.Bodies[i].Kind == motion.RobotLink {
			body[m.Bodies[i].Link] = i
		}
	}
	now, then := c.padding(world), c.padding(nil)
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if p.Meets != pairproof.Never || now(p.LinkA) > then(p.LinkA) || now(p.LinkB) > then(p.LinkB) {
			continue
		}
		a, b := body[p.A], body[p.B]
		conditions, ok := t.conditionsOf(m.Bodies[a].Frame, m.Bodies[b].Frame)
		if !ok {
			continue
		}
		for _, k := range conditions {
			t.used[k] = true
		}
		t.pairs = append(t.pairs, neverPair{a: min(a, b), b: max(a, b), conditions: conditions})
	}
	if len(t.pairs) == 0 {
		return nil
	}
	return t
}

// conditionsOf lists the conditions of a proof about bodies in two frames. It is not ok
// where a mimic joint follows a continuous joint other than by whole turns: the proof is
// about one turn, and the others differ.
func (t *neverPairs) conditionsOf(a, b int) (conditions []int, ok bool) {
	parting := t.tree.Parting(a, b)
	for _, f := range [2]int{a, b} {
		for _, k := range t.tree.Chain(f)[parting:] {
			joint := &t.tree.Frames[k]
			d := &t.tree.Dofs[joint.Dof]
			conditions = append(conditions, joint.Dof)
			if joint.Joint == d.Name {
				continue
			}
			conditions = append(conditions, len(t.tree.Dofs)+int(k))
			if d.Continuous && (joint.Prismatic || joint.Mult != math.Trunc(joint.Mult)) {
				return nil, false
			}
		}
	}
	slices.Sort(conditions)
	return slices.Compact(conditions), true
}

// withoutProven returns the engine that leaves out the pairs that are proved never to
// meet during a motion, and their number; 0 where there are none.
func (c *Checker) withoutProven(m *motion.Motion, rows []int, clearance float64, tube map[string]float64) (engine, int) {
	t := c.proven
	if t == nil || len(m.Root) > 0 || !(clearance <= t.report.Clearance) {
		return engine{}, 0
	}
	return t.engine(&c.engine, t.violated(func(d int, lo, hi float64) bool {
		row := rows[d]
		if row < 0 {
			return c.state[d] >= lo && c.state[d] <= hi
		}
		for p := range m.Pieces {
			if !staysWithin(m.Pieces[p].Ctrl[row], lo, hi, 0) {
				return false
			}
		}
		return true
	}, tube))
}

// withoutProvenAt is withoutProven for a configuration.
func (c *Checker) withoutProvenAt(state []float64) (engine, int) {
	if c.proven == nil {
		return engine{}, 0
	}
	return c.proven.engine(&c.engine, c.proven.violated(func(d int, lo, hi float64) bool {
		return state[d] >= lo && state[d] <= hi
	}, nil))
}

// violated returns 1 for each condition that does not hold, else 0. within reports
// whether a variable stays in a range.
func (t *neverPairs) violated(within func(d int, lo, hi float64) bool, tube map[string]float64) []byte {
	out := make([]byte, len(t.used))
	t.violate(out, within, tube)
	return out
}

// violate is violated for a slice of the caller's.
func (t *neverPairs) violate(out []byte, within func(d int, lo, hi float64) bool, tube map[string]float64) {
	clear(out)
	for d := range t.tree.Dofs {
		if !t.used[d] || t.tree.Dofs[d].Continuous {
			continue
		}
		v := &t.report.Variables[d]
		lo, hi := v.Lo, v.Hi
		if width := tube[v.Name]; width > 0 {
			lo, hi = math.Nextafter(lo+width, math.Inf(1)), math.Nextafter(hi-width, math.Inf(-1))
		}
		if v.Unbounded || !within(d, lo, hi) {
			out[d] = 1
		}
	}
	for k := range t.tree.Frames {
		joint := &t.tree.Frames[k]
		if i := len(t.tree.Dofs) + k; t.used[i] && (tube[joint.Joint] > 0 || tube[t.tree.Dofs[joint.Dof].Name] > 0) {
			out[i] = 1
		}
	}
}

// maxEngines bounds how many engines are kept, one for each set of violated conditions.
const maxEngines = 16

// engine returns an engine like from without the pairs of which no condition is
// violated, and their number.
func (t *neverPairs) engine(from *engine, violated []byte) (engine, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, known := t.built[string(violated)]
	if !known {
		if len(t.built) >= maxEngines {
			return engine{}, 0
		}
		e = t.without(from, violated)
		t.built[string(violated)] = e
	}
	return e, e.leftOut
}

// without builds an engine that leaves out the pairs that the proofs cover.
func (t *neverPairs) without(from *engine, violated []byte) engine {
	m := from.model
	covered := map[[2]int]bool{}
	for _, p := range t.pairs {
		if !slices.ContainsFunc(p.conditions, func(k int) bool { return violated[k] != 0 }) {
			covered[[2]int{p.a, p.b}] = true
		}
	}
	pairs := make([]model.Pair, 0, len(m.Pairs))
	left := map[[2]int]bool{}
	for _, p := range m.Pairs {
		if p.World { // the proofs are about links
			pairs = append(pairs, p)
			continue
		}
		a, b := m.Elements[p.A].Body, m.Elements[p.B].Body
		if key := [2]int{min(a, b), max(a, b)}; covered[key] {
			left[key] = true
			continue
		}
		pairs = append(pairs, p)
	}
	if len(left) == 0 {
		return engine{}
	}
	rest := *m // shares all but the pairs
	rest.CheckOnly(pairs)
	e := newEngine(&rest)
	e.leftOut = len(left)
	if from.whole != nil {
		violated := slices.Clone(violated)
		e.whole = sync.OnceValues(func() (engine, error) {
			all, err := from.whole()
			if err != nil {
				return engine{}, err
			}
			return t.without(&all, violated), nil
		})
	}
	return e
}

// staysWithin reports whether the Bernstein polynomial c is proved to stay in
// [lo, hi]: by its control points, or by those of its halves, which are asked for a
// little more, as halving rounds.
func staysWithin(c []float64, lo, hi float64, halvings int) bool {
	within := true
	for _, x := range c {
		within = within && x >= lo && x <= hi
	}
	if within || halvings == 20 || len(c) == 2 {
		return within
	}
	if first, last := c[0], c[len(c)-1]; !(first >= lo && first <= hi && last >= lo && last <= hi) {
		return false
	}
	if halvings == 0 {
		slack := 0x1p-40 * (1 + math.Abs(lo) + math.Abs(hi))
		lo, hi = lo+slack, hi-slack
	}
	left, right := make([]float64, len(c)), slices.Clone(c)
	for k := range c {
		left[k] = right[0]
		for i := range len(c) - 1 - k {
			right[i] = (right[i] + right[i+1]) / 2
		}
	}
	return staysWithin(left, lo, hi, halvings+1) && staysWithin(right, lo, hi, halvings+1)
}

// DistanceToContact is Distance without the pairs of links that are proved never to meet
// (Pairs.Proofs) if the configuration is within the limits that the proofs are for. They
// are left out however close they are; proven is their number. Where no pair is left the
// answer lists none and its bounds are +Inf.
func (c *Checker) DistanceToContact(ctx context.Context, positions map[string]float64, q motion.DistanceQuery) (d motion.Distances, proven int, err error) {
	if c.proven == nil {
		d, err = c.Distance(ctx, positions, q)
		return d, 0, err
	}
	state := slices.Clone(c.state)
	if err := setVariables(c.robot, c.model.Tree, state, positions); err != nil {
		return motion.Distances{}, 0, err
	}
	e, proven := c.withoutProvenAt(state)
	if proven == 0 {
		d, err = c.Distance(ctx, positions, q)
		return d, 0, err
	}
	d, err = c.withEngine(e).Distance(ctx, positions, q)
	return d, proven, err
}

// withEngine returns a Checker that answers with engine e where the root link stands
// still.
func (c *Checker) withEngine(e engine) *Checker {
	d := *c
	d.engine, d.proven = e, nil
	return &d
}
