package spacetime

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Crew is what workers know of each other that share the pieces of one motion. A yes
// or no is shared card by card, as each worker looks at all of its pieces in turn; a
// first contact in the order of time, each worker taking the next piece: what starts
// after somebody's contact is left, what is before it is finished, so that the answer
// is that of the earliest piece whoever is quickest.
//
// Each proves its pieces for the whole motion: containment is asked at the motion's
// own start. So all pieces proved prove the motion.
type Crew struct {
	hands int
	next  atomic.Int64  // the piece to be taken next
	ended atomic.Int64  // the earliest piece that ended the search
	least atomic.Uint64 // the bits of the smallest distance found, which is positive
}

// noPiece is later than any piece.
const noPiece = math.MaxInt64

// NewCrew returns what so many workers are to share for one question.
func NewCrew(hands int) *Crew {
	c := &Crew{hands: hands}
	c.ended.Store(noPiece)
	c.least.Store(math.Float64bits(math.Inf(1)))
	return c
}

// Share is what a worker has found of its pieces.
type Share struct {
	motion.Verdict
	piece int64 // that ended the search, noPiece for none
	cut   bool  // it ended as somebody else had the answer
}

// crewmate is a worker's place in a crew; none outside of CheckShare.
type crewmate struct {
	crew    *Crew
	hand    int
	closest bool // the question is how close the motion comes
}

// isCut is why a worker stops that need not go on.
const isCut = "somebody else has the answer"

// CheckShare does the worker's part, the given one of the crew's hands, of Check.
func (w *Worker) CheckShare(ctx context.Context, b *kin.Course, q motion.Query, c *Crew, hand int) Share {
	w.join(crewmate{crew: c, hand: hand})
	defer w.leave()
	w.begin(ctx, q, time.Now())
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(q)
	s := search{w: w, anyTouch: q.Question == motion.IsFree}
	sh := Share{piece: noPiece}
	if !s.anyTouch || !s.levels(b, nil, &sh.Verdict) {
		w.follow(&s, b, q, &sh.Verdict)
	}
	sh.cut = w.q.Reason == isCut && sh.Status == motion.Undecided
	if sh.Status != motion.Free && !sh.cut {
		sh.piece = int64(w.piece)
		switch {
		case !s.anyTouch:
			lower(&c.ended, sh.piece)
		case sh.Status == motion.Contact:
			lower(&c.ended, -1) // whatever the others look at
		}
	}
	sh.Work = w.q.Work
	return sh
}

// ClosestShare does the worker's part of what follows CheckShare for MinClearance,
// where the motion is free.
func (w *Worker) ClosestShare(ctx context.Context, b *kin.Course, q motion.Query, c *Crew, hand int) Share {
	w.begin(ctx, q, time.Now())
	w.join(crewmate{crew: c, hand: hand, closest: true})
	defer w.leave()
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(q)
	sh := Share{piece: noPiece}
	w.closestApproach(b, q, &sh.Verdict)
	if w.q.Reason != "" {
		sh.piece = 0
	}
	sh.Work = w.q.Work
	return sh
}

// lower makes x at most to.
func lower(x *atomic.Int64, to int64) {
	for {
		was := x.Load()
		if was <= to || x.CompareAndSwap(was, to) {
			return
		}
	}
}

// Rewind lets a crew begin again, with what follows the proof that a motion is free.
func (c *Crew) Rewind() { c.next.Store(0) }

// Merge makes the shares of all hands the answer.
func (c *Crew) Merge(b *kin.Course, shares []Share, yesNo bool) motion.Verdict {
	v := motion.Verdict{Status: motion.Free, ProvenUntil: b.Motion.Duration()}
	ends := slices.Clone(shares)
	slices.SortStableFunc(ends, func(x, y Share) int {
		if yesNo && x.Status != y.Status { // a contact decides, whatever is not decided
			return cmp.Compare(y.Status, x.Status)
		}
		if yesNo && x.Status == motion.Undecided {
			return cmp.Compare(x.ProvenUntil, y.ProvenUntil)
		}
		return cmp.Compare(x.piece, y.piece)
	})
	for i := range ends {
		if !ends[i].cut && ends[i].Status != motion.Free {
			v = ends[i].Verdict
			break
		}
	}
	v.Work = workOf(shares)
	return v
}

// MergeClosest completes v, whose motion is free, with the smallest distance that the
// hands have found.
func (c *Crew) MergeClosest(v *motion.Verdict, shares []Share, q motion.Query) {
	whole := true
	for i := range shares {
		found := &shares[i].MinClearance
		whole = whole && shares[i].piece == noPiece
		if found.Known && (!v.MinClearance.Known || found.Bounds.Hi < v.MinClearance.Bounds.Hi) {
			v.MinClearance = *found
		}
	}
	if v.MinClearance.Known {
		bounds := &v.MinClearance.Bounds
		bounds.Lo = q.Clearance
		if whole {
			bounds.Lo = min(bounds.Hi, max(q.Clearance, bounds.Hi-engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance)))
		}
	}
	work := workOf(shares)
	v.Work.Intervals, v.Work.Proofs, v.Work.Distances = v.Work.Intervals+work.Intervals, v.Work.Proofs+work.Proofs, v.Work.Distances+work.Distances
}

func workOf(shares []Share) (w motion.Work) {
	for i := range shares {
		w.Intervals += shares[i].Work.Intervals
		w.Proofs += shares[i].Work.Proofs
		w.Distances += shares[i].Work.Distances
	}
	return w
}

// isMine reports whether a piece of a yes or no is the worker's.
func (m *crewmate) isMine(piece int) bool { return m.crew == nil || piece%m.crew.hands == m.hand }

// take returns the piece of n to be searched after the last one, n for none.
func (w *Worker) take(last, n int, yesNo bool) int {
	c := w.mate.crew
	switch {
	case c == nil:
		return last + 1
	case yesNo:
		for last++; last < n && !w.mate.isMine(last); last++ {
		}
		return last
	}
	next := c.next.Add(1) - 1
	if next > c.ended.Load() {
		return n
	}
	w.forgetHints()
	return int(min(next, int64(n)))
}

// forgetHints makes what is found of a piece independent of the pieces before: which
// these are is chance.
func (w *Worker) forgetHints() {
	for i := range w.elements {
		w.elements[i].hints = [hintsKept]geom.Vec{}
	}
	for i := range w.pairs {
		w.pairs[i].hasHint = false
	}
}

// join makes the worker one of a crew.
func (w *Worker) join(mate crewmate) {
	w.mate, w.q.Others = mate, w.others
}

func (w *Worker) leave() { w.mate, w.q.Others = crewmate{}, nil }

// askOthers learns what the others have found, and reports whether that ends the
// worker's search.
func (w *Worker) askOthers() bool {
	c := w.mate.crew
	switch {
	case w.mate.closest:
		c.heed(w, &w.closest)
	case c.ended.Load() < int64(w.piece):
		w.q.Reason = isCut
		return true
	}
	return false
}

// share tells the others of a distance that was found.
func (c *Crew) share(distance float64) {
	for c != nil {
		was := c.least.Load()
		if math.Float64frombits(was) <= distance || c.least.CompareAndSwap(was, math.Float64bits(distance)) {
			return
		}
	}
}

// heed lowers w.clearance to what the others' distances leave to be looked for.
func (c *Crew) heed(w *Worker, b *closest) {
	if least := math.Float64frombits(c.least.Load()); least < b.best.Distance {
		w.clearance = min(w.clearance, max(b.floor, least-b.tol))
	}
}
