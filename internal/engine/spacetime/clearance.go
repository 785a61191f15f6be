package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// closest is the state of the branch and bound for the smallest distance.
type closest struct {
	tol   float64 // the answer may be this much too high
	floor float64 // known lower bound
	best  touch
	at    float64 // time of best, in the piece's parameter
	piece int     // of best
	now   int     // the piece being searched

	onA, onB geom.Vec // the points of best, each in its element's frame
}

// lower takes a witness; from now on only what may come closer than it by more
// than the tolerance needs to be looked at.
func (b *closest) lower(w *Worker, t touch, at float64) {
	if t.distance >= b.best.distance {
		return
	}
	b.best, b.at, b.piece = t, at, b.now
	b.onA, b.onB = w.pointsOf(&t)
	w.clearance = min(w.clearance, max(b.floor, t.distance-b.tol))
	w.mate.crew.share(t.distance)
}

// pointsOf returns a touch's points, each in the frame of its element.
func (w *Worker) pointsOf(t *touch) (onA, onB geom.Vec) {
	p := w.pair(t.pair)
	return p.a.pose.ApplyInv(t.a), p.b.pose.ApplyInv(t.b)
}

// hopeless reports whether the two points that came closest so far show that the
// interval cannot be proved as it is: that even they may come too close, as far as
// the rules can tell. It saves trying; no proof rests on it. Where the points are
// closer now than ever, that is a better bound.
func (b *closest) hopeless(w *Worker) bool {
	if b.best.pair < 0 {
		return false
	}
	p := w.pair(b.best.pair)
	pa, pb := p.a.pose.Apply(b.onA), p.b.pose.Apply(b.onB)
	n, ok := geom.Unit(r3.Sub(pb, pa))
	if !ok {
		return false
	}
	d := geom.Norm(r3.Sub(pb, pa))
	if d < b.best.distance {
		b.lower(w, touch{pair: b.best.pair, a: pa, b: pb, normal: n, distance: d}, w.c)
	}
	if d-p.far > w.clearance {
		return false
	}
	opening := math.Abs(r3.Dot(n, r3.Sub(p.b.vel.At(pb), p.a.vel.At(pa))))
	return d-opening*w.h-w.accelAlong(b.best.pair, n)*w.h*w.h/2 <= w.clearance
}

// roughly is how much of a distance the first upper bounds may be off: to find them
// is then quick, and the search finds better ones on its way.
const roughly = 1. / 16

// closestApproach bounds the smallest distance of a motion that was proved free.
func (w *Worker) closestApproach(b *kin.Course, q motion.Query, v *motion.Verdict) {
	if w.tubed { // it is the motion itself whose distance is bounded from both sides
		w.stray(nil)
		w.reachFor(b)
	}
	best := &w.closest
	*best = closest{
		tol:   engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance),
		floor: q.Clearance,
		best:  touch{pair: -1, distance: math.Inf(1)},
	}
	w.clearance = math.Inf(1)
	w.forgetNearest()
	pieces := b.Motion.Pieces
	// A few distances first: the better the upper bound, the less is searched.
	for _, x := range [...]float64{0, 1. / 2, 1, 1. / 4, 3. / 4} {
		i := min(int(x*float64(len(pieces))), len(pieces)-1)
		w.load(b, i)
		c := x*float64(len(pieces)) - float64(i)
		w.place(c, c, c)
		best.now = i
		if t := w.nearest(best.best.distance, best.tol/4, roughly); t.pair >= 0 {
			best.lower(w, t, w.c)
		}
	}
	s := search{w: w, closest: best}
	for i := w.take(-1, len(pieces), false); i < len(pieces); i = w.take(i, len(pieces), false) {
		if w.reason != "" || best.best.pair < 0 {
			break
		}
		w.load(b, i)
		best.now = i
		w.arena = append(w.arena[:0], w.startGroups...)
		s.run(0, 1, 0)
	}
	if best.best.pair < 0 {
		return // no pair is checked: there is no distance
	}
	lo := w.clearance
	if w.reason != "" {
		lo = q.Clearance // what Free has proved
	}
	p := pieces[best.piece]
	w.load(b, best.piece)
	w.place(best.at, best.at, best.at)
	v.MinClearance = motion.Clearance{
		Known:  true,
		Bounds: motion.Interval{Lo: min(lo, best.best.distance), Hi: best.best.distance},
		At:     w.witnessOf(&best.best, engine.TimeAbove(p.Start, p.End, best.at)),
	}
}

// forgetNearest makes searches for the smallest distance independent of those
// before.
func (w *Worker) forgetNearest() {
	w.near.last = entry{}
	w.warmSince = w.asked
	for i := range w.known {
		w.known[i] = known{}
	}
}
