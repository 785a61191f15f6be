package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
)

// Which intervals are worth trying. Nothing here proves anything: an interval that is split untried
// costs its halves, one that is tried in vain costs the try.

// long is the length of the intervals of a piece that are split untried where they are
// hopeless and nothing is promised. The whole piece is tried: where there is room, that proves it.
const long = 1. / 4

// tries reports whether the entries arena[first:last] are worth trying on the current interval.
func (s *search) tries(promised bool, first, last int) bool {
	s.ahead.at = math.Inf(1)
	if s.closest != nil {
		return !s.closest.hopeless(s.w)
	}
	return promised || !s.hopeless(first, last)
}

// hopeless reports whether the interval is too long for the outermost element of the entries
// arena[first:last] that may touch the world, so that it is better split untried.
func (s *search) hopeless(first, last int) bool {
	p := s.outermost(first, last)
	return p != nil && p.Far > p.Coarse*(3./4)
}

// roomy reports whether what could not be proved on the current interval has a gap there that is
// large for the motion of that element. Then half of the interval is worth trying. A search for the
// smallest distance has its own rule.
func (s *search) roomy() bool {
	p := s.outer
	return p != nil && s.closest == nil && s.split && s.gap > p.Far*room
}

const room = 1. / 2

// outermost returns the last element of the entries arena[first:last] if it may touch the world.
func (s *search) outermost(first, last int) *place.Element {
	if first == last { // no pair is selected
		return nil
	}
	e := s.w.arena[last-1]
	if e.pair >= 0 {
		return nil
	}
	return s.w.at.Element(int(^e.pair))
}

// worthTrying reports whether a yes or no tries an interval before it probes its middle.
func (s *search) worthTrying(t pendingInterval) bool {
	return t.promised || !s.hopeless(int(t.first), int(t.last))
}

// promises reports whether both halves of an interval are worth trying, of which some entries were
// left, and notes how long an interval is that had little room.
func (s *search) promises(t pendingInterval, left bool) bool {
	if !left || s.roomy() {
		return true
	}
	s.cramped = min(s.cramped, (t.hi-t.lo)/8)
	return false
}

// probed is the minimum length of an interval at whose middle the entries that are left for
// shorter intervals are probed: the first three van der Corput times.
const probed = 1. / 2

// probes reports whether what is left of an interval is probed at its middle: if that is long, or
// something had no gap there.
func (s *search) probes(t pendingInterval) bool { return t.hi-t.lo >= probed || s.suspect }

// Where paths depart from their chords by more than fineBend (m) in a step, shorter steps may prove what is left.
// Of a smallest distance that is an eighth of its tolerance, but not less than finest: to the last micrometre halves
// of time do better.
const (
	fineBend = 0.002
	finest   = 1e-5
)

// fine is up to how far paths depart from their chords in a step where shorter steps are of no use.
func (s *search) fine() float64 {
	if s.closest == nil {
		return fineBend
	}
	if s.atTimes != nil {
		return s.closest.tol
	}
	return min(fineBend, max(s.closest.tol/8, finest))
}
