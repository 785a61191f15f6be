package spacetime

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"gonum.org/v1/gonum/spatial/r3"
)

// All steps of an interval at once, in vector instructions: boxes and half-spaces around whole
// elements prove most pairs apart on most steps. What is left goes on as before, each run of
// steps as an interval of its own.

// stepped is scratch for trying all steps of an interval.
type stepped struct {
	lanes  *place.Lanes
	made   bool
	bound  bool // to the piece
	usable bool

	left   []leftSteps
	runs   []pendingInterval
	planes [planesKept]place.Plane
	count  int
	stack  []nodeSteps

	suspects uint8 // of the entry being tried
}

// leftSteps is an entry and the steps in which it is not proved apart.
type leftSteps struct {
	e        entry
	steps    uint8
	suspects uint8 // times, by their steps, at which hulls overlap
}

// nodeSteps is a node of the world's tree and the steps in which it is not passed.
type nodeSteps struct {
	node  int32
	steps uint8
	near  float32 // the square of its box's distance from the element's middle
}

// Where paths bend from their chords by more than fineBend (m) in a step, shorter steps may prove
// what is left; beyond mostBend the interval is halved untried.
const (
	fineBend = 0.002
	mostBend = 0.2
)

// stepsUsable reports whether the steps of the loaded piece can be tried at once.
func (s *search) stepsUsable() bool {
	w := s.w
	if s.closest != nil || s.ranged || w.recorder != nil || w.at.Tubed {
		return false
	}
	p := &w.stepped
	if !p.made {
		p.made, p.lanes = true, place.NewLanes(w.at)
	}
	if p.lanes == nil {
		return false
	}
	if !p.bound {
		p.bound, p.usable = true, p.lanes.Bound()
	}
	return p.usable
}

// trySteps tries the entries of t on the steps of its interval, and appends to w.stepped.runs what is left:
// runs of steps, with their entries.
func (s *search) trySteps(t pendingInterval) {
	w := s.w
	p := &w.stepped
	bend := p.lanes.Bend(t.lo, t.hi)
	if bend > fineBend {
		bend = s.mostBent(t)
	}
	if bend > mostBend {
		p.halve(t)
		return
	}
	p.lanes.Place(t.lo, t.hi, w.clearance)
	w.q.Work.Intervals++
	p.left = p.left[:0]
	for i := t.first; i < t.last; i++ {
		k := i
		if s.anyTouch { // the outermost against the world first
			k = t.last - 1 - (i - t.first)
		}
		s.tryStepsOf(w.arena[k], lanes.All)
		if s.res.hit {
			if s.res.touch.atStart { // a solid inside another at the start
				w.place(t.lo, t.lo, t.lo)
			}
			return
		}
		if i%16 == 0 && w.q.Out() {
			return
		}
	}
	s.collect(t, bend <= fineBend)
}

// halve appends both halves of an interval, with its entries.
func (p *stepped) halve(t pendingInterval) {
	c := t.lo + (t.hi-t.lo)/2
	later := t
	t.hi, later.lo = c, c
	p.runs = append(p.runs, t, later)
}

// mostBent returns how far paths of the entries of t depart from their chords; those of a pair
// are relative to what carries both.
func (s *search) mostBent(t pendingInterval) (most float64) {
	w := s.w
	for _, e := range w.arena[t.first:t.last] {
		if e.pair < 0 {
			most = max(most, w.stepped.lanes.BendFrom(int(^e.pair), 0))
			continue
		}
		q := w.at.PairOf(e.pair)
		most = max(most, w.stepped.lanes.BendFrom(q.A, q.Parting)+w.stepped.lanes.BendFrom(q.B, q.Parting))
	}
	return most
}

// tryStepsOf tries an entry on some steps, and the members of a group one by one where that
// is left.
func (s *search) tryStepsOf(e entry, steps uint8) {
	w := s.w
	p := &w.stepped
	if e.a != volume.Whole || e.pair >= 0 && e.b != volume.Whole {
		p.left = append(p.left, leftSteps{e, steps, 0})
		return
	}
	p.suspects = 0
	if e.pair < 0 {
		steps = s.stepsToWorld(int(^e.pair), steps)
	} else {
		steps = s.stepsOfPair(e.pair, steps)
	}
	if s.res.hit {
		return
	}
	switch {
	case steps == 0:
	case e.pair >= 0 && w.at.IsGroup(e.pair):
		for _, i := range w.m.PairsOf[int(e.pair)-len(w.m.Pairs)] {
			if s.tryStepsOf(entry{i, volume.Whole, volume.Whole}, steps); s.res.hit {
				return
			}
		}
	case e.pair < 0 && w.m.Elements[^e.pair].Members != nil:
		for _, i := range w.m.Elements[^e.pair].Members {
			if w.m.Against[i] != nil {
				if s.tryStepsOf(entry{^i, volume.Whole, e.b}, steps); s.res.hit {
					return
				}
			}
		}
	default:
		p.left = append(p.left, leftSteps{e, steps, p.suspects})
	}
}

// collect makes intervals of the runs of steps in which something is left. Fine says that shorter steps
// are of no use.
func (s *search) collect(t pendingInterval, fine bool) {
	w := s.w
	p := &w.stepped
	var any uint8
	for _, l := range p.left {
		any |= l.steps
	}
	for any != 0 {
		from := bits.TrailingZeros8(any)
		to := from + bits.TrailingZeros8(^(any >> from))
		run := uint8(1<<to - 1<<from)
		any &^= run
		r := pendingInterval{piece: t.piece, lo: p.lanes.Times[from], hi: p.lanes.Times[to], first: int32(len(w.arena)), stepped: fine, suspect: -1}
		var suspects uint8
		for _, l := range p.left {
			if l.steps&run != 0 {
				w.arena = append(w.arena, l.e)
				suspects |= l.suspects & run
			}
		}
		r.last = int32(len(w.arena))
		if suspects != 0 {
			r.suspect = p.lanes.Times[middleOf(suspects)]
		}
		if run == lanes.All && !fine {
			p.halve(r)
			p.runs[len(p.runs)-1].suspect = -1
			continue
		}
		p.runs = append(p.runs, r)
	}
}

// stepsOfPair returns the steps of a pair of elements that are not proved.
func (s *search) stepsOfPair(pair int32, steps uint8) uint8 {
	w := s.w
	l := w.stepped.lanes
	q := w.at.PairOf(pair)
	w.q.Work.Proofs++
	if steps &^= l.BoxesApart(q.A, q.B); steps == 0 {
		return 0
	}
	k := middleOf(steps)
	if n, ok := geom.Unit(r3.Sub(l.Middle(q.B, k), l.Middle(q.A, k))); ok {
		if steps &^= l.Parted(q, n, k, w.clearance); steps == 0 {
			return 0
		}
	}
	k = middleOf(steps)
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	poseA, poseB := l.Pose(q.A, k), l.Pose(q.B, k)
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{}
	n, overlap := convex.Toward(volume.Rough(ea, volume.Whole, &ea.Core), &poseA, volume.Rough(eb, volume.Whole, &eb.Core), &poseB, w.clearance+0.02, slop, &w.search)
	if overlap {
		if !w.at.IsGroup(pair) {
			s.suspectAt(entry{pair, volume.Whole, volume.Whole}, k)
		}
	} else if n != (geom.Vec{}) {
		steps &^= l.Parted(q, n, k, w.clearance)
	}
	return steps
}

// suspectAt notes that hulls overlap at the start of a step; the first time for an entry, a yes or no looks there for a
// witness.
func (s *search) suspectAt(e entry, k int) {
	w := s.w
	p := &w.stepped
	known := p.suspects != 0
	if p.suspects |= 1 << k; known || !s.anyTouch {
		return
	}
	first := len(w.arena)
	w.arena = append(w.arena, e)
	s.touches(p.lanes.Times[k], first, first+1)
	w.arena = w.arena[:first]
}

// middleOf returns the step in the middle of a set.
func middleOf(steps uint8) int {
	for n := bits.OnesCount8(steps) / 2; n > 0; n-- {
		steps &= steps - 1
	}
	return bits.TrailingZeros8(steps)
}

// stepsToWorld returns the steps of an element that are not proved apart from the world.
func (s *search) stepsToWorld(element int, steps uint8) (left uint8) {
	w := s.w
	p := &w.stepped
	if !s.startsOutside(element) {
		return steps
	}
	sw, middle := p.lanes.Sweep(element), p.lanes.Middle(element, lanes.Steps/2)
	p.count = 0
	p.stack = append(p.stack[:0], nodeSteps{0, steps, 0})
	for len(p.stack) > 0 {
		at := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		if at.steps &^= left; at.steps == 0 {
			continue
		}
		if at.node < 0 {
			if left |= s.stepsToItem(element, at.node, at.steps); s.res.hit || left == steps && !s.anyTouch {
				return left
			}
			continue
		}
		n := &w.m.World.Tree.Nodes[at.node]
		w.q.Work.Proofs++
		var missed [8]uint8
		sw.Missed((*lanes.Eight)(&n.Lo), (*lanes.Eight)(&n.Hi), 1<<n.Count-1, &missed)
		for i := range n.Count {
			m := at.steps &^ missed[i] &^ left
			if m == 0 {
				continue
			}
			if p.count > 0 {
				if m = p.notBeyond(n, int(i), m); m == 0 {
					continue
				}
			}
			p.push(nodeSteps{n.Child[i], m, awayFrom(n, int(i), &middle)})
		}
		if w.q.Out() {
			return steps
		}
	}
	return left
}

// notBeyond returns the steps in which no half-space leaves out a child's box.
func (p *stepped) notBeyond(n *bvh.WideNode, child int, steps uint8) uint8 {
	c, h := n.ChildBox(child)
	for j := 0; j < p.count && steps != 0; j++ {
		v := &p.planes[j].N
		steps &^= p.planes[j].Beyond(r3.Dot(c, *v) - h.X*abs(v.X) - h.Y*abs(v.Y) - h.Z*abs(v.Z))
	}
	return steps
}

// push keeps the stack in order, the nearest last.
func (p *stepped) push(n nodeSteps) {
	p.stack = append(p.stack, n)
	i := len(p.stack) - 1
	for ; i > 0 && p.stack[i-1].near < n.near; i-- {
		p.stack[i] = p.stack[i-1]
	}
	p.stack[i] = n
}

// awayFrom returns the square of the distance of a child's box from a point.
func awayFrom(n *bvh.WideNode, i int, x *geom.Vec) float32 {
	a := float32(x.X) - max(n.Lo[0][i], min(n.Hi[0][i], float32(x.X)))
	b := float32(x.Y) - max(n.Lo[1][i], min(n.Hi[1][i], float32(x.Y)))
	c := float32(x.Z) - max(n.Lo[2][i], min(n.Hi[2][i], float32(x.Z)))
	return a*a + b*b + c*c
}

// startsOutside reports whether an element starts outside the world's solids, as againstWorld asks.
func (s *search) startsOutside(element int) bool {
	w := s.w
	memory := w.element(element)
	if !w.m.World.Encloses || memory.outside {
		return true
	}
	if w.m.Elements[element].Members != nil {
		if !w.groupOutside(element) {
			return false
		}
	} else if !s.checkOutsideWorld(element) {
		return false
	}
	memory.outside = true
	return true
}

// stepsToItem returns the steps of an element that are not proved apart from an item.
func (s *search) stepsToItem(element int, item int32, steps uint8) uint8 {
	w := s.w
	p := &w.stepped
	it := &w.m.World.Items[^item]
	el := &w.m.Elements[element]
	if el.Members == nil && w.m.Against[element][it.Element-w.m.First] < 0 {
		return 0
	}
	w.q.Work.Proofs++
	for j := 0; j < p.count; j++ {
		if steps &^= p.planes[j].Beyond(volume.ItemLeast(w.m, it, p.planes[j].N)); steps == 0 {
			return 0
		}
	}
	k := middleOf(steps)
	if n, ok := volume.TowardItem(w.m, it, p.lanes.Middle(element, k)); ok {
		if steps &^= s.stepsAlong(element, it, n); steps == 0 {
			return 0
		}
	}
	k = middleOf(steps)
	core, pose := volume.ItemCore(w.m, it, &w.partB)
	own := p.lanes.Pose(element, k)
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{}
	n, overlap := convex.Toward(volume.Rough(el, volume.Whole, &el.Core), &own, core, pose, w.clearance+0.02, slop, &w.search)
	if overlap {
		if el.Members == nil {
			s.suspectAt(entry{^int32(element), volume.Whole, 0}, k)
		}
	} else if n != (geom.Vec{}) {
		steps &^= s.stepsAlong(element, it, n)
	}
	return steps
}

// stepsAlong returns the steps in which an item is beyond a plane along n.
func (s *search) stepsAlong(element int, it *model.Item, n geom.Vec) uint8 {
	w := s.w
	p := &w.stepped
	k := min(p.count, planesKept-1)
	p.count = k + 1
	p.lanes.Plane(element, n, w.clearance, &p.planes[k])
	return p.planes[k].Beyond(volume.ItemLeast(w.m, it, p.planes[k].N))
}

// stepsThenRun searches an interval in the order of time: first its steps at once, then what they
// leave.
func (s *search) stepsThenRun(t pendingInterval) {
	w := s.w
	if t.stepped || !s.stepsUsable() {
		s.run(t.lo, t.hi, int(t.first), !t.stepped)
		return
	}
	from := len(w.stepped.runs)
	s.trySteps(t)
	for i := from; i < len(w.stepped.runs) && w.q.Reason == "" && !s.res.hit; i++ {
		r := w.stepped.runs[i]
		s.res.proven = r.lo
		first := len(w.arena)
		w.arena = append(w.arena, w.arena[r.first:r.last]...)
		r.first, r.last = int32(first), int32(len(w.arena))
		s.stepsThenRun(r)
		if w.arena = w.arena[:first]; s.ended(r.hi) {
			break
		}
		if i == len(w.stepped.runs)-1 {
			s.res.proven = t.hi
		}
	}
	if len(w.stepped.runs) == from && w.q.Reason == "" && !s.res.hit {
		s.res.proven = t.hi
	}
	w.stepped.runs = w.stepped.runs[:from]
}
