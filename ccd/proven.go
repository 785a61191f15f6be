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

// Pairs that were proved never to meet are left out of a check, as far as the proof
// goes: it holds for the shapes, paddings and clearance it was made for, with the
// joints between the two links within the box it was made for, and with mimic joints
// exactly where the joints that they follow put them. A check that goes beyond any of
// this in one joint checks all pairs that this joint bears on.

// theorems are the pairs of a model that were proved never to meet.
type theorems struct {
	report *pairproof.Report
	tree   *kin.Tree
	pairs  []theorem
	used   []bool // per condition: a pair depends on it

	mu    sync.Mutex
	built map[string]engine // by what is violated
}

// theorem is one such pair: elements of the model's bodies a and b are apart while
// none of its conditions is violated. Condition d is that variable d stays within
// its range, condition len(Dofs)+k that joint k follows exactly.
type theorem struct {
	a, b       int // bodies
	conditions []int
}

// theoremsOf lists the pairs of m that the report proves never to meet in the world,
// nil where there are none.
func (c *Checker) theoremsOf(m *model.Model, world *scene.Snapshot) *theorems {
	r := c.opts.Proven
	if r == nil {
		return nil
	}
	t := &theorems{report: r, tree: m.Tree, built: map[string]engine{}}
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
		t.pairs = append(t.pairs, theorem{a: min(a, b), b: max(a, b), conditions: conditions})
	}
	if len(t.pairs) == 0 {
		return nil
	}
	return t
}

// conditionsOf lists what a proof about bodies in two frames rests on. There is none
// to be relied on where a joint follows a continuous one other than turn for turn:
// the proof knows one turn of many that differ.
func (t *theorems) conditionsOf(a, b int) (conditions []int, ok bool) {
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

// lean returns the engine that leaves out what the proofs cover of a motion and a
// question, and how many pairs of links these are; 0 where there is nothing to leave
// out.
func (c *Checker) lean(m *motion.Motion, rows []int, clearance float64, tube map[string]float64) (engine, int) {
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

// leanAt is lean for a configuration.
func (c *Checker) leanAt(state []float64) (engine, int) {
	if c.proven == nil {
		return engine{}, 0
	}
	return c.proven.engine(&c.engine, c.proven.violated(func(d int, lo, hi float64) bool {
		return state[d] >= lo && state[d] <= hi
	}, nil))
}

// violated lists the conditions that do not hold, one byte each. within tells
// whether a variable stays in a range.
func (t *theorems) violated(within func(d int, lo, hi float64) bool, tube map[string]float64) []byte {
	out := make([]byte, len(t.used))
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
	return out
}

// maxEngines bounds how many engines are kept for what was violated.
const maxEngines = 16

// engine returns from without the pairs of which no condition is violated.
func (t *theorems) engine(from *engine, violated []byte) (engine, int) {
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
func (t *theorems) without(from *engine, violated []byte) engine {
	m := from.model
	covered := map[[2]int]bool{}
	for _, p := range t.pairs {
		if !slices.ContainsFunc(p.conditions, func(k int) bool { return violated[k] != 0 }) {
			covered[[2]int{p.a, p.b}] = true
		}
	}
	var pairs []model.Pair
	left := map[[2]int]bool{}
	for _, p := range m.Pairs {
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

// Proven returns the report that Options.Proven gave, nil where there is none.
func (c *Checker) Proven() *pairproof.Report { return c.opts.Proven }

// ProvenPairs counts the pairs of links that are proved never to meet and are left
// out of a check at clearance zero that stays within the joints' limits.
func (c *Checker) ProvenPairs() int {
	if c.proven == nil {
		return 0
	}
	_, n := c.proven.engine(&c.engine, make([]byte, len(c.proven.used)))
	return n
}

// DistanceToContact is Distance among the pairs that can touch: those that are
// proved never to meet, by Options.Proven and at this configuration, are left out,
// however close they are, and counted in proven. Where all are left out no pair is
// listed and the bounds are infinite, as where there is none.
func (c *Checker) DistanceToContact(ctx context.Context, positions map[string]float64, q motion.DistanceQuery) (d motion.Distances, proven int, err error) {
	if c.proven == nil {
		d, err = c.Distance(ctx, positions, q)
		return d, 0, err
	}
	state := slices.Clone(c.state)
	if err := setVariables(c.robot, c.model.Tree, state, positions); err != nil {
		return motion.Distances{}, 0, err
	}
	e, proven := c.leanAt(state)
	if proven == 0 {
		d, err = c.Distance(ctx, positions, q)
		return d, 0, err
	}
	d, err = c.withEngine(e).Distance(ctx, positions, q)
	return d, proven, err
}

// withEngine returns a Checker whose questions at rest engine e answers.
func (c *Checker) withEngine(e engine) *Checker {
	d := *c
	d.engine, d.proven = e, nil
	return &d
}
