package spacetime

import (
	"context"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Profile bounds the smallest distance of the bound motion over time. It fails on a
// tolerance or limit that is negative or not a number.
func (w *Worker) Profile(ctx context.Context, b *kin.Course, q motion.ProfileQuery) (motion.DistanceProfile, error) {
	if err := q.Validate(); err != nil {
		return motion.DistanceProfile{}, err
	}
	w.begin(ctx, &motion.Query{Budget: q.Budget, Deadline: q.Deadline})
	w.at.Stray(nil)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(&motion.Query{NoSelf: q.NoSelf, NoWorld: q.NoWorld})
	if err := w.selectRanges(&q.Range, q.NoSelf, q.NoWorld); err != nil {
		return motion.DistanceProfile{}, err
	}
	w.Forget()
	w.expect()
	p := profiler{w: w, pieces: b.Motion.Pieces, tol: engine.OrDefault(q.Tolerance, motion.DefaultClearanceTolerance), limit: math.Inf(1), far: math.Inf(1)}
	if w.ranged.on {
		p.limit, p.far = w.ranged.largest, w.ranged.smallest
		w.ranged.keep = keep{less: p.tol}
		w.Within(w.ranged.farthest)
		defer w.Within(nil)
	}
	for p.piece = range p.pieces {
		if w.load(b, p.piece); w.q.Out() {
			break // a later span would stand for what is left of this piece, too
		}
		if !p.tryWhole(0, 1) && !p.onSteps(0, 1) {
			p.halve(0, 1)
		}
	}
	w.rise = 0
	p.finish()
	p.out.Compute, p.out.Work = w.q.End(), w.q.Work
	return p.out, nil
}

// finish marks the rest of an incomplete profile as unknown.
func (p *profiler) finish() {
	p.out.Reason = p.w.q.Reason
	start, end := p.pieces[0].Start, p.pieces[len(p.pieces)-1].End
	if n := len(p.out.Spans); n > 0 {
		start = p.out.Spans[n-1].End
	}
	if p.out.Reason != "" && start < end {
		inf := math.Inf(1)
		p.out.Spans = append(p.out.Spans, motion.ProfileSpan{Start: start, End: end, Upper: [2]float64{inf, inf}, Unknown: true})
	}
}
