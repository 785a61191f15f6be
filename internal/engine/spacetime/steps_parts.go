package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Parts of a pair's elements on all steps of an interval at once, where their hulls are not proved apart. Only a
// search for the smallest distance does so: links that are close by design and not convex are most of its work. A
// yes or no has seldom to open anything.

// cornersKept is how many corners of parts are kept, of 12 bytes each.
const cornersKept = 1 << 17

// part returns a part of an element.
func (p *stepped) part(w *Worker, element int, node int32) *place.Part {
	c := &p.parts
	if c.of == nil || c.corners > cornersKept {
		c.of, c.corners = make([][]*place.Part, len(w.m.Elements)), 0
	}
	e := &w.m.Elements[element]
	if c.of[element] == nil {
		n := 1
		if e.Leaves != nil {
			n += len(e.Leaves.Tree.Nodes)
		}
		c.of[element] = make([]*place.Part, n)
	}
	at := &c.of[element][node-volume.Whole]
	if *at == nil {
		points, radius := e.OutlineOf(volume.Tight(e, node, &w.partA))
		made := p.lanes.NewPart(element, points, radius)
		*at, c.corners = &made, c.corners+made.Corners()
	}
	return *at
}

// tryParts tries the parts of an entry on steps, first those of what was opened last, and adds what is not proved to
// the list. It reports false where parts are not tried.
//
// Once two shapes are not proved apart in a step, it must be split: what is not proved then by what parted other parts
// of the pair waits for that.
func (s *search) tryParts(e entry, steps uint8) bool {
	w := s.w
	p := &w.stepped
	c := &p.parts
	if !s.worthParts(e.pair) {
		return false
	}
	if c.stack = c.stack[:0]; e.a == volume.Whole && e.b == volume.Whole { // stepsOfPair tried these
		if !s.openOnSteps(e, steps) {
			return false
		}
	} else {
		c.stack = append(c.stack, stepsOf{e: e, todo: steps})
	}
	for len(c.stack) > 0 && !w.q.Out() {
		at := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		left := s.stepsOfParts(at.e, at.todo)
		if alive := left &^ c.dead; alive != 0 {
			if s.openOnSteps(at.e, alive) {
				left &^= alive
			} else {
				c.dead |= alive
			}
		}
		if left != 0 {
			p.list = append(p.list, stepsOf{e: at.e, failed: left})
		}
	}
	return true
}

// stepsOfParts returns those of the steps in which the parts of an entry are not proved apart: by the plane
// that parted others of the pair, by one across the line of their middles, and by those that searches find.
func (s *search) stepsOfParts(e entry, steps uint8) uint8 {
	w := s.w
	p := &w.stepped
	q := &w.m.Pairs[e.pair]
	a, b := p.part(w, q.A, e.a), p.part(w, q.B, e.b)
	memory := w.pair(e.pair)
	w.q.Work.Proofs++
	if memory.hasNormal {
		steps &^= p.lanes.PartsParted(q, a, b, &memory.normal, w.clearance)
	}
	dead := steps & p.parts.dead
	if steps &^= dead; steps == 0 {
		return dead
	}
	k := middleOf(steps)
	ca, _ := volume.Ball(&w.m.Elements[q.A], e.a)
	cb, _ := volume.Ball(&w.m.Elements[q.B], e.b)
	n, ok := geom.Unit(p.lanes.Between(q, ca, cb, k))
	if ok {
		steps &^= s.partsAlong(memory, q, a, b, n, k)
	}
	for steps != 0 {
		k = middleOf(steps)
		parted := uint8(0)
		if n = s.seekParts(q, e, n, k); n != (geom.Vec{}) {
			parted = steps & s.partsAlong(memory, q, a, b, n, k)
		}
		if steps &^= parted; parted == 0 && !s.shapesCloser(e, k, steps) {
			break
		}
	}
	return steps | dead
}

// seekParts searches from n a direction that parts two parts in step k, zero where there is none.
func (s *search) seekParts(q *model.Pair, e entry, n geom.Vec, k int) geom.Vec {
	w := s.w
	l := w.stepped.lanes
	a, b := volume.Tight(&w.m.Elements[q.A], e.a, &w.partA), volume.Tight(&w.m.Elements[q.B], e.b, &w.partB)
	poseA, poseB := l.Pose(q.A, k), l.Pose(q.B, k)
	short := slop // by how much the direction may fall short: by less than half of the tolerance
	if w.clearance > 0 {
		short = min(slop, s.closest.tol/(2*w.clearance))
	}
	w.q.Work.Distances++
	w.search.Dir = n
	n, overlap := convex.Toward(a, &poseA, b, &poseB, s.leastGap(k), w.clearance+nearHulls, short, &w.search)
	if overlap {
		return geom.Vec{}
	}
	return n
}

// partsAlong returns the steps in which a plane across n, a direction of W in step k, parts two parts. Others
// of the pair are tried along it first.
func (s *search) partsAlong(memory *pairMemory, q *model.Pair, a, b *place.Part, n geom.Vec, k int) uint8 {
	l := s.w.stepped.lanes
	normal, ok := l.Normal(q, n, k)
	if !ok {
		return 0
	}
	parted := l.PartsParted(q, a, b, &normal, s.w.clearance)
	if parted != 0 {
		memory.normal, memory.hasNormal = normal, true
	}
	return parted
}

// openOnSteps puts smaller parts of an entry on the stack, for the steps in which it was not proved. It
// reports false where there are none, or where containment is for others to tell.
func (s *search) openOnSteps(e entry, steps uint8) bool {
	w := s.w
	q := &w.m.Pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	if !volume.CanOpen(ea, e.a) && !volume.CanOpen(eb, e.b) {
		return false
	}
	openA := opensForProof(e, ea, eb)
	if reason := w.q.Reason; (e.a == volume.Whole || e.b == volume.Whole) && !s.checkOutside(e, openA) {
		w.q.Reason = reason // shorter intervals may do without
		return false
	}
	el, node := ea, &e.a
	if !openA {
		el, node = eb, &e.b
	}
	push := func(part int32) {
		*node = part
		w.stepped.parts.stack = append(w.stepped.parts.stack, stepsOf{e: e, todo: steps})
	}
	of := *node
	if of == volume.Whole { // its root is no tighter
		if of = 0; !volume.CanOpen(el, of) {
			push(of)
			return true
		}
	}
	left := el.Leaves.Tree.Nodes[of].Left
	push(left)
	push(left + 1)
	return true
}
