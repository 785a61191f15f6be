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
func (w *Worker) Check(ctx context.Context, b *kin.Course, q motion.Query) (v motion.Verdict) {
	w.CheckTo(ctx, b, &q, &v)
	return v
}

// CheckTo is Check for a verdict of the caller's, which is large. It was zero.
func (w *Worker) CheckTo(ctx context.Context, b *kin.Course, q *motion.Query, v *motion.Verdict) {
	w.begin(ctx, q)
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(q)
	v.Status = motion.Undecided
	if err := w.selectRanges(&q.Range, q.NoSelf, q.NoWorld); err != nil {
		v.Reason = err.Error()
		return
	}
	s := w.searchFor(b, q)
	if !s.anyTouch || !s.levels(b, nil, v) {
		w.follow(&s, b, q, v)
	}
	if s.keep != nil {
		w.stoppedBy(&s, v)
	}
	if q.Question == motion.MinClearance && v.Status == motion.Free {
		w.closestApproach(b, q, s.keep != nil, v)
	}
	v.Compute = w.q.End()
	v.Work = w.q.Work
}

// NewWorker returns scratch memory for the model.
func NewWorker(m *model.Model) *Worker {
	w := &Worker{}
	w.m, w.at, w.start, w.q, w.room = m, place.New(m), place.NewStart(m), &engine.Question{}, mostWaiting
	w.others, w.stepped.patience = w.askOthers, 4
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
