package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Solids. Leaves are surfaces: a proof that they stay apart does not exclude that one body
// lies inside the other. If, at one time, a point of each connected part of either surface
// lies outside the other solid, and the surfaces are apart during the whole motion, no part
// ever gets inside: it would have to cross the surface. A proof at the level of the convex
// pieces needs no such check, because it separates the solids themselves.
//
// That time is the motion's start, whatever the current interval: a proof about the time
// before a first contact must not depend on where a body was after it.

// checkOutside is called before the pair of e is opened. It reports true if neither solid
// contains a part of the other, or if that was shown before; otherwise it has recorded a
// witness, or the reason why it is undecided.
func (s *search) checkOutside(e entry, openA bool) bool {
	s.w.usedStart = true
	q := &s.w.m.Pairs[e.pair]
	ea, eb := &s.w.m.Elements[q.A], &s.w.m.Elements[q.B]
	if engine.IsPoints(ea) || engine.IsPoints(eb) {
		return s.checkPoint(e, openA)
	}
	return s.checkSurfaces(e.pair)
}

// checkSurfaces is like checkOutside for elements that are not points.
func (s *search) checkSurfaces(pair int32) bool {
	q := &s.w.m.Pairs[pair]
	if s.w.pair(pair).outside {
		return true
	}
	ea, eb := &s.w.m.Elements[q.A], &s.w.m.Elements[q.B]
	poseA, poseB := s.w.start.Pose(q.A), s.w.start.Pose(q.B)
	inside, at, ok := s.w.solids.PartInside(ea, &poseA, eb, &poseB)
	if ok && !inside {
		inside, at, ok = s.w.solids.PartInside(eb, &poseB, ea, &poseA)
	}
	return s.judge(pair, inside, at, ok)
}

// checkPoint handles points and cells, which are separate parts: once a single one meets a
// whole mesh, that one is checked, each time.
func (s *search) checkPoint(e entry, openA bool) bool {
	q := &s.w.m.Pairs[e.pair]
	points, solid, node := q.A, q.B, e.a
	opensSolid := !openA
	if !engine.IsPoints(&s.w.m.Elements[points]) {
		points, solid, node = q.B, q.A, e.b
		opensSolid = openA
	}
	if !opensSolid || !engine.Encloses(&s.w.m.Elements[solid]) {
		return true
	}
	l := s.w.m.Elements[points].Leaves
	return s.pointOutside(e.pair, points, l.Tree.Order[l.Tree.Nodes[node].First], solid)
}

// pointOutside is like checkOutside for a point or cell of one element and another element.
func (s *search) pointOutside(pair int32, points int, i int32, solid int) bool {
	el := &s.w.m.Elements[solid]
	if !engine.Encloses(el) {
		return true
	}
	poseP, poseS := s.w.start.Pose(points), s.w.start.Pose(solid)
	at := poseP.Move(s.w.m.Elements[points].Leaves.Within(i))
	inside, ok := engine.InsideSolids(el, poseS.MoveBack(at))
	if ok && !inside {
		return true
	}
	return s.judge(pair, inside, at, ok)
}

func (s *search) judge(pair int32, inside bool, at geom.Vec, ok bool) bool {
	switch {
	case !ok:
		s.w.q.Reason = "cannot tell whether one mesh lies inside the other"
		return false
	case inside:
		s.inside(engine.PairTouch{Pair: pair, Touch: engine.Touch{A: at, B: at}})
		return false
	}
	s.w.pair(pair).outside = true
	if s.w.recorder != nil {
		s.w.recorder.Outside(pair)
	}
	return true
}

// inside records that a body is inside another at the motion's start.
func (s *search) inside(t engine.PairTouch) {
	s.witness(touch{t, true}, 0)
}

// outsideItem is like checkOutside for an element, about to be opened, and an item of the
// world.
func (s *search) outsideItem(pair int32, element int, it *model.Item) bool {
	w := s.w
	w.usedStart = true
	if engine.IsPoints(&w.m.Elements[it.Element]) {
		return s.pointOutside(pair, int(it.Element), it.Leaf, element)
	}
	if engine.IsPoints(&w.m.Elements[element]) {
		return true // checkOutsideWorld checks each
	}
	return s.checkSurfaces(pair)
}

// checkOutsideWorld reports true if the element starts outside the world's closed meshes, and
// so stays outside while surfaces are apart; otherwise it has recorded a witness, or the
// reason why it is undecided.
//
// A proof that separates the element's hull from every triangle leaves the hull on one side of
// every surface: one of its points shows on which. If the hull is opened, outsideItem checks
// each part of the element.
func (s *search) checkOutsideWorld(element int) bool {
	w := s.w
	el, pose := &w.m.Elements[element], w.start.Pose(element)
	if !engine.IsPoints(el) {
		return s.outsideWorld(element, pose.Move(el.Core.Support(geom.Vec{X: 1})))
	}
	for i := range el.Leaves.Tree.Order { // each is a separate part
		if !s.outsideWorld(element, pose.Move(el.Leaves.Within(int32(i)))) {
			return false
		}
	}
	return true
}

// groupOutside is like checkOutsideWorld for a group, against everything that any of its
// members is checked against; if it cannot decide, the members are checked.
func (w *Worker) groupOutside(group int) bool {
	pose := w.start.Pose(group)
	at := pose.Move(w.m.Elements[group].Core.Support(geom.Vec{X: 1}))
	solid, ok := w.m.World.SolidAround(at, w.everything, &w.segments)
	return ok && solid < 0
}

// outsideWorld is like checkOutsideWorld for one point of W.
func (s *search) outsideWorld(element int, at geom.Vec) bool {
	w := s.w
	row := w.m.Against[element]
	solid, ok := w.m.World.SolidAround(at, row, &w.segments)
	switch {
	case !ok:
		w.q.Reason = "cannot tell whether a link lies inside a mesh of the world"
		return false
	case solid >= 0:
		s.inside(engine.PairTouch{Pair: row[solid-w.m.First], Touch: engine.Touch{A: at, B: at}})
		return false
	}
	return true
}
