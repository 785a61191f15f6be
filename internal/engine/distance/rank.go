package distance

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// candidates bounds the distances of pairs by their balls, and opens those that are in
// their ranges.
func (r *ranking) candidates(pairs []int32) {
	for _, i := range pairs {
		c := r.bounded(i)
		if of := &r.s.of[i]; c.lower >= of.max {
			r.leave(of, c.lower)
			continue
		}
		r.open = append(r.open, c)
	}
}

// bounded bounds the distance of a pair by its balls.
func (r *ranking) bounded(i int32) candidate {
	w := r.w
	q := &w.m.Pairs[i]
	a, b := w.at.Element(q.A), w.at.Element(q.B)
	apart := geom.Norm(r3.Sub(a.Center, b.Center)) - w.m.Elements[q.A].Radius - w.m.Elements[q.B].Radius
	return candidate{i, apart*(1-8*u) - a.Slack - b.Slack}
}

// first returns the candidate to begin with: the closest of the query before, where
// that may be used, else the one with the least bound; -1 where there is none.
func (r *ranking) first() int {
	at := -1
	for i := range r.open {
		if r.open[i].pair == r.last && r.mayRemember() {
			return i
		}
		if at < 0 || r.open[i].lower < r.open[at].lower {
			at = i
		}
	}
	return at
}

// rest considers candidates, nearest first; only those that matter by now are sorted. It
// overwrites them.
func (r *ranking) rest(open []candidate) {
	keep := open[:0]
	for _, c := range open {
		if c.lower >= r.useful(&r.s.of[c.pair]) {
			r.leave(&r.s.of[c.pair], c.lower)
		} else {
			keep = append(keep, c)
		}
	}
	slices.SortFunc(keep, func(a, b candidate) int {
		switch {
		case a.lower < b.lower:
			return -1
		case a.lower > b.lower:
			return 1
		}
		return int(a.pair - b.pair)
	})
	for _, c := range keep {
		r.consider(c)
	}
}

// mayRemember reports whether what was closest before may be used.
func (r *ranking) mayRemember() bool { return r.w.warmSince < r.w.q.Number }

// upper bounds the distance of two points from above. Where they are one, the bodies
// touch as far as can be told.
func (r *ranking) upper(t *engine.PairTouch) float64 {
	if t.Distance == 0 {
		return 0
	}
	q := &r.w.m.Pairs[t.Pair]
	slack := r.w.at.SlackAtRest(q.A) + r.w.at.SlackAtRest(q.B)
	return (t.Distance + slack + r.w.m.World.Err) * (1 + 8*u)
}

// class is the bounds of what a pair belongs to.
func (r *ranking) class(of *scoped) *motion.Interval {
	if of.world {
		return &r.out.World
	}
	return &r.out.Self
}

// leave notes that what was looked at of a pair is at least lower apart.
func (r *ranking) leave(of *scoped, lower float64) {
	lower = max(lower, 0)
	r.low[of.slot] = min(r.low[of.slot], lower)
	c := r.class(of)
	c.Lo = min(c.Lo, lower)
	if of.attached {
		r.out.Attached.Lo = min(r.out.Attached.Lo, lower)
	}
}

// useful is the distance from which on a pair is not worth measuring.
func (r *ranking) useful(of *scoped) float64 {
	if r.s.onlyClosest {
		return r.less(r.matters(of))
	}
	return r.matters(of)
}

// matters is the distance from which on a pair is neither among the closest nor the
// closest of its class nor closer than its own least distance.
func (r *ranking) matters(of *scoped) float64 {
	matters := max(r.class(of).Hi, r.worstKept())
	if of.attached {
		matters = max(matters, r.out.Attached.Hi)
	}
	return min(of.max, max(matters, of.min))
}

// consider measures one pair of elements as a whole, unless it can change no answer.
// Where its parts must be searched it waits until all others have been considered:
// the better the running bound, the less is searched.
func (r *ranking) consider(c candidate) {
	of := &r.s.of[c.pair]
	useful := r.useful(of)
	if r.out.Stopped || c.lower >= useful {
		r.leave(of, c.lower)
		return
	}
	q := r.w.questOf(c.pair, useful, r.s.q.Tolerance, r.s.q.Relative)
	if useful == of.max {
		q.foresee()
	}
	if q.wholes() {
		r.settled(of, q)
		return
	}
	if q.best.Distance < touchingSoon {
		q.parts()
		r.settled(of, q)
		return
	}
	r.note(of, q.told())
	r.hard = append(r.hard, q.pause())
}

// touchingSoon (m) is so close that the parts are searched at once: that is quick,
// and may end the query.
const touchingSoon = 1e-3

// settled notes what a pairSearch found out.
func (r *ranking) settled(of *scoped, q *pairSearch) {
	lower, t := q.answer()
	r.leave(of, lower)
	r.note(of, t)
}

// search searches the parts of those pairs of which the whole did not tell enough,
// those first that may be closest.
func (r *ranking) search() {
	slices.SortFunc(r.hard, func(a, b paused) int {
		switch {
		case a.lower < b.lower:
			return -1
		case a.lower > b.lower:
			return 1
		}
		return int(a.pair - b.pair)
	})
	for i := range r.hard {
		p := &r.hard[i]
		of := &r.s.of[p.pair]
		useful := r.useful(of)
		if r.out.Stopped || p.lower >= useful {
			r.leave(of, p.lower)
			continue
		}
		q := r.w.resume(p, useful, r.s.q.Tolerance, r.s.q.Relative)
		if useful == of.max {
			q.foresee()
		}
		q.parts()
		r.settled(of, q)
	}
	r.hard = r.hard[:0]
}

// note records two points of a pair; of several elements of a body the closest
// counts.
func (r *ranking) note(of *scoped, t engine.PairTouch) {
	if !(t.Distance <= of.max) || math.IsInf(t.Distance, 1) {
		return
	}
	c, upper := r.class(of), r.upper(&t)
	c.Hi = min(c.Hi, upper)
	if of.attached {
		r.out.Attached.Hi = min(r.out.Attached.Hi, upper)
	}
	r.keep(found{of.slot, t})
	if t.Distance < of.min {
		r.out.Stopped = true
		r.kept = append(r.kept[:0], found{of.slot, t})
	}
}

func (r *ranking) keep(f found) {
	if at := r.place[f.slot]; at >= 0 {
		if f.touch.Distance < r.kept[at].touch.Distance {
			r.kept[at] = f
		}
		return
	}
	if len(r.kept) < r.wanted {
		r.place[f.slot] = int32(len(r.kept))
		r.kept = append(r.kept, f)
		return
	}
	worst := r.worst()
	if f.touch.Distance >= r.kept[worst].touch.Distance {
		return // it was measured only for what it says of its class
	}
	r.place[r.kept[worst].slot] = -1
	r.place[f.slot] = int32(worst)
	r.kept[worst] = f
}

func (r *ranking) worst() int {
	at := 0
	for i := range r.kept {
		if r.kept[i].touch.Distance > r.kept[at].touch.Distance {
			at = i
		}
	}
	return at
}

// worstKept is the distance beyond which a further pair of bodies is not wanted.
func (r *ranking) worstKept() float64 {
	if len(r.kept) < r.wanted {
		return math.Inf(1)
	}
	return r.kept[r.worst()].touch.Distance
}

// less is the lower bound from which on nothing can improve a distance.
func (r *ranking) less(distance float64) float64 {
	return max(distance*(1-r.s.q.Relative)-searchTolerance(r.s.q.Tolerance, r.slack), distance/2)
}
