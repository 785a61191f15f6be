package spheretree

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Placed is a tree at a pose in a frame W that all have in common.
type Placed struct {
	Tree   *Tree
	PoseWT geom.Pose
}

// Ranking finds the closest of many pairs of trees, with the best distance so far as
// the next pair's limit (SPHERE II-A). It keeps what was closest, pair by pair and
// among all, as the next query's start. It is the scratch of one goroutine.
type Ranking struct {
	pairs   [][2]int32
	warm    []Warm
	last    int32 // the pair that was closest, -1 at first
	order   []candidate
	centers []geom.Vec
	scratch Scratch
	cold    bool // nothing is kept: for the measurement of what that saves
	again   bool // no cached centres, likewise
}

type candidate struct {
	lower float64
	pair  int32
}

// NewRanking returns a ranking of pairs of trees, which are indices into what is given
// to Closest. The pairs are kept and not changed.
func NewRanking(pairs [][2]int32) *Ranking {
	return &Ranking{pairs: pairs, warm: make([]Warm, len(pairs)), last: -1}
}

// Without turns off what a ranking saves, to measure what that is worth: cold keeps
// nothing from query to query, again transforms a ball's centre each time it is
// compared.
func (r *Ranking) Without(cold, again bool) *Ranking {
	r.cold, r.again = cold, again
	return r
}

// Closest returns the closest pair and its distance, q's limits and tolerance being
// those of the whole: the result's Lower holds for every pair, its witness is of the
// pair returned, in W. The pair is -1, and the outcome Beyond, where all are at least
// q.Max apart or there is none. The outcome is Unknown where a pose is none. q.Warm
// is not used.
func (r *Ranking) Closest(trees []Placed, q Query) (pair int, best Result) {
	best = Result{Outcome: Beyond, Lower: math.Inf(1), Upper: math.Inf(1), Distance: math.Inf(1), TriangleA: -1, TriangleB: -1}
	limit := q.Max
	if !(limit > 0) {
		limit = math.Inf(1)
	}
	pair = -1
	lowest := math.Inf(1)
	r.sort(trees)
	for _, c := range r.order {
		enough := min(limit, best.Upper*(1-q.Alpha))
		if c.lower >= enough {
			lowest = min(lowest, c.lower) // and all that follow are no closer
			if c.pair != r.last {
				break
			}
			continue
		}
		found := r.measure(trees, c.pair, q, enough)
		best.Work.Add(found.Work)
		if found.Outcome == Unknown {
			found.Work = best.Work
			return -1, found
		}
		lowest = min(lowest, found.Lower)
		if found.Outcome != Beyond && found.Upper < best.Upper {
			found.Work = best.Work
			pair, best = int(c.pair), found
		}
		if pair >= 0 && (best.Upper <= q.Min || best.Distance == 0) {
			lowest = 0
			break
		}
	}
	best.Lower = min(lowest, best.Upper)
	if pair >= 0 {
		r.last = int32(pair)
		w := &trees[r.pairs[pair][0]].PoseWT
		best.PointA, best.PointB = place(w, best.PointA), place(w, best.PointB)
		if best.Upper <= q.Min {
			best.Outcome = Within
		}
	}
	return pair, best
}

// measure is the distance of one pair that is of interest below a limit.
func (r *Ranking) measure(trees []Placed, pair int32, q Query, limit float64) Result {
	a, b := &trees[r.pairs[pair][0]], &trees[r.pairs[pair][1]]
	q.Max, q.Warm = 0, nil
	if !math.IsInf(limit, 1) {
		q.Max = limit
	}
	if !r.cold {
		q.Warm = &r.warm[pair]
	}
	q.PoseError += between(a, b)
	f := finder{a: a.Tree, b: b.Tree, pose: a.PoseWT.Inv().Mul(b.PoseWT), q: &q, again: r.again}
	return f.run(&r.scratch)
}

// between bounds what working out b's pose in a's frame costs. Of the rotation's
// entries each errs by 3u of at most 1, as a matrix 9u, and the position by 7u of the
// poses' distance from W and of their difference; and a's rotation is inverted by its
// transpose, which for one that is off by e places what is |x| away off by 2 e |x|.
func between(a, b *Placed) float64 {
	far := geom.Norm(a.PoseWT.P) + geom.Norm(b.PoseWT.P) + a.Tree.reach + b.Tree.reach
	return (24*u + 4*stretch(&a.PoseWT.R)) * far
}

// sort puts the pairs in the order of their balls' distance, the pair that was closest
// the last time first.
func (r *Ranking) sort(trees []Placed) {
	r.centers = r.centers[:0]
	for i := range trees {
		r.centers = append(r.centers, place(&trees[i].PoseWT, trees[i].Tree.Nodes[0].Center))
	}
	r.order = r.order[:0]
	for i, p := range r.pairs {
		a, b := trees[p[0]].Tree, trees[p[1]].Tree
		_, ra := a.Root()
		_, rb := b.Root()
		ca, cb := r.centers[p[0]], r.centers[p[1]]
		pa, pb := &trees[p[0]].PoseWT, &trees[p[1]].PoseWT
		far := a.reach + b.reach + geom.Norm(pa.P) + geom.Norm(pb.P)
		rounding := far * (lowerRounding + stretch(&pa.R) + stretch(&pb.R))
		lower := geom.Norm(sub(ca, cb)) - (ra + rb) - rounding
		if math.IsNaN(lower) {
			lower = math.Inf(-1) // a pose that is none: it is to be met, not left aside
		}
		r.order = append(r.order, candidate{lower, int32(i)})
	}
	last := r.last
	if r.cold {
		last = -1
	}
	slices.SortFunc(r.order, func(x, y candidate) int {
		switch {
		case x.pair == last:
			return -1
		case y.pair == last:
			return 1
		case x.lower < y.lower:
			return -1
		case x.lower > y.lower:
			return 1
		}
		return int(x.pair - y.pair)
	})
}
