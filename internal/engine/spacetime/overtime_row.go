package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
)

// One row: the steps of an interval, in a distance over time.

// begin prepares the steps of the loaded piece. It reports false if there are none.
func (o *overTime) begin(w *Worker, tol float64) bool {
	o.s = search{w: w, atTimes: o, closest: &w.closest}
	o.tol, o.least = tol, tol/16
	return o.s.worthSteps(&pendingInterval{hi: 1})
}

// run tries the steps of an interval, and returns those that are proved. Likely a and b are among what is closest.
func (o *overTime) run(lo, hi float64, a, b distance.Shapes) (proved uint8) {
	s := &o.s
	w := s.w
	p, l := &w.stepped, w.stepped.lanes
	o.items.element, o.touches, o.looked.known = -1, false, 0
	for i := range o.seen {
		o.seen[i].element = -1
	}
	w.closest = closest{tol: o.tol, need: farthest, best: engine.PairTouch{Pair: -1, Touch: engine.Touch{Distance: math.Inf(1)}}}
	t := pendingInterval{lo: lo, hi: hi, last: int32(len(w.startGroups))}
	s.bend(t)
	l.Move()
	defer clear(l.Less[:])
	if o.lookFirst(a, b); o.touches {
		return 0
	}
	l.Grow(w.clearance)
	w.q.Work.Intervals++
	p.placed, p.grown, p.list, p.hurries, p.parts.dead = [2]float64{lo, hi}, w.clearance, p.list[:0], false, 0
	w.arena = append(w.arena[:0], w.startGroups...)
	s.enlist(t, lanes.All)
	if proved = o.tryList(); proved != 0 {
		for k := range o.lower {
			o.lower[k] = max(0, w.clearance-l.Less[k])
		}
	}
	return proved
}

// lookFirst looks at shapes that are likely among the closest, b from the end on as long as it is closer, and sets what all is to be apart by.
func (o *overTime) lookFirst(a, b distance.Shapes) {
	w := o.s.w
	w.clearance, w.rise = 0, 0
	for k := range o.near {
		o.near[k] = *o.look(a, k)
	}
	for k := lanes.Steps; k >= 0 && b != a; k-- {
		other := o.look(b, k)
		if other.distance >= o.near[k].distance {
			break
		}
		o.near[k] = *other
	}
	for k := range o.near {
		o.lower[k] = o.toProve(k)
		w.clearance = max(w.clearance, o.lower[k])
		o.touches = o.touches || o.lower[k] == 0
	}
	for k := range o.lower {
		w.stepped.lanes.Less[k] = w.clearance - o.lower[k]
	}
}

// tryList tries all of the list, and returns the steps of which everything is proved: what fails in one is not tried
// there any further.
func (o *overTime) tryList() (proved uint8) {
	s := &o.s
	w := s.w
	proved = lanes.All
	for i := 0; i < len(w.stepped.list) && proved != 0; i++ {
		if todo := w.stepped.list[i].todo & proved; todo != 0 {
			proved &^= s.trySome(i, todo)
		}
		if o.touches = o.touches || w.closest.best.Pair >= 0; o.touches || w.q.Out() || w.q.Reason != "" {
			return 0
		}
	}
	return proved
}

// bendOf begins a row, and returns by how much paths of shapes that are likely the closest depart from their chords.
func (o *overTime) bendOf(lo, hi float64, a, b distance.Shapes) float64 {
	o.s.bend(pendingInterval{lo: lo, hi: hi})
	return min(o.more(a), o.more(b))
}
