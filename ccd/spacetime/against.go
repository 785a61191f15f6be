package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
)

// Robot against world. What stands still is one tree, into which the volume that
// a part sweeps descends; a direction that parts it from one triangle is tried on
// all that come after it.

// againstWorld tries an entry of an element and a node or item of the world.
func (s *search) againstWorld(e entry) fate {
	w := s.w
	element := int(^e.pair)
	sw := w.sweepOf(element, e.a)
	if e.a == whole && sw.at.far > relay*sw.at.coarse {
		s.split = true
		return kept
	}
	if w.m.World.AnyClosed && !sw.at.outside {
		if !s.checkOutsideWorld(element) {
			return kept
		}
		sw.at.outside = true
	}
	if e.b < 0 {
		return s.atItem(e, sw)
	}
	n := &w.m.World.Tree.Nodes[e.b]
	w.work.Proofs++
	if !n.Box.Meets(&sw.box) {
		return apart
	}
	if s.deferring() {
		return kept
	}
	for children, i := n.Meets(&sw.box), 0; children != 0; children, i = children>>1, i+1 {
		if children&1 == 0 {
			continue
		}
		if sw.count > 0 {
			center, half := n.ChildBox(i)
			if w.boxBeyond(sw, center, half) {
				continue
			}
		}
		w.arena = append(w.arena, entry{e.pair, e.a, n.Child[i]})
	}
	return opened
}

// boxBeyond reports whether some half-space of the sweep leaves the box out.
func (w *Worker) boxBeyond(sw *sweep, center, half geom.Vec) bool {
	for i := 0; i < sw.count; i++ {
		p := &sw.planes[i]
		if beyond(r3.Dot(center, p.n)-half.X*abs(p.n.X)-half.Y*abs(p.n.Y)-half.Z*abs(p.n.Z), p.reach, w.clearance, sw.slack) {
			return true
		}
	}
	return false
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// atItem tries an entry of an element and a single item.
func (s *search) atItem(e entry, sw *sweep) fate {
	w := s.w
	it := &w.m.World.Items[^e.b]
	pair := w.m.Against[sw.element][it.Element]
	if pair < 0 {
		return apart // on somebody's word
	}
	w.work.Proofs++
	for i := 0; i < sw.count; i++ {
		if beyond(least(w.m, it, sw.planes[i].n), sw.planes[i].reach, w.clearance, sw.slack) {
			return apart
		}
	}
	for ; sw.tried < hintsKept && sw.hints[sw.tried] != (geom.Vec{}); sw.tried++ {
		n := sw.hints[sw.tried]
		if p := w.plane(sw, n); beyond(least(w.m, it, n), p.reach, w.clearance, sw.slack) {
			sw.at.hint(n)
			return apart
		}
	}
	if s.deferring() {
		return kept
	}
	core, pose := itemCore(w.m, it, &w.partB)
	w.work.Distances++
	w.search.Dir = geom.Vec{}
	found := convex.Distance(sw.side.core, sw.side.pose, core, *pose, &w.search)
	gap := 0.0
	if n, ok := geom.Unit(found.Normal); ok && !found.Overlap {
		low := least(w.m, it, n)
		p := w.plane(sw, n)
		if beyond(low, p.reach, w.clearance, sw.slack) {
			sw.at.hint(n)
			return apart
		}
		gap = low - reachOver(n, &sw.side, 0, 0) - w.clearance - sw.slack
		s.foresee(gap, -r3.Dot(n, sw.side.vel.At(found.PointA)))
	}
	return s.unproved(e, sw, pair, &found, gap)
}

// unproved deals with a part and an item for which no direction was a proof:
// smaller parts may help, or a shorter interval; where there are no smaller ones
// they may be a witness.
func (s *search) unproved(e entry, sw *sweep, pair int32, found *convex.Result, gap float64) fate {
	w := s.w
	el := &w.m.Elements[sw.element]
	switch {
	case !canOpen(el, e.a):
		s.meet(pair, found, w.m.Pairs[pair].A != sw.element)
	case w.h > 0 && !promising(gap, sw.at.far, sw.radius):
	case e.a != whole:
		left := el.Leaves.Tree.Nodes[e.a].Left
		w.arena = append(w.arena, entry{e.pair, left, e.b}, entry{e.pair, left + 1, e.b})
		return opened
	case s.outsideItem(pair, sw.element, &w.m.World.Items[^e.b]):
		w.arena = append(w.arena, entry{e.pair, 0, e.b})
		return opened
	}
	s.split = true
	return kept
}
