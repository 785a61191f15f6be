package spacetime

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Share is what a worker has found of its pieces.
type Share struct {
	motion.Verdict
	piece int64 // that ended the search, noPiece for none
	cut   bool  // it ended because another worker had the answer
	keeps bool  // it asked whether pairs keep their Min
}

// CheckShare does the worker's part, the given one of the team's workers, of Check.
func (w *Worker) CheckShare(ctx context.Context, b *kin.Course, q motion.Query, c *Team, index int) Share {
	w.piece = 0 // none is taken yet: begin may ask whether another worker has the answer
	w.join(member{team: c, index: index})
	defer w.leave()
	w.begin(ctx, &q)
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(&q)
	sh := Share{piece: noPiece}
	if err := w.selectRanges(&q.Range, q.NoSelf, q.NoWorld); err != nil {
		return Share{Verdict: motion.Verdict{Reason: err.Error()}}
	}
	s := w.searchFor(b, &q)
	if !s.anyTouch || !s.levels(b, nil, &sh.Verdict) {
		w.follow(&s, b, &q, &sh.Verdict)
	}
	met := sh.Status == motion.Contact
	if s.keep != nil {
		w.stoppedBy(&s, &sh.Verdict)
	}
	sh.keeps = s.keep != nil
	sh.cut = w.q.Reason == isCut && sh.Status == motion.Undecided
	if sh.Status != motion.Free && !sh.cut {
		sh.piece = int64(w.piece)
		switch {
		case !s.anyTouch:
			lower(&c.ended, sh.piece)
		case met:
			lower(&c.ended, -1) // whatever the others look at
		}
	}
	sh.Compute, sh.Work = w.q.End(), w.q.Work
	return sh
}

// ProvePieces tries what pieces of the motion a proof can be shared by, before workers share the others. It gives up at the
// first proof that brings little, and returns what it took.
func (w *Worker) ProvePieces(ctx context.Context, b *kin.Course, q *motion.Query, c *Team) (time.Duration, motion.Work) {
	w.begin(ctx, q)
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.selectPairs(q)
	if w.selectRanges(&q.Range, q.NoSelf, q.NoWorld) == nil {
		w.arena = append(w.arena[:0], w.startGroups...)
		if s := w.searchFor(b, q); s.hasPieces(b) {
			for len(w.pieces.proved) < b.Pieces() && w.pieces.vain == 0 && w.q.Reason == "" {
				s.tryNext(b)
			}
			c.proved = slices.Clone(w.pieces.proved)
		}
	}
	return w.q.End(), w.q.Work
}

// ClosestShare does the worker's part of what follows CheckShare for MinClearance,
// where the motion is free.
func (w *Worker) ClosestShare(ctx context.Context, b *kin.Course, q motion.Query, c *Team, index int) Share {
	w.begin(ctx, &q)
	w.join(member{team: c, index: index, closest: true})
	defer w.leave()
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(&q)
	sh := Share{piece: noPiece}
	if err := w.selectRanges(&q.Range, q.NoSelf, q.NoWorld); err != nil {
		return Share{Verdict: motion.Verdict{Reason: err.Error()}}
	}
	w.closestApproach(b, &q, w.searchFor(b, &q).keep != nil, &sh.Verdict)
	if w.q.Reason != "" {
		sh.piece = 0
	}
	sh.Compute, sh.Work = w.q.End(), w.q.Work
	return sh
}

// Merge makes the shares of all workers the answer.
func (c *Team) Merge(b *kin.Course, shares []Share, yesNo bool) motion.Verdict {
	v := motion.Verdict{Status: motion.Free, ProvenUntil: b.Motion.Duration()}
	yesNo = yesNo || shares[0].keeps
	ends := slices.Clone(shares)
	slices.SortStableFunc(ends, func(x, y Share) int {
		if yesNo && x.Status != y.Status { // a contact decides, whatever is not decided
			return cmp.Compare(y.Status, x.Status)
		}
		if x.MinClearance.Stopped != y.MinClearance.Stopped { // of what is not decided this says most
			if x.MinClearance.Stopped {
				return -1
			}
			return 1
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
	v.Compute, v.Work = computeOf(shares), workOf(shares)
	return v
}

// MergeClosest completes v, whose motion is free, with the smallest distance that the
// workers have found.
func (c *Team) MergeClosest(v *motion.Verdict, shares []Share, q motion.Query) {
	whole := true
	for i := range shares {
		found := &shares[i].MinClearance
		whole = whole && shares[i].piece == noPiece
		if found.Known && (!v.MinClearance.Known || closer(found, &v.MinClearance)) {
			v.MinClearance = *found
		}
	}
	switch {
	case v.MinClearance.Beyond && !whole:
		v.MinClearance = motion.Clearance{}
	case v.MinClearance.Known && !v.MinClearance.Beyond && !v.MinClearance.Stopped:
		bounds := &v.MinClearance.Bounds
		bounds.Lo = q.Clearance
		if whole {
			bounds.Lo = min(bounds.Hi, max(q.Clearance, bounds.Hi-engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance)))
		}
	}
	v.Compute += computeOf(shares)
	work := workOf(shares)
	v.Work.Intervals, v.Work.Proofs, v.Work.Distances = v.Work.Intervals+work.Intervals, v.Work.Proofs+work.Proofs, v.Work.Distances+work.Distances
}

// Left returns the question for what follows the share, with what is left of the
// worker's budget: at least so much that there is one.
func (s *Share) Left(q motion.Query) motion.Query {
	if q.Budget > 0 {
		q.Budget = max(q.Budget-s.Compute, 1)
	}
	return q
}

func computeOf(shares []Share) (sum time.Duration) {
	for i := range shares {
		sum += shares[i].Compute
	}
	return sum
}

// closer reports whether what one worker found decides over what another did.
func closer(a, b *motion.Clearance) bool {
	if a.Stopped != b.Stopped {
		return a.Stopped
	}
	return a.Bounds.Hi < b.Bounds.Hi
}

func workOf(shares []Share) (w motion.Work) {
	for i := range shares {
		w.Intervals += shares[i].Work.Intervals
		w.Proofs += shares[i].Work.Proofs
		w.Distances += shares[i].Work.Distances
	}
	return w
}

// join makes the worker one of a team.
func (w *Worker) join(m member) {
	w.member, w.q.Others = m, w.others
}

func (w *Worker) leave() { w.member, w.q.Others = member{}, nil }

// askOthers reads what the other workers have found, and reports whether that ends the
// worker's search.
func (w *Worker) askOthers() bool {
	c := w.member.team
	switch {
	case w.member.closest && c.stopped.Load():
		w.q.Reason = isCut
		return true
	case w.member.closest:
		c.heed(w, &w.closest)
	case c.ended.Load() < int64(w.piece):
		w.q.Reason = isCut
		return true
	}
	return false
}

// heed lowers what is to be proved to what the others' distances leave to be looked for.
func (c *Team) heed(w *Worker, b *closest) {
	if least := math.Float64frombits(c.least.Load()); least < b.best.Distance {
		b.require(w, least-b.tol)
	}
}
