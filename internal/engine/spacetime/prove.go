package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// tryAgainst tries a direction on the sweep and an item.
func (w *prover) tryAgainst(sw *sweep, item int32, n geom.Vec, o *outcome) {
	low, p := volume.ItemLeast(w.m, &w.m.World.Items[^item], n), w.plane(sw, n)
	if o.apart = w.parts(sw, p, low); o.apart {
		sw.memory.hint(n)
		w.noteBeyond(sw, n, item)
		return
	}
	o.gap = max(o.gap, low-rules.ReachOver(n, &sw.side, 0)-w.clearance-sw.slack)
}

// prove tries to prove the parts of e more than w.clearance apart for the whole
// current interval, cheapest rule first, and says in o what came of it. The directions it tries are guesses; the
// proofs are those of proof.go.
// Where cheaply, only what was tried before is tried again. together says that it was one of
// the entries that search.together could not prove.
func (w *prover) prove(e entry, cheaply, together bool, o *outcome) {
	o.begin()
	q := w.at.PairOf(e.pair)
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	w.q.Work.Proofs++
	if e.a == volume.Whole && e.b == volume.Whole && w.apartInRoot(q, together) {
		w.noteBalls(entry{e.pair, volume.Whole, volume.Whole}, ea.Center, eb.Center)
		o.apart = true
		return
	}
	p := w.at.Pair(e.pair)
	x0, apart := w.ballsApart(e, p)
	if apart {
		o.apart = true
		return
	}
	p.A.Core, p.B.Core = volume.Tight(ea, e.a, &w.partA), volume.Tight(eb, e.b, &w.partB)
	memory := w.pair(e.pair)
	if memory.hasHint {
		if o.apart, o.gap = w.apartAlong(e, p, memory.direction(p)); o.apart {
			return
		}
	}
	if cheaply {
		return
	}
	inner := volume.CanOpen(ea, e.a) && e.a != volume.Whole || volume.CanOpen(eb, e.b) && e.b != volume.Whole
	if n, ok := geom.Unit(r3.Scale(-1, x0)); ok && (inner || !memory.hasHint) {
		kept := *memory
		w.tryHint(e, p, n, o)
		if inner { // a stepping stone: a guess instead of a search
			*memory = kept
		}
	}
	if o.apart || inner {
		return
	}
	w.seek(e, p, volume.Rough(ea, e.a, p.A.Core), volume.Rough(eb, e.b, p.B.Core), o)
	if o.apart || o.gap > w.tolerance || w.at.IsGroup(e.pair) {
		return
	}
	w.q.Work.Distances++
	w.search.Dir = w.pair(e.pair).direction(p)
	o.searched, o.found = true, convex.Distance(p.A.Core, &p.A.Pose, p.B.Core, &p.B.Pose, &w.search)
	if n, ok := geom.Unit(o.found.Normal); ok && !o.found.Overlap {
		w.tryHint(e, p, n, o)
	}
}

// ballsApart tries the ball rule for the balls of two parts, and returns the difference of
// their centres at c.
func (w *prover) ballsApart(e entry, p *place.Pair) (x0 geom.Vec, apart bool) {
	q := w.at.PairOf(e.pair)
	ballA, ca, ra := w.ball(q.A, e.a)
	ballB, cb, rb := w.ball(q.B, e.b)
	x0 = r3.Sub(ca, cb)
	if w.at.Span == 0 && !w.at.Tubed && e.a == volume.Whole && e.b == volume.Whole {
		return x0, false // apartInRoot compared the same
	}
	x1 := r3.Sub(p.A.Vel.At(ca), p.B.Vel.At(cb))
	bounds := rules.Bounds{H: w.at.Span, Accel: p.Accel, Far: p.Far}
	apart = rules.BallsApart(x0, x1, bounds, ra+rb, w.margin(p.Slack))
	if !apart && w.at.Span > 0 && geom.Norm(x0) > ra+rb+w.clearance {
		bounds.Accel = w.at.PointsAccel(e.pair, p, ca, cb)
		apart = rules.BallsApart(x0, x1, bounds, ra+rb, w.margin(p.Slack))
	}
	if apart {
		w.noteBalls(e, ballA, ballB)
	}
	return x0, apart
}

// ball returns the ball around a part of a placed element: its centre in the element and in W.
func (w *prover) ball(element int, node int32) (own, at geom.Vec, radius float64) {
	p := w.at.Element(element)
	own, radius = volume.Ball(&w.m.Elements[element], node)
	if node == volume.Whole {
		return own, p.Center, radius
	}
	return own, p.Pose.Move(own), radius
}

// slop is by how much a candidate direction may fall short of the best.
const slop = 0.1

// seek searches a direction for two cores and tries it on the parts themselves.
func (w *prover) seek(e entry, p *place.Pair, a, b *convex.Core, o *outcome) {
	w.q.Work.Distances++
	w.search.Dir = w.pair(e.pair).direction(p)
	n, overlap := convex.Toward(a, &p.A.Pose, b, &p.B.Pose, 0, w.clearance+p.Far+p.Slack, slop, &w.search)
	if !overlap && n != (geom.Vec{}) {
		w.tryHint(e, p, n, o)
	}
}

// tryHint tries a direction and remembers it.
func (w *prover) tryHint(e entry, p *place.Pair, n geom.Vec, o *outcome) {
	apart, gap := w.apartAlong(e, p, n)
	memory := w.pair(e.pair)
	memory.hint, memory.hasHint = p.A.Pose.R.TurnBack(n), true
	o.apart, o.gap = apart, max(o.gap, gap)
}

// apartInRoot is the ball rule for the balls of both elements, seen in W: the joints that both
// chains share make it a weaker proof, but it needs only data of each element alone. Where
// search.together has tried it, only what it left out is left.
func (w *prover) apartInRoot(q *model.Pair, together bool) bool {
	if together && w.at.Span == 0 {
		return false
	}
	a, b := w.at.Element(q.A), w.at.Element(q.B)
	x0, x1 := r3.Sub(a.Center, b.Center), r3.Sub(a.Vel, b.Vel)
	radii := w.m.Elements[q.A].Radius + w.m.Elements[q.B].Radius
	margin := w.margin(a.Slack + b.Slack + a.Tube + b.Tube)
	bounds := rules.Bounds{H: w.at.Span, Accel: a.Accel + b.Accel, Far: a.Far + b.Far}
	if !together && rules.BallsApart(x0, x1, bounds, radii, margin) {
		return true
	}
	if !(bounds.H > 0 && geom.Norm(x0) > radii+w.clearance) {
		return false
	}
	bounds.Accel = w.at.CenterAccel(q.A) + w.at.CenterAccel(q.B)
	return rules.BallsApart(x0, x1, bounds, radii, margin)
}

// apartAlong tries both rules that need a direction, and returns by how much more than the
// clearance the parts are apart at c.
func (w *prover) apartAlong(e entry, p *place.Pair, n geom.Vec) (apart bool, gap float64) {
	gap = rules.PartedBy(n, &p.A, &p.B, 0, w.margin(p.Slack))
	if rules.ApartStill(gap, p.Far) {
		w.notePlane(e, n)
		return true, 0
	}
	if w.at.Span == 0 || gap <= 0 && w.rise == 0 {
		return false, gap
	}
	var by float64
	if w.rise == 0 {
		by = rules.PartedBy(n, &p.A, &p.B, w.at.Span, w.margin(p.Slack))
	} else {
		line := w.clearances()
		gap += w.clearance - (line.Before+line.After)/2
		by = rules.PartedAtEnds(n, &p.A, &p.B, w.at.Span, line, p.Slack)
	}
	if by > 0 && (rules.Bent(w.at.PairAccelAlong(e.pair, n), w.at.Span) < by || rules.Bent(w.at.PairBendAlong(e.pair, p, n), w.at.Span) < by) {
		w.notePlane(e, n)
		return true, 0
	}
	return false, gap
}
