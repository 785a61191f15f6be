package spacetime

import (
	"slices"
)

// frontier is the proved and unproved part of a piece.
type frontier struct {
	key       []float64         // all its numbers
	left      []pendingInterval // what is not proved; their entries are entries[first:last]
	entries   []entry
	usesStart bool // its proof used containment at the motion's start
	hit       bool // it is in contact
	hitAt     float64
	touch     touch
	asked     uint64 // the last question that included it
	counted   int    // its part of Fronts.weight
}

func (f *frontier) weight() int { return len(f.key) + 2*len(f.entries) + 3*len(f.left) + 32 }

// mostKept bounds the weight of the pieces that Fronts keep besides those of the last path,
// and of one piece: some megabytes.
const mostKept = 1 << 18

// goOn queues the unproved part of each piece, the longest intervals first.
func (w *Worker) goOn(known []*frontier) {
	all := int32(len(w.arena))
	for i, k := range known {
		first := int32(len(w.arena))
		w.arena = append(w.arena, k.entries...)
		for _, t := range k.left {
			t.piece, t.first, t.last = int32(i), t.first+first, t.last+first
			if len(k.entries) == 0 { // not yet begun
				t.first, t.last = 0, all
			}
			w.waiting = append(w.waiting, t)
		}
	}
	slices.SortStableFunc(w.waiting, func(a, b pendingInterval) int {
		switch x, y := a.hi-a.lo, b.hi-b.lo; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
}

// note records the result of a search of the piece: a contact, and whether it used containment
// at the start.
func (k *frontier) note(s *search) {
	if s.res.hit && !s.res.touch.atStart {
		k.hit, k.hitAt, k.touch = true, s.res.hitAt, s.res.touch
	}
	k.usesStart = k.usesStart || s.w.usedStart
	s.w.usedStart = false
}

// keep records in known the unproved part of each piece, the intervals from waiting[at:] on.
func (w *Worker) keep(known []*frontier, at int) {
	if known == nil {
		return
	}
	for _, k := range known {
		k.left, k.entries = nil, nil
	}
	for _, t := range w.waiting[at:] {
		k := known[t.piece]
		if n := len(k.left); n > 0 && k.left[n-1].last < 0 {
			continue // too much is left: start again
		}
		if k.weight() > mostKept {
			k.left, k.entries = append(k.left[:0], pendingInterval{lo: 0, hi: 1, last: -1}), nil
			continue
		}
		first := int32(len(k.entries))
		k.entries = append(k.entries, w.arena[t.first:t.last]...)
		t.first, t.last = first, int32(len(k.entries))
		k.left = append(k.left, t)
	}
}
