package spacetime

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// What is not proved on the steps of an interval may be closer than what came closest so far. The search for the
// smallest distance looks at once: all that comes after is proved apart by less then.

// shapesCloser looks whether two shapes are closer at an end of step k, one of those that are not proved, than what came
// closest so far, and takes note of it. Of a pair that was not looked at yet it looks at all.
func (s *search) shapesCloser(e entry, k int, steps uint8) bool {
	w := s.w
	l, best := w.stepped.lanes, s.closest
	q := &w.m.Pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	if !volume.IsShape(ea, e.a) || !volume.IsShape(eb, e.b) {
		return false
	}
	if s.pairCloser(e.pair, steps) {
		return true
	}
	a, b := volume.Core(ea, e.a, &w.partA), volume.Core(eb, e.b, &w.partB)
	at, least := -1, best.best.Distance-best.tol/8
	for i := k; i <= k+1; i++ { // about where they are: what is worth placing the robot for
		w.q.Work.Distances++
		poseA, poseB := l.Pose(q.A, i), l.Pose(q.B, i)
		if d := convex.Distance(a, &poseA, b, &poseB, &w.search).Distance; d < least {
			at, least = i, d
		}
	}
	if at < 0 {
		return false
	}
	before, t := best.best.Distance, l.Times[at]
	w.place(t, t, t)
	p := w.at.Pair(e.pair)
	found := convex.Distance(a, &p.A.Pose, b, &p.B.Pose, &w.search)
	s.meet(e, e.pair, &found, false)
	return s.isLower(before)
}

// pairCloser looks once a piece whether a pair is closer, in steps that are not proved, than what came closest so far, and
// takes note of it.
func (s *search) pairCloser(pair int32, steps uint8) bool {
	w := s.w
	if s.closest == nil || int32(s.closest.best.Pair) == pair {
		return false
	}
	memory := w.pair(pair)
	if memory.looked == w.piece+1 {
		return false
	}
	memory.looked = w.piece + 1
	return s.closer(w.StartOf(pair), steps)
}

// worldCloser looks once whether an element is closer to the world, in steps that are not proved, than what came closest so
// far, and takes note of it.
func (s *search) worldCloser(element int, steps uint8) bool {
	w := s.w
	if s.closest == nil || s.atTimes != nil || w.stepped.world.looked || w.m.Elements[element].Members != nil {
		return false
	}
	w.stepped.world.looked = true
	return s.closer(distance.AgainstWorld(element), steps)
}

// closer looks at a pair, or an element and the world, where it is likely the closest in steps that are not proved.
func (s *search) closer(start distance.Start, steps uint8) bool {
	w, best := s.w, s.closest
	before, t := best.best.Distance, w.stepped.lanes.Times[likelyTime(steps)]
	w.place(t, t, t)
	w.stepped.start[0] = start
	if found := w.Nearest(w.stepped.start[:], before-best.tol/8, best.tol/4, 0); found.Pair >= 0 {
		best.lower(w, found, t)
	}
	return s.isLower(before)
}

// likelyTime is the time at which what is not proved in some steps is likely the closest: an end of the interval where they
// begin or end with it, else in their middle.
func likelyTime(steps uint8) int {
	const first, last = 1, 1 << (lanes.Steps - 1)
	switch steps & (first | last) {
	case first:
		return 0
	case last:
		return lanes.Steps
	}
	return middleOf(steps)
}

// middleOf returns the step in the middle of a set.
func middleOf(steps uint8) int {
	for n := bits.OnesCount8(steps) / 2; n > 0; n-- {
		steps &= steps - 1
	}
	return bits.TrailingZeros8(steps)
}

// isLower reports whether the smallest distance was lowered by enough to try once more what is not proved.
func (s *search) isLower(before float64) bool {
	return s.w.q.Reason == "" && s.closest.best.Distance < before-s.closest.tol/16
}
