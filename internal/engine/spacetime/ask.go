package spacetime

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// begin starts a question; w.q.End ends it.
func (w *Worker) begin(ctx context.Context, q *motion.Query) {
	w.clearance, w.rise = q.Clearance, 0
	w.tolerance = engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
	w.arena, w.pieces = w.arena[:0], pieces{proved: w.pieces.proved[:0]}
	w.spent, w.usedStart, w.loaded = 0, false, 0
	w.at.Renew()
	w.q.Begin(ctx, q)
}

// selectPairs selects the pairs of the query, and the initial entries of every piece of the
// motion: the self pairs, and each element that may touch the world with the root of the
// world's tree.
func (w *Worker) selectPairs(q *motion.Query) {
	selected := [2]bool{q.NoSelf, q.NoWorld}
	if w.isSelected && w.selected == selected {
		return // unchanged since the last query
	}
	w.isSelected, w.selected, w.starts, w.stepped.startRows = true, selected, w.starts[:0], nil
	for i := range w.m.Pairs {
		if !w.m.Pairs[i].World && !q.NoSelf {
			w.starts = append(w.starts, distance.Start(i))
		}
	}
	for i := range w.m.Against {
		if w.m.Against[i] != nil && !q.NoWorld {
			w.starts = append(w.starts, distance.AgainstWorld(i))
		}
	}
	w.selectGroups(!q.NoSelf, !q.NoWorld)
}

// follow searches the worker's pieces in their order. A contact found by IsFree proves nothing
// about the time before it: workers that share the motion may have earlier pieces still open.
func (w *Worker) follow(s *search, b *kin.Course, q *motion.Query, v *motion.Verdict) {
	pieces := b.Motion.Pieces
	v.ProvenUntil = 0
	for i := w.take(b.From.Piece-1, len(pieces), s.anyTouch); i < len(pieces); i = w.take(i, len(pieces), s.anyTouch) {
		start, end := pieces[i].Start, pieces[i].End
		w.arena = append(w.arena[:0], w.startGroups...)
		if s.proves(b, i) {
			v.ProvenUntil = end
			continue
		}
		w.load(b, i)
		s.timeTol = engine.OrDefault(q.TimeTolerance, motion.DefaultTimeTolerance) / (end - start) * 0.999 // the rest is for rounding
		begin := b.Begin(i)
		s.res, s.toward = pieceResult{proven: begin}, convex.Workspace{}
		s.first = i == 0
		s.inOrder(pendingInterval{lo: begin, hi: 1, last: int32(len(w.arena))})
		v.ProvenUntil = engine.TimeBelow(start, end, s.res.proven)
		switch {
		case s.res.hit && s.anyTouch:
			v.ProvenUntil = 0
			w.report(s, b, i, v)
			return
		case s.res.hit && (w.q.Reason == "" || (s.res.hitAt-s.res.proven) <= s.timeTol):
			w.report(s, b, i, v)
			return
		case w.q.Reason != "":
			v.Status, v.Reason = motion.Undecided, w.q.Reason
			return
		case s.res.proven != 1:
			v.Status, v.Reason = motion.Undecided, "the search ended early: a fault of the engine"
			return
		}
	}
	v.Status = motion.Free
	v.ProvenUntil = pieces[len(pieces)-1].End
}

// take returns the next piece of n to search after the last one, n for none.
func (w *Worker) take(last, n int, yesNo bool) int {
	c := w.member.team
	switch {
	case c == nil:
		return last + 1
	case yesNo:
		for last++; last < n && !w.member.isMine(last); last++ {
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

// forgetHints makes the result for a piece independent of the pieces searched before, which
// vary between runs.
func (w *Worker) forgetHints() {
	for i := range w.elements {
		w.elements[i].hints = [hintsKept]geom.Vec{}
	}
	for i := range w.pairs {
		w.pairs[i].hint, w.pairs[i].hasHint = geom.Vec{}, false
	}
}

// searchFor returns the search that decides whether a motion is free. Where pairs have a
// Min, it decides whether each keeps its Min, and any pair that comes closer ends it. Where
// part of the motion is proved apart by no more than the clearance, closestApproach checks
// the Min.
func (w *Worker) searchFor(b *kin.Course, q *motion.Query) search {
	s := search{w: w, anyTouch: q.Question == motion.IsFree}
	if w.ranged.on && w.ranged.hasMin && !w.at.Tubed && b.From == (kin.Instant{}) {
		w.ranged.keep = keepOf(q)
		s.anyTouch, s.ranged, s.keep = true, true, &w.ranged.keep
	}
	return s
}

// stoppedBy turns the contact that a search with a keep reports into what it is: a pair
// that comes closer than its Min, or touches, or both. Else the search has left
// w.clearance at what it last tried to prove.
func (w *Worker) stoppedBy(s *search, v *motion.Verdict) {
	w.clearance, w.tolerance = s.keep.clearance, s.keep.tolerance
	if v.Status != motion.Contact {
		return
	}
	t := &s.res.touch
	if far := t.Distance + w.at.Pair(t.Pair).Slack; far < w.ranged.pairs[t.Pair].Min {
		v.MinClearance = motion.Clearance{Known: true, Stopped: true, Bounds: motion.Interval{Hi: far}, At: v.Contact}
	}
	if t.Distance > w.clearance+w.tolerance {
		v.Status, v.Contact, v.Piece, v.TOC, v.Reason = motion.Undecided, motion.Witness{}, 0, motion.Interval{}, isStopped
	}
}
