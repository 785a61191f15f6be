package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

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
