package spacetime

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Check answers q about the bound motion. It fills what the engine knows of the
// verdict; names of held joints, assumed pairs and the like are the caller's.
//
// Free rests on a proof for every enabled pair that covers each piece of the
// motion without gaps; Contact on a witness and on the proof up to TOC.Lo.
func (w *Worker) Check(ctx context.Context, b *kin.Course, q motion.Query) motion.Verdict {
	begin := time.Now()
	w.begin(ctx, q, begin)
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(q)
	s := search{w: w, anyTouch: q.Question == motion.IsFree}
	v := motion.Verdict{Status: motion.Undecided}
	if !s.anyTouch || !s.levels(b, nil, &v) {
		w.follow(&s, b, q, &v)
	}
	if q.Question == motion.MinClearance && v.Status == motion.Free {
		w.closestApproach(b, q, &v)
	}
	v.Compute = time.Since(begin)
	v.Work = w.q.Work
	return v
}

func (w *Worker) begin(ctx context.Context, q motion.Query, now time.Time) {
	w.clearance, w.rise = q.Clearance, 0
	w.tolerance = engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
	w.arena = w.arena[:0]
	w.spent, w.leaned = 0, false
	w.at.Renew()
	w.q.Begin(ctx, &q, now)
}

// selectPairs notes the pairs that are asked about, and the entries that every
// piece of the motion starts with: the robot's own pairs, and each element that
// may hit something of the world with the root of the world's tree.
func (w *Worker) selectPairs(q motion.Query) {
	selected := [2]bool{q.NoSelf, q.NoWorld}
	if w.isSelected && w.selected == selected {
		return // as the last time
	}
	w.isSelected, w.selected, w.starts = true, selected, w.starts[:0]
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

// follow searches the worker's pieces in their order. A contact that answers a yes or
// no proves nothing of the time before it: workers that share the motion may have
// earlier pieces still open.
func (w *Worker) follow(s *search, b *kin.Course, q motion.Query, v *motion.Verdict) {
	pieces := b.Motion.Pieces
	v.ProvenUntil = 0
	for i := w.take(-1, len(pieces), s.anyTouch); i < len(pieces); i = w.take(i, len(pieces), s.anyTouch) {
		w.load(b, i)
		start, end := pieces[i].Start, pieces[i].End
		s.timeTol = engine.OrDefault(q.TimeTolerance, motion.DefaultTimeTolerance) / (end - start) * 0.999 // the rest is for rounding
		s.res = pieceResult{}
		w.arena = append(w.arena[:0], w.startGroups...)
		s.first = i == 0
		s.run(0, 1, 0)
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

// report turns the traversal's hit on a piece into a Contact.
func (w *Worker) report(s *search, b *kin.Course, piece int, v *motion.Verdict) {
	p := b.Motion.Pieces[piece]
	t := &s.res.touch
	v.Status = motion.Contact
	v.Piece = piece
	v.TOC = motion.Interval{Lo: v.ProvenUntil, Hi: engine.TimeAbove(p.Start, p.End, s.res.hitAt)}
	if w.at.C != s.res.hitAt || w.piece != piece {
		w.place(s.res.hitAt, s.res.hitAt, s.res.hitAt)
	}
	v.Contact = w.witnessOf(t, v.TOC.Hi)
}
