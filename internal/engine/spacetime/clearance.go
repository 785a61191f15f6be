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
	best  engine.PairTouch
	at    float64 // time of best, in the piece's parameter
	piece int     // of best
	now   int     // the piece being searched

	onA, onB geom.Vec // the points of best, each in its element's frame
}

// lower takes a witness; from now on only what may come closer than it by more
// than the tolerance needs to be looked at.
func (b *closest) lower(w *Worker, t engine.PairTouch, at float64) {
	if t.Distance >= b.best.Distance {
		return
	}
	b.best, b.at, b.piece = t, at, b.now
	b.onA, b.onB = w.pointsOf(&t)
	w.clearance = min(w.clearance, max(b.floor, t.Distance-b.tol))
	w.mate.crew.share(t.Distance)
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

// roughly is how much of a distance the first upper bounds may be off: to find them
// is then quick, and the search finds better ones on its way.
const roughly = 1. / 16

// closestApproach bounds the smallest distance of a motion that was proved free.
func (w *Worker) closestApproach(b *kin.Course, q motion.Query, v *motion.Verdict) {
	if w.at.Tubed { // it is the motion itself whose distance is bounded from both sides
		w.at.Stray(nil)
		w.at.ReachFor(b)
	}
	best := &w.closest
	*best = closest{
		tol:   engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance),
		floor: q.Clearance,
		best:  engine.PairTouch{Pair: -1, Touch: engine.Touch{Distance: math.Inf(1)}},
	}
	w.clearance = math.Inf(1)
	w.Forget()
	pieces := b.Motion.Pieces
	// A few distances first: the better the upper bound, the less is searched.
	for _, x := range [...]float64{0, 1. / 2, 1, 1. / 4, 3. / 4} {
		i := min(int(x*float64(len(pieces))), len(pieces)-1)
		w.load(b, i)
		c := x*float64(len(pieces)) - float64(i)
		w.place(c, c, c)
		best.now = i
		if t := w.Nearest(w.starts, best.best.Distance, best.tol/4, roughly); t.Pair >= 0 {
			best.lower(w, t, w.at.C)
		}
	}
	s := search{w: w, closest: best}
	for i := w.take(-1, len(pieces), false); i < len(pieces); i = w.take(i, len(pieces), false) {
		if w.q.Reason != "" || best.best.Pair < 0 {
			break
		}
		w.load(b, i)
		best.now = i
		w.arena = append(w.arena[:0], w.startGroups...)
		s.run(0, 1, 0)
	}
	if best.best.Pair < 0 {
		return // no pair is checked: there is no distance
	}
	lo := w.clearance
	if w.q.Reason != "" {
		lo = q.Clearance // what Free has proved
	}
	p := pieces[best.piece]
	w.load(b, best.piece)
	w.place(best.at, best.at, best.at)
	v.MinClearance = motion.Clearance{
		Known:  true,
		Bounds: motion.Interval{Lo: min(lo, best.best.Distance), Hi: best.best.Distance},
		At:     w.witnessOf(&touch{best.best, false}, engine.TimeAbove(p.Start, p.End, best.at)),
	}
}
