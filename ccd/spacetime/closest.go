package spacetime

import (
	"context"
	"fmt"
	"math"
	"sort"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// PairDistance is the distance of one pair of bodies at one configuration.
type PairDistance struct {
	motion.Witness                 // Distance is the upper bound; Time is 0
	Bounds         motion.Interval // m: the true distance lies within
}

// DistanceQuery asks how close a configuration is. The zero value asks for the
// closest pair, self and world.
type DistanceQuery struct {
	K               int     // closest pairs of bodies wanted; 0 means 1, negative all
	Max             float64 // m: pairs farther apart are left out; 0 means no limit
	Tolerance       float64 // m: bounds may be this far apart; 0 means to rounding
	Relative        float64 // and this part of the distance besides, in [0, 1)
	NoSelf, NoWorld bool
}

// Distances is the answer to a DistanceQuery.
type Distances struct {
	Pairs []PairDistance // by lower bound
	// Self and World bound the smallest distance of either class (m): +Inf to +Inf
	// where the class has no pair, at least Max to +Inf where all are beyond Max.
	Self, World motion.Interval
}

// Distances bounds the distances of the closest pairs at a configuration, one
// position per variable of the tree. It fails where the context ends it early, and
// on a limit or tolerance that is negative or not a number.
func (w *Worker) Distances(ctx context.Context, state []float64, q DistanceQuery) (Distances, error) {
	if !(q.Max >= 0 && q.Tolerance >= 0 && q.Relative >= 0 && q.Relative < 1) {
		return Distances{}, fmt.Errorf("a distance query with max %g m, tolerance %g m and %g of the distance: give zero or more, and less than 1 of the distance",
			q.Max, q.Tolerance, q.Relative)
	}
	w.begin(ctx, motion.Query{}, time.Now())
	w.stray(nil)
	w.placeAt(state)
	w.selectPairs(motion.Query{NoSelf: q.NoSelf, NoWorld: q.NoWorld})
	r := ranking{w: w, q: q, best: map[[2]int]int{}, limit: q.Max}
	if !(r.limit > 0) {
		r.limit = math.Inf(1)
	}
	r.out.Self, r.out.World = nothing(), nothing()
	for _, c := range r.candidates() {
		r.consider(c)
	}
	if w.reason != "" {
		return Distances{}, fmt.Errorf("the distance query ended early: %s", w.reason)
	}
	return r.finish(), nil
}

// placeAt moves the robot to a configuration, at rest.
func (w *Worker) placeAt(state []float64) {
	b := Bound{tree: w.m.Tree, rows: make([]int, len(state)), state: state, maxAbs: make([]float64, len(state))}
	buf := w.curveBuf
	for d := range state {
		b.maxAbs[d] = math.Abs(state[d])
		w.curves[d] = kin.NewCurve(state[d:d+1], buf)
		buf = buf[kin.CurveSize(1):]
	}
	w.reachFor(&b)
	w.boundPiece()
	w.place(0, 0, 0)
}

func nothing() motion.Interval { return motion.Interval{Lo: math.Inf(1), Hi: math.Inf(1)} }

// candidate is a pair of elements with a cheap lower bound of its distance.
type candidate struct {
	pair  int32
	lower float64
}

// ranking gathers the closest pairs of bodies, nearest candidates first, so that
// the running bound leaves most of them out (SPHERE, distance range interval).
type ranking struct {
	w     *Worker
	q     DistanceQuery
	limit float64
	out   Distances
	best  map[[2]int]int // pair of bodies -> index in out.Pairs
}

func (r *ranking) candidates() []candidate {
	out := make([]candidate, 0, len(r.w.startPairs))
	for _, i := range r.w.startPairs {
		q, p := &r.w.m.Pairs[i], r.w.pair(i)
		ca, cb := r.w.element(q.A).center, r.w.element(q.B).center
		gap := geom.Norm(r3.Sub(ca, cb)) - r.w.m.Elements[q.A].Radius - r.w.m.Elements[q.B].Radius
		out = append(out, candidate{i, gap*(1-8*u) - p.slack})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].lower < out[j].lower })
	return out
}

// consider measures one pair of elements, unless it can change no answer.
func (r *ranking) consider(c candidate) {
	q := &r.w.m.Pairs[c.pair]
	class := &r.out.Self
	if q.World {
		class = &r.out.World
	}
	// Past this distance the pair is neither among the closest nor the closest of
	// its class.
	useful := min(r.limit, max(class.Hi, r.worstKept()))
	if c.lower >= useful {
		class.Lo = min(class.Lo, max(c.lower, 0))
		return
	}
	lower, t := r.w.between(c.pair, useful, r.q.Tolerance, r.q.Relative)
	class.Lo = min(class.Lo, lower)
	class.Hi = min(class.Hi, t.distance)
	if t.distance > r.limit {
		return
	}
	r.note([2]int{r.w.m.Elements[q.A].Body, r.w.m.Elements[q.B].Body}, PairDistance{
		Witness: r.w.witnessOf(&t, 0),
		Bounds:  motion.Interval{Lo: min(lower, t.distance), Hi: t.distance},
	})
}

func (r *ranking) wanted() int {
	switch {
	case r.q.K < 0:
		return math.MaxInt
	case r.q.K == 0:
		return 1
	}
	return r.q.K
}

// worstKept is the distance beyond which a further pair of bodies is not wanted.
func (r *ranking) worstKept() float64 {
	if len(r.out.Pairs) < r.wanted() {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range r.out.Pairs {
		worst = max(worst, r.out.Pairs[i].Distance)
	}
	return worst
}

// note records a distance of a pair of bodies; of several elements the closest
// counts.
func (r *ranking) note(key [2]int, d PairDistance) {
	if i, ok := r.best[key]; ok {
		lo := min(r.out.Pairs[i].Bounds.Lo, d.Bounds.Lo)
		if d.Distance < r.out.Pairs[i].Distance {
			r.out.Pairs[i] = d
		}
		r.out.Pairs[i].Bounds.Lo = lo
		return
	}
	if len(r.out.Pairs) >= r.wanted() {
		if d.Distance >= r.worstKept() {
			return // it was measured only for what it says of its class
		}
		r.dropWorst()
	}
	r.best[key] = len(r.out.Pairs)
	r.out.Pairs = append(r.out.Pairs, d)
}

func (r *ranking) dropWorst() {
	worst := 0
	for i := range r.out.Pairs {
		if r.out.Pairs[i].Distance > r.out.Pairs[worst].Distance {
			worst = i
		}
	}
	last := len(r.out.Pairs) - 1
	for key, i := range r.best {
		switch i {
		case worst:
			delete(r.best, key)
		case last:
			r.best[key] = worst
		}
	}
	r.out.Pairs[worst] = r.out.Pairs[last]
	r.out.Pairs = r.out.Pairs[:last]
}

func (r *ranking) finish() Distances {
	for _, class := range []*motion.Interval{&r.out.Self, &r.out.World} {
		class.Lo = min(class.Lo, class.Hi)
	}
	sort.SliceStable(r.out.Pairs, func(i, j int) bool { return r.out.Pairs[i].Bounds.Lo < r.out.Pairs[j].Bounds.Lo })
	return r.out
}

// Touching lists the pairs of bodies (indices) that touch, to within a
// micrometre, at a configuration.
func (w *Worker) Touching(state []float64) [][2]int {
	w.begin(context.Background(), motion.Query{}, time.Now())
	w.stray(nil)
	w.placeAt(state)
	var out [][2]int
	last := [2]int{-1, -1}
	for i := range w.m.Pairs {
		q := &w.m.Pairs[i]
		key := [2]int{w.m.Elements[q.A].Body, w.m.Elements[q.B].Body}
		if key == last {
			continue // already known to touch; pairs of one body pair stand together
		}
		if lower, t := w.between(int32(i), 2*motion.DefaultTolerance, 0, 0); t.distance <= motion.DefaultTolerance || lower <= 0 {
			out, last = append(out, key), key
		}
	}
	return out
}
