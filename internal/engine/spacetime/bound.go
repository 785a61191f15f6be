package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
)

// lower takes a witness. From then on only pairs that may come closer by more than the
// tolerance need to be examined.
func (b *closest) lower(w *Worker, t engine.PairTouch, at float64) {
	if w.ranged.on && b.settled(w, &t, at) || t.Distance >= b.best.Distance {
		return
	}
	b.take(w, &t, at)
	b.require(w, t.Distance-b.tol)
	w.member.team.share(t.Distance)
}

// take makes a witness the best one.
func (b *closest) take(w *Worker, t *engine.PairTouch, at float64) {
	p := w.at.Pair(t.Pair)
	b.best, b.at, b.piece, b.stamp = *t, at, b.now, w.at.Stamp()
	b.poseA, b.poseB = p.A.Pose, p.B.Pose
	b.onA, b.onB = b.poseA.MoveBack(t.A), b.poseB.MoveBack(t.B)
}

// require lowers the distance to prove, but not below the known bound.
func (b *closest) require(w *Worker, distance float64) {
	b.need = min(b.need, max(b.floor, distance))
	w.clearance = min(w.clearance, b.need)
}

// settled reports whether a witness is irrelevant for the smallest distance: its pair is
// beyond its Max, or closer than its Min, which ends the search.
func (b *closest) settled(w *Worker, t *engine.PairTouch, at float64) bool {
	r := w.ranged.pairs[t.Pair]
	if t.Distance+w.at.Pair(t.Pair).Slack < r.Min {
		b.take(w, t, at)
		b.stopped = true
		if w.q.Reason == "" {
			w.q.Reason = isStopped
		}
		w.member.team.stop()
	}
	return b.stopped || t.Distance > r.Max+b.beyond
}

// aim sets the distance that an entry must be proved to keep, if pairs have distance ranges.
func (s *search) aim(e entry) {
	w, b := s.w, s.closest
	r := w.rangeOf(e)
	if b == nil {
		w.clearance, w.tolerance = s.keep.of(r.Min)
		return
	}
	least := 0.0
	if b.keep != nil {
		least, _ = b.keep.of(r.Min)
	}
	if r.Max < b.need {
		w.clearance, w.rise = max(r.Max, least), 0
		return
	}
	before, after := max(least, b.need-max(0, b.rise)), max(least, b.need-max(0, -b.rise))
	w.clearance, w.rise = max(before, after), after-before
}

// hopeless reports whether the two points that came closest so far show that the interval
// cannot be proved as a whole: that even they may come too close, as far as the rules can
// tell. It saves attempts; no proof depends on it. If the points are closer now than ever,
// that is a better bound.
func (b *closest) hopeless(w *Worker) bool {
	if b.best.Pair < 0 {
		return false
	}
	p := w.at.Pair(b.best.Pair)
	pa, pb := p.A.Pose.Move(b.onA), p.B.Pose.Move(b.onB)
	n, ok := geom.Unit(r3.Sub(pb, pa))
	if !ok {
		return false
	}
	d := geom.Norm(r3.Sub(pb, pa))
	if d < b.best.Distance {
		b.lower(w, engine.PairTouch{Pair: b.best.Pair, Touch: engine.Touch{A: pa, B: pb, Normal: n, Distance: d}}, w.at.C)
	}
	if d-p.Far > b.need {
		return false
	}
	opening := math.Abs(r3.Dot(n, r3.Sub(p.B.Vel.At(pb), p.A.Vel.At(pa))))
	return d-opening*w.at.H-w.at.PairAccelAlong(b.best.Pair, n)*w.at.H*w.at.H/2 <= b.need
}
