package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
)

// lower takes a witness; from now on only what may come closer than it by more
// than the tolerance needs to be looked at.
func (b *closest) lower(w *Worker, t engine.PairTouch, at float64) {
	if t.Distance >= b.best.Distance {
		return
	}
	b.best, b.at, b.piece = t, at, b.now
	b.onA, b.onB = w.pointsOf(&t)
	w.clearance = min(w.clearance, max(b.floor, t.Distance-b.tol))
	w.member.team.share(t.Distance)
}

// pointsOf returns a touch's points, each in the frame of its element.
func (w *Worker) pointsOf(t *engine.PairTouch) (onA, onB geom.Vec) {
	p := w.at.Pair(t.Pair)
	return p.A.Pose.ApplyInv(t.A), p.B.Pose.ApplyInv(t.B)
}

// hopeless reports whether the two points that came closest so far show that the
// interval cannot be proved as it is: that even they may come too close, as far as
// the rules can tell. It saves trying; no proof rests on it. Where the points are
// closer now than ever, that is a better bound.
func (b *closest) hopeless(w *Worker) bool {
	if b.best.Pair < 0 {
		return false
	}
	p := w.at.Pair(b.best.Pair)
	pa, pb := p.A.Pose.Apply(b.onA), p.B.Pose.Apply(b.onB)
	n, ok := geom.Unit(r3.Sub(pb, pa))
	if !ok {
		return false
	}
	d := geom.Norm(r3.Sub(pb, pa))
	if d < b.best.Distance {
		b.lower(w, engine.PairTouch{Pair: b.best.Pair, Touch: engine.Touch{A: pa, B: pb, Normal: n, Distance: d}}, w.at.C)
	}
	if d-p.Far > w.clearance {
		return false
	}
	opening := math.Abs(r3.Dot(n, r3.Sub(p.B.Vel.At(pb), p.A.Vel.At(pa))))
	return d-opening*w.at.H-w.at.PairAccelAlong(b.best.Pair, n)*w.at.H*w.at.H/2 <= w.clearance
}
