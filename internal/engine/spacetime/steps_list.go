package spacetime

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
)

// What is tried on the steps of an interval: a list of entries, each with its steps.

// enlist appends the entries of t with those of the steps that boxes around the elements leave to be
// tried; for a yes or no the outermost elements first, as what touches is mostly there.
func (s *search) enlist(t pendingInterval, steps uint8) {
	w := s.w
	p := &w.stepped
	entries := w.arena[t.first:t.last]
	s.tryBoxes(entries, t.first == 0)
	for i := range entries {
		if s.anyTouch || s.shared {
			i = len(entries) - 1 - i
		}
		if todo := steps &^ p.apart[i]; todo != 0 {
			p.list = append(p.list, stepsOf{e: entries[i], todo: todo})
		} else {
			w.q.Work.Proofs++
		}
	}
}

// tryBoxes tries the boxes around the elements of all pairs. Of all entries that a piece starts
// with, the rows are kept.
func (s *search) tryBoxes(entries []entry, start bool) {
	w := s.w
	p := &w.stepped
	start = start && len(entries) == len(w.startGroups)
	rows := p.startRows
	if !start || rows == nil {
		p.rows = s.appendRows(p.rows[:0], entries)
		if rows = p.rows; start {
			p.startRows = slices.Clone(rows)
		}
	}
	p.apart = slices.Grow(p.apart[:0], len(entries))[:len(entries)]
	p.lanes.Apart(rows, p.apart)
	clear(p.apart[len(rows):])
}

// appendRows appends the rows of each entry's elements up to the last pair of whole elements, two equal ones for others: nothing is
// apart from itself.
func (s *search) appendRows(rows [][2]int32, entries []entry) [][2]int32 {
	last := 0
	for i, e := range entries {
		of := [2]int32{}
		if e.pair >= 0 && e.a == volume.Whole && e.b == volume.Whole {
			of, last = s.w.stepped.rowsOf(s.w, e.pair), i+1
		}
		rows = append(rows, of)
	}
	return rows[:len(rows)-len(entries)+last]
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

// trySome tries an entry on some steps, and returns those that are not proved. Of a group they
// are tried of each member then, which are added to the list; so is what is left of a pair whose parts are tried.
func (s *search) trySome(i int, steps uint8) (failed uint8) {
	w := s.w
	e, undone := w.stepped.list[i].e, uint8(0)
	switch {
	case e.pair >= 0 && (e.a != volume.Whole || e.b != volume.Whole):
		if s.tryParts(e, steps) {
			return 0
		}
		return steps
	case e.a != volume.Whole: // a part, of earlier work
		return steps
	case e.pair >= 0:
		steps = s.stepsOfPair(e.pair, steps)
	default:
		steps, undone = s.stepsToWorld(int(^e.pair), steps)
	}
	if steps == 0 || s.res.hit || w.q.Reason != "" {
		return steps
	}
	switch {
	case e.pair >= 0 && w.at.IsGroup(e.pair):
		for _, i := range w.m.PairsOf[int(e.pair)-len(w.m.Pairs)] {
			s.addMember(entry{i, volume.Whole, volume.Whole}, steps)
		}
	case e.pair < 0 && w.m.Elements[^e.pair].Members != nil:
		for _, i := range w.m.Elements[^e.pair].Members {
			if w.m.Against[i] != nil {
				s.addMember(entry{^i, volume.Whole, e.b}, steps|undone)
			}
		}
	case e.pair >= 0 && s.atTimes != nil:
		return s.atTimes.partsOfPair(e, steps)
	case e.pair >= 0 && s.tryParts(e, steps):
	case e.pair >= 0 && s.pairCloser(e.pair, steps):
		return s.stepsOfPair(e.pair, steps)
	default:
		w.stepped.list[i].todo |= undone
		return steps
	}
	return 0
}

// addMember adds an entry of a group's member to the list.
func (s *search) addMember(e entry, steps uint8) {
	p := &s.w.stepped
	if e.pair >= 0 {
		p.row[0] = p.rowsOf(s.w, e.pair)
		p.lanes.Apart(p.row[:], p.one[:])
		steps &^= p.one[0]
	}
	p.list = append(p.list, stepsOf{e: e, todo: steps})
}
