package distance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Distances bounds the distances of the closest pairs at a configuration, one
// position per variable of the tree. It fails as NewScope and Measure do.
func (w *Searcher) Distances(ctx context.Context, state []float64, q motion.DistanceQuery) (motion.Distances, error) {
	var out motion.Distances
	s, err := NewScope(w.m, q, nil)
	if err == nil {
		err = w.Measure(ctx, state, s, false, &out)
	}
	return out, err
}

// Measure answers a query at a configuration, one position per variable of the
// tree, into out, whose memory it uses again: it allocates nothing once that and
// the worker's have grown. What it remembers of the queries before it uses only if
// warm: then the answer depends on them, within the bounds that it gives. It fails
// where the context ends it early, and on positions that are not finite; out is then
// without meaning.
func (w *Searcher) Measure(ctx context.Context, state []float64, s *Scope, warm bool, out *motion.Distances) error {
	for d, q := range state {
		if math.IsNaN(q) || math.IsInf(q, 0) {
			return fmt.Errorf("position %g of joint %s is not finite", q, w.m.Tree.Dofs[d].Name)
		}
	}
	w.begin(ctx, time.Now(), state, warm)
	r := &w.ranking
	r.start(w, s, out)
	if w.q.Reason == "" {
		r.run()
	}
	if w.q.Reason != "" {
		return fmt.Errorf("the distance query ended early: %s", w.q.Reason)
	}
	r.finish()
	return nil
}

// candidate is a pair of elements with a cheap lower bound of its distance.
type candidate struct {
	pair  int32
	lower float64
}

// found is the closest points of a pair of bodies so far.
type found struct {
	slot  int32
	touch engine.PairTouch
}

// ranking gathers the closest pairs of bodies, nearest candidates first, so that
// the running bound leaves most of them out (SPHERE, distance range interval).
type ranking struct {
	w      *Searcher
	s      *Scope
	out    *motion.Distances
	wanted int
	kept   []found
	place  []int32   // of a slot in kept, -1 where it is not
	low    []float64 // of a slot: what all that was left out of it is apart, at least
	open   []candidate
	hard   []paused
	reach  worldSearch
	left   float64 // the least lower bound of what the world's tree left out unseen
	slack  float64 // of any two elements at most

	// What was closest in the query before: a pair looked at for itself.
	last      int32
	lastScope *Scope
}

func (r *ranking) start(w *Searcher, s *Scope, out *motion.Distances) {
	r.w, r.s, r.out, r.left = w, s, out, math.Inf(1)
	r.wanted = s.q.K
	switch {
	case r.wanted < 0:
		r.wanted = math.MaxInt
	case r.wanted == 0:
		r.wanted = 1
	}
	r.kept, r.open, r.hard = r.kept[:0], r.open[:0], r.hard[:0]
	if cap(r.place) < s.slots {
		r.place, r.low = make([]int32, s.slots), make([]float64, s.slots)
	}
	r.place, r.low = r.place[:s.slots], r.low[:s.slots]
	for i := range r.place {
		r.place[i], r.low[i] = -1, math.Inf(1)
	}
	if r.lastScope != s {
		r.last, r.lastScope = -1, s
	}
	r.slack = w.at.LargestSlack()
	out.Rounding = 4 * r.slack
	none := motion.Interval{Lo: math.Inf(1), Hi: math.Inf(1)}
	out.Self, out.World, out.Attached, out.Stopped = none, none, none, false
	out.Pairs = out.Pairs[:0]
}

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

func (r *ranking) run() {
	r.candidates()
	first := r.first()
	if first < 0 {
		r.world()
		return
	}
	r.open[0], r.open[first] = r.open[first], r.open[0]
	r.consider(r.open[0])
	r.rest()
	r.search()
	if !r.out.Stopped {
		r.world()
	}
}

// candidates bounds the pairs' distances by their balls.
func (r *ranking) candidates() {
	w := r.w
	for _, i := range r.s.single {
		q := &w.m.Pairs[i]
		a, b := w.at.Element(q.A), w.at.Element(q.B)
		apart := geom.Norm(r3.Sub(a.Center, b.Center)) - w.m.Elements[q.A].Radius - w.m.Elements[q.B].Radius
		c := candidate{i, apart*(1-8*u) - a.Slack - b.Slack}
		if of := &r.s.of[i]; c.lower >= of.max {
			r.leave(of, c.lower)
			continue
		}
		r.open = append(r.open, c)
	}
}

// first returns the candidate to begin with: the closest of the query before, where
// that may be used, else the one with the least bound; -1 where there is none.
func (r *ranking) first() int {
	at := -1
	for i := range r.open {
		if r.open[i].pair == r.last && r.w.warmSince < r.w.q.Number {
			return i
		}
		if at < 0 || r.open[i].lower < r.open[at].lower {
			at = i
		}
	}
	return at
}

// rest considers all candidates but the first, nearest first; only those that matter
// by now are sorted.
func (r *ranking) rest() {
	keep := r.open[:0]
	for _, c := range r.open[1:] {
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

// useful is the distance from which on a pair is neither among the closest nor the
// closest of its class.
func (r *ranking) useful(of *scoped) float64 {
	matters := max(r.class(of).Hi, r.worstKept())
	if of.attached {
		matters = max(matters, r.out.Attached.Hi)
	}
	return min(of.max, matters)
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

// finish tells the caller.
func (r *ranking) finish() {
	w := r.w
	for _, class := range [...]*motion.Interval{&r.out.Self, &r.out.World, &r.out.Attached} {
		class.Lo = min(class.Lo, class.Hi)
	}
	for i := range r.kept {
		f := &r.kept[i]
		lower := min(r.low[f.slot], f.touch.Distance)
		if r.s.of[f.touch.Pair].world {
			lower = min(lower, r.left)
		}
		q := &w.m.Pairs[f.touch.Pair]
		r.out.Pairs = append(r.out.Pairs, motion.PairDistance{
			Witness: w.witnessOf(&f.touch),
			Bounds:  motion.Interval{Lo: lower, Hi: r.upper(&f.touch)},
			OnA:     w.onLink(q.A, f.touch.A), OnB: w.onLink(q.B, f.touch.B),
		})
	}
	slices.SortStableFunc(r.out.Pairs, func(a, b motion.PairDistance) int {
		switch {
		case a.Bounds.Lo < b.Bounds.Lo:
			return -1
		case a.Bounds.Lo > b.Bounds.Lo:
			return 1
		}
		return 0
	})
	closest := math.Inf(1)
	for i := range r.kept {
		if f := &r.kept[i]; f.touch.Distance < closest && !r.s.of[f.touch.Pair].world {
			closest, r.last = f.touch.Distance, f.touch.Pair
		}
	}
}

// onLink returns a point of W in the frame of the link that an element belongs to.
func (w *Searcher) onLink(element int, x geom.Vec) geom.Vec {
	e := &w.m.Elements[element]
	link := w.m.Bodies[e.Body].Link
	if link < 0 {
		return x
	}
	w.at.State.Ensure(e.Frame)
	inF := w.at.State.PoseWF[e.Frame].ApplyInv(x)
	return w.m.Tree.LinkPose[link].ApplyInv(inF)
}

// Touching lists the pairs of bodies (indices) that surely touch at a configuration:
// two of their points were found within a micrometre of each other, rounding
// included. A pair of which this cannot be told is not listed. What is said of a pair
// depends on nothing but that pair.
func (w *Searcher) Touching(state []float64) [][2]int {
	w.begin(context.Background(), time.Now(), state, false)
	var out [][2]int
	last := [2]int{-1, -1}
	for i := range w.m.Pairs {
		q := &w.m.Pairs[i]
		key := [2]int{w.m.Elements[q.A].Body, w.m.Elements[q.B].Body}
		if key == last {
			continue // already known to touch; pairs of one body pair stand together
		}
		w.q.Reason = "" // why the last pair could not be decided
		_, t := w.between(int32(i), 2*motion.DefaultTolerance, 0, 0)
		if t.Distance+w.pair.slack <= motion.DefaultTolerance && !w.pair.guessed {
			out, last = append(out, key), key
		}
	}
	return out
}
