package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// Recorder is told what a proof rests on, as it is found. Where the verdict is
// Free, the items cover every checked pair at every time; what was recorded on the
// way to another verdict proves nothing.
type Recorder interface {
	// Apart is called for each step of the proof.
	Apart(Item)
	// Outside is called where it was shown that, at the motion's start, neither
	// element of a pair (an index of Model.Pairs) holds a part of the other.
	Outside(pair int32)
	// OutsideWorld is called where it was shown that, at the motion's start, no closed
	// surface of the world holds the element.
	OutsideWorld(element int)
}

// Item says that two parts stay more than clearance apart for every time of the
// part [Lo, Hi] of a piece's parameter, and why.
type Item struct {
	Piece            int
	Lo, Hi           float64
	A, B             Part
	Rule             Rule
	Normal           geom.Vec // from A to B, unit, in W at the middle of the interval
	CenterA, CenterB geom.Vec // in the elements' frames
}

// Rule is how an item is proved.
type Rule uint8

// The rules, each by half-spaces of second order or by displacement alone.
const (
	// ByPlane: the plane with the normal parts the two.
	ByPlane Rule = iota
	// ByBalls: balls about the centres do.
	ByBalls
	// ByBallAndPlane: the plane parts a ball about CenterA from B.
	ByBallAndPlane
)

// Part is pieces of an element: those at [First, First+Count) of its hierarchy's
// order, all of them where Count is 0; or, where Element is negative, items of the
// world, which stand in the order of its tree.
type Part struct {
	Element      int
	First, Count int32
}

// Record lets r know what proofs rest on from now on; nil ends it.
func (w *Worker) Record(r Recorder) { w.recorder = r }

// item starts an item of the interval being worked on.
func (w *Worker) item(rule Rule) Item {
	return Item{Piece: w.piece, Lo: w.at.Lo, Hi: w.at.Hi, Rule: rule}
}

// partOf returns what lies below a node of an element's hierarchy.
func (w *Worker) partOf(element int, node int32) Part {
	if node == volume.Whole {
		return Part{Element: element}
	}
	n := &w.m.Elements[element].Leaves.Tree.Nodes[node]
	return Part{Element: element, First: n.First, Count: n.Count}
}

// below returns what a child of the world's tree stands for.
func (w *Worker) below(child int32) Part {
	if child < 0 {
		return Part{Element: -1, First: ^child, Count: 1}
	}
	n := &w.m.World.Tree.Nodes[child]
	return Part{Element: -1, First: n.First, Count: n.Items}
}

// noteBalls records that balls around the parts of e are apart.
func (w *Worker) noteBalls(e entry, a, b geom.Vec) {
	if w.recorder == nil {
		return
	}
	q, it := w.at.PairOf(e.pair), w.item(ByBalls)
	it.A, it.B, it.CenterA, it.CenterB = w.partOf(q.A, e.a), w.partOf(q.B, e.b), a, b
	w.tell(e.pair, it)
}

// notePlane records that a plane parts the parts of e.
func (w *Worker) notePlane(e entry, n geom.Vec) {
	if w.recorder == nil {
		return
	}
	q, it := w.at.PairOf(e.pair), w.item(ByPlane)
	it.A, it.B, it.Normal = w.partOf(q.A, e.a), w.partOf(q.B, e.b), n
	w.tell(e.pair, it)
}

// noteBeyond records that a half-space holds the sweep and leaves b out.
func (w *Worker) noteBeyond(sw *sweep, n geom.Vec, b int32) {
	if w.recorder == nil {
		return
	}
	it := w.item(ByPlane)
	it.A, it.B, it.Normal = w.partOf(sw.element, sw.node), w.below(b), n
	w.tellOf(it)
}

// noteMissed records that the sweep's box leaves out the children whose bits are
// not set.
func (w *Worker) noteMissed(sw *sweep, n *bvh.WideNode, meets uint32) {
	for i := range int(n.Count) {
		if meets>>i&1 == 0 {
			w.noteBox(sw, n.Child[i], n.ChildBox32(i))
		}
	}
}

// noteBox records that the sweep's box leaves out b, whose box is given.
func (w *Worker) noteBox(sw *sweep, b int32, box bvh.Box32) {
	if w.recorder == nil {
		return
	}
	it := w.item(ByBallAndPlane)
	it.A, it.B = w.partOf(sw.element, sw.node), w.below(b)
	it.CenterA, _ = volume.Ball(&w.m.Elements[sw.element], sw.node)
	axes := [3]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	for k, n := range axes {
		if box.Lo[k] > sw.box.Hi[k] {
			it.Normal = n
		}
		if box.Hi[k] < sw.box.Lo[k] {
			it.Normal = geom.Vec{X: -n.X, Y: -n.Y, Z: -n.Z}
		}
	}
	w.tellOf(it)
}

// tell records an item of a pair; what holds for a group holds for its members.
func (w *Worker) tell(pair int32, it Item) {
	if !w.at.IsGroup(pair) {
		w.recorder.Apart(it)
		return
	}
	for _, i := range w.m.PairsOf[int(pair)-len(w.m.Pairs)] {
		m, q := it, &w.m.Pairs[i]
		m.A, m.CenterA = w.memberOf(it.A, q.A, it.CenterA)
		m.B, m.CenterB = w.memberOf(it.B, q.B, it.CenterB)
		w.recorder.Apart(m)
	}
}

// tellOf records an item of an element and the world.
func (w *Worker) tellOf(it Item) {
	of := w.m.Elements[it.A.Element].Members
	if of == nil {
		w.recorder.Apart(it)
		return
	}
	for _, i := range of {
		if w.m.Against[i] != nil {
			m := it
			m.A, m.CenterA = w.memberOf(it.A, int(i), it.CenterA)
			w.recorder.Apart(m)
		}
	}
}

// memberOf returns a member of the group that a part may be, and a point of the
// group's frame in the member's.
func (w *Worker) memberOf(p Part, member int, center geom.Vec) (Part, geom.Vec) {
	if w.m.Elements[p.Element].Members == nil {
		return p, center
	}
	return Part{Element: member}, w.m.Elements[member].PoseFE.ApplyInv(center)
}
