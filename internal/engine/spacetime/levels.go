package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// levels answers IsFree: it searches all intervals of one length, of all pieces, before any
// shorter one. Their middles are the van der Corput times, so a motion that collides during a
// large part of its length shows it at one of the first (SSL04, section VI), and the proofs on
// the way are kept. It returns false without an answer if too many intervals wait: a search in
// the order of time needs no memory for them.
//
// known, if given, holds the unproved part of each piece, and is updated.
func (s *search) levels(b *kin.Course, known []*frontier, v *motion.Verdict) bool {
	w := s.w
	pieces := b.Motion.Pieces
	w.arena = append(w.arena[:0], w.startGroups...)
	w.waiting = w.waiting[:0]
	if known != nil {
		w.goOn(known)
	} else {
		for i := b.From.Piece; i < len(pieces); i++ {
			if w.member.isMine(i) {
				w.waiting = append(w.waiting, pendingInterval{int32(i), b.Begin(i), 1, 0, int32(len(w.arena)), false, false})
			}
		}
	}
	s.first, s.cramped = true, 1
	loaded := int32(-1)
	for at := 0; at < len(w.waiting); at++ {
		t := w.waiting[at]
		if known == nil && t.lo == 0 && t.hi == 1 {
			if loaded = -1; s.proves(b, int(t.piece)) {
				continue
			}
		}
		if t.piece != loaded {
			w.load(b, int(t.piece))
			loaded = t.piece
		}
		s.level(t)
		if known != nil {
			known[t.piece].note(s)
		}
		switch {
		case s.res.hit:
			v.ProvenUntil = 0
			if s.res.touch.atStart {
				t.piece = 0
			}
			w.report(s, b, int(t.piece), v)
			w.keep(known, at)
			return true
		case w.q.Reason != "":
			v.Status, v.Reason = motion.Undecided, w.q.Reason
			v.ProvenUntil = w.provenBefore(b, at)
			w.keep(known, at)
			return true
		case len(w.waiting)-at > w.room+len(pieces):
			s.first = false
			return false
		}
	}
	w.keep(known, len(w.waiting))
	v.Status = motion.Free
	v.ProvenUntil = pieces[len(pieces)-1].End
	return true
}

// mostWaiting is the default of Worker.room: some ten megabytes.
const mostWaiting = 1 << 16

// level filters one interval and queues its halves if that did not suffice.
func (s *search) level(t pendingInterval) {
	w := s.w
	first := int32(len(w.arena))
	if s.first && t.piece == 0 && t.lo == 0 && t.hi <= nearStart {
		s.first = false
		if s.touches(0, int(t.first), int(t.last)) {
			return
		}
	}
	c := t.lo + (t.hi-t.lo)/2
	if s.worthSteps(&t) {
		w.stepped.runs = w.stepped.runs[:0]
		s.trySteps(t)
		w.waiting = append(w.waiting, w.stepped.runs...)
		return
	}
	w.place(c, t.lo, t.hi)
	var at float64
	promised, over := false, false
	switch {
	case s.worthTrying(t):
		at, promised, over = s.filterAndProbe(t)
	case s.probe(int(t.first), int(t.last)):
		over = true
	case t.hi-t.lo <= s.cramped:
		w.place(c, t.lo, t.hi)
		promised = s.glance(t)
	default:
		w.halve(t, c, t.first, t.last, false)
		return
	}
	if over || s.res.hit || w.q.Reason != "" {
		return
	}
	last := int32(len(w.arena))
	if last == first {
		return
	}
	if at > t.lo && at < t.hi && s.touches(at, int(first), int(last)) {
		return
	}
	if t.hi-t.lo < minWidth {
		w.q.Reason = tooShort
		return
	}
	w.halve(t, c, first, last, promised)
}

// halve queues both halves of an interval with the entries arena[first:last].
func (w *Worker) halve(t pendingInterval, c float64, first, last int32, promised bool) {
	w.waiting = append(w.waiting, pendingInterval{t.piece, t.lo, c, first, last, promised, t.stepped}, pendingInterval{t.piece, c, t.hi, first, last, promised, t.stepped})
}

// filterAndProbe filters the entries of an interval and probes the remaining ones at its middle, if it is
// long or one of them had no gap there. It returns the time at which a remaining entry is
// predicted to touch, whether both halves are worth trying, and whether the search is over.
func (s *search) filterAndProbe(t pendingInterval) (predicted float64, promised, over bool) {
	w := s.w
	from := len(w.arena)
	s.filter(int(t.first), int(t.last))
	predicted = s.ahead.at
	if s.res.hit || w.q.Reason != "" {
		return predicted, false, true
	}
	promised = s.promises(t, len(w.arena) > from)
	if !s.suspect && s.gapped {
		from++ // the first remaining entry has a gap
	}
	return predicted, promised, s.probes(t) && s.probe(from, len(w.arena))
}

// glance filters the entries of an interval until the first that what was known before does not
// prove. Where there is room it proves all, by directions that a probe of the middle found; elsewhere it
// costs little. It reports whether both halves are worth trying.
func (s *search) glance(t pendingInterval) (promised bool) {
	from := len(s.w.arena)
	s.hasty = true
	s.filter(int(t.first), int(t.last))
	s.hasty = false
	return s.promises(t, len(s.w.arena) > from)
}

// probe tests the entries arena[first:last] at the middle of the current interval only. The
// current interval is lost.
func (s *search) probe(first, last int) bool {
	w := s.w
	switch {
	case first >= last:
		return false
	case w.at.Tubed: // the deviations were computed for the whole interval
		return s.touches(w.at.C, first, last)
	}
	mark := len(w.arena)
	w.at.Still()
	s.filter(first, last)
	w.arena = w.arena[:mark]
	return s.res.hit || w.q.Reason != ""
}

// provenBefore returns the time before which no interval waits.
func (w *Worker) provenBefore(b *kin.Course, from int) float64 {
	first := math.Inf(1)
	for _, t := range w.waiting[from:] {
		p := b.Motion.Pieces[t.piece]
		first = min(first, engine.TimeBelow(p.Start, p.End, t.lo))
	}
	return first
}
