package spacetime

import (
	"math/bits"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
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
	if w.m.World.Encloses && !sw.at.outside {
		if w.m.Elements[element].Members != nil {
			if !w.groupOutside(element) {
				w.openAgainst(element, e.b)
				return opened
			}
		} else if !s.checkOutsideWorld(element) {
			return kept
		}
		sw.at.outside = true
		if w.recorder != nil && element < w.m.Real {
			w.recorder.OutsideWorld(element)
		}
	}
	if e.b < 0 {
		return s.atItem(e, sw)
	}
	n := &w.m.World.Tree.Nodes[e.b]
	w.work.Proofs++
	if !n.Box.Meets(&sw.box) {
		w.noteBox(sw, e.b, n.Box)
		return apart
	}
	if s.deferring() {
		return kept
	}
	meets := n.Meets(&sw.box)
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

// boxBeyond reports whether some half-space of the sweep leaves out a child's box.
func (w *Worker) boxBeyond(sw *sweep, n *bvh.WideNode, child int) bool {
	center, half := n.ChildBox(child)
	for i := 0; i < sw.count; i++ {
		p := &sw.planes[i]
		if beyond(r3.Dot(center, p.n)-half.X*abs(p.n.X)-half.Y*abs(p.n.Y)-half.Z*abs(p.n.Z), p.reach, w.clearance, sw.slack) {
			w.noteBeyond(sw, p.n, n.Child[child])
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
	group := w.m.Elements[sw.element].Members != nil
	pair := int32(-1)
	if !group {
		if pair = w.m.Against[sw.element][it.Element-w.m.First]; pair < 0 {
			return apart // on somebody's word
		}
	}
	opens := s.anyTouch && canOpen(&w.m.Elements[sw.element], e.a) && isMesh(&w.m.Elements[sw.element])
	if opens && w.h == 0 && (e.a != whole || sw.at.dived == w.moment()) {
		if e.a != whole {
			s.withEffort(func() bool { return s.hunt(sw.element, e.a, e.b) })
		}
		return kept // an instant is looked at for a witness, not for a proof
	}
	w.work.Proofs++
	for i := 0; i < sw.count; i++ {
		if w.parts(sw, &sw.planes[i], least(w.m, it, sw.planes[i].n)) {
			w.noteBeyond(sw, sw.planes[i].n, e.b)
			return apart
		}
	}
	for ; sw.tried < hintsKept && sw.hints[sw.tried] != (geom.Vec{}); sw.tried++ {
		n := sw.hints[sw.tried]
		if w.parts(sw, w.plane(sw, n), least(w.m, it, n)) {
			sw.at.hint(n)
			w.noteBeyond(sw, n, e.b)
			return apart
		}
	}
	if s.deferring() {
		return kept
	}
	if n, ok := w.guess(sw, it); ok {
		if w.parts(sw, w.plane(sw, n), least(w.m, it, n)) {
			sw.at.hint(n)
			w.noteBeyond(sw, n, e.b)
			return apart
		}
	}
	core, pose := itemCore(w.m, it, &w.partB)
	o := outcome{}
	w.work.Distances++
	w.search.Dir = sw.at.hints[0]
	n, overlap := convex.Toward(roughOf(&w.m.Elements[sw.element], e.a, sw.side.core), &sw.side.pose, core, pose,
		w.clearance+sw.at.far+sw.slack, slop, &w.search)
	if !overlap && n != (geom.Vec{}) {
		w.tryAgainst(sw, e.b, n, &o)
	}
	if group && !o.apart {
		if w.h > 0 && waits(o.gap, sw.at.far, sw.radius) {
			s.failed(o.gap)
			return kept
		}
		w.openAgainst(sw.element, e.b)
		return opened
	}
	if !o.apart && o.gap <= w.tolerance && opens && e.a == whole && (s.lookInto(sw.element) || w.h == 0) {
		return kept
	}
	if !o.apart && o.gap <= w.tolerance {
		w.work.Distances++
		w.search.Dir = n
		o.searched, o.found = true, convex.Distance(sw.side.core, sw.side.pose, core, *pose, &w.search)
		if n, ok := geom.Unit(o.found.Normal); ok && !o.found.Overlap {
			w.tryAgainst(sw, e.b, n, &o)
		}
	}
	if o.apart {
		return apart
	}
	return s.unproved(e, sw, pair, &o)
}

// tryAgainst tries a direction on the sweep and an item.
func (w *Worker) tryAgainst(sw *sweep, item int32, n geom.Vec, o *outcome) {
	low, p := least(w.m, &w.m.World.Items[^item], n), w.plane(sw, n)
	if o.apart = w.parts(sw, p, low); o.apart {
		sw.at.hint(n)
		w.noteBeyond(sw, n, item)
		return
	}
	o.gap = max(o.gap, low-reachOver(n, &sw.side, 0)-w.clearance-sw.slack)
}

// nearer returns the children of a node, the one nearer to a point of the element's
// frame first: where there is a contact, it is found sooner.
func nearer(e *model.Element, node int32, x geom.Vec) (near, far int32) {
	left := e.Leaves.Tree.Nodes[node].Left
	l, r := &e.Leaves.Tree.Nodes[left], &e.Leaves.Tree.Nodes[left+1]
	if geom.Norm(r3.Sub(x, r.Center))-r.Radius < geom.Norm(r3.Sub(x, l.Center))-l.Radius {
		return left + 1, left
	}
	return left, left + 1
}

// guess returns the direction from the middle of a part to the nearest point of an
// item: often as good as that between the nearest points, and found at once.
func (w *Worker) guess(sw *sweep, it *model.Item) (n geom.Vec, ok bool) {
	e := &w.m.Elements[it.Element]
	var at geom.Vec
	switch {
	case it.Leaf < 0 && e.Core.Kind == convex.Box:
		x := r3.Sub(e.PoseFE.ApplyInv(sw.center), e.Core.Center)
		at = e.PoseFE.Apply(r3.Add(e.Core.Center, clamped(x, e.Core.Half)))
	case it.Leaf < 0:
		return geom.Vec{}, false
	case e.Leaves.Mesh != nil:
		t := tri.Triangle(it.Vertices)
		at = tri.ClosestPoint(&t, sw.center)
	default:
		return geom.Vec{}, false
	}
	return geom.Unit(r3.Sub(at, sw.center))
}

// clamped returns the point of the box from -half to half nearest to x.
func clamped(x, half geom.Vec) geom.Vec {
	return geom.Vec{
		X: max(-half.X, min(half.X, x.X)),
		Y: max(-half.Y, min(half.Y, x.Y)),
		Z: max(-half.Z, min(half.Z, x.Z)),
	}
}

// unproved deals with a part and an item for which no direction was a proof:
// smaller parts may help, or a shorter interval; where there are no smaller ones
// they may be a witness.
func (s *search) unproved(e entry, sw *sweep, pair int32, o *outcome) fate {
	w := s.w
	el := &w.m.Elements[sw.element]
	if o.gap > 0 && (!canOpen(el, e.a) || s.anyTouch) {
		s.foresee(o.gap, fastest(sw.planes[sw.count-1].n, &sw.side), sw.at.accel)
	}
	switch {
	case !canOpen(el, e.a):
		if o.searched {
			s.meet(pair, &o.found, w.m.Pairs[pair].A != sw.element)
		}
	case w.h > 0 && !promising(o.gap, sw.at.far, max(w.tolerance, sw.radius)):
		s.suspect = s.suspect || o.gap <= 0
	case e.a != whole:
		near, far := nearer(el, e.a, sw.side.pose.ApplyInv(o.found.PointB))
		w.arena = append(w.arena, entry{e.pair, far, e.b}, entry{e.pair, near, e.b})
		return opened
	case s.outsideItem(pair, sw.element, &w.m.World.Items[^e.b]):
		w.arena = append(w.arena, entry{e.pair, 0, e.b})
		return opened
	}
	s.failed(o.gap)
	return kept
}
