package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The clearance that is asked for may change linearly over an interval: it is then
// w.clearance at one end and less by |w.rise| at the other, the later one where
// w.rise is negative. All rules hold with w.clearance throughout; the half-space
// rule, below, with the line itself. Like that rule this is trusted code: the lower
// bounds of a profile rest on it.

// clearances returns the clearance asked for at c-h and at c+h.
func (w *Worker) clearances() (before, after float64) {
	return w.clearance - max(0, w.rise), w.clearance - max(0, -w.rise)
}

// partedAtEnds is partedBy for a clearance that is a line over [c-h, c+h], given at
// its ends.
//
// Proof. For a point pair (x, y) let f(tau) = n.x(c) + tau n.v(x) - n.y(c) - tau n.v(y)
// + clearance(tau). It is linear in tau, so the largest over all pairs is convex,
// and below its value at one of the ends; beyond that is A tau²/2 at most, as in
// partedBy.
func partedAtEnds(n geom.Vec, a, b *side, h, before, after, slack float64) float64 {
	return finite(-slack - a.core.Radius - b.core.Radius -
		max(gapAt(n, a, b, h)+after+8*u*math.Abs(after), gapAt(n, a, b, -h)+before+8*u*math.Abs(before)))
}

// reachBelow is reachOver for a clearance that is a line over [c-h, c+h]: what
// stands still and is more than clearance, the larger of both ends, beyond what it
// returns is farther than the line from the side at every t in I.
//
// Proof. n.x(t) + line(t) is, but for A tau²/2, linear in tau for each point: the
// largest of it over the side and I is at an end. It is at most reach + clearance.
func reachBelow(n geom.Vec, s *side, h, before, after float64) float64 {
	clearance := max(before, after)
	at := func(tau, line float64) float64 {
		return reachAlong(n, s, tau) - (clearance-line)*(1-8*u)
	}
	return max(at(h, after), at(-h, before)) + s.core.Radius
}

// distanceLine bounds a distance from above: linear over [c-h, c+h], by two points that are
// fixed to their bodies.
type distanceLine struct{ before, at, after float64 }

// lineOf returns the line of two points of a pair, in W at c.
//
// Proof. Seen in the body where the chains part, their difference is within A s²/2 of
// x0 + s x1 at c+s. |x0 + s x1| is convex in s, so it is below the line through its
// values at both ends. The points are within their elements' balls, for which A is.
func (w *Worker) lineOf(pair int32, a, b geom.Vec) distanceLine {
	p := w.pair(pair)
	x0, x1 := r3.Sub(b, a), r3.Sub(p.b.vel.At(b), p.a.vel.At(a))
	more := bent(p.accel, w.h) + p.slack
	at := func(s float64) float64 { return geom.Norm(r3.Add(x0, r3.Scale(s, x1)))*(1+8*u) + more }
	return distanceLine{before: at(-w.h), at: geom.Norm(x0), after: at(w.h)}
}

// within reports whether the points of a line may prove, as far as the rules can
// tell, that they stay above it less tol: both ends less what the acceleration and
// the turning of their difference take off. It saves trying; no proof rests on it.
func (w *Worker) within(pair int32, a, b geom.Vec, l distanceLine, tol float64) bool {
	n, ok := geom.Unit(r3.Sub(b, a))
	if !ok {
		return max(l.before, l.after) <= tol
	}
	p := w.pair(pair)
	rate := r3.Dot(n, r3.Sub(p.b.vel.At(b), p.a.vel.At(a))) * w.h
	less := l.at - w.accelAlong(pair, n)*w.h*w.h/2
	return (less-rate > l.before-tol || l.before <= tol) && (less+rate > l.after-tol || l.after <= tol)
}
