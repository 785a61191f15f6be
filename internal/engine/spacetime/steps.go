package spacetime

import (
	"math/bits"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
)

// All steps of an interval at once. Boxes and half-spaces around whole elements, at eight times
// in vector instructions (place.Lanes), prove most of a motion at once: which pairs are apart
// in which of its seven steps. What is left goes on, each run of steps as an interval of its own.

// stepped is scratch for trying all steps of an interval.
type stepped struct {
	lanes  *place.Lanes // nil if the robot has none
	made   bool
	bound  bool // lanes are bound to the loaded piece
	usable bool

	runs []pendingInterval
	left []leftSteps

	rows      [][2]int32 // of pairs of elements, in the entries' order
	startRows [][2]int32 // those of startGroups
	apart     []uint8    // the entries' steps
	row       [1][2]int32
	one       [1]uint8

	world stepsAgainst
}

// leftSteps is an entry and the steps in which it is not proved apart.
type leftSteps struct {
	e     entry
	steps uint8
}

// Where paths depart from their chords by more than fineBend (m) in a step, shorter steps may
// prove what is left; beyond mostBend the interval is halved untried.
const (
	fineBend = 0.002
	mostBend = 0.2
)

// stepsUsable reports whether the steps of the loaded piece can be tried at once: a proof that
// is recorded names each interval and direction, and a search for distances has its own bounds.
func (s *search) stepsUsable() bool {
	w := s.w
	if s.closest != nil || s.ranged || w.recorder != nil || w.at.Tubed {
		return false
	}
	p := &w.stepped
	if !p.made {
		p.made, p.lanes = true, place.NewLanes(w.at)
	}
	if p.lanes == nil {
		return false
	}
	if !p.bound {
		p.bound, p.usable = true, p.lanes.Bound()
	}
	if p.usable && len(p.startRows) != len(w.startGroups) {
		p.startRows = s.appendRows(p.startRows[:0], w.startGroups)
	}
	return p.usable
}

// trySteps tries the entries of t on the steps of its interval. It appends to w.stepped.runs
// the intervals that are left to search, with their entries, none if all is proved.
func (s *search) trySteps(t pendingInterval) {
	w := s.w
	p := &w.stepped
	if p.lanes.Bend(t.lo, t.hi) > mostBend && s.mostBent(w.arena[t.first:t.last]) > mostBend {
		p.halve(t)
		return
	}
	p.lanes.Place(t.lo, t.hi, w.clearance)
	w.q.Work.Intervals++
	p.left = p.left[:0]
	if s.tryAllSteps(t); s.res.hit || w.q.Reason != "" {
		if s.res.touch.atStart { // one solid is inside another
			w.place(t.lo, t.lo, t.lo)
		}
		return
	}
	s.collect(t)
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
		most = max(most, l.BendFrom(q.A, q.Parting)+l.BendFrom(q.B, q.Parting))
	}
	return most
}

// tryAllSteps tries each entry of t, a yes or no the outermost elements first, as what touches
// is mostly there.
func (s *search) tryAllSteps(t pendingInterval) {
	w := s.w
	s.tryBoxes(t)
	n := t.last - t.first
	for i := range n {
		if s.anyTouch {
			i = n - 1 - i
		}
		e, steps := w.arena[t.first+i], w.stepped.apart[i]^lanes.All
		if steps == 0 {
			continue
		}
		if s.trySome(e, steps); s.res.hit || w.q.Out() {
			return
		}
	}
}

// tryBoxes tries the boxes around the elements of all pairs of t: apart are the steps that they
// prove, of every entry.
func (s *search) tryBoxes(t pendingInterval) {
	w := s.w
	p := &w.stepped
	entries := w.arena[t.first:t.last]
	rows := p.startRows
	if t.first > 0 || len(rows) != len(entries) { // not all that a piece starts with
		p.rows = s.appendRows(p.rows[:0], entries)
		rows = p.rows
	}
	p.apart = slices.Grow(p.apart[:0], len(rows))[:len(rows)]
	p.lanes.Apart(rows, p.apart)
	for _, set := range p.apart {
		if set == lanes.All {
			w.q.Work.Proofs++
		}
	}
}

// appendRows appends the rows of each entry's elements, two equal ones where that is no pair of
// whole elements: nothing is apart from itself.
func (s *search) appendRows(rows [][2]int32, entries []entry) [][2]int32 {
	for _, e := range entries {
		of := [2]int32{}
		if e.pair >= 0 && e.a == volume.Whole && e.b == volume.Whole {
			of = s.w.stepped.rowsOf(s.w, e.pair)
		}
		rows = append(rows, of)
	}
	return rows
}

// rowsOf returns the rows of a pair's elements.
func (p *stepped) rowsOf(w *Worker, pair int32) [2]int32 {
	q := w.at.PairOf(pair)
	a, okA := p.lanes.Row(q.A)
	b, okB := p.lanes.Row(q.B)
	if !okA || !okB {
		return [2]int32{}
	}
	return [2]int32{a, b}
}

// trySome tries an entry on some steps; of a group, the members one by one where the whole is
// not proved.
func (s *search) trySome(e entry, steps uint8) {
	w := s.w
	p := &w.stepped
	switch {
	case e.a != volume.Whole || e.pair >= 0 && e.b != volume.Whole: // a part, of earlier work
	case e.pair >= 0:
		steps = s.stepsOfPair(e.pair, steps)
	case e.b == 0:
		steps = s.stepsToWorld(int(^e.pair), steps)
	}
	if steps == 0 || s.res.hit || w.q.Reason != "" {
		return
	}
	switch {
	case e.pair >= 0 && w.at.IsGroup(e.pair):
		for _, i := range w.m.PairsOf[int(e.pair)-len(w.m.Pairs)] {
			s.tryMember(entry{i, volume.Whole, volume.Whole}, steps)
		}
	case e.pair < 0 && w.m.Elements[^e.pair].Members != nil:
		for _, i := range w.m.Elements[^e.pair].Members {
			if w.m.Against[i] != nil {
				s.tryMember(entry{^i, volume.Whole, e.b}, steps)
			}
		}
	default:
		p.left = append(p.left, leftSteps{e, steps})
	}
}

// tryMember tries an entry of a group's member, unless the search has ended.
func (s *search) tryMember(e entry, steps uint8) {
	p := &s.w.stepped
	if s.res.hit || s.w.q.Reason != "" {
		return
	}
	if e.pair >= 0 {
		p.row[0] = p.rowsOf(s.w, e.pair)
		p.lanes.Apart(p.row[:], p.one[:])
		steps &^= p.one[0]
	}
	if steps != 0 {
		s.trySome(e, steps)
	}
}

// collect makes intervals of the runs of steps in which something is left.
func (s *search) collect(t pendingInterval) {
	w := s.w
	p := &w.stepped
	var left uint8
	for _, l := range p.left {
		left |= l.steps
	}
	for left != 0 {
		from := bits.TrailingZeros8(left)
		to := from + bits.TrailingZeros8(^(left >> from))
		run := uint8(1<<to - 1<<from)
		left &^= run
		r := pendingInterval{piece: t.piece, lo: p.lanes.Times[from], hi: p.lanes.Times[to], first: int32(len(w.arena))}
		for _, l := range p.left {
			if l.steps&run != 0 {
				w.arena = append(w.arena, l.e)
			}
		}
		r.last = int32(len(w.arena))
		r.stepped = s.mostBent(w.arena[r.first:]) <= fineBend
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

// inOrder searches an interval in the order of time: its steps at once, then what they leave.
func (s *search) inOrder(t pendingInterval) {
	w := s.w
	if t.stepped || !s.stepsUsable() {
		s.run(t.lo, t.hi, int(t.first), !t.stepped)
		return
	}
	p := &w.stepped
	first := len(p.runs)
	defer func() { p.runs = p.runs[:first] }()
	if s.trySteps(t); s.res.hit || w.q.Reason != "" {
		return
	}
	for i := first; i < len(p.runs); i++ {
		r, last := p.runs[i], len(w.arena)
		w.arena = append(w.arena, w.arena[r.first:r.last]...) // run takes what stands last
		r.first, r.last = int32(last), int32(len(w.arena))
		s.res.proven = r.lo
		s.inOrder(r)
		if w.arena = w.arena[:last]; s.ended(r.hi) {
			return
		}
	}
	s.res.proven = t.hi
}
