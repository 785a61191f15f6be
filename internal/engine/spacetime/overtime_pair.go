package spacetime

import (
	"math/bits"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
)

// Parts of a pair on steps, in a distance over time.

// stepsOfShapes returns the steps in which two shapes of a pair are not proved apart, after it has looked at
// them at the ends of those in question.
func (o *overTime) stepsOfShapes(e entry, steps uint8) (left uint8) {
	w := o.s.w
	q := &w.m.Pairs[e.pair]
	of := distance.Shapes{Of: distance.Start(e.pair), A: e.a, B: e.b}
	a, b := w.stepped.part(w, q.A, e.a), w.stepped.part(w, q.B, e.b)
	if steps &^= o.acrossMiddle(of, q, a, b, steps); steps == 0 {
		return 0
	}
	normals := o.lookAll(of, steps)
	for _, weight := range weights {
		for rest := steps; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros8(rest)
			o.spread(q, k, normals[k], normals[k+1], weight)
		}
		if steps &^= w.stepped.lanes.PartsPartedBy(q, a, b, &o.fan, steps, w.clearance); steps == 0 {
			break
		}
	}
	return steps
}

// acrossMiddle returns those of some steps in which one plane parts two shapes of a pair: across what is closest of them in
// the middle. Others of the pair are tried by it.
func (o *overTime) acrossMiddle(of distance.Shapes, q *model.Pair, a, b *place.Part, steps uint8) (parted uint8) {
	w := o.s.w
	l, k := w.stepped.lanes, middleOf(steps)
	n, ok := l.Normal(q, o.note(of, k), k)
	if !ok {
		return 0
	}
	if parted = steps & l.PartsParted(q, a, b, &n, w.clearance); parted != 0 {
		memory := w.pair(int32(of.Of))
		memory.normal, memory.hasNormal = n, true
	}
	for rest := parted; rest != 0; rest &= rest - 1 {
		l.Set(&o.fan, bits.TrailingZeros8(rest), n)
	}
	return parted
}

// fanOfPair makes the planes those across what is closest of a pair.
func (o *overTime) fanOfPair(pair int32) {
	o.fan.Clear(o.s.w.m.Pairs[pair].Base)
	for k := range lanes.Steps {
		x, y := &o.near[k], &o.near[k+1]
		if x.of.Of == distance.Start(pair) && x.of == y.of {
			o.spread(&o.s.w.m.Pairs[pair], k, x.normal, y.normal, 1./2)
		}
	}
}

// spread sets the normal of a step between those of W at its ends.
func (o *overTime) spread(q *model.Pair, k int, x, y geom.Vec, weight float64) {
	l := o.s.w.stepped.lanes
	a, okA := l.Normal(q, x, k)
	b, okB := l.Normal(q, y, k+1)
	if n, ok := a.Between(b, weight); ok && okA && okB {
		l.Set(&o.fan, k, n)
	}
}

// partsOfPair returns the steps in which parts of a pair are not proved apart, which was tried as a whole.
func (o *overTime) partsOfPair(e entry, steps uint8) (left uint8) {
	w := o.s.w
	if o.s.atLeaf(e) {
		o.fanOfPair(e.pair)
		return o.stepsOfShapes(e, steps)
	}
	c := &w.stepped.parts
	if c.stack = c.stack[:0]; !o.s.worthParts(e.pair) || !o.s.openOnSteps(e, steps) {
		return steps
	}
	o.fanOfPair(e.pair)
	for len(c.stack) > 0 && steps != left && !w.q.Out() {
		at := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if at.todo &^= left; at.todo == 0 {
			continue
		}
		switch todo := o.stepsOfParts(at.e, at.todo); {
		case todo == 0:
		case o.s.atLeaf(at.e):
			left |= o.stepsOfShapes(at.e, todo)
		default:
			o.open(at.e, todo)
		}
	}
	return left
}

// stepsOfParts returns the steps in which parts of a pair are not proved apart by planes across what is closest, nor,
// where there are none or balls around the parts are apart, by the one that parted others of the pair or one across the line
// of their middles.
func (o *overTime) stepsOfParts(e entry, steps uint8) uint8 {
	w := o.s.w
	p, l := &w.stepped, w.stepped.lanes
	q := &w.m.Pairs[e.pair]
	a, b := p.part(w, q.A, e.a), p.part(w, q.B, e.b)
	w.q.Work.Proofs++
	if steps &^= l.PartsPartedBy(q, a, b, &o.fan, steps, w.clearance); steps == 0 {
		return 0
	}
	k := middleOf(steps)
	ca, ra := volume.Ball(&w.m.Elements[q.A], e.a)
	cb, rb := volume.Ball(&w.m.Elements[q.B], e.b)
	between := r3.Sub(o.pose(1, q.B, k).Move(cb), o.pose(0, q.A, k).Move(ca))
	if fanned := steps&^o.fan.Steps() == 0; fanned && geom.Norm(between) < ra+rb+o.lower[k] {
		return steps
	}
	memory := w.pair(e.pair)
	if memory.hasNormal {
		if steps &^= l.PartsParted(q, a, b, &memory.normal, w.clearance); steps == 0 {
			return 0
		}
	}
	if n, ok := geom.Unit(between); ok {
		steps &^= o.s.partsAlong(memory, q, a, b, n, k)
	}
	return steps
}

// open puts smaller parts of an entry on the stack, the one that is nearer to the other part on top.
func (o *overTime) open(e entry, steps uint8) {
	w := o.s.w
	q := &w.m.Pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	k := middleOf(steps)
	poseA, poseB := o.pose(0, q.A, k), o.pose(1, q.B, k)
	el, node, pose, other := ea, &e.a, poseA, poseB
	center, _ := volume.Ball(eb, e.b)
	if !opensForProof(e, ea, eb) {
		el, node, pose, other = eb, &e.b, poseB, poseA
		center, _ = volume.Ball(ea, e.a)
	}
	of := max(*node, 0) // the root of a hierarchy is no tighter than the whole
	if !volume.CanOpen(el, of) {
		*node = of
		w.stepped.parts.stack = append(w.stepped.parts.stack, stepsOf{e: e, todo: steps})
		return
	}
	near, far := nearer(el, of, pose.MoveBack(other.Move(center)))
	for _, part := range [...]int32{far, near} {
		*node = part
		w.stepped.parts.stack = append(w.stepped.parts.stack, stepsOf{e: e, todo: steps})
	}
}
