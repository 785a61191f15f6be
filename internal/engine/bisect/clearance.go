package bisect

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// How close a motion comes. The clearance variant of Inequality (1) (SSL04 VII, see
// adaptive.go for what we do without) says that a pair stays farther apart than d
// between a and b where
//
//	lambda_i(a, b) + lambda_j(a, b) < eta(a) + eta(b) - 2 d.
//
// Solved for d it bounds the smallest distance on the interval from below:
//
//	d < (eta(a) + eta(b) - lambda_i - lambda_j) / 2,
//
// and distances of points that were found bound it from above: a branch and bound.
// Intervals whose lower bound is within the tolerance of the upper one are done with;
// the lowest comes first.
//
// Departure. The paper keeps one clearance and does not ask for the largest. Distances
// are those of EXACT-DIST as far as they decide anything.

// approach is the state of the branch and bound.
type approach struct {
	w        *Worker
	segments []*Segment
	open     queue   // by lowest bound; x is the segment
	tol      float64 // the answer may be this much too low
	upper    float64 // of the smallest distance
	lower    float64 // of what is done with
	best     touch
	piece    int
}

// bound is the lower bound of an element's interval.
func (e *element) bound() float64 { return (e.atA+e.atB-e.lambda)/2*(1-8*u) - 0x1p-1000 }

// closestApproach bounds the smallest distance of a motion that was proved free.
func (w *Worker) closestApproach(b *kin.Course, q *motion.Query, v *motion.Verdict) {
	a := approach{
		w: w, tol: engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance),
		upper: math.Inf(1), lower: math.Inf(1),
	}
	a.best.pair = -1
	for i := range b.Pieces() {
		a.segments = append(a.segments, w.newSegment(b, i, false))
	}
	a.sample()
	a.fill()
	a.run()
	if a.best.pair < 0 {
		return // no pair is checked: there is no distance
	}
	lo := math.Min(math.Max(q.Clearance, a.lower), a.upper)
	if w.clock.Reason != "" {
		lo = q.Clearance // what Free has proved
	}
	s := a.segments[a.piece]
	v.MinClearance = motion.Clearance{
		Known:  true,
		Bounds: motion.Interval{Lo: lo, Hi: a.upper},
		At:     engine.Witness(w.p.m, &w.p.m.Pairs[a.best.pair], &a.best.at, s.seconds(a.best.t), a.best.poseA, a.best.poseB),
	}
}

// sample finds a first upper bound: the better, the less is searched.
func (a *approach) sample() {
	n := float64(len(a.segments))
	for _, x := range [...]float64{0, 0.5, 1, 0.25, 0.75} {
		i := min(int(x*n), len(a.segments)-1)
		for _, pair := range a.w.pairs {
			if !a.w.clock.Out() {
				a.measure(i, pair, x*n-float64(i), 0)
			}
		}
	}
}

// fill takes up all pairs on all pieces.
func (a *approach) fill() {
	for i := range a.segments {
		for _, pair := range a.w.pairs {
			if a.w.clock.Out() {
				return
			}
			a.w.load(a.segments[i])
			if gap := a.w.never[pair]; gap >= a.upper-a.tol {
				a.lower = math.Min(a.lower, gap)
				continue
			}
			e := element{pair: pair, x: int32(i), b: 1, lambda: a.w.lambda(a.segments[i], pair, 0, 1)}
			e.atA, e.atB = a.measure(i, pair, 0, e.lambda/2), a.measure(i, pair, 1, e.lambda/2)
			a.add(e)
		}
	}
}

// add takes up an interval unless its bound will do.
func (a *approach) add(e element) {
	bound := e.bound()
	if bound >= a.upper-a.tol || e.b-e.a < narrowest {
		a.lower = math.Min(a.lower, bound)
		return
	}
	e.priority = -bound
	a.open.push(e)
	a.w.stats.MaxQueue = max(a.w.stats.MaxQueue, a.open.Len())
}

func (a *approach) run() {
	w := a.w
	for a.open.Len() > 0 && !w.clock.Out() {
		e := a.open.pop()
		w.stats.Elements++
		if bound := e.bound(); bound >= a.upper-a.tol || a.open.Len() > w.maxQueue {
			a.lower = math.Min(a.lower, bound) // and so do all others
			return
		}
		w.stats.Bisections++
		s, left, right := a.segments[e.x], e, e
		middle := e.a + (e.b-e.a)/2
		at := a.measure(int(e.x), e.pair, middle, e.lambda/4)
		left.b, left.atB, right.a, right.atA = middle, at, middle, at
		left.lambda, right.lambda = w.lambdaPart(s, &left, &e), w.lambdaPart(s, &right, &e)
		a.add(left)
		a.add(right)
	}
}

// measure bounds the distance of a pair at one time from below: closely where it is
// less than more above the upper bound so far, which it may lower.
func (a *approach) measure(i int, pair int32, t, more float64) float64 {
	w, s := a.w, a.segments[i]
	w.load(s)
	c := w.config(s, t)
	g := w.greedyAt(c, pair)
	p := &w.p.m.Pairs[pair]
	slack := w.slackOfPair(p.A, p.B)
	begin := w.startTimer()
	lower := g.nearest(a.upper + more + slack)
	w.stopTimer(begin, &w.stats.DistanceTime)
	w.countDistance(g)
	if found := g.touch.Upper + slack; g.touches && found < a.upper {
		a.upper, a.piece = found, i
		a.best = touch{pair: pair, t: t, poseA: *w.poseOf(c, p.A), poseB: *w.poseOf(c, p.B)}
		h := &a.best.at
		h.A, h.B, h.Normal, h.Distance = w.touchOf(c, pair)
	}
	return math.Max(0, lower-slack)
}
