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
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Parts of an element and an item of the world on steps, in a distance over time.

// fanOfElement makes the planes those of an element.
func (o *overTime) fanOfElement(element int) {
	f := &o.items
	if f.element == element {
		return
	}
	f.element, f.item = element, nil
	f.fan.Clear(0)
	for k := range lanes.Steps {
		if x, y := &o.near[k], &o.near[k+1]; x.of.Of == distance.AgainstWorld(element) && x.of == y.of {
			o.spreadItem(k, x.normal, y.normal, 1./2)
		}
	}
}

// spreadItem sets the normal of a step between those at its ends.
func (o *overTime) spreadItem(k int, x, y geom.Vec, weight float64) {
	if n, ok := place.ToNormal(r3.Add(r3.Scale(weight, x), r3.Scale(1-weight, y))); ok {
		o.s.w.stepped.lanes.Set(&o.items.fan, k, n)
		if f := &o.items; f.item != nil {
			f.least[k] = volume.ItemLeast(o.s.w.m, f.item, f.fan.Towards(k))
		}
	}
}

// beyondFan returns those of some steps in which an item is beyond a part of an element, by the planes of the fan.
func (o *overTime) beyondFan(element int, part *place.Part, it *model.Item, steps uint8) (beyond uint8) {
	w, f := o.s.w, &o.items
	steps &= f.fan.Steps()
	if steps == 0 {
		return 0
	}
	if f.item != it {
		f.item = it
		for rest := f.fan.Steps(); rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros8(rest)
			f.least[k] = volume.ItemLeast(w.m, it, f.fan.Towards(k))
		}
	}
	reach := w.stepped.lanes.Reach(element, part, &f.fan, w.clearance)
	for ; steps != 0; steps &= steps - 1 {
		if k := bits.TrailingZeros8(steps); f.least[k] > reach[k] {
			beyond |= 1 << k
		}
	}
	return beyond
}

// partsToItem returns the steps in which parts of an element are not proved apart from an item, which was
// tried along n.
func (o *overTime) partsToItem(element int, item int32, n geom.Vec, steps uint8) (left uint8) {
	w := o.s.w
	it, e := &w.m.World.Items[^item], &w.m.Elements[element]
	o.fanOfElement(element)
	if steps &^= o.beyondFan(element, w.stepped.part(w, element, volume.Whole), it, steps); steps != 0 {
		steps &^= o.seekHull(element, item, n, steps)
	}
	switch {
	case steps == 0:
		return 0
	case volume.IsShape(e, volume.Whole):
		return o.shapeAndItem(element, volume.Whole, item, steps)
	case !hasParts(e) || w.stepped.lanes.BendFrom(element, 0) > o.s.fine():
		return steps
	}
	reason := w.q.Reason
	if !o.s.outsideItem(w.m.Against[element][it.Element-w.m.First], element, it) {
		w.q.Reason = reason // shorter intervals may do without
		return steps
	}
	c := &w.stepped.parts
	c.stack = append(c.stack[:0], stepsOf{e: entry{^int32(element), 0, item}, todo: steps})
	for len(c.stack) > 0 && steps != left && !w.q.Out() {
		at := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if at.todo &^= left; at.todo != 0 {
			left |= o.partToItem(element, at.e.a, item, at.todo)
		}
	}
	return left
}

// seekHull returns those of some steps in which planes part an element's hull from an item, which are sought from n.
func (o *overTime) seekHull(element int, item int32, n geom.Vec, steps uint8) (parted uint8) {
	w := o.s.w
	it, e := &w.m.World.Items[^item], &w.m.Elements[element]
	core, pose := volume.ItemCore(w.m, it, &w.partB)
	for tried := uint8(0); steps&^(tried|parted) != 0; {
		k := middleOf(steps &^ (tried | parted))
		tried |= 1 << k
		w.q.Work.Distances++
		w.search.Dir = n
		d, overlap := convex.Toward(volume.Rough(e, volume.Whole, &e.Core), o.pose(0, element, k), core, pose, o.lower[k], w.clearance+nearHulls, o.short(), &w.search)
		if overlap || d == (geom.Vec{}) {
			return parted
		}
		n = d
		parted |= steps & o.s.stepsAlong(element, it, n)
	}
	return parted
}

// short is by how much a direction may fall short of the best.
func (o *overTime) short() float64 {
	if c := o.s.w.clearance; c > 0 {
		return min(slop, o.tol/(4*c))
	}
	return slop
}

// partToItem tries a part of an element and an item, and puts smaller parts on the stack. It returns the steps in which
// there are none.
func (o *overTime) partToItem(element int, node, item int32, steps uint8) (left uint8) {
	w := o.s.w
	it, e := &w.m.World.Items[^item], &w.m.Elements[element]
	part := w.stepped.part(w, element, node)
	w.q.Work.Proofs++
	if steps &^= o.beyondFan(element, part, it, steps); steps == 0 {
		return 0
	}
	center, _ := volume.Ball(e, node)
	own := o.pose(0, element, middleOf(steps))
	from := own.Move(center)
	at, _ := volume.NearItem(w.m, it, from)
	if n, ok := geom.Unit(r3.Sub(at, from)); ok {
		var plane lanes.HalfSpace
		w.stepped.lanes.PlaneOfPart(element, part, n, w.clearance, &plane)
		if steps &^= plane.Beyond(volume.ItemLeast(w.m, it, normalOf(&plane))); steps == 0 {
			return 0
		}
	}
	if !volume.CanOpen(e, node) {
		return o.shapeAndItem(element, node, item, steps)
	}
	near, far := nearer(e, node, own.MoveBack(at))
	for _, c := range [...]int32{far, near} {
		w.stepped.parts.stack = append(w.stepped.parts.stack, stepsOf{e: entry{^int32(element), c, item}, todo: steps})
	}
	return 0
}

// shapeAndItem is stepsOfShapes for a shape of an element and an item.
func (o *overTime) shapeAndItem(element int, node, item int32, steps uint8) (left uint8) {
	w := o.s.w
	it := &w.m.World.Items[^item]
	normals := o.lookAll(distance.Shapes{Of: distance.AgainstWorld(element), A: node, B: ^item}, steps)
	for _, weight := range weights {
		for rest := steps; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros8(rest)
			o.spreadItem(k, normals[k], normals[k+1], weight)
		}
		if steps &^= o.beyondFan(element, w.stepped.part(w, element, node), it, steps); steps == 0 {
			break
		}
	}
	return steps
}
