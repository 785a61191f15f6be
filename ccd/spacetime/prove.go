package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
)

// outcome is what an attempt to prove an entry apart came to.
type outcome struct {
	apart bool
	// searched: found holds the closest points of the two parts' cores at c.
	searched bool
	found    convex.Result
}

// prove tries to prove the parts of e more than w.clearance apart for the whole
// current interval, cheapest rule first. The directions it tries are guesses; the
// proofs are those of proof.go.
func (w *Worker) prove(e entry) outcome {
	q, p := &w.m.Pairs[e.pair], w.pair(e.pair)
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	w.work.Proofs++

	ballA, ra := ballOf(ea, e.a)
	ballB, rb := ballOf(eb, e.b)
	ca, cb := p.a.pose.Apply(ballA), p.b.pose.Apply(ballB)
	x0 := r3.Sub(ca, cb)
	x1 := r3.Sub(p.a.vel.At(ca), p.b.vel.At(cb))
	if apartBalls(x0, x1, w.h, p.accel, p.far, ra+rb, w.clearance, p.slack) {
		return outcome{apart: true}
	}

	p.a.core, p.b.core = coreOf(ea, e.a, &w.partA), coreOf(eb, e.b, &w.partB)
	if p.hasHint && w.apartAlong(e.pair, p, p.hint) {
		return outcome{apart: true}
	}
	if canOpen(ea, e.a) && e.a != whole || canOpen(eb, e.b) && e.b != whole {
		// An inner node is a stepping stone: a guess instead of a search.
		if n, ok := geom.Unit(r3.Scale(-1, x0)); ok && w.apartAlong(e.pair, p, n) {
			return outcome{apart: true}
		}
		return outcome{}
	}
	w.work.Distances++
	w.search.Dir = p.hint
	found := convex.Distance(p.a.core, p.a.pose, p.b.core, p.b.pose, &w.search)
	if n, ok := geom.Unit(found.Normal); ok && !found.Overlap && w.apartAlong(e.pair, p, n) {
		p.hint, p.hasHint = n, true
		return outcome{apart: true}
	}
	return outcome{searched: true, found: found}
}

// apartAlong tries both rules that need a direction.
func (w *Worker) apartAlong(pair int32, p *placedPair, n geom.Vec) bool {
	if apartStill(n, &p.a, &p.b, p.far, w.clearance, p.slack) {
		return true
	}
	return w.h > 0 && apartHalfSpace(n, &p.a, &p.b, w.h, w.accelAlong(pair, n), w.clearance, p.slack)
}
