package spacetime

import (
	"math"
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
)

// All steps of an interval at once. Boxes and half-spaces around whole elements, at eight times
// in vector instructions (place.Lanes), prove most of a motion at once: which pairs are apart
// in which of its seven steps. What is left goes on, each run of steps as an interval of its own.

// mostBend (m) is by how much paths may depart from their chords in a step; beyond it the interval is halved untried.
const mostBend = 0.2

// shortest is the length of an interval, in the piece's parameter, below which steps are not tried.
const shortest = 0x1p-20

// worthSteps reports whether the steps of an interval are to be tried at once: not if a proof is
// recorded, which names each interval and direction, nor where pairs differ in what is to be proved of them.
func (s *search) worthSteps(t *pendingInterval) bool {
	w := s.w
	if t.stepped || t.hi-t.lo < shortest || s.ranged || w.recorder != nil || w.at.Tubed {
		return false
	}
	p := &w.stepped
	if !p.make(w) {
		return false
	}
	if !p.bound {
		p.bound, p.usable = true, p.lanes.Bound()
		p.seekOnce()
	}
	return p.usable
}

// seekOnce lets directions be sought once for all steps.
func (p *stepped) seekOnce() {
	for k := range p.whole {
		p.whole[k] = lanes.All
	}
}

// make makes the lanes, and reports whether the robot has any.
func (p *stepped) make(w *Worker) bool {
	if !p.made {
		p.made, p.lanes = true, place.NewLanes(w.at)
	}
	return p.lanes != nil
}

// trySteps tries the entries of t on the steps of its interval. It appends to w.stepped.runs
// the intervals that are left to search, with their entries, none if all is proved.
func (s *search) trySteps(t pendingInterval) {
	w := s.w
	p := &w.stepped
	if s.tooBent(t) {
		p.halve(t)
		return
	}
	p.list, p.hurries, p.parts.dead = p.list[:0], s.anyTouch, 0
	s.place(t)
	s.enlist(t, lanes.All)
	s.tryInTurn()
	if p.hurries = false; !s.decided() {
		s.tryList(0, toEnd, lanes.All, false) // what was left undone
	}
	if !s.decided() {
		s.collect(t)
	}
}

// inOrder searches an interval in the order of time: step by step, of which as many are tried at
// once as seem to come before the first that is not proved.
func (s *search) inOrder(t pendingInterval) {
	w := s.w
	p := &w.stepped
	switch {
	case !s.worthSteps(&t):
		s.run(t.lo, t.hi, int(t.first), !t.stepped)
		return
	case s.tooBent(t):
		s.inHalves(t)
		return
	}
	from, last := len(p.list), len(w.arena)
	defer func() { p.list, w.arena = p.list[:from], w.arena[:last] }()
	s.place(t)
	s.enlist(t, lanes.All)
	for first := 0; first < lanes.Steps; {
		s.place(t)
		step := s.tryList(from, toEnd, lanes.All&^(1<<first-1), true)
		if s.decided() {
			return
		}
		if step == lanes.Steps {
			break
		}
		r := s.step(t, from, step)
		s.res.proven = r.lo
		if s.inOrder(r); s.ended(r.hi) {
			return
		}
		w.arena, first = w.arena[:last], step+1
	}
	s.res.proven = t.hi
}

// inAnyOrder searches an interval on its steps, and what they leave by halves.
func (s *search) inAnyOrder(t pendingInterval) {
	w := s.w
	if w.q.Reason != "" {
		return
	}
	if !s.worthSteps(&t) {
		s.run(t.lo, t.hi, int(t.first), true)
		return
	}
	p := &w.stepped
	from, last := len(p.runs), len(w.arena)
	s.trySteps(t)
	for i, n := from, len(p.runs); i < n; i++ {
		s.runOn(p.runs[i])
	}
	p.runs, w.arena = p.runs[:from], w.arena[:last]
}

// runOn is inAnyOrder for an interval whose entries are not the last of the arena.
func (s *search) runOn(t pendingInterval) {
	w := s.w
	first := len(w.arena)
	w.arena = append(w.arena, w.arena[t.first:t.last]...)
	t.first, t.last = int32(first), int32(len(w.arena))
	s.inAnyOrder(t)
	w.arena = w.arena[:first]
}

// decided reports whether trying a list has ended the search. Where one solid is inside another at
// the start, nothing was placed yet.
func (s *search) decided() bool {
	if s.res.hit && s.res.touch.atStart {
		s.w.place(0, 0, 0)
	}
	return s.res.hit || s.w.q.Reason != ""
}

// inHalves searches both halves of an interval in their order.
func (s *search) inHalves(t pendingInterval) {
	c := t.lo + (t.hi-t.lo)/2
	earlier, later := t, t
	earlier.hi, later.lo = c, c
	if s.inOrder(earlier); !s.ended(c) {
		first := len(s.w.arena)
		s.w.arena = append(s.w.arena, s.w.arena[t.first:t.last]...)
		later.first, later.last = int32(first), int32(len(s.w.arena))
		s.inOrder(later)
		s.w.arena = s.w.arena[:first]
	}
}

// step returns a step of t as an interval, with the entries that failed there.
func (s *search) step(t pendingInterval, from, step int) pendingInterval {
	w := s.w
	p := &w.stepped
	r := pendingInterval{piece: t.piece, lo: p.lanes.Times[step], hi: p.lanes.Times[step+1], first: int32(len(w.arena))}
	for _, l := range p.list[from:] {
		if l.failed>>step&1 != 0 {
			w.arena = append(w.arena, l.e)
		}
	}
	r.last = int32(len(w.arena))
	r.stepped = s.mostBent(w.arena[r.first:]) <= s.fine()
	return r
}

// tooBent bounds the robot's motion on t, and reports whether paths of its entries depart too
// far from their chords.
func (s *search) tooBent(t pendingInterval) bool {
	if s.bend(t) <= mostBend || s.mostBent(s.w.arena[t.first:t.last]) <= mostBend {
		return false
	}
	s.w.q.Out() // nothing else looks at the clock while intervals are halved
	return true
}

// bend bounds the robot's motion on t.
func (s *search) bend(t pendingInterval) float64 {
	p := &s.w.stepped
	if at := [2]float64{t.lo, t.hi}; p.bent != at {
		p.bent, p.placed, p.bend = at, [2]float64{}, p.lanes.Bend(t.lo, t.hi)
	}
	return p.bend
}

// place places the robot on t, for the current clearance, unless it is there.
func (s *search) place(t pendingInterval) {
	p, at := &s.w.stepped, [2]float64{t.lo, t.hi}
	if p.placed == at && p.grown == s.w.clearance {
		return
	}
	s.bend(t)
	if p.placed != at {
		p.lanes.Move()
	}
	p.lanes.Grow(s.w.clearance)
	p.placed, p.grown = at, s.w.clearance
	s.w.q.Work.Intervals++
}

// tryInTurn tries all entries of the list once. A yes or no begins with what is mostly in contact: of the links that may
// touch the world the outer half, then the groups, and their members, which are at the list's end. Groups stand before all
// links; but no group touches, its members are smaller and dearer than the links before them, and inner links hardly touch.
func (s *search) tryInTurn() {
	p := &s.w.stepped
	try := func(from, end int) (decided bool) {
		s.tryList(from, end, lanes.All, false)
		return s.decided()
	}
	if !p.hurries {
		try(0, toEnd)
		return
	}
	all, groups := len(p.list), 0
	for groups < all && p.list[groups].e.pair < 0 && s.w.m.Elements[^p.list[groups].e.pair].Members != nil {
		groups++
	}
	links := groups
	for links < all && p.list[links].e.pair < 0 {
		links++
	}
	middle := (groups + links + 1) / 2
	if try(groups, middle) || try(0, groups) || try(all, toEnd) {
		return
	}
	if added := len(p.list); !try(middle, all) {
		try(added, toEnd)
	}
}

// toEnd is an end of tryList that what is added to the list meanwhile does not pass.
const toEnd = math.MaxInt

// tryList tries the entries from, ..., end-1 of the list on those of the steps in which they are to be tried.
// Narrow leaves out the steps after the earliest in which one was not proved; it returns that,
// or lanes.Steps if there is none.
func (s *search) tryList(from, end int, steps uint8, narrow bool) (first int) {
	w := s.w
	p := &w.stepped
	first = lanes.Steps
	for i := from; i < len(p.list) && i < end; i++ {
		l := &p.list[i]
		some := l.todo & steps
		l.todo &^= some
		failed := l.failed & steps
		if some != 0 {
			failed |= s.trySome(i, some)
		}
		if s.res.hit || some != 0 && w.q.Out() {
			return first
		}
		if p.list[i].failed |= failed; narrow && failed != 0 {
			first = bits.TrailingZeros8(failed)
			steps &= 1<<(first+1) - 1
		}
	}
	return first
}

// mostBent returns by how much paths of the entries depart from their chords; those of a pair
// are relative to what carries both.
func (s *search) mostBent(entries []entry) (most float64) {
	w := s.w
	l := w.stepped.lanes
	for _, e := range entries {
		if e.pair < 0 {
			most = max(most, l.BendFrom(int(^e.pair), 0))
			continue
		}
		q := w.at.PairOf(e.pair)
		most = max(most, l.BendOfPair(q))
	}
	return most
}

// collect makes intervals of the runs of steps in which something is left.
func (s *search) collect(t pendingInterval) {
	w := s.w
	p := &w.stepped
	var left uint8
	for _, l := range p.list {
		left |= l.failed
	}
	for left != 0 {
		from := bits.TrailingZeros8(left)
		to := from + bits.TrailingZeros8(^(left >> from))
		run := uint8(1<<to - 1<<from)
		left &^= run
		r := pendingInterval{piece: t.piece, lo: p.lanes.Times[from], hi: p.lanes.Times[to], first: int32(len(w.arena))}
		for _, l := range p.list {
			if l.failed&run != 0 {
				w.arena = append(w.arena, l.e)
			}
		}
		r.last = int32(len(w.arena))
		r.stepped = s.mostBent(w.arena[r.first:]) <= s.fine()
		if run == lanes.All && !r.stepped {
			p.halve(r)
		} else {
			p.runs = append(p.runs, r)
		}
	}
}

// halve appends both halves of an interval.
func (p *stepped) halve(t pendingInterval) {
	earlier, later := t, t
	earlier.hi = t.lo + (t.hi-t.lo)/2
	later.lo = earlier.hi
	p.runs = append(p.runs, earlier, later)
}
