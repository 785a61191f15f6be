package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
)

// run searches [lo, hi] for the entries arena[first:]. It is worth trying to prove all of it if
// that is promised.
func (s *search) run(lo, hi float64, first int, promised bool) {
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
	tried := s.tries(promised || hi-lo < long, first, last)
	if tried {
		s.filter(first, last)
		front = last
	}
	promised = tried && s.roomy()
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
	s.run(lo, middle, front, promised)
	if !s.ended(middle) {
		s.run(middle, hi, front, promised)
	}
}

// cut returns where to split [lo, hi], whose middle c was looked at and left the
// entries arena[first:last]: in the middle, or shortly before something is to
// touch. The time of contact is then enclosed as by Newton's method, each interval
// about as short as the one before squared.
func (s *search) cut(lo, c, hi float64, first, last int) float64 {
	p := s.ahead
	switch {
	case s.closest != nil:
		return c
	case s.res.hit && s.res.hitAt == c:
		if !s.anyTouch && !s.res.touch.atStart {
			s.pinpoint(lo)
		}
		return c
	case !(p.at > lo && p.at < hi):
		return c
	case !s.anyTouch && p.parts: // no touch is predicted
	case !s.anyTouch:
		if s.foresee(lo, c, hi, &p); s.res.hit && s.res.hitAt <= c {
			return c
		}
	default:
		if t := p.about(c); t > lo && t < hi {
			s.touches(t, first, last)
		}
	}
	if p.at > c && p.safe > c && p.safe < hi {
		return p.safe
	}
	return c
}

// touches looks at the entries arena[first:last] at the single time c.
func (s *search) touches(c float64, first, last int) bool {
	w := s.w
	mark := len(w.arena)
	w.place(c, c, c)
	s.filter(first, last)
	w.arena = w.arena[:mark]
	return s.res.hit || w.q.Reason != ""
}

// filter tries every entry of arena[first:last] on the current interval and
// appends to the arena what could not be proved, opened where that is worth it.
func (s *search) filter(first, last int) {
	w := s.w
	s.split, s.suspect, s.gapped, s.gap, s.ahead.at = false, false, false, 0, math.Inf(1)
	front := front{first: first, count: last - first, backwards: s.anyTouch && w.at.H == 0}
	s.outer = s.outermost(front.first, front.first+front.count)
	w.many.begin()
	for k := range front.count {
		i := front.at(k)
		parted, together := s.together(&front, k)
		if parted {
			continue
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
			progress := s.try(e, together)
			together = false // what was opened from it was not tried yet
			if progress != unproved {
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
			if s.hasty {
				s.leave(&front, k+1)
				return
			}
		}
	}
}

// leave keeps the entries from k on untried.
func (s *search) leave(f *front, k int) {
	for ; k < f.count; k++ {
		s.w.arena = append(s.w.arena, s.w.arena[f.at(k)])
	}
}

// try tries one entry; together is as in prove.
func (s *search) try(e entry, together bool) progress {
	if s.ranged {
		s.aim(e)
	}
	if e.pair < 0 {
		return s.againstWorld(e)
	}
	w := s.w
	o := &w.outcome
	w.prove(e, s.hasty || s.deferring(), together, o)
	switch {
	case o.apart:
		return apart
	case s.hasty:
		s.failed(o.gap)
		return unproved
	case s.deferring():
		return unproved
	case w.at.IsGroup(e.pair):
		q := w.at.PairOf(e.pair)
		if w.at.H > 0 && waits(o.gap, w.at.Pair(e.pair).Far, max(w.m.Elements[q.A].Radius, w.m.Elements[q.B].Radius)) {
			s.failed(o.gap)
			return unproved
		}
		w.openPair(e.pair)
		return opened
	case s.looksAtMeshes(e):
		s.lookIntoPair(e.pair)
		s.failed(o.gap)
		return unproved // an instant is tested for a witness, not for a proof
	case s.atLeaf(e):
		s.failed(o.gap)
		if o.searched {
			s.meet(e, e.pair, &o.found, false)
		}
		if p := w.at.Pair(e.pair); o.gap > 0 {
			s.predict(e, false, o.gap, rules.ClosingRate(w.pair(e.pair).direction(p), &p.A, &p.B), p.Accel)
		}
		return unproved
	case !s.worthOpening(e, o.gap) || !s.open(e):
		s.suspect = s.suspect || o.gap <= 0
		s.failed(o.gap)
		return unproved
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

// open appends the smaller parts of e to the arena. It returns false where one
// solid turns out to contain the other (a witness then), or where that could
// not be told (the reason is then noted).
func (s *search) open(e entry) bool {
	w := s.w
	q := &w.m.Pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	openA := s.opensA(e, ea, eb)
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

// opensA picks the side of an entry to open.
func (s *search) opensA(e entry, ea, eb *model.Element) bool {
	if s.w.at.Span == 0 { // both sides of a witness are leaves
		return volume.OpensA(ea, e.a, eb, e.b)
	}
	return opensForProof(e, ea, eb)
}

// opensForProof is opensA where the parts are to be proved apart.
func opensForProof(e entry, ea, eb *model.Element) bool {
	switch {
	case e.a == volume.Whole && standsFor(ea, eb, e.b):
		return false
	case e.b == volume.Whole && standsFor(eb, ea, e.a):
		return true
	}
	return volume.OpensA(ea, e.a, eb, e.b)
}

// hullKept is how many times as large as a part of the other element one may be that is not
// opened.
const hullKept = 4

// standsFor reports whether an element's hull is worth keeping while a part of the other one
// is opened: what is below it, boxes around parts of it, holds it far less tightly, and many
// parts are apart from the hull itself.
func standsFor(whole, other *model.Element, node int32) bool {
	if node == volume.Whole || !volume.CanOpen(other, node) || engine.IsPoints(whole) || engine.IsPoints(other) {
		return false
	}
	_, radius := volume.Ball(other, node)
	return whole.Radius < hullKept*radius
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
