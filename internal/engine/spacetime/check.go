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

// Check answers q about the bound motion. It fills what the engine knows of the
// verdict; names of held joints, assumed pairs and the like are the caller's.
//
// Free rests on a proof for every enabled pair that covers each piece of the
// motion without gaps; Contact on a witness and on the proof up to TOC.Lo.
func (w *Worker) Check(ctx context.Context, b *kin.Course, q motion.Query) motion.Verdict {
	w.begin(ctx, q)
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
	v.Compute = w.q.End()
	v.Work = w.q.Work
	return v
}

// NewWorker returns scratch for the model.
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

// Bind ties a motion to the tree as kin.Bind does, where the rows of the joints are
// known (kin.Tree.Rows). It reuses what the worker bound before.
func (w *Worker) Bind(m *motion.Motion, state []float64, rows []int) *kin.Course {
	w.bound.Bind(w.m.Tree, m, state, rows)
	return &w.bound
}
