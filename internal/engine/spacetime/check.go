package spacetime

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Check answers q about the bound motion. It fills in the engine's part of the verdict; the
// caller adds names of held joints, assumed pairs and the like.
//
// Free rests on a proof for every enabled pair that covers each piece of the motion without
// gaps; Contact on a witness and on the proof up to TOC.Lo.
func (w *Worker) Check(ctx context.Context, b *kin.Course, q motion.Query) motion.Verdict {
	w.begin(ctx, q)
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(q)
	v := motion.Verdict{Status: motion.Undecided}
	if err := w.selectRanges(&q.Range, q.NoSelf, q.NoWorld); err != nil {
		v.Reason = err.Error()
		return v
	}
	s := w.searchFor(b, &q)
	if !s.anyTouch || !s.levels(b, nil, &v) {
		w.follow(&s, b, q, &v)
	}
	if s.keep != nil {
		w.stoppedBy(&s, &v)
	}
	if q.Question == motion.MinClearance && v.Status == motion.Free {
		w.closestApproach(b, q, s.keep != nil, &v)
	}
	v.Compute = w.q.End()
	v.Work = w.q.Work
	return v
}

// searchFor returns the search that answers whether a motion is free. Where pairs have a
// Min it is about that, and a yes or no: whoever comes closer ends it. Where part of the
// motion is proved apart by no more than the clearance, closestApproach sees to the Min.
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

// NewWorker returns scratch memory for the model.
func NewWorker(m *model.Model) *Worker {
	w := &Worker{}
	w.m, w.at, w.start, w.q, w.room = m, place.New(m), place.NewStart(m), &engine.Question{}, mostWaiting
	w.others = w.askOthers
	w.Searcher = distance.NewAt(w.at, w.q)
	w.elements = make([]elementMemory, len(m.Elements))
	w.pairs = make([]pairMemory, len(m.Pairs)+len(m.GroupPairs))
	w.everything = make([]int32, m.Real-int(m.First))
	return w
}

// Bind is like kin.Bind with known rows of the joints (kin.Tree.Rows). It reuses the memory of
// the worker's last course.
func (w *Worker) Bind(m *motion.Motion, state []float64, rows []int) *kin.Course {
	w.bound.Bind(w.m.Tree, m, state, rows)
	return &w.bound
}
