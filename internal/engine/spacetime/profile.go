package spacetime

import (
	"context"
	"math"
	"slices"
	"sync"

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
	p := profilers.Get().(*profiler)
	defer p.putAway()
	p.w, p.pieces, p.tol = w, b.Motion.Pieces, engine.OrDefault(q.Tolerance, motion.DefaultClearanceTolerance)
	p.limit, p.far = math.Inf(1), math.Inf(1)
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

// profilers are those that are not in use: one has five kilobytes, and room for spans.
var profilers = sync.Pool{New: func() any { return &profiler{} }}

// spansKept is for how many spans a profiler that is not in use keeps room.
const spansKept = 1024

// putAway ends the use of a profiler, which is then as a new one.
func (p *profiler) putAway() {
	spans := p.spans
	clear(spans)
	if *p = (profiler{}); cap(spans) <= spansKept {
		p.spans = spans[:0]
	}
	profilers.Put(p)
}

// finish marks the rest of an incomplete profile as unknown, and hands the spans over.
func (p *profiler) finish() {
	p.out.Reason = p.w.q.Reason
	start, end := p.pieces[0].Start, p.pieces[len(p.pieces)-1].End
	if n := len(p.spans); n > 0 {
		start = p.spans[n-1].End
	}
	if p.out.Reason != "" && start < end {
		inf := math.Inf(1)
		p.spans = append(p.spans, motion.ProfileSpan{Start: start, End: end, Upper: [2]float64{inf, inf}, Unknown: true})
	}
	p.out.Spans = slices.Clone(p.spans)
}
