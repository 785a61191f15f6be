package spacetime

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Robot against world. The static world is one tree, into which the swept volume of a part
// descends. A direction that separates it from one triangle is tried on all later ones.

// againstWorld tries an entry of an element and a node or item of the world.
func (s *search) againstWorld(e entry) progress {
	w := s.w
	element := int(^e.pair)
	if p, done := s.looked(e, element); done {
		return p
	}
	sw := w.sweepOf(element, e.a)
	if e.a == volume.Whole && sw.at.Far > relay*sw.at.Coarse {
		if !s.split {
			s.split, s.gap = true, math.Inf(1)
		}
		return unproved
	}
	if w.m.World.Encloses && !sw.memory.outside {
		if w.m.Elements[element].Members != nil {
			if !w.groupOutside(element) {
				w.openAgainst(element, e.b)
				return opened
			}
		} else if !s.checkOutsideWorld(element) {
			return unproved
		}
		sw.memory.outside = true
		if w.recorder != nil && element < w.m.Real {
			w.recorder.OutsideWorld(element)
		}
	}
	if e.b < 0 {
		return s.atItem(e, sw)
	}
	n := &w.m.World.Tree.Nodes[e.b]
	w.q.Work.Proofs++
	box := w.boxOf(sw)
	if !n.Box.Meets(box) {
		w.noteBox(sw, e.b, n.Box)
		return apart
	}
	if s.deferring() {
		return unproved
	}
	meets := n.Meets(box)
	if w.recorder != nil {
		w.noteMissed(sw, n, meets)
	}
	for ; meets != 0; meets &= meets - 1 {
		i := bits.TrailingZeros32(meets)
		if sw.count == 0 || !w.boxBeyond(sw, n, i) {
			w.arena = append(w.arena, entry{e.pair, e.a, n.Child[i]})
		}
	}
	return opened
}

// looked decides an entry at an instant, which is looked at for a witness alone: an element is
// searched as a whole then, once, and a group that failed is not tried again.
func (s *search) looked(e entry, element int) (p progress, done bool) {
	w := s.w
	if !s.anyTouch || w.at.H > 0 || s.ranged {
		return unproved, false
	}
	el, searched := &w.m.Elements[element], w.element(element).searched == w.moment()
	switch {
	case el.Members != nil:
		if searched {
			w.openAgainst(element, e.b)
		}
		return opened, searched
	case !volume.CanOpen(el, e.a) || !volume.IsMesh(el):
		return unproved, false
	case !searched && e.a != volume.Whole:
		s.lookInto(element)
		searched = true
	}
	return unproved, searched
}

// atItem tries an entry of an element and a single item.
func (s *search) atItem(e entry, sw *sweep) progress {
	w := s.w
	it := &w.m.World.Items[^e.b]
	pair := int32(-1) // of a group
	if w.m.Elements[sw.element].Members == nil {
		if pair = w.m.Against[sw.element][it.Element-w.m.First]; pair < 0 {
			return apart // an allowed pair
		}
	}
	el := &w.m.Elements[sw.element]
	opens := volume.CanOpen(el, e.a)
	if s.anyTouch && opens && volume.IsMesh(el) && w.at.H == 0 && (e.a != volume.Whole || sw.memory.searched == w.moment()) {
		if e.a != volume.Whole {
			s.lookAtItem(sw.element, e.a, e.b)
		}
		return unproved // an instant is tested for a witness, not for a proof
	}
	w.q.Work.Proofs++
	if w.partedAsBefore(sw, e.b) {
		return apart
	}
	if s.hasty {
		s.failed(w.gapBeyond(sw, it))
		return unproved
	}
	if s.deferring() {
		return unproved
	}
	near, ok := volume.NearItem(w.m, it, sw.center)
	if n, isUnit := geom.Unit(r3.Sub(near, sw.center)); isUnit && w.partedAlong(sw, e.b, n) {
		return apart
	}
	o := &w.outcome
	o.begin()
	o.found.PointB = near
	if ok && opens && e.a != volume.Whole { // a stepping stone: a guess instead of a search
		o.gap = w.gapBeyond(sw, it)
		return s.unproved(e, sw, pair, o)
	}
	return s.seekItem(e, sw, pair, o)
}

// seekItem searches directions that part the part of e from its item.
func (s *search) seekItem(e entry, sw *sweep, pair int32, o *outcome) progress {
	w := s.w
	el := &w.m.Elements[sw.element]
	opens := volume.CanOpen(el, e.a)
	core, pose := volume.ItemCore(w.m, &w.m.World.Items[^e.b], &w.partB)
	w.q.Work.Distances++
	w.search.Dir = sw.memory.hints[0]
	n, overlap := convex.Toward(volume.Rough(el, e.a, sw.side.Core), &sw.side.Pose, core, pose,
		0, w.clearance+sw.at.Far+sw.slack, slop, &w.search)
	if !overlap && n != (geom.Vec{}) {
		w.tryAgainst(sw, e.b, n, o)
	}
	if pair < 0 && !o.apart {
		return s.openItem(e, sw, o.gap)
	}
	if !o.apart && o.gap <= w.tolerance && opens && e.a == volume.Whole && volume.IsMesh(el) && s.looksInto(e, sw, overlap) {
		s.failed(o.gap)
		return unproved
	}
	if !o.apart && o.gap <= w.tolerance && !(overlap && opens) {
		w.q.Work.Distances++
		w.search.Dir = n
		o.searched, o.found = true, convex.Distance(sw.side.Core, &sw.side.Pose, core, pose, &w.search)
		if n, ok := geom.Unit(o.found.Normal); ok && !o.found.Overlap {
			w.tryAgainst(sw, e.b, n, o)
		}
	}
	if o.apart {
		return apart
	}
	return s.unproved(e, sw, pair, o)
}

// looksInto lets a search for a contact look for a witness below a mesh that is not proved apart from
// its item, and reports whether that settles the entry: a yes or no looks at all of the world, a
// first contact at the item that the mesh's hull overlaps, in the middle of the interval.
func (s *search) looksInto(e entry, sw *sweep, overlap bool) bool {
	switch {
	case s.anyTouch:
		return s.lookInto(sw.element) || s.w.at.H == 0
	case s.closest != nil || !overlap || s.w.at.H == 0:
		return false
	}
	return s.lookAtItem(sw.element, 0, e.b)
}

// openItem puts a group's members in its place, unless a shorter interval will do for the group,
// which has the given gap to the item.
func (s *search) openItem(e entry, sw *sweep, gap float64) progress {
	w := s.w
	if w.at.H > 0 && waits(gap, sw.at.Far, sw.radius) {
		s.failed(gap)
		return unproved
	}
	if w.at.H == 0 {
		sw.memory.searched = w.moment()
	}
	w.openAgainst(sw.element, e.b)
	return opened
}

// partedAsBefore tries the directions that parted the element from something else.
func (w *prover) partedAsBefore(sw *sweep, item int32) bool {
	it := &w.m.World.Items[^item]
	for i := 0; i < sw.count; i++ {
		if w.parts(sw, &sw.planes[i], volume.ItemLeast(w.m, it, sw.planes[i].n)) {
			w.noteBeyond(sw, sw.planes[i].n, item)
			return true
		}
	}
	for ; sw.tried < hintsKept && sw.hints[sw.tried] != (geom.Vec{}); sw.tried++ {
		if !sw.has(sw.hints[sw.tried]) && w.partedAlong(sw, item, sw.hints[sw.tried]) {
			return true
		}
	}
	return false
}

// partedAlong tries a direction, and remembers one that parts the element from the item.
func (w *prover) partedAlong(sw *sweep, item int32, n geom.Vec) bool {
	if !w.parts(sw, w.plane(sw, n), volume.ItemLeast(w.m, &w.m.World.Items[^item], n)) {
		return false
	}
	sw.memory.hint(n)
	w.noteBeyond(sw, n, item)
	return true
}

// nearer returns the children of a node, the one nearer to a point of the element's frame
// first, which finds contacts sooner.
func nearer(e *model.Element, node int32, x geom.Vec) (near, far int32) {
	left := e.Leaves.Tree.Nodes[node].Left
	l, r := &e.Leaves.Tree.Nodes[left], &e.Leaves.Tree.Nodes[left+1]
	if geom.Norm(r3.Sub(x, r.Center))-r.Radius < geom.Norm(r3.Sub(x, l.Center))-l.Radius {
		return left + 1, left
	}
	return left, left + 1
}

// unproved handles a part and an item without a proof: smaller parts may help, or a shorter
// interval; if there are no smaller ones they may be a witness.
func (s *search) unproved(e entry, sw *sweep, pair int32, o *outcome) progress {
	w := s.w
	el := &w.m.Elements[sw.element]
	if o.gap > 0 {
		s.predict(e, volume.CanOpen(el, e.a), o.gap, rules.Fastest(sw.planes[sw.count-1].n, &sw.side), sw.at.Accel)
	}
	switch {
	case !volume.CanOpen(el, e.a):
		if o.searched {
			s.meet(e, pair, &o.found, w.m.Pairs[pair].A != sw.element)
		}
	case w.at.H > 0 && !promising(o.gap, sw.at.Far, max(w.tolerance, sw.radius)):
		s.suspect = s.suspect || o.gap <= 0
	case e.a != volume.Whole:
		near, far := nearer(el, e.a, sw.side.Pose.MoveBack(o.found.PointB))
		w.arena = append(w.arena, entry{e.pair, far, e.b}, entry{e.pair, near, e.b})
		return opened
	case s.outsideItem(pair, sw.element, &w.m.World.Items[^e.b]):
		w.arena = append(w.arena, entry{e.pair, 0, e.b})
		return opened
	}
	s.failed(o.gap)
	return unproved
}
