package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// pieceResult is what the traversal of one polynomial piece has found; times are
// in the piece's parameter.
type pieceResult struct {
	proven float64 // apart on [0, proven)
	hit    bool
	hitAt  float64 // where hit: the earliest time with a witness
	touch  touch
}

// touch is a witness: two points in W of one pair.
type touch struct {
	engine.PairTouch
	atStart bool // at the motion's start, in whichever piece it was found
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

	first bool // this is the motion's first piece, and its start was not looked at

	// Of the interval being sifted:
	split    bool    // something was not proved that a shorter interval may
	gapped   bool    // what was not proved first has a gap at c
	suspect  bool    // something was found without a gap at c, and not looked into
	foreseen float64 // when something that was not proved is to touch, +Inf if never
	doubt    float64 // by how much that may be wrong
	safe     float64 // until when it does not
}

// fate is what becomes of an entry of a front.
type fate uint8

const (
	kept   fate = iota // not proved; it stays in the front
	apart              // proved for the interval
	opened             // smaller entries stand behind it now
)

// minWidth is the shortest interval looked at; c - lo and hi - c keep some 2^10
// units in the last place.
const minWidth = 0x1p-42

// nearStart is how short the first interval must be before the start itself is
// looked at: a motion that starts in contact has no time before it.
const nearStart = 1. / 8

// tooShort is why a search ends there.
const tooShort = "an interval of time cannot be split further: the pair is within rounding of the clearance"

// run searches [lo, hi] for the entries arena[first:].
func (s *search) run(lo, hi float64, first int) {
	w := s.w
	if s.over(lo) {
		return
	}
	last := len(w.arena)
	defer func() { w.arena = w.arena[:last] }()
	if s.first && lo == 0 && hi <= nearStart {
		s.first = false
		if s.touches(0, first, last); s.over(lo) {
			return
		}
	}
	if s.closest == nil && s.res.hit {
		hi = min(hi, s.res.hitAt)
	}
	c := lo + (hi-lo)/2
	w.place(c, lo, hi)
	front := first // what the halves start with
	if s.closest == nil || !s.closest.hopeless(w) {
		s.sift(first, last)
		front = last
	}
	if w.q.Reason != "" {
		return
	}
	if len(w.arena) == front {
		s.res.proven = hi
		return
	}
	if hi-lo < minWidth {
		w.q.Reason = tooShort
		return
	}
	middle := s.cut(lo, c, hi, front, len(w.arena))
	s.run(lo, middle, front)
	if !s.ended(middle) {
		s.run(middle, hi, front)
	}
}

// cut returns where to split [lo, hi], whose middle c was looked at and left the
// entries arena[first:last]: in the middle, or shortly before something is to
// touch. The time of contact is then enclosed as by Newton's method, each interval
// about as short as the one before squared.
func (s *search) cut(lo, c, hi float64, first, last int) float64 {
	if s.closest != nil || s.res.hit && s.res.hitAt == c {
		return c
	}
	at, doubt, safe := s.foreseen, s.doubt, s.safe
	if !(at > lo && at < hi) {
		return c
	}
	for _, probe := range [...]float64{at + doubt, at - doubt} {
		if at < c == (probe < at) && probe > lo && probe < hi {
			s.touches(probe, first, last)
		}
	}
	if at > c && safe > c && safe < hi {
		return safe
	}
	return c
}

// touches looks at the entries arena[first:last] at the single time c.
func (s *search) touches(c float64, first, last int) bool {
	w := s.w
	mark := len(w.arena)
	w.place(c, c, c)
	s.sift(first, last)
	w.arena = w.arena[:mark]
	return s.res.hit || w.q.Reason != ""
}

// over reports whether nothing from lo on can change the answer.
func (s *search) over(lo float64) bool {
	if s.w.q.Reason != "" {
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
func (s *search) sift(first, last int) {
	w := s.w
	s.split, s.suspect, s.gapped, s.foreseen = false, false, false, math.Inf(1)
	for k := range last - first {
		i := first + k
		if s.anyTouch && w.at.H == 0 {
			i = last - 1 - k // links far out are the likeliest to touch something
		}
		// Entries opened from this one stand behind mark, as a stack.
		mark := len(w.arena)
		w.arena = append(w.arena, w.arena[i])
		keep := mark
		for len(w.arena) > keep {
			e := w.arena[len(w.arena)-1]
			w.arena = w.arena[:len(w.arena)-1]
			if w.q.Out() || (w.at.H == 0 || s.anyTouch) && s.closest == nil && s.res.hit && s.res.hitAt == w.at.C {
				return // an instant has a witness: one is enough
			}
			if s.try(e) != kept {
				continue
			}
			if w.q.Reason != "" {
				return
			}
			// Keep e: it goes below the stack of what is still to be tried.
			w.arena = append(w.arena, e)
			n := len(w.arena) - 1
			w.arena[keep], w.arena[n] = w.arena[n], w.arena[keep]
			keep++
		}
	}
}

// deferring reports whether an entry is only worth a cheap try: the first that
// fails shows that the interval must be split. Unless that is an instant, which
// cannot be split and where the containment of every pair must be settled.
func (s *search) deferring() bool { return s.split && (s.w.at.H > 0 || s.res.hit) }

// foresee notes when a gap closes that at c closes at the given rate, which is
// negative where it opens, and until when it surely does not. Where that is within
// the interval, it is worth a look: the motion may collide there.
func (s *search) foresee(gap, rate, accel float64) {
	if rate == 0 || !math.IsInf(s.foreseen, 1) {
		return
	}
	after := gap / rate
	if !(math.Abs(after) < s.w.at.H) {
		return
	}
	// Half the tolerance is left, or there would be nothing to prove before.
	left := min(s.w.tolerance/2, gap/2)
	s.foreseen, s.safe = s.w.at.C+after, s.w.at.C+rules.SafeStep(gap-left, rate, accel)
	s.doubt = min(max(accel*after*after, left)/math.Abs(rate), math.Abs(after)/2)
}

// try tries one entry.
func (s *search) try(e entry) fate {
	if e.pair < 0 {
		return s.againstWorld(e)
	}
	w := s.w
	o := w.prove(e, s.deferring())
	switch {
	case o.apart:
		return apart
	case s.deferring():
		return kept
	case w.at.IsGroup(e.pair):
		q := w.at.PairOf(e.pair)
		if w.at.H > 0 && waits(o.gap, w.at.Pair(e.pair).Far, max(w.m.Elements[q.A].Radius, w.m.Elements[q.B].Radius)) {
			s.failed(o.gap)
			return kept
		}
		w.openPair(e.pair)
		return opened
	case s.atLeaf(e):
		s.failed(o.gap)
		if o.searched {
			s.meet(e.pair, &o.found, false)
		}
		if p := w.at.Pair(e.pair); o.gap > 0 {
			s.foresee(o.gap, rules.ClosingRate(w.pair(e.pair).direction(p), &p.A, &p.B), p.Accel)
		}
		return kept
	case !s.worthOpening(e, o.gap) || !s.open(e):
		s.suspect = s.suspect || o.gap <= 0
		s.failed(o.gap)
		return kept
	}
	return opened
}

func (s *search) atLeaf(e entry) bool {
	q := &s.w.m.Pairs[e.pair]
	return volume.IsShape(&s.w.m.Elements[q.A], e.a) && volume.IsShape(&s.w.m.Elements[q.B], e.b)
}

// worthOpening reports whether smaller parts are more promising than a shorter
// interval.
func (s *search) worthOpening(e entry, gap float64) bool {
	w := s.w
	if w.at.H == 0 {
		return true
	}
	q := &w.m.Pairs[e.pair]
	_, ra := volume.Ball(&w.m.Elements[q.A], e.a)
	_, rb := volume.Ball(&w.m.Elements[q.B], e.b)
	far, size := w.at.Pair(e.pair).Far, max(w.tolerance, max(ra, rb))
	if s.closest != nil {
		return far <= relay*size // much is as far apart as the closest: waiting helps none of it
	}
	return promising(gap, far, size)
}

// promising reports whether parts of a size (m) that move by at most far during the
// interval and have a gap at its middle are worth opening.
//
// Where they overlap then, only smaller parts can be proved apart: unless they move
// so much farther than their size that these would overlap as well. Where there is
// a gap, a shorter interval will do: unless the parts hardly move in this one, as
// those that follow only come closer to the time at which they meet, which their
// smaller parts may not.
func promising(gap, far, size float64) bool {
	if gap > 0 {
		return far < size/still
	}
	return far <= relay*size
}

// still is by how much less than its own size a part must move to hardly move.
const still = 16

// relay is how much farther than its own size a part may move before it is not
// worth opening: splitting the time comes first.
const relay = 4

// open appends the smaller parts of e to the arena. It returns false where one
// solid turns out to contain the other (a witness then), or where that could
// not be told (the reason is then noted).
func (s *search) open(e entry) bool {
	w := s.w
	q := &w.m.Pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	openA := volume.OpensA(ea, e.a, eb, e.b)
	if e.a == volume.Whole || e.b == volume.Whole {
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
	if node == volume.Whole {
		set(0)
		return
	}
	left := el.Leaves.Tree.Nodes[node].Left
	set(left)
	set(left + 1)
}

// meet judges two leaves that could not be proved apart: are they a witness?
// found is of the pair's elements, or of them the other way round.
func (s *search) meet(pair int32, found *convex.Result, swapped bool) {
	d := found.Distance
	if found.Overlap {
		d = 0
	}
	t := engine.PairTouch{Pair: pair, Touch: engine.Touch{A: found.PointA, B: found.PointB, Normal: found.Normal, Distance: d}}
	if swapped {
		t.A, t.B, t.Normal = t.B, t.A, r3.Scale(-1, t.Normal)
	}
	s.witness(touch{t, false}, s.w.at.C)
}

// witness takes note of two points of a pair at a time.
func (s *search) witness(t touch, at float64) {
	w := s.w
	if s.closest != nil {
		s.closest.lower(w, t.PairTouch, at)
		return
	}
	if t.Distance <= w.clearance+w.tolerance+w.at.Pair(t.Pair).Tube && (!s.res.hit || at < s.res.hitAt) {
		s.res.hit, s.res.hitAt, s.res.touch = true, at, t
	}
}

// failed notes that something was not proved that has the given gap at c.
func (s *search) failed(gap float64) {
	if !s.split {
		s.split, s.gapped = true, gap > s.w.tolerance
	}
}
