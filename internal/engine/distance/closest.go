package distance

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
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
	w.begin(ctx, state, warm)
	return w.answer(state, s, out)
}

// MeasureHere is Measure where the engine has placed the robot, at a single time of a
// motion from which no joint strays. The answer depends on no query before. The scope
// leaves out no pairs of the robot's own by its trees.
func (w *Searcher) MeasureHere(ctx context.Context, s *Scope, out *motion.Distances) error {
	w.prepare()
	w.q.Watch(ctx)
	w.follows, w.warmSince = false, w.q.Number
	w.q.Work.Intervals++
	return w.answer(nil, s, out)
}

// answer answers a query where the robot is placed, which is at state if trees are used.
func (w *Searcher) answer(state []float64, s *Scope, out *motion.Distances) error {
	r := &w.ranking
	r.start(w, s, out)
	switch {
	case w.q.Reason != "":
	case s.own != nil:
		r.runCulled(state)
	default:
		r.run()
	}
	if w.q.Reason != "" {
		return fmt.Errorf("the distance query ended early: %s", w.q.Reason)
	}
	r.finish()
	return nil
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
		r.culled.seeds = r.culled.seeds[:0]
	}
	r.culled.left = math.Inf(1)
	r.slack = w.at.LargestSlack()
	out.Rounding = 4 * r.slack
	none := motion.Interval{Lo: math.Inf(1), Hi: math.Inf(1)}
	out.Self, out.World, out.Attached, out.Stopped = none, none, none, false
	out.Pairs = out.Pairs[:0]
}

func (r *ranking) run() {
	r.candidates(r.s.single)
	first := r.first()
	if first < 0 {
		r.world()
		return
	}
	r.open[0], r.open[first] = r.open[first], r.open[0]
	r.consider(r.open[0])
	r.rest(r.open[1:])
	r.search()
	r.world()
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
		} else if !r.s.of[f.touch.Pair].attached {
			lower = min(lower, r.culled.left)
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
	if r.s.own != nil {
		r.remember()
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
	inF := w.at.State.PoseWF[e.Frame].MoveBack(x)
	return w.m.Tree.LinkPose[link].MoveBack(inF)
}

// Touching lists the pairs of bodies (indices) that surely touch at a configuration:
// two of their points were found within a micrometre of each other, rounding
// included. A pair of which this cannot be told is not listed. What is said of a pair
// depends on nothing but that pair.
func (w *Searcher) Touching(state []float64) [][2]int {
	w.begin(context.Background(), state, false)
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

// Prepare makes what queries want to know of meshes, so that the first is not slow.
func (w *Searcher) Prepare() {
	w.m.PrepareHulls()
	for i := range w.m.Elements[:w.m.Real] {
		w.hullOf(i)
		if l := w.m.Elements[i].Leaves; l != nil && l.Mesh != nil {
			l.Extents()
		}
	}
}
