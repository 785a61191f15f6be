package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// stepsOfPair returns those of the steps of a pair of elements that are not proved: by what is known of regions of joint space, by
// boxes in the frame of the body where their chains part, by a plane across the line of their middles, then by one that a search
// finds.
func (s *search) stepsOfPair(pair int32, steps uint8) uint8 {
	w := s.w
	l := w.stepped.lanes
	q := w.at.PairOf(pair)
	w.q.Work.Proofs++
	if steps &^= s.inRegions(pair, steps); steps == 0 {
		return 0
	}
	steps &^= l.Beside(q, w.clearance)
	for tried := uint8(0); steps&^tried != 0; {
		of := w.stepped.whole[middleOf(steps&^tried)]
		steps &^= s.seekPlanes(pair, q, steps&of)
		tried |= of
	}
	return steps
}

// seekPlanes returns the steps in which planes part a pair, which are sought in the middle of some of one motion.
func (s *search) seekPlanes(pair int32, q *model.Pair, steps uint8) (parted uint8) {
	w := s.w
	l, memory := w.stepped.lanes, w.pair(pair)
	if memory.vain && s.atTimes != nil && (w.at.IsGroup(pair) || s.worthParts(pair)) { // others are tried instead
		return 0
	}
	k := middleOf(steps)
	n, ok := geom.Unit(r3.Sub(l.Middle(q.B, k), l.Middle(q.A, k)))
	if ok {
		if parted = l.Parted(q, n, k, w.clearance); steps&^parted == 0 {
			return parted
		}
	}
	if memory.vain && s.worthParts(pair) {
		return parted
	}
	k = middleOf(steps &^ parted)
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	poseA, poseB := l.Pose(q.A, k), l.Pose(q.B, k)
	w.q.Work.Distances++
	w.search.Dir = n
	n, overlap := convex.Toward(volume.Rough(ea, volume.Whole, &ea.Core), &poseA, volume.Rough(eb, volume.Whole, &eb.Core), &poseB, s.leastGap(k), w.clearance+nearHulls, slop, &w.search)
	switch {
	case overlap:
		s.lookAt(entry{pair, volume.Whole, volume.Whole}, k)
	case n != (geom.Vec{}):
		parted |= l.Parted(q, n, k, w.clearance)
	}
	memory.vain = parted == 0
	return parted
}

// worthParts reports whether parts of a pair are tried on steps: where these are so short that paths are all but straight.
func (s *search) worthParts(pair int32) bool {
	w := s.w
	if s.closest == nil || w.at.IsGroup(pair) {
		return false
	}
	q := &w.m.Pairs[pair]
	l := w.stepped.lanes
	return hasParts(&w.m.Elements[q.A]) && hasParts(&w.m.Elements[q.B]) &&
		l.BendOfPair(q) <= s.fine()
}

// mostNodes is how many nodes an element has at most whose parts are kept: a pointer for each.
const mostNodes = 1 << 20

// hasParts reports whether parts of an element are kept.
func hasParts(e *model.Element) bool {
	return !engine.IsPoints(e) && (e.Leaves == nil || len(e.Leaves.Tree.Nodes) <= mostNodes)
}

// leastGap returns the gap that a search for a direction needs not go on below, in step k. A yes or no goes on, as it looks for a
// witness where hulls overlap.
func (s *search) leastGap(k int) float64 {
	if s.closest == nil {
		return 0
	}
	return s.w.clearance - s.w.stepped.lanes.Less[k]
}

// nearHulls (m) is how far hulls are apart, beyond the clearance, where a search for a direction
// may stop.
const nearHulls = 0.02

// lookAt lets a yes or no look for a witness where the hulls of an entry overlap, at one of the
// times: a link with a mesh is searched at once, first near the item.
func (s *search) lookAt(e entry, time int) {
	w := s.w
	if !s.anyTouch || e.pair >= 0 && w.at.IsGroup(e.pair) || e.pair < 0 && w.m.Elements[^e.pair].Members != nil {
		return
	}
	t := w.stepped.lanes.Times[time]
	if e.pair < 0 {
		if el := &w.m.Elements[^e.pair]; volume.CanOpen(el, volume.Whole) && volume.IsMesh(el) {
			w.place(t, t, t)
			if !s.lookAtItem(int(^e.pair), 0, e.b) {
				s.lookInto(int(^e.pair))
			}
			return
		}
	}
	if e.pair >= 0 && w.isMeshes(e.pair) {
		w.place(t, t, t)
		s.lookIntoPair(e.pair)
		return
	}
	first := len(w.arena)
	w.arena = append(w.arena, e)
	s.touches(t, first, first+1)
	w.arena = w.arena[:first]
}
