package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
)

// A first bound of a motion's smallest distance from above: the closer it is, the less is searched.

// roughly is the relative error of the first upper bounds: they are then fast to find, and the
// search improves them.
const roughly = 1. / 16

// sample measures a few distances first: the better the upper bound, the less is searched.
func (w *Worker) sample(b *kin.Course, limit float64) {
	best := &w.closest
	w.clearance = best.need
	w.Forget()
	w.expect()
	last := len(b.Motion.Pieces) - 1
	w.load(b, 0)
	w.lookAtEnd(0, 0, limit)
	if best.best.Pair < 0 || last > 0 || w.rateOf(&best.best) < 0 {
		w.load(b, last)
		w.lookAtEnd(last, 1, limit)
	}
	if best.best.Pair >= 0 && w.q.Reason == "" {
		w.load(b, best.piece)
		best.now = best.piece
		w.descend(limit, 1/max(4/float64(last+1), 1))
		w.aimAcross(&best.best)
	}
}

// aimAcross lets parts of a pair be tried first by the plane across the points of it that came closest, as these are now.
func (w *Worker) aimAcross(t *engine.PairTouch) {
	p, q := w.at.Pair(t.Pair), &w.m.Pairs[t.Pair]
	n, ok := geom.Unit(r3.Sub(p.B.Pose.Move(w.closest.onB), p.A.Pose.Move(w.closest.onA)))
	if memory := w.pair(t.Pair); ok {
		memory.normal, memory.hasNormal = place.ToNormal(w.at.State.PoseWF[q.Base].R.TurnBack(n))
	}
}

// lookAtEnd measures roughly the distance at an end of the loaded piece, if it is smaller than the best: of the pair that is
// likely to be the closest alone, if there is one. What else is closer is not proved to be farther apart, and looked at then.
func (w *Worker) lookAtEnd(piece int, c, limit float64) {
	best := &w.closest
	best.now = piece
	w.place(c, c, c)
	w.lookHere(w.likely(), limit, best.tol/4, roughly)
}

// likely returns what to look at first: the pair that is likely to be the closest, or everything where none is.
func (w *Worker) likely() []distance.Start {
	if w.selected[0] || !w.expected.known || w.expected.pair < 0 || w.ranged.on {
		return w.starts
	}
	w.stepped.start[0] = w.StartOf(w.expected.pair)
	return w.stepped.start[:]
}

// expect makes the search begin with the pair that is likely to be the closest.
func (w *Worker) expect() {
	if w.selected[0] {
		return // the robot itself is not asked about
	}
	if !w.expected.known {
		w.expected = expected{distance.Expected(w.m), true}
	}
	w.Expect(w.expected.pair)
}

// lookHere measures the distance where the robot is placed if it is smaller than the best, to within tol and the part
// rel of it. It reports whether it is. starts are the pairs and elements that it is about.
func (w *Worker) lookHere(starts []distance.Start, limit, tol, rel float64) bool {
	t := w.Nearest(starts, min(limit, w.closest.best.Distance), tol, rel)
	if t.Pair < 0 {
		return false
	}
	w.closest.lower(w, t, w.at.C)
	return true
}

// rateOf returns the rate at which the distance of two points grows.
func (w *Worker) rateOf(t *engine.PairTouch) float64 {
	p := w.at.Pair(t.Pair)
	n, _ := geom.Unit(r3.Sub(t.B, t.A))
	return r3.Dot(n, r3.Sub(p.B.Vel.At(t.B), p.A.Vel.At(t.A)))
}

// steps is how many times descend measures a distance.
const steps = 4

// descend looks for smaller distances of the closest pair up to width before and after the best, where the rate of change
// of the distance is to be zero.
func (w *Worker) descend(limit, width float64) {
	best := &w.closest
	if w.at.Stamp() != best.stamp { // else it stands there
		w.place(best.at, best.at, best.at)
	}
	rate := w.rateOf(&best.best)
	lo, hi := max(0, best.at-width), min(1, best.at+width)
	var before, after float64 // the rates at lo and hi; 0 where unknown
	for range steps {
		at := best.at
		if rate < 0 {
			lo, before = at, rate
		} else {
			hi, after = at, rate
		}
		x := (lo + hi) / 2
		if before < 0 && after > 0 {
			x = lo + (hi-lo)*min(max(before/(before-after), 1./16), 15./16)
		}
		if !(math.Abs(rate)*math.Abs(x-at) > best.tol/8) || w.q.Look() {
			return
		}
		w.place(x, x, x)
		w.stepped.start[0] = w.StartOf(best.best.Pair)
		if w.lookHere(w.stepped.start[:], limit, best.tol/16, 0) && best.at == x {
			rate = w.rateOf(&best.best)
			continue
		}
		if x > at {
			hi, after = x, 0
		} else {
			lo, before = x, 0
		}
	}
}
