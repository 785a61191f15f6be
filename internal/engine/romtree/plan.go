package romtree

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Plan is the three steps of SPHERE, section IV, for a set of pairs of links: a link and the
// subtrees below it, these subtrees and each other, and each within itself. The tests are
// listed in the order of evaluation. If the two sides of a test are not close, it excludes all
// tests that depend on it, so that a query is one pass over the list. It implements
// distance.Own; immutable.
//
// A subtree's ball is the hull of its range of motion if that is about as small as the balls
// around its links and its joints are within their limits, otherwise a ball around the balls
// of its links. Tables are used if all joints are within their limits.
type Plan struct {
	h        *Hulls
	asked    []plannedPair
	children [][]int32
	tests    []test
	pairs    []int32   // of the model, in the order of the tests
	apart    []float64 // per pair of the model: lower bound of its links' distance within the limits
}

// plannedPair is what a plan is made of: a pair of the model and the frames and links of its sides.
type plannedPair struct {
	pair           int32
	frameA, frameB int32
	linkA, linkB   int32
}

func plannedPairs(m *model.Model, pairs []int32) []plannedPair {
	out := make([]plannedPair, len(pairs))
	for k, i := range pairs {
		a, b := &m.Elements[m.Pairs[i].A], &m.Elements[m.Pairs[i].B]
		out[k] = plannedPair{i, int32(a.Frame), int32(b.Frame), int32(m.Bodies[a.Body].Link), int32(m.Bodies[b.Body].Link)}
	}
	return out
}

// test compares two sides by their balls.
type test struct {
	lower       float64 // lower bound of its pairs' distance, by the tables; Unproved if there is none
	a, b        int32   // frames
	kind        uint8
	skip        int32 // the next test if this one excludes its pairs
	first, last int32 // its pairs, including those of the tests that depend on it
}

// aFew is the kind of tests without balls to compare, besides twoLinks, linkAndTree and
// twoTrees: their pairs, at most few unless they are of one frame, are looked at one by one.
const (
	aFew = twoShapes
	few  = 2
)

// NewPlan makes the plan for pairs of links of m, which must have the robot and the padding
// that h was made for. The plan knows nothing of the world: where the pairs are those of the last
// plan, as in most changes of the world, it is that plan.
func (h *Hulls) NewPlan(m *model.Model, pairs []int32) *Plan {
	asked := plannedPairs(m, pairs)
	if last := h.last.Load(); last != nil && len(last.apart) == len(m.Pairs) && slices.Equal(last.asked, asked) {
		return last
	}
	p := &Plan{h: h, asked: asked, children: childrenOf(m, h.links), apart: make([]float64, len(m.Pairs))}
	for i := range p.apart {
		p.apart[i] = Unproved
	}
	b := planner{Plan: p, between: map[[2]int32][]int32{}}
	for _, of := range asked {
		key := b.key(of.frameA, of.frameB)
		b.between[key] = append(b.between[key], of.pair)
		p.apart[of.pair] = h.Apart(int(of.linkA), int(of.linkB))
	}
	for _, t := range b.within(0, nil) {
		p.add(t)
	}
	h.last.Store(p)
	return p
}

// step is a test and the steps that depend on it.
type step struct {
	kind  uint8
	a, b  int32
	pairs []int32 // of a step without dependent steps
	next  []*step
	count int
}

// planner makes a plan.
type planner struct {
	*Plan
	between map[[2]int32][]int32
}

func (b *planner) key(x, y int32) [2]int32 { return [2]int32{min(x, y), max(x, y)} }

// within adds the steps for the subtree of frame k.
func (b *planner) within(k int32, to []*step) []*step {
	to = b.append(to, b.links(k, k))
	for i, c := range b.children[k] {
		to = b.append(to, b.linkTree(k, c))
		for _, d := range b.children[k][:i] {
			to = b.append(to, b.trees(c, d))
		}
	}
	for _, c := range b.children[k] {
		to = b.within(c, to)
	}
	return to
}

func (b *planner) append(to []*step, s *step) []*step {
	if s == nil {
		return to
	}
	return append(to, s)
}

// links is the step for the pairs of two frames, nil if there are none.
func (b *planner) links(x, y int32) *step {
	of := b.between[b.key(x, y)]
	if len(of) == 0 {
		return nil
	}
	kind := twoLinks
	if x == y || len(of) <= few {
		kind = aFew
	}
	return &step{kind: kind, a: x, b: y, pairs: of, count: len(of)}
}

// linkTree is the step for a link and a subtree.
func (b *planner) linkTree(link, tree int32) *step {
	next := b.append(nil, b.links(link, tree))
	for _, c := range b.children[tree] {
		next = b.append(next, b.linkTree(link, c))
	}
	return together(linkAndTree, link, tree, next)
}

// trees is the step for two subtrees. It opens the larger one.
func (b *planner) trees(x, y int32) *step {
	if b.size(x) < b.size(y) {
		x, y = y, x
	}
	next := b.append(nil, b.linkTree(x, y))
	for _, c := range b.children[x] {
		next = b.append(next, b.trees(c, y))
	}
	return together(twoTrees, x, y, next)
}

// size is the size of a subtree.
func (b *planner) size(k int32) float64 {
	if of := &b.h.Rom.Subtree[k]; of.Known {
		return of.Radius
	}
	return math.Inf(1)
}

// together makes a step of those that follow from it: none of none, the only one, or a
// few pairs.
func together(kind uint8, a, b int32, next []*step) *step {
	switch len(next) {
	case 0:
		return nil
	case 1:
		return next[0]
	}
	s := &step{kind: kind, a: a, b: b, next: next}
	for _, n := range next {
		s.count += n.count
	}
	if s.count <= few {
		s.kind = aFew
		for _, n := range next {
			s.pairs = append(s.pairs, n.all()...)
		}
		s.next = nil
	}
	return s
}

func (s *step) all() []int32 {
	out := slices.Clone(s.pairs)
	for _, n := range s.next {
		out = append(out, n.all()...)
	}
	return out
}

// add lists a step and those that depend on it.
func (p *Plan) add(s *step) {
	at := len(p.tests)
	p.tests = append(p.tests, test{a: s.a, b: s.b, kind: s.kind, first: int32(len(p.pairs)), lower: math.Inf(1)})
	p.pairs = append(p.pairs, s.pairs...)
	for _, n := range s.next {
		p.add(n)
	}
	t := &p.tests[at]
	t.skip, t.last = int32(len(p.tests)), int32(len(p.pairs))
	for _, i := range p.pairs[t.first:t.last] {
		t.lower = min(t.lower, p.apart[i])
	}
}

// Place implements distance.Own.
func (p *Plan) Place(b *distance.Balls, st *kin.State, q []float64) {
	if n := len(p.h.links); len(b.Link) != n {
		*b = distance.Balls{
			Link: make([]convex.Ball, n), Tree: make([]convex.Ball, n), LinkAt: make([]uint64, n), TreeAt: make([]uint64, n), Beyond: make([]bool, n),
		}
	}
	b.State = st
	b.Placed++
	box := p.h.Rom.Box
	b.In = true
	for k := range b.Beyond {
		b.Beyond[k] = true
	}
	for k := len(b.Beyond) - 1; k > 0; k-- {
		f := &box.Tree.Frames[k]
		x := q[f.Dof]
		at := box.joint(k, Range{x, x}, nil)
		if !b.Beyond[k] || !box.Joints[k].holds(at.Lo, at.Hi) {
			b.Beyond[f.Parent], b.In = false, false
		}
	}
}

// link returns the ball around the links of frame k.
func (p *Plan) link(b *distance.Balls, k int32) *convex.Ball {
	if b.LinkAt[k] != b.Placed {
		b.LinkAt[k] = b.Placed
		b.State.Ensure(int(k))
		b.Link[k] = placed(b.State, int(k), p.h.links[k])
	}
	return &b.Link[k]
}

// tree returns a ball around the subtree of frame k.
func (p *Plan) tree(b *distance.Balls, k int32) *convex.Ball {
	if b.TreeAt[k] == b.Placed {
		return &b.Tree[k]
	}
	b.TreeAt[k] = b.Placed
	if p.h.fixed[k] && b.Beyond[k] {
		b.State.Ensure(int(k))
		b.Tree[k] = placed(b.State, int(k), p.h.Rom.Subtree[k].Ball)
		return &b.Tree[k]
	}
	all := *p.link(b, k)
	for _, c := range p.children[k] {
		all = around(all, *p.tree(b, c))
	}
	b.Tree[k] = all
	return &b.Tree[k]
}

// gap returns a lower bound of the distance of the two sides of a test, by their balls.
func (p *Plan) gap(b *distance.Balls, t *test) float64 {
	switch t.kind {
	case twoTrees:
		return ballsApart(p.tree(b, t.a), p.tree(b, t.b))
	case linkAndTree:
		return ballsApart(p.link(b, t.a), p.tree(b, t.b))
	}
	return ballsApart(p.link(b, t.a), p.link(b, t.b))
}

// Apart implements distance.Own.
func (p *Plan) Apart(b *distance.Balls) []float64 {
	if !b.In {
		return nil
	}
	return p.apart
}

// Cull implements distance.Own.
func (p *Plan) Cull(b *distance.Balls, enough float64, near []int32) ([]int32, float64) {
	left := math.Inf(1)
	if math.IsInf(enough, 1) {
		return append(near, p.pairs...), left
	}
	for i := 0; i < len(p.tests); {
		t := &p.tests[i]
		lower := math.Inf(-1)
		if b.In {
			lower = t.lower
		}
		if lower < enough && t.kind != aFew {
			lower = max(lower, p.gap(b, t))
		}
		if lower >= enough {
			left = min(left, lower)
			i = int(t.skip)
			continue
		}
		if t.skip == int32(i+1) {
			near = append(near, p.pairs[t.first:t.last]...)
		}
		i++
	}
	return near, left
}
