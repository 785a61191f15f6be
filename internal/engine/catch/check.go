package catch

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// ZRLK07, section 4: the stages of the method, for one piece of the motion after the
// other. The paper's motions have a single piece, from one frame of an animation to the
// next.

// Check answers q about the motion, a query that the engine supports (Abilities.Lack). It
// fills what the engine knows of the verdict; names of held joints, assumed pairs and
// the like are the caller's.
//
// Free rests on a proof for every pair that is asked about that covers each piece of the
// motion without gaps; Contact on a witness and on the proof up to TOC.Lo.
func (w *Worker) Check(ctx context.Context, b *kin.Course, q motion.Query) motion.Verdict {
	v := motion.Verdict{Status: motion.Undecided}
	w.begin(ctx, &q)
	if err := (Engine{}).Abilities().Lack(motion.Catch, &q); err != nil {
		w.clock.Reason = err.Error()
	}
	w.reachFor(b)
	w.follow(b, &q, &v)
	v.Compute = w.clock.End()
	v.Work = motion.Work{Intervals: w.stats.HullSteps + w.stats.Steps + w.stats.Probes, Proofs: w.stats.VolumePairs, Distances: w.stats.Distances}
	return v
}

func (w *Worker) begin(ctx context.Context, q *motion.Query) {
	w.stats = Stats{}
	w.clock.Begin(ctx, q)
	w.clearance = q.Clearance
	w.tolerance = engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
	w.anyTouch = q.Question == motion.IsFree
	w.noSelf, w.noWorld = q.NoSelf, q.NoWorld
	w.asked = engine.AppendPairs(w.asked[:0], w.m, q)
	w.control = control
	if w.Options.NoControl {
		w.control = 1
	}
}

// follow checks the pieces in their order.
func (w *Worker) follow(b *kin.Course, q *motion.Query, v *motion.Verdict) {
	for i := b.From.Piece; i < len(b.Motion.Pieces); i++ {
		p := &b.Motion.Pieces[i]
		w.from = b.Begin(i)
		// In parts of the piece, what is left for rounding taken off.
		w.timeTol = engine.OrDefault(q.TimeTolerance, motion.DefaultTimeTolerance) / (p.End - p.Start) * 0.999
		w.hit = false
		w.pcls = w.pcls[:0]
		if !w.clock.Look() {
			w.load(b, i)
			w.stages(i == b.From.Piece)
		} else {
			w.pcls = append(w.pcls, pcl{lower: w.from}) // nothing is proved after it
		}
		if !w.conclude(b, i, v) {
			return
		}
	}
	v.Status = motion.Free
}

// conclude notes what the stages have shown of a piece, and reports whether it is free.
func (w *Worker) conclude(b *kin.Course, piece int, v *motion.Verdict) (free bool) {
	p := &b.Motion.Pieces[piece]
	proven := w.proven()
	v.ProvenUntil = engine.TimeBelow(p.Start, p.End, proven)
	switch {
	case w.hit && (w.anyTouch || w.touch.time-proven <= w.timeTol):
		w.report(b, piece, min(proven, w.touch.time), v)
	case w.clock.Reason != "":
		v.Status, v.Reason = motion.Undecided, w.clock.Reason
	case w.hit || proven < 1:
		v.Status, v.Reason = motion.Undecided, "the search ended early: a fault of the engine"
	default:
		v.ProvenUntil = p.End
		return true
	}
	return false
}

// stages runs the method on the piece that is loaded.
func (w *Worker) stages(first bool) {
	w.stats.Pieces++
	w.stats.Pairs += len(w.asked)
	w.timed(&w.stats.CPU.Spatial, w.cull)
	for i := range w.pcls {
		w.pcls[i].lower = w.from
	}
	w.stats.PCLs += len(w.pcls)
	w.first = first
	if w.anyTouch && !w.Options.NoProbes {
		if w.timed(&w.stats.CPU.Advance, w.probe); w.hit {
			return
		}
	}
	if w.Options.Simultaneous {
		w.timed(&w.stats.CPU.Advance, w.advanceTogether)
		return
	}
	w.timed(&w.stats.CPU.Hulls, w.hullsFirst)
	if !w.hit || !w.anyTouch {
		w.timed(&w.stats.CPU.Advance, w.advanceAll)
	}
}

// hullsFirst advances the hulls of all pairs. Pairs whose hulls are not apart at the
// motion's start may have one body inside the other, which shapes do not tell.
func (w *Worker) hullsFirst() {
	for i := range w.pcls {
		p := &w.pcls[i]
		if !w.Options.NoHulls {
			w.advanceHulls(p)
		}
		if p.lower >= 1 {
			w.stats.ClearedByHulls++
		}
		if w.first && !p.parted {
			w.startInside(p)
		}
	}
}

// startInside takes note if one body of the pair lies inside the other where the piece
// starts.
func (w *Worker) startInside(p *pcl) {
	q := &w.m.Pairs[p.pair]
	a, b := &w.m.Elements[q.A], &w.m.Elements[q.B]
	if a.Exact && b.Exact {
		return // what is measured is the solids themselves
	}
	w.stand(0, 0, 0)
	inside, at, ok := w.solids.Inside(a, &w.place(q.A).pose, b, &w.place(q.B).pose)
	switch {
	case !ok:
		w.clock.Reason = "cannot tell whether one mesh lies inside the other"
	case inside:
		w.found(&touch{pair: p.pair, a: at, b: at})
	}
}

// report turns a touch on a piece into a Contact.
func (w *Worker) report(b *kin.Course, piece int, proven float64, v *motion.Verdict) {
	p := &b.Motion.Pieces[piece]
	t := &w.touch
	v.Status, v.Piece = motion.Contact, piece
	v.ProvenUntil = engine.TimeBelow(p.Start, p.End, proven)
	v.TOC = motion.Interval{Lo: v.ProvenUntil, Hi: engine.TimeAbove(p.Start, p.End, t.time)}
	w.stand(t.time, 0, t.time)
	q := &w.m.Pairs[t.pair]
	found := engine.Touch{A: t.a, B: t.b, Normal: t.normal, Distance: t.distance}
	v.Contact = engine.Witness(w.m, q, &found, v.TOC.Hi, w.place(q.A).pose, w.place(q.B).pose)
}
