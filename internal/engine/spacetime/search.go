package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// waits reports whether a group that has a gap is to wait for a shorter interval
// rather than to be opened: it moves much for its size.
func waits(gap, far, size float64) bool { return gap > 0 && far > size/2 }

// pieceResult is what the traversal of one polynomial piece has found; times are
// in the piece's parameter.
type pieceResult struct {
	proven float64 // apart on [0, proven)
	hit    bool
	hitAt  float64 // where hit: the earliest time with a witness
	touch  touch
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
	// distance: a witness lowers what is to be proved instead of ending anything.
	closest *closest
	// atTimes, where not nil, takes what is left on steps: what is to be proved changes from time to time.
	atTimes atTimes
	// keep, where not nil, makes the pairs' distance ranges what is to be proved of
	// each: a pair closer than its Min is a witness.
	keep   *keep
	ranged bool // entries differ in what is to be proved of them
	shared bool // several motions share the lanes

	hasty   bool    // the first entry that is not proved by what was known before ends filter
	cramped float64 // longer intervals have little room

	first bool // this is the motion's first piece, and its start was not looked at

	// Of the interval being filtered:
	split   bool           // something was not proved that a shorter interval may
	gapped  bool           // what was not proved first has a gap at c
	gap     float64        // that gap, if it is known
	outer   *place.Element // the outermost element that may touch the world
	suspect bool           // something was found without a gap at c, and not looked into
	ahead   prediction     // of the first that was not proved

	leaves entry            // of the witness
	toward convex.Workspace // of pinpoint
}

// atTimes tries what is left on steps where each of their times has its own clearance.
type atTimes interface {
	// partsOfPair returns those of some steps in which parts of a pair are not proved apart, which was tried as a whole.
	partsOfPair(e entry, steps uint8) (left uint8)
	// partsToItem is likewise for an element and an item of the world, which were tried along n.
	partsToItem(element int, item int32, n geom.Vec, steps uint8) (left uint8)
}

// prediction says when something that was not proved apart is to touch.
type prediction struct {
	at    float64 // +Inf if never
	doubt float64 // by how much that may be wrong
	safe  float64 // until when it does not
	of    entry   // what is to touch
	parts bool    // it has smaller parts, which touch later or not at all
}

// progress is what becomes of an entry of a front.
type progress uint8

const (
	unproved progress = iota // not proved; it stays in the front
	apart                    // proved for the interval
	opened                   // smaller entries stand behind it now
)

// minWidth is the shortest interval looked at; c - lo and hi - c keep some 2^10
// units in the last place.
const minWidth = 0x1p-42

// nearStart is how short the first interval must be before the start itself is
// looked at: a motion that starts in contact has no time before it.
const nearStart = 1. / 8

// tooShort is why a search ends there.
const tooShort = "an interval of time cannot be split further: the pair is within rounding of the clearance"

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

// deferring reports whether an entry is only worth a cheap try: the first that
// fails shows that the interval must be split. Unless that is an instant, which
// cannot be split and where the containment of every pair must be settled.
func (s *search) deferring() bool { return s.split && (s.w.at.H > 0 || s.res.hit) }

// predict notes when the gap of an entry closes that at c closes at the given rate, which is
// negative where it opens, and until when it surely does not. Where that is within
// the interval, it is worth a look: the motion may collide there. Of what has smaller parts it is
// where a proof of the whole ends.
func (s *search) predict(e entry, parts bool, gap, rate, accel float64) {
	if rate == 0 || !math.IsInf(s.ahead.at, 1) {
		return
	}
	after := gap / rate
	if !(math.Abs(after) < s.w.at.H) {
		return
	}
	// Half the tolerance is left, or there would be nothing to prove before.
	left := min(s.w.tolerance/2, gap/2)
	s.ahead = prediction{
		at:    s.w.at.C + after,
		doubt: min(max(accel*after*after, left)/math.Abs(rate), math.Abs(after)/2),
		safe:  s.w.at.C + rules.SafeStep(gap-left, rate, accel),
		of:    e,
		parts: parts,
	}
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

// failed notes that something was not proved that has the given gap at c.
func (s *search) failed(gap float64) {
	if !s.split {
		s.split, s.gapped, s.gap = true, gap > s.w.tolerance, gap
	}
}
