package bisect

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Worker is the scratch of one goroutine: everything a check writes.
type Worker struct {
	// Options may be changed between checks.
	Options Options

	p     *Prepared
	state *kin.State

	// The loaded segment.
	loaded    *Segment
	curves    []kin.Curve
	curveBuf  []float64
	around    []kin.Around
	dofLength []float64
	lengths   lengths
	cache     configCache
	segments  uint64 // made so far

	// What holds for the motion that bound is.
	bound          *kin.Course
	ranges         ranges
	constants      [][]float64 // per element, by place in the chain of its frame
	constantsKnown bool
	varying        bool // they depend on the motion: joints slide, or the root moves
	never          []float64

	volumeConstants []float64 // scratch
	maxAbs          []float64 // per variable: what slacks are for
	slacks          []slack

	// The question.
	pairs     []int32
	order     Order
	clearance float64
	tolerance float64
	maxQueue  int
	clock     engine.Clock

	measured *motion.Motion // that Measure placed the robot by

	greedy greedy
	solids engine.Solids
	stats  Stats
}

// NewWorker returns scratch for one goroutine.
func (p *Prepared) NewWorker() *Worker {
	tree, n := p.m.Tree, len(p.m.Tree.Dofs)
	w := &Worker{p: p, state: kin.NewState(tree)}
	w.curves, w.curveBuf = make([]kin.Curve, n), make([]float64, n*kin.CurveSize(kin.MaxDegree+1))
	w.around, w.dofLength, w.maxAbs = make([]kin.Around, n), make([]float64, n), make([]float64, n)
	w.lengths.joint = make([]float64, len(tree.Frames))
	w.constants = make([][]float64, len(p.objects))
	for i := range w.constants {
		w.constants[i] = make([]float64, len(tree.Chain(p.m.Elements[i].Frame)))
	}
	w.volumeConstants = make([]float64, len(tree.Frames))
	for k := 1; k < len(tree.Frames); k++ {
		w.varying = w.varying || tree.Frames[k].Prismatic || tree.OfRoot(k)
	}
	return w
}

// Stats returns what the last check did.
func (w *Worker) Stats() Stats { return w.stats }

// ask notes a question.
func (w *Worker) ask(ctx context.Context, q *motion.Query) {
	w.stats = Stats{}
	w.pairs = engine.AppendPairs(w.pairs[:0], w.p.m, q)
	w.stats.Pairs = len(w.pairs)
	w.clearance = q.Clearance
	w.tolerance = engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
	w.order = w.Options.Order
	if q.Question != motion.IsFree {
		w.order = EarliestFirst
	}
	w.maxQueue = w.Options.MaxQueue
	if w.maxQueue <= 0 {
		w.maxQueue = defaultQueue
	}
	w.clock.Begin(ctx, q)
	w.loaded, w.bound, w.lengths.of = nil, nil, nil // a course may have been bound to another motion since
}

// Check answers q about the bound motion; its contract is that of spacetime's Check.
// Where the method lacks an ability (Abilities.Lack) the verdict is Undecided and says
// so.
func (w *Worker) Check(ctx context.Context, b *kin.Course, q motion.Query) motion.Verdict {
	w.ask(ctx, &q)
	v := motion.Verdict{}
	switch err := (Engine{}).Abilities().Lack(motion.Bisect, &q); {
	case err != nil:
		v.Reason = err.Error()
	case q.Question == motion.IsFree:
		w.isFree(b, &v)
	default:
		w.firstContact(b, &q, &v)
		if q.Question == motion.MinClearance && v.Status == motion.Free {
			w.closestApproach(b, &q, &v)
		}
	}
	v.Compute = w.clock.End()
	v.Work = motion.Work{Intervals: w.stats.Elements, Proofs: w.stats.BVTests, Distances: w.stats.TriTests}
	return v
}

// isFree looks for any contact, in all pieces at once.
func (w *Worker) isFree(b *kin.Course, v *motion.Verdict) {
	segments := make([]*Segment, 0, b.Pieces())
	for i := b.From.Piece; i < b.Pieces(); i++ {
		segments = append(segments, w.newSegment(b, i, i == b.From.Piece))
	}
	hit := w.testPath(segments)
	v.ProvenUntil = provenUntil(segments)
	switch {
	case hit != nil:
		w.report(hit, v)
	case w.stuck(segments) != "":
		v.Reason = w.stuck(segments)
	default:
		v.Status = motion.Free
	}
}

// stuck returns why the test of segments ended without an answer, if it did.
func (w *Worker) stuck(segments []*Segment) string {
	for _, s := range segments {
		if s.stuck != "" {
			return s.stuck
		}
	}
	return w.clock.Reason
}

// provenUntil returns until when a motion is proved free, rounded down.
func provenUntil(segments []*Segment) float64 {
	for _, s := range segments {
		p := &s.course.Motion.Pieces[s.piece]
		t := s.proven()
		if t < 1 {
			return engine.TimeBelow(p.Start, p.End, t)
		}
	}
	last := segments[len(segments)-1]
	return last.course.Motion.Pieces[last.piece].End
}

// proven returns until when the segment is proved free.
func (s *Segment) proven() float64 {
	switch {
	case !s.whole:
		return s.from
	case s.hit != nil:
		return min(s.hit.t, s.queue.earliest())
	}
	return s.queue.earliest()
}

// firstContact proves piece after piece, from the start on: the elements that start
// earliest come first, what starts after a contact is dropped, and what is left before
// it is cut until the contact is known to within the time tolerance.
//
// Departure. The paper answers yes or no; for the first contact it hints at covering
// the segment from one end to the other (II-E, VII).
func (w *Worker) firstContact(b *kin.Course, q *motion.Query, v *motion.Verdict) {
	for i := b.From.Piece; i < b.Pieces(); i++ {
		s, p := w.newSegment(b, i, i == b.From.Piece), &b.Motion.Pieces[i]
		w.load(s)
		tol := engine.OrDefault(q.TimeTolerance, motion.DefaultTimeTolerance) / (p.End - p.Start) * 0.999 // the rest is for rounding
		w.begin(s)
		for s.begun && s.stuck == "" && !s.settled(tol) && !w.clock.Out() {
			w.step(s)
		}
		v.ProvenUntil = engine.TimeBelow(p.Start, p.End, s.proven())
		switch {
		case s.hit != nil && s.settled(tol):
			w.report(s, v)
			return
		case s.stuck != "":
			v.Reason = s.stuck
			return
		case w.clock.Reason != "":
			v.Reason = w.clock.Reason
			return
		}
	}
	v.Status = motion.Free
	v.ProvenUntil = b.Motion.Pieces[b.Pieces()-1].End
}

// settled reports whether a segment in the order of time needs no more work: nothing is
// left, or nothing that starts earlier than the tolerance before the contact.
func (s *Segment) settled(tol float64) bool {
	if s.queue.Len() == 0 {
		return true
	}
	return s.hit != nil && s.hit.t-s.queue.Top().Value.a <= tol
}

// report turns a segment's touch into a Contact.
func (w *Worker) report(s *Segment, v *motion.Verdict) {
	at := s.seconds(s.hit.t)
	v.Status, v.Piece, v.Reason = motion.Contact, s.piece, ""
	v.TOC = motion.Interval{Lo: min(v.ProvenUntil, at), Hi: at}
	pair := &w.p.m.Pairs[s.hit.pair]
	v.Contact = engine.Witness(w.p.m, pair, &s.hit.at, at, s.hit.poseA, s.hit.poseB)
}
