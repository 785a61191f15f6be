package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// outcome is what an attempt to prove an entry apart came to.
type outcome struct {
	apart bool // on the whole interval
	// gap at c itself beyond the clearance, as far as it is known: where it is
	// positive, the proof may succeed on a shorter interval.
	gap float64
	// searched: found holds the closest points of the two parts' cores at c.
	searched bool
	found    convex.Result
}

// prove tries to prove the parts of e more than w.clearance apart for the whole
// current interval, cheapest rule first. The directions it tries are guesses; the
// proofs are those of proof.go.
// Where cheaply, only what was tried before is tried again.
func (w *Worker) prove(e entry, cheaply bool) outcome {
	q := w.pairOf(e.pair)
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	w.work.Proofs++
	if w.apartInRoot(q) {
		w.noteBalls(entry{e.pair, whole, whole}, ea.Center, eb.Center)
		return outcome{apart: true}
	}
	p := w.pair(e.pair)
	ballA, ra := ballOf(ea, e.a)
	ballB, rb := ballOf(eb, e.b)
	ca, cb := p.a.pose.Apply(ballA), p.b.pose.Apply(ballB)
	x0 := r3.Sub(ca, cb)
	x1 := r3.Sub(p.a.vel.At(ca), p.b.vel.At(cb))
	if apartBalls(x0, x1, w.h, p.accel, p.far, ra+rb, w.clearance, p.slack) ||
		w.h > 0 && geom.Norm(x0) > ra+rb+w.clearance && apartBalls(x0, x1, w.h, w.arc(e.pair, p, ca, cb), p.far, ra+rb, w.clearance, p.slack) {
		w.noteBalls(e, ballA, ballB)
		return outcome{apart: true}
	}

	p.a.core, p.b.core = coreOf(ea, e.a, &w.partA), coreOf(eb, e.b, &w.partB)
	gap := 0.0
	if p.hasHint {
		var apart bool
		if apart, gap = w.apartAlong(e, p, p.direction()); apart {
			return outcome{apart: true}
		}
	}
	if cheaply {
		return outcome{}
	}
	o := outcome{gap: gap}
	inner := canOpen(ea, e.a) && e.a != whole || canOpen(eb, e.b) && e.b != whole
	if n, ok := geom.Unit(r3.Scale(-1, x0)); ok && (inner || !p.hasHint) {
		kept, had := p.hint, p.hasHint
		w.tryHint(e, p, n, &o)
		if inner { // a stepping stone: a guess instead of a search
			p.hint, p.hasHint = kept, had
		}
	}
	if o.apart || inner {
		return o
	}
	w.seek(e, p, roughOf(ea, e.a, p.a.core), roughOf(eb, e.b, p.b.core), &o)
	if o.apart || o.gap > w.tolerance || w.isGroup(e.pair) {
		return o
	}
	w.work.Distances++
	w.search.Dir = p.direction()
	o.searched, o.found = true, convex.Distance(p.a.core, p.a.pose, p.b.core, p.b.pose, &w.search)
	if n, ok := geom.Unit(o.found.Normal); ok && !o.found.Overlap {
		w.tryHint(e, p, n, &o)
	}
	return o
}

// slop is by how much a direction may fall short of the best, where it is only to
// be tried.
const slop = 0.1

// seek guesses a direction with two cores and tries it on the parts themselves.
func (w *Worker) seek(e entry, p *placedPair, a, b *convex.Core, o *outcome) {
	w.work.Distances++
	w.search.Dir = p.direction()
	n, overlap := convex.Toward(a, &p.a.pose, b, &p.b.pose, w.clearance+p.far+p.slack, slop, &w.search)
	if !overlap && n != (geom.Vec{}) {
		w.tryHint(e, p, n, o)
	}
}

// tryHint tries a direction and remembers it.
func (w *Worker) tryHint(e entry, p *placedPair, n geom.Vec, o *outcome) {
	apart, gap := w.apartAlong(e, p, n)
	p.hint, p.hasHint = p.a.pose.R.ApplyInv(n), true
	o.apart, o.gap = apart, max(o.gap, gap)
}

// apartInRoot is the ball rule for the balls of both elements, seen in W: with the
// joints that both chains share it is a weaker proof, but what it needs is known
// of each element alone.
func (w *Worker) apartInRoot(q *model.Pair) bool {
	a, b := w.element(q.A), w.element(q.B)
	x0, x1 := r3.Sub(a.center, b.center), r3.Sub(a.vel, b.vel)
	radii := w.m.Elements[q.A].Radius + w.m.Elements[q.B].Radius
	far, slack := a.far+b.far, a.slack+b.slack+a.tube+b.tube
	if apartBalls(x0, x1, w.h, a.accel+b.accel, far, radii, w.clearance, slack) {
		return true
	}
	return w.h > 0 && geom.Norm(x0) > radii+w.clearance &&
		apartBalls(x0, x1, w.h, w.arcOf(q.A)+w.arcOf(q.B), far, radii, w.clearance, slack)
}

// apartAlong tries both rules that need a direction, and tells by how much more
// than the clearance the parts are apart at c.
func (w *Worker) apartAlong(e entry, p *placedPair, n geom.Vec) (apart bool, gap float64) {
	gap = partedBy(n, &p.a, &p.b, 0, w.clearance, p.slack)
	if apartStill(gap, p.far) {
		w.notePlane(e, n)
		return true, 0
	}
	if w.h == 0 || gap <= 0 && w.rise == 0 {
		return false, gap
	}
	var by float64
	if w.rise == 0 {
		by = partedBy(n, &p.a, &p.b, w.h, w.clearance, p.slack)
	} else {
		before, after := w.clearances()
		gap += w.clearance - (before+after)/2
		by = partedAtEnds(n, &p.a, &p.b, w.h, before, after, p.slack)
	}
	if by > 0 && (bent(w.accelAlong(e.pair, n), w.h) < by || bent(w.bendAlong(e.pair, p, n), w.h) < by) {
		w.notePlane(e, n)
		return true, 0
	}
	return false, gap
}

// arc bounds the acceleration of the difference of two points of a pair, in W at c.
func (w *Worker) arc(i int32, p *placedPair, a, b geom.Vec) float64 {
	w.rate(i, p)
	bend := r3.Sub(kin.AccelerationAt(&p.a.vel, &p.a.rate, a), kin.AccelerationAt(&p.b.vel, &p.b.rate, b))
	return bendOver(geom.Norm(bend), p.jerk, w.h)
}

// roughOf returns what to guess a direction with: fewer points, where the part is a
// hull that stands before a hierarchy; else its core.
func roughOf(e *model.Element, node int32, core *convex.Core) *convex.Core {
	if node == whole && !e.Exact {
		return &e.Rough
	}
	return core
}
