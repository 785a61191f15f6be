package bisect

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// The distances that GREEDY-DIST is compared with (SSL04 III-C, Table I), over the same
// trees: EXACT-DIST, APPROX-DIST and COLL-CHECKER. They count what they test.
//
// Departure. The paper's COLL-CHECKER has oriented boxes; ours has the same volumes as
// the others, which is what the counts are compared for.

// Distance is a way to measure two bodies.
type Distance uint8

// The ways.
const (
	Greedy        Distance = iota // GREEDY-DIST
	Exact                         // EXACT-DIST: the nearest volumes first
	Approximate                   // APPROX-DIST with a relative error of at most one half
	CollisionOnly                 // COLL-CHECKER: 0 or 1
)

// epsilon is the relative error that APPROX-DIST may make in Table I.
const epsilon = 0.5

// Measurement is a distance and what it took.
type Measurement struct {
	// Distance is a lower bound of how far the pair is apart, m; 0 where it touches. Of
	// CollisionOnly it is 1 where the pair is apart.
	Distance        float64
	BVTests         int
	TriTests        int
	SlackSubtracted float64 // of it, what was taken off for the error of the poses
}

// Measure measures a pair of the model at the parameter t of a piece of a motion.
// Exact starts from an upper bound, as triangle caching would give it: +Inf where there
// is none. The robot stays placed from call to call as long as they are of the same
// motion. It fails on a pair, piece or parameter that is none.
func (w *Worker) Measure(b *kin.Course, piece int, t float64, pair int, how Distance, start float64) (Measurement, error) {
	if pair < 0 || pair >= len(w.p.m.Pairs) || piece < 0 || piece >= b.Pieces() || !(t >= 0 && t <= 1) {
		return Measurement{}, fmt.Errorf("there is no pair %d at %g of piece %d", pair, t, piece)
	}
	if w.bound != b || w.loaded == nil || w.loaded.piece != piece || w.measured != b.Motion {
		w.loaded, w.bound, w.lengths.of, w.measured = nil, nil, nil, b.Motion
		w.load(w.newSegment(b, piece, false))
	}
	g := w.greedyAt(w.config(w.loaded, t), int32(pair))
	p := &w.p.m.Pairs[pair]
	slack := w.slackOfPair(p.A, p.B)
	g.beyond, g.delta, g.within = slack, 0, -1
	var d float64
	switch how {
	case Exact:
		d = g.nearest(start+slack) - slack
	case Approximate:
		d = g.approximate() - slack
	case CollisionOnly:
		d = 1
		if g.collides(0, 0) {
			d = 0
		}
	default:
		d = g.dist(0, 0)
	}
	return Measurement{Distance: math.Max(0, d), BVTests: g.bv, TriTests: g.tri, SlackSubtracted: slack}, nil
}

// collides is COLL-CHECKER: whether some pair of leaves is closer than what g.beyond
// asks for.
func (g *greedy) collides(x, y int32) bool {
	if g.pair.IsLeafPair(x, y) {
		g.tri++
		t := g.pair.Leaves(x, y)
		if t.Upper <= g.within || t.Lower <= g.beyond {
			g.touch, g.touches = t, t.Upper <= g.within
			return true
		}
		return false
	}
	g.bv++
	if g.pair.Bound(x, y, g.beyond) > 0 {
		return false
	}
	first, second := childrenOf(&g.pair, x, y)
	return g.collides(first[0], first[1]) || g.collides(second[0], second[1])
}

// pending is a pair of nodes with a lower bound of its distance.
type pending struct {
	lower float64
	x, y  int32
}

// nearest is EXACT-DIST: the distance of the pair, or a lower bound of it where that is
// above cut, the upper bound it starts with. It looks at the nearest volumes first
// (priority directed search).
func (g *greedy) nearest(cut float64) float64 {
	return g.search(cut, func(d float64) float64 { return d })
}

// approximate is APPROX-DIST: a lower bound that is at least half the distance.
func (g *greedy) approximate() float64 {
	best := math.Inf(1)
	g.approach(0, 0, &best)
	return best
}

// approach keeps in best (1 - epsilon) times the least distance of two leaves so far and
// leaves out what is farther apart than that.
func (g *greedy) approach(x, y int32, best *float64) {
	if g.pair.IsLeafPair(x, y) {
		g.tri++
		if t := g.pair.Leaves(x, y); t.Lower < *best {
			*best = math.Min(*best, (1-epsilon)*t.Lower)
		}
		return
	}
	first, second := childrenOf(&g.pair, x, y)
	d, e := g.bound(first), g.bound(second)
	if e < d {
		first, second, d, e = second, first, e, d
	}
	if d < *best {
		g.approach(first[0], first[1], best)
	}
	if e < *best {
		g.approach(second[0], second[1], best)
	}
}

// bound is the lower bound of a pair of nodes, 0 of two leaves, which are measured.
func (g *greedy) bound(n [2]int32) float64 {
	if g.pair.IsLeafPair(n[0], n[1]) {
		return 0
	}
	g.bv++
	return g.pair.Bound(n[0], n[1], 0)
}

// search goes through pairs of nodes, the nearest first, until the nearest left is no
// nearer than keep of the least upper bound so far. It returns a lower bound of the
// distance of all; g.touch is the nearest leaves, if any are nearer than cut.
func (g *greedy) search(cut float64, keep func(upper float64) float64) float64 {
	g.heap = append(g.heap[:0], pending{g.bound([2]int32{0, 0}), 0, 0})
	g.touches = false
	lower := math.Inf(1) // of the leaves
	for len(g.heap) > 0 {
		if g.heap[0].lower >= keep(cut) {
			return math.Min(lower, g.heap[0].lower)
		}
		n := g.popNearest()
		if g.pair.IsLeafPair(n.x, n.y) {
			g.tri++
			t := g.pair.Leaves(n.x, n.y)
			lower = math.Min(lower, t.Lower)
			if t.Upper < cut {
				cut, g.touch, g.touches = t.Upper, t, true
			}
			continue
		}
		first, second := childrenOf(&g.pair, n.x, n.y)
		for _, c := range [2][2]int32{first, second} {
			if d := math.Max(n.lower, g.bound(c)); d < keep(cut) {
				g.pushNearest(pending{d, c[0], c[1]})
			} else {
				lower = math.Min(lower, d)
			}
		}
	}
	return lower
}

func (g *greedy) pushNearest(n pending) {
	g.heap = append(g.heap, n)
	h := g.heap
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].lower <= h[i].lower {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (g *greedy) popNearest() pending {
	h := g.heap
	first, n := h[0], len(h)-1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].lower < h[c].lower {
			c++
		}
		if h[i].lower <= h[c].lower {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	g.heap = h
	return first
}
