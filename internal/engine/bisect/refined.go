package bisect

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/rsstree"
)

// REFINED-ADAPTIVE-BISECTION (SSL04 VI, Figs. 15 and 16): the queue holds pairs of
// volumes instead of pairs of bodies. GREEDY-DIST2 keeps the pairs that it compared as
// a tree; the pairs compared at both ends of an interval make the intersection of two
// such trees; each of them that Inequality (1) covers by its own path lengths and
// distances is done with, and what is left of the intersection's leaves is cut.
//
// The path lengths of a volume are those of its points, bounded by COMPUTE-SPHERE with
// the volume's ball in the link's place.
//
// Departure. Where GREEDY-DIST2 found two leaves too close to prove anything of, but
// not within the tolerance, it goes on with the distance 0 instead of calling it a
// collision.

// bvPair is a pair of nodes that GREEDY-DIST2 compared.
type bvPair struct {
	x, y     int32
	distance float64 // beyond the clearance, at least, of all below them
	children int32   // the first of two; negative where it was not opened
}

// bvTree is what GREEDY-DIST2 returns: the root is the first pair.
type bvTree struct{ pairs []bvPair }

// ends are the trees that were found at the ends of an element's interval, each from
// the element's own pair on; nil where nothing is known.
type ends struct{ a, b branch }

// branch is a pair of a tree and all below it.
type branch struct {
	tree *bvTree
	at   int32
}

// pair returns the branch's first pair, that it is at no distance if none is known.
func (b branch) pair() (distance float64, children int32) {
	if b.tree == nil {
		return 0, -1
	}
	p := &b.tree.pairs[b.at]
	return p.distance, p.children
}

func (b branch) child(i int32) branch { return branch{b.tree, b.tree.pairs[b.at].children + i} }

// greedyDist2 is GREEDY-DIST2: it returns the pairs that were compared. Where it ends
// at two points within the tolerance g.touches says so.
func (g *greedy) greedyDist2(x, y int32) *bvTree {
	t := &bvTree{pairs: make([]bvPair, 1, 16)}
	g.grow(t, 0, x, y)
	return t
}

func (g *greedy) grow(t *bvTree, at, x, y int32) float64 {
	p := bvPair{x: x, y: y, children: -1}
	if g.pair.IsLeafPair(x, y) {
		p.distance = g.leaves(x, y)
		t.pairs[at] = p
		return p.distance
	}
	g.bv++
	if d := g.pair.Bound(x, y, g.beyond+g.delta); d > 0 {
		p.distance = (d - g.beyond) * (1 - 4*u)
		t.pairs[at] = p
		return p.distance
	}
	p.children = int32(len(t.pairs))
	t.pairs = append(t.pairs, bvPair{}, bvPair{})
	first, second := childrenOf(&g.pair, x, y)
	p.distance = g.grow(t, p.children, first[0], first[1])
	if !g.touches {
		p.distance = math.Min(p.distance, g.grow(t, p.children+1, second[0], second[1]))
	}
	t.pairs[at] = p
	return p.distance
}

// childrenOf returns the two pairs that take the place of one.
func childrenOf(p *rsstree.Pair, x, y int32) (first, second [2]int32) {
	nx, ny := &p.A.Nodes[x], &p.B.Nodes[y]
	if opensFirst(nx, ny) {
		return [2]int32{nx.Left, y}, [2]int32{nx.Left + 1, y}
	}
	return [2]int32{x, ny.Left}, [2]int32{x, ny.Left + 1}
}

// treeAt runs GREEDY-DIST2 on an element's pair at time t. touches tells that it ended
// at a contact, which is noted.
func (w *Worker) treeAt(s *Segment, e *element, t float64) (root branch, touches bool) {
	c := w.config(s, t)
	g := w.greedyAt(c, e.pair)
	begin := w.startTimer()
	tree := g.greedyDist2(e.x, e.y)
	w.stopTimer(begin, &w.stats.DistanceTime)
	w.countDistance(g)
	if g.touches {
		w.note(s, c, e.pair)
		return branch{}, true
	}
	return branch{tree: tree}, false
}

// collisionTest is COLLISION-TEST of an element.
func (w *Worker) collisionTest(s *Segment, e *element) {
	if e.ends == nil {
		e.ends = &ends{}
		for _, end := range [2]struct {
			t  float64
			to *branch
		}{{e.a, &e.ends.a}, {e.b, &e.ends.b}} {
			if s.hit != nil && end.t >= s.hit.t {
				continue
			}
			root, touches := w.treeAt(s, e, end.t)
			if *end.to = root; touches && w.order != EarliestFirst {
				s.queue.push(*e)
				return
			}
		}
	}
	if !w.traverse(s, *e, e.ends.a, e.ends.b) {
		s.queue.push(*e) // nothing is proved of it
	}
}

// traverse goes through the intersection of two trees, depth first (step 2 of Fig. 16).
// e is the interval, with the current pair. It returns false if there is a contact and any
// contact answers the question.
func (w *Worker) traverse(s *Segment, e element, a, b branch) bool {
	var below, beyond int32
	e.atA, below = a.pair()
	e.atB, beyond = b.pair()
	if e.covered() {
		return true
	}
	if e.x != 0 || e.y != 0 { // of whole bodies it is known
		e.lambda = math.Min(e.lambda, w.lambdaOfVolumes(s, &e))
		if e.covered() {
			return true
		}
	}
	if below >= 0 && beyond >= 0 {
		p := &w.p.m.Pairs[e.pair]
		trees := rsstree.Pair{A: w.p.objects[p.A].tree, B: w.p.objects[p.B].tree}
		first, second := childrenOf(&trees, e.x, e.y)
		e.x, e.y = first[0], first[1]
		if !w.traverse(s, e, a.child(0), b.child(0)) {
			return false
		}
		e.x, e.y = second[0], second[1]
		return w.traverse(s, e, a.child(1), b.child(1))
	}
	return w.halve(s, &e, a, b)
}

// halve cuts what is left of a leaf of the intersection (steps 2.1 to 2.3 of Fig. 16).
func (w *Worker) halve(s *Segment, e *element, a, b branch) bool {
	middle := e.a + (e.b-e.a)/2
	left, right := *e, *e
	left.b, left.atB, right.a, right.atA = middle, 0, middle, 0
	var mid branch
	if s.hit == nil || middle < s.hit.t {
		var touches bool
		if mid, touches = w.treeAt(s, e, middle); touches && w.order != EarliestFirst {
			return false
		}
		left.atB, _ = mid.pair()
		right.atA = left.atB
	}
	left.ends, right.ends = &ends{a, mid}, &ends{mid, b}
	w.insertPart(s, left, e)
	w.insertPart(s, right, e)
	return true
}

// lambdaOfVolumes bounds the path lengths of the points below both nodes of an element.
func (w *Worker) lambdaOfVolumes(s *Segment, e *element) float64 {
	p, joint := &w.p.m.Pairs[e.pair], w.lengthsOn(s, e.a, e.b)
	return (w.lambdaOfVolume(p.A, e.x, p, joint) + w.lambdaOfVolume(p.B, e.y, p, joint)) * inflate
}

func (w *Worker) lambdaOfVolume(i int, node int32, p *model.Pair, joint []float64) float64 {
	e, o := &w.p.m.Elements[i], &w.p.objects[i]
	chain, sum := w.p.m.Tree.Chain(e.Frame), 0.0
	if len(chain) == p.Parting {
		return 0
	}
	n := &o.tree.Nodes[node]
	ball := inFrame(e, sphere{n.Center, (n.Reach() + o.grown) * inflate})
	constants := w.volumeConstants[:len(chain)]
	computeSphere(w.p.m.Tree, e.Frame, p.Parting, ball, &w.ranges, constants)
	for k := p.Parting; k < len(chain); k++ {
		sum += math.Min(constants[k], w.constants[i][k]) * joint[chain[k]]
	}
	return sum
}
