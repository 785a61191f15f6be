package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/model"
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
	q := &w.m.Pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	w.work.Proofs++
	if w.apartInRoot(q) {
		return outcome{apart: true}
	}
	p := w.pair(e.pair)
	ballA, ra := ballOf(ea, e.a)
	ballB, rb := ballOf(eb, e.b)
	ca, cb := p.a.pose.Apply(ballA), p.b.pose.Apply(ballB)
	x0 := r3.Sub(ca, cb)
	x1 := r3.Sub(p.a.vel.At(ca), p.b.vel.At(cb))
	if apartBalls(x0, x1, w.h, p.accel, p.far, ra+rb, w.clearance, p.slack) {
		return outcome{apart: true}
	}

	p.a.core, p.b.core = coreOf(ea, e.a, &w.partA), coreOf(eb, e.b, &w.partB)
	gap := 0.0
	if p.hasHint {
		var apart bool
		if apart, gap = w.apartAlong(e.pair, p, p.hint); apart {
			return outcome{apart: true}
		}
	}
	if cheaply {
		return outcome{}
	}
	if canOpen(ea, e.a) && e.a != whole || canOpen(eb, e.b) && e.b != whole {
		// An inner node is a stepping stone: a guess instead of a search.
		if n, ok := geom.Unit(r3.Scale(-1, x0)); ok {
			apart, g := w.apartAlong(e.pair, p, n)
			return outcome{apart: apart, gap: math.Max(gap, g)}
		}
		return outcome{gap: gap}
	}
	w.work.Distances++
	w.search.Dir = p.hint
	found := convex.Distance(p.a.core, p.a.pose, p.b.core, p.b.pose, &w.search)
	if n, ok := geom.Unit(found.Normal); ok && !found.Overlap {
		apart, g := w.apartAlong(e.pair, p, n)
		if p.hint, p.hasHint = n, true; apart {
			return outcome{apart: true}
		}
		gap = math.Max(gap, g)
	}
	return outcome{gap: gap, searched: true, found: found}
}

// apartInRoot is the rule of displacement for the balls of both elements, seen in
// W: with the joints that both chains share it is a weaker proof, but what it
// needs is known of each element alone.
func (w *Worker) apartInRoot(q *model.Pair) bool {
	a, b := w.element(q.A), w.element(q.B)
	need := a.far + b.far + w.m.Elements[q.A].Radius + w.m.Elements[q.B].Radius + w.clearance + a.slack + b.slack
	return geom.Norm(r3.Sub(a.center, b.center)) > need*(1+16*u)
}

// apartAlong tries both rules that need a direction, and tells by how much more
// than the clearance the parts are apart at c.
func (w *Worker) apartAlong(pair int32, p *placedPair, n geom.Vec) (apart bool, gap float64) {
	if apartStill(n, &p.a, &p.b, p.far, w.clearance, p.slack) {
		return true, 0
	}
	if w.h == 0 {
		return false, 0
	}
	if apartHalfSpace(n, &p.a, &p.b, w.h, w.accelAlong(pair, n), w.clearance, p.slack) {
		return true, 0
	}
	return false, -gapAt(n, &p.a, &p.b, 0) - p.a.core.Radius - p.b.core.Radius - w.clearance - p.slack
}
