package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// closestApproach bounds the smallest distance of a motion that was proved free; proven
// says that no pair comes closer than its Min less what a keep falls short of it.
func (w *Worker) closestApproach(b *kin.Course, q *motion.Query, proven bool, v *motion.Verdict) {
	if w.at.Tubed { // both bounds are those of the motion itself
		w.at.Stray(nil)
		w.at.ReachFor(b)
		w.loaded = 0
	}
	best := &w.closest
	*best = closest{
		tol:   engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance),
		floor: q.Clearance, need: math.Inf(1),
		best: engine.PairTouch{Pair: -1, Touch: engine.Touch{Distance: math.Inf(1)}},
	}
	limit := math.Inf(1)
	if w.ranged.on {
		limit = w.ranged.largest
		best.beyond, best.need = best.tol, min(limit, farthest)
		w.Within(w.ranged.farthest)
		defer w.Within(nil)
		if w.ranged.keep = keepOf(q); proven {
			best.floor, _ = w.ranged.keep.of(w.ranged.least)
		} else if w.ranged.hasMin {
			best.keep = &w.ranged.keep
		}
	}
	w.sample(b, limit)
	w.closeIn(b)
	w.tell(b, v)
}

// closeIn searches the motion for smaller distances than the best, until everything is proved
// farther apart than it less the tolerance.
func (w *Worker) closeIn(b *kin.Course) {
	best := &w.closest
	s := search{w: w, closest: best, ranged: w.ranged.on}
	pieces := len(b.Motion.Pieces)
	for i := w.take(-1, pieces, false); i < pieces; i = w.take(i, pieces, false) {
		if w.q.Reason != "" || best.best.Pair < 0 && !w.ranged.on {
			break
		}
		w.load(b, i)
		best.now = i
		w.arena = append(w.arena[:0], w.startGroups...)
		w.stepped.runs = w.stepped.runs[:0]
		s.inAnyOrder(pendingInterval{hi: 1, last: int32(len(w.arena))})
	}
}

// farthest (m) exceeds the distance of any two bodies.
const farthest = 1e9

// tell adds the result of the search for the smallest distance to the verdict.
func (w *Worker) tell(b *kin.Course, v *motion.Verdict) {
	best := &w.closest
	lo := best.need
	switch {
	case best.stopped:
		lo = 0
	case w.q.Reason != "":
		lo = best.floor // proved by Free
	case best.best.Pair < 0 && w.ranged.on && len(w.starts) > 0:
		v.MinClearance = motion.Clearance{Known: true, Beyond: true, Bounds: motion.Interval{Lo: min(lo, w.ranged.smallest), Hi: math.Inf(1)}}
		return
	}
	if best.best.Pair < 0 {
		return // no pair is checked: there is no distance
	}
	p := b.Motion.Pieces[best.piece]
	v.MinClearance = motion.Clearance{
		Known:   true,
		Bounds:  motion.Interval{Lo: min(lo, best.best.Distance), Hi: best.best.Distance},
		At:      engine.Witness(w.m, &w.m.Pairs[best.best.Pair], &best.best.Touch, engine.TimeAbove(p.Start, p.End, best.at), best.poseA, best.poseB),
		Stopped: best.stopped,
	}
}
