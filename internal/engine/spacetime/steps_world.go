package spacetime

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// stepsToWorld returns those of an element's steps that are not proved. It goes down the world's
// tree, of each node's children first into the nearest: what parts the element from what is near parts
// it from most that is behind.
//
// Once two steps are left of an element that has taken many proofs, a look at what else may touch is worth more
// to a yes or no than its other steps: those that were not looked at are undone then.
func (s *search) stepsToWorld(element int, steps uint8) (left, undone uint8) {
	w := s.w
	left = s.startsInside(element, steps)
	p, sweep, root := &w.stepped.world, w.stepped.lanes.Sweep(element), &w.m.World.Tree.Nodes[0]
	begun := w.q.Work.Proofs
	w.q.Work.Proofs++
	var missed missing
	if missed.by(root, sweep); missed.everywhere(root, steps) {
		return left, 0
	}
	middle := w.stepped.lanes.Middle(element, lanes.Steps/2)
	p.count, p.looked, p.near = 0, false, p.near[:0]
	p.list(root, &missed, steps, &middle)
	for len(p.near) > 0 && left != steps {
		at := p.near[len(p.near)-1]
		p.near = p.near[:len(p.near)-1]
		switch at.steps &^= left; {
		case at.steps == 0:
		case at.node < 0:
			left |= s.stepsToItem(element, at.node, at.steps)
		default:
			w.q.Work.Proofs++
			p.open(&w.m.World.Tree.Nodes[at.node], sweep, at.steps, &middle)
		}
		if s.res.hit || w.q.Out() {
			return steps, 0
		}
		if w.stepped.hurries && bits.OnesCount8(left) >= 2 && w.q.Work.Proofs > begun+w.stepped.patience {
			return left, steps &^ left
		}
	}
	return left, 0
}

// startsInside returns those of an element's steps that are of a motion that may start inside one of the
// world's solids.
func (s *search) startsInside(element int, steps uint8) (inside uint8) {
	switch {
	case s.shared:
		return s.sharedInside(element, steps)
	case s.startsOutside(element):
		return 0
	}
	return steps
}

// sharedInside is startsInside where motions share the lanes: of those that are not seen at once to start outside.
func (s *search) sharedInside(element int, steps uint8) (inside uint8) {
	w := s.w
	if !w.m.World.Encloses {
		return 0
	}
	if engine.IsPoints(&w.m.Elements[element]) {
		return steps
	}
	for rest := steps; rest != 0; {
		of := w.stepped.whole[bits.TrailingZeros8(rest)]
		if !s.isOpen(element, bits.TrailingZeros8(of)) {
			inside |= steps & of
		}
		rest &^= of
	}
	return inside
}

// startsOutside reports whether an element starts outside the world's solids, which
// againstWorld asks for likewise.
func (s *search) startsOutside(element int) bool {
	w := s.w
	memory := w.element(element)
	switch {
	case !w.m.World.Encloses || memory.outside:
		return true
	case s.startsOpen(element):
		memory.outside = true
	case w.m.Elements[element].Members != nil:
		memory.outside = w.groupOutside(element)
	default:
		memory.outside = s.checkOutsideWorld(element)
	}
	return memory.outside
}

// startsOpen reports whether a point of an element's hull is seen at once to start outside the world's
// solids: the motion's start is the first of the times.
func (s *search) startsOpen(element int) bool {
	w := s.w
	if w.piece != 0 || w.stepped.placed[0] != 0 || engine.IsPoints(&w.m.Elements[element]) {
		return false
	}
	return s.isOpen(element, 0)
}

// isOpen reports whether a point of an element's hull is seen at once to be outside the world's solids at
// one of the times.
func (s *search) isOpen(element, time int) bool {
	at, err := s.w.stepped.lanes.PointOf(element, time)
	return err < model.OpenNear/2 && s.w.m.World.IsOpen(at)
}

// open adds the children of a node that neither the swept boxes nor the half-spaces leave out.
func (p *stepsAgainst) open(n *bvh.WideNode, sweep *lanes.Sweep, steps uint8, middle *geom.Vec) {
	var missed missing
	missed.by(n, sweep)
	lanes.Beyond(p.planes[:p.count], (*lanes.Eight)(&n.Lo), (*lanes.Eight)(&n.Hi), (*[bvh.Width]uint8)(&missed))
	p.list(n, &missed, steps, middle)
}

// missing is the steps in which each child of a node is not met. They are written one by one: reading all at once would wait for them.
type missing [bvh.Width]uint8

// by sets the steps in which swept boxes miss the children of a node.
func (m *missing) by(n *bvh.WideNode, sweep *lanes.Sweep) {
	sweep.Missed((*lanes.Eight)(&n.Lo), (*lanes.Eight)(&n.Hi), 1<<n.Count-1, (*[bvh.Width]uint8)(m))
}

// everywhere reports whether no child is met in any of some steps.
func (m *missing) everywhere(n *bvh.WideNode, steps uint8) bool {
	met := uint8(0)
	for _, missed := range m[:n.Count] {
		met |= steps &^ missed
	}
	return met == 0
}

// list adds the children of a node that are met in some steps.
func (p *stepsAgainst) list(n *bvh.WideNode, missed *missing, steps uint8, middle *geom.Vec) {
	first := len(p.near)
	for i := range int(n.Count) {
		if left := steps &^ missed[i]; left != 0 {
			p.push(first, nodeSteps{n.Child[i], left, away(n, i, middle)})
		}
	}
}

// push adds a child to those of its node, which begin at first, the nearest last. Only the children of one
// node are sorted: going on with what is near finds the half-spaces that leave the others out, and
// where thousands of nodes are equally near, sorting them all costs more than looking at them.
func (p *stepsAgainst) push(first int, n nodeSteps) {
	p.near = append(p.near, n)
	i := len(p.near) - 1
	for ; i > first && p.near[i-1].away < n.away; i-- {
		p.near[i] = p.near[i-1]
	}
	p.near[i] = n
}

// away returns the square of the distance of a child's box from a point.
func away(n *bvh.WideNode, i int, from *geom.Vec) float32 {
	x, y, z := float32(from.X), float32(from.Y), float32(from.Z)
	x -= max(n.Lo[0][i], min(n.Hi[0][i], x))
	y -= max(n.Lo[1][i], min(n.Hi[1][i], y))
	z -= max(n.Lo[2][i], min(n.Hi[2][i], z))
	return x*x + y*y + z*z
}

// stepsToItem returns those of an element's steps in which it is not proved apart from an item:
// by the half-spaces that parted it from others, by one toward the item, and by those that
// searches find, each in the middle of what is left. Of a group a yes or no searches none: what touches is
// found in a member.
func (s *search) stepsToItem(element int, item int32, steps uint8) uint8 {
	w := s.w
	p, l := &w.stepped.world, w.stepped.lanes
	it := &w.m.World.Items[^item]
	if w.m.Elements[element].Members == nil && w.m.Against[element][it.Element-w.m.First] < 0 {
		return 0 // an allowed pair
	}
	w.q.Work.Proofs++
	for i := 0; i < p.count; i++ {
		if steps &^= p.planes[i].Beyond(volume.ItemLeast(w.m, it, normalOf(&p.planes[i]))); steps == 0 {
			return 0
		}
	}
	n, ok := volume.TowardItem(w.m, it, l.Middle(element, middleOf(steps)))
	if ok {
		steps &^= s.stepsAlong(element, it, n)
	}
	if s.anyTouch && w.m.Elements[element].Members != nil {
		return steps
	}
	if s.atTimes != nil && w.m.Elements[element].Members == nil {
		return s.atTimes.partsToItem(element, item, n, steps)
	}
	left := uint8(0)
	for parted := uint8(0); steps != 0; steps &^= parted {
		k := middleOf(steps)
		if n, parted = s.seekSteps(element, item, n, k, steps); parted == 0 {
			if s.worldCloser(element, steps) {
				continue
			}
			parted = w.stepped.whole[k]
			left |= steps & parted
		}
	}
	return left
}

// seekSteps searches from n a direction that parts an element from an item in step k, and returns it
// with those of the steps in which it does.
func (s *search) seekSteps(element int, item int32, n geom.Vec, k int, steps uint8) (geom.Vec, uint8) {
	w := s.w
	p, el, it := &w.stepped.world, &w.m.Elements[element], &w.m.World.Items[^item]
	core, pose := volume.ItemCore(w.m, it, &w.partB)
	own := w.stepped.lanes.Pose(element, k)
	w.q.Work.Distances++
	w.search.Dir = n
	n, overlap := convex.Toward(volume.Rough(el, volume.Whole, &el.Core), &own, core, pose, s.leastGap(k), w.clearance+nearHulls, slop, &w.search)
	switch {
	case overlap && !p.looked:
		p.looked = true
		s.lookAt(entry{^int32(element), volume.Whole, item}, k)
	case !overlap && n != (geom.Vec{}):
		return n, steps & s.stepsAlong(element, it, n)
	}
	return n, 0
}

// stepsAlong adds half-spaces along n, and returns the steps in which an item is beyond them.
func (s *search) stepsAlong(element int, it *model.Item, n geom.Vec) uint8 {
	p := &s.w.stepped.world
	p.count = min(p.count+1, planesKept)
	plane := &p.planes[p.count-1]
	s.w.stepped.lanes.Plane(element, n, s.w.clearance, plane)
	return plane.Beyond(volume.ItemLeast(s.w.m, it, normalOf(plane)))
}

func normalOf(h *lanes.HalfSpace) geom.Vec {
	return geom.Vec{X: float64(h.N[0]), Y: float64(h.N[1]), Z: float64(h.N[2])}
}
