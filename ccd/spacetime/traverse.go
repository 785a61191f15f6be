package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/model"
)

// pieceResult is what the traversal of one polynomial piece has found; times are
// in the piece's parameter.
type pieceResult struct {
	proven float64 // apart on [0, proven)
	hit    bool
	hitAt  float64 // where hit: the earliest time with a witness
	touch  touch
}

// touch is a witness: two points in W of the parts of one pair.
type touch struct {
	pair     int32
	a, b     geom.Vec
	normal   geom.Vec
	distance float64
}

// search is the one traversal: over time by bisection, earlier half first, and
// over the hierarchies of the pairs that are not yet proved apart. What it asks
// of an interval stands in the fields.
type search struct {
	w        *Worker
	res      pieceResult
	timeTol  float64 // of the time of contact, in the piece's parameter
	anyTouch bool    // the first witness ends the search
	// closest, where not nil, makes the search a branch and bound for the smallest
	// distance: a witness lowers w.clearance instead of ending anything.
	closest *closest
}

// minWidth is the shortest interval looked at; c - lo and hi - c keep some 2^10
// units in the last place.
const minWidth = 0x1p-42

// relay is how much farther than its own size a part may move before it is not
// worth opening: splitting the time comes first.
const relay = 4

// run searches [lo, hi] for the entries arena[first:].
func (s *search) run(lo, hi float64, first int) {
	w := s.w
	if s.over(lo) {
		return
	}
	c := lo + (hi-lo)/2
	w.place(c, lo, hi)
	last := len(w.arena)
	s.sift(first, last)
	if w.reason != "" {
		return
	}
	if len(w.arena) == last {
		s.res.proven = hi
		return
	}
	if s.closest == nil && s.res.hit && s.res.hitAt == c {
		s.run(lo, c, last)
		w.arena = w.arena[:last]
		return
	}
	if hi-lo < minWidth {
		w.reason = "an interval of time cannot be split further: the pair is within rounding of the clearance"
		return
	}
	s.run(lo, c, last)
	if !s.ended(c) {
		s.run(c, hi, last)
	}
	w.arena = w.arena[:last]
}

// over reports whether nothing from lo on can change the answer.
func (s *search) over(lo float64) bool {
	if s.w.reason != "" {
		return true
	}
	if s.closest != nil || !s.res.hit {
		return false
	}
	return s.anyTouch || lo >= s.res.hitAt || s.res.hitAt-lo <= s.timeTol
}

// ended reports whether the later half starting at c need not be looked at.
func (s *search) ended(c float64) bool { return s.over(c) || s.closest == nil && s.res.proven < c }

// sift tries every entry of arena[first:last] on the current interval and
// appends to the arena what could not be proved, opened where that is worth it.
//
// The first leaf that fails shows that the interval must be split, so whatever
// comes after it is only tried, not opened: unless that is an instant, which
// cannot be split and where the containment of every pair must be settled.
func (s *search) sift(first, last int) {
	w := s.w
	split := false
	for i := first; i < last; i++ {
		// Entries opened from this one stand behind mark, as a stack.
		mark := len(w.arena)
		w.arena = append(w.arena, w.arena[i])
		keep := mark
		for len(w.arena) > keep {
			e := w.arena[len(w.arena)-1]
			w.arena = w.arena[:len(w.arena)-1]
			if w.out() {
				return
			}
			o := w.prove(e)
			if o.apart {
				continue
			}
			if s.atLeaf(e) {
				split = true
				s.meet(e, &o)
			} else if (!split || w.h == 0 && !s.res.hit) && s.worthOpening(e) {
				if s.open(e) {
					continue
				}
				if w.reason != "" {
					return
				}
				split = true
			}
			// Keep e: it goes below the stack of what is still to be tried.
			w.arena = append(w.arena, e)
			n := len(w.arena) - 1
			w.arena[keep], w.arena[n] = w.arena[n], w.arena[keep]
			keep++
		}
	}
}

func (s *search) atLeaf(e entry) bool {
	q := &s.w.m.Pairs[e.pair]
	return isShape(&s.w.m.Elements[q.A], e.a) && isShape(&s.w.m.Elements[q.B], e.b)
}

// worthOpening reports whether the parts move little enough, for their size,
// that smaller parts have a chance on this interval.
func (s *search) worthOpening(e entry) bool {
	q := &s.w.m.Pairs[e.pair]
	_, ra := ballOf(&s.w.m.Elements[q.A], e.a)
	_, rb := ballOf(&s.w.m.Elements[q.B], e.b)
	return s.w.pairs[e.pair].far <= relay*math.Max(ra, rb)
}

// open appends the smaller parts of e to the arena. It returns false where one
// solid turns out to contain the other (a witness then), or where that could
// not be told (the reason is then noted).
func (s *search) open(e entry) bool {
	w := s.w
	q := &w.m.Pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	openA := chooseA(ea, eb, e)
	if e.a == whole || e.b == whole {
		if !s.checkOutside(e, openA) {
			return false
		}
	}
	if openA {
		s.push(e, ea, e.a, true)
	} else {
		s.push(e, eb, e.b, false)
	}
	return true
}

// chooseA picks the side to open: the only one that can be, points before
// meshes (so that containment is asked of single points), else the larger.
func chooseA(ea, eb *model.Element, e entry) bool {
	canA, canB := canOpen(ea, e.a), canOpen(eb, e.b)
	if canA != canB {
		return canA
	}
	if pa, pb := isPoints(ea), isPoints(eb); pa != pb {
		return pa
	}
	_, ra := ballOf(ea, e.a)
	_, rb := ballOf(eb, e.b)
	return ra >= rb
}

// isPoints reports whether the element is points or cells, each for itself.
func isPoints(e *model.Element) bool { return e.Leaves != nil && e.Leaves.Mesh == nil }

// push appends the children of one side's node.
func (s *search) push(e entry, el *model.Element, node int32, sideA bool) {
	set := func(n int32) {
		if sideA {
			e.a = n
		} else {
			e.b = n
		}
		s.w.arena = append(s.w.arena, e)
	}
	if node == whole {
		set(0)
		return
	}
	left := el.Leaves.Tree.Nodes[node].Left
	set(left)
	set(left + 1)
}

// meet judges two leaves that could not be proved apart: are they a witness?
func (s *search) meet(e entry, o *outcome) {
	if !o.searched {
		return
	}
	d := o.found.Distance
	if o.found.Overlap {
		d = 0
	}
	t := touch{pair: e.pair, a: o.found.PointA, b: o.found.PointB, normal: o.found.Normal, distance: d}
	s.witness(t)
}

// witness takes note of two points of a pair at the current time.
func (s *search) witness(t touch) {
	w := s.w
	if s.closest != nil {
		s.closest.lower(w, t, w.c)
		return
	}
	if t.distance <= w.clearance+w.tolerance && (!s.res.hit || w.c < s.res.hitAt) {
		s.res.hit, s.res.hitAt, s.res.touch = true, w.c, t
	}
}

// closest is the state of the branch and bound for the smallest distance.
type closest struct {
	tol   float64 // the answer may be this much too high
	floor float64 // known lower bound
	best  touch
	at    float64 // time of best, in the piece's parameter
	piece int     // of best
	now   int     // the piece being searched
}

// lower takes a witness; from now on only what may come closer than it by more
// than the tolerance needs to be looked at.
func (b *closest) lower(w *Worker, t touch, at float64) {
	if t.distance >= b.best.distance {
		return
	}
	b.best, b.at, b.piece = t, at, b.now
	w.clearance = math.Max(b.floor, t.distance-b.tol)
}
