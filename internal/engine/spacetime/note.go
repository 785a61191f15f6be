package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// Record sets the recorder of proofs; nil disables it.
func (w *prover) Record(r Recorder) { w.recorder = r }

// item starts an item of the interval being worked on.
func (w *prover) item(rule Rule) Item {
	return Item{Piece: w.piece, Lo: w.at.Lo, Hi: w.at.Hi, Rule: rule}
}

// partOf returns what lies below a node of an element's hierarchy.
func (w *prover) partOf(element int, node int32) Part {
	if node == volume.Whole {
		return Part{Element: element}
	}
	n := &w.m.Elements[element].Leaves.Tree.Nodes[node]
	return Part{Element: element, First: n.First, Count: n.Count}
}

// below returns the items below a child of the world's tree.
func (w *prover) below(child int32) Part {
	if child < 0 {
		return Part{Element: -1, First: ^child, Count: 1}
	}
	n := &w.m.World.Tree.Nodes[child]
	return Part{Element: -1, First: n.First, Count: n.Items}
}

// noteBalls records that balls around the parts of e are apart.
func (w *prover) noteBalls(e entry, a, b geom.Vec) {
	if w.recorder == nil {
		return
	}
	q, it := w.at.PairOf(e.pair), w.item(ByBalls)
	it.A, it.B, it.CenterA, it.CenterB = w.partOf(q.A, e.a), w.partOf(q.B, e.b), a, b
	w.tell(e.pair, it)
}

// notePlane records that a plane separates the parts of e.
func (w *prover) notePlane(e entry, n geom.Vec) {
	if w.recorder == nil {
		return
	}
	q, it := w.at.PairOf(e.pair), w.item(ByPlane)
	it.A, it.B, it.Normal = w.partOf(q.A, e.a), w.partOf(q.B, e.b), n
	w.tell(e.pair, it)
}

// noteBeyond records that a half-space contains the sweep and excludes b.
func (w *prover) noteBeyond(sw *sweep, n geom.Vec, b int32) {
	if w.recorder == nil {
		return
	}
	it := w.item(ByPlane)
	it.A, it.B, it.Normal = w.partOf(sw.element, sw.node), w.below(b), n
	w.tellOf(it)
}

// noteMissed records that the sweep's box excludes the children whose bits are not set.
func (w *prover) noteMissed(sw *sweep, n *bvh.WideNode, meets uint32) {
	for i := range int(n.Count) {
		if meets>>i&1 == 0 {
			w.noteBox(sw, n.Child[i], n.ChildBox32(i))
		}
	}
}

// noteBox records that the sweep's box excludes b, whose box is given.
func (w *prover) noteBox(sw *sweep, b int32, box bvh.Box32) {
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

// tell records an item of a pair; an item of a group holds for its members.
func (w *prover) tell(pair int32, it Item) {
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
func (w *prover) tellOf(it Item) {
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
func (w *prover) memberOf(p Part, member int, center geom.Vec) (Part, geom.Vec) {
	if w.m.Elements[p.Element].Members == nil {
		return p, center
	}
	return Part{Element: member}, w.m.Elements[member].PoseFE.MoveBack(center)
}
