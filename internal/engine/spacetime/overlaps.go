package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// The effort of contact searches: the maximum of one, and the maximum of all in one question
// before it has tried enough proofs: a free motion should not spend its time on searching for
// contacts.
const (
	mostEffort  = 500
	firstEffort = 600
	pairEffort  = 3 // cost of a pair of nodes
)

// lookInto searches an element's whole hierarchy and all of the world, once at each time, and
// reports whether it recorded a witness.
func (s *search) lookInto(element int) bool {
	w := s.w
	p := w.element(element)
	if now := w.moment(); p.searched != now {
		p.searched = now
		return s.withEffort(func() bool { return s.searchOverlaps(element) })
	}
	return false
}

// lookAtItem searches below a node of an element for a part that touches an item of the world, and
// reports whether it recorded a witness.
func (s *search) lookAtItem(element int, node, item int32) bool {
	return s.withEffort(func() bool { return s.searchItem(element, node, item) })
}

// withEffort runs a search with its share of the effort.
func (s *search) withEffort(f func() bool) bool {
	w := s.w
	may := min(mostEffort, firstEffort+w.q.Work.Proofs-w.spent)
	w.itemSearch.effort = may
	found := f()
	w.spent += may - w.itemSearch.effort
	return found
}

func (s *search) searchOverlaps(element int) bool {
	w := s.w
	d, e := &w.overlapSearch, &w.m.Elements[element]
	d.from(&w.at.Element(element).Pose, w.clearance+w.tolerance+e.Padding)
	root := &w.m.World.Tree.Nodes[0]
	d.meetChildren(e, 0, 0, root.Count, w)
	for w.itemSearch.effort > 0 && len(d.stack) > 0 {
		w.itemSearch.effort -= pairEffort
		top := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if top.its < 0 {
			if s.searchItem(element, top.mine, top.its) {
				return true
			}
			continue
		}
		mine := &e.Leaves.Tree.Nodes[top.mine]
		if _, half := mine.Box.Middle(); mine.Left >= 0 && half.X+half.Y+half.Z > top.half.X+top.half.Y+top.half.Z {
			n := len(d.stack)
			d.meet(e, mine.Left, top.its, top.center, top.half)
			d.meet(e, mine.Left+1, top.its, top.center, top.half)
			d.sort(n)
			continue
		}
		d.meetChildren(e, top.mine, top.its, w.m.World.Tree.Nodes[top.its].Count, w)
	}
	return false
}

// from starts the search of an element at a pose.
func (d *overlapSearch) from(pose *geom.Pose, grow float64) {
	d.pose, d.grow, d.stack = pose, grow, d.stack[:0]
	d.turn = absolute(&pose.R)
}

func absolute(r *geom.Rot) geom.Rot {
	return geom.Rot{
		XX: abs(r.XX), XY: abs(r.XY), XZ: abs(r.XZ),
		YX: abs(r.YX), YY: abs(r.YY), YZ: abs(r.YZ),
		ZX: abs(r.ZX), ZY: abs(r.ZY), ZZ: abs(r.ZZ),
	}
}

// meetChildren pushes a node with the children of a node of the world.
func (d *overlapSearch) meetChildren(e *model.Element, mine, its, count int32, w *Worker) {
	n := len(d.stack)
	of := &w.m.World.Tree.Nodes[its]
	at, size := d.placed(e, mine)
	for i := range int(count) {
		center, half := of.ChildBox(i)
		d.push(mine, of.Child[i], at, size, center, half)
	}
	d.sort(n)
}

// meet pushes a node and a box of the world unless an axis of either box separates them.
func (d *overlapSearch) meet(e *model.Element, mine, its int32, center, half geom.Vec) {
	at, size := d.placed(e, mine)
	d.push(mine, its, at, size, center, half)
}

// placed returns the middle of a node's box, in W, and half its sides, in E.
func (d *overlapSearch) placed(e *model.Element, node int32) (at, half geom.Vec) {
	center, half := e.Leaves.Tree.Nodes[node].Box.Middle()
	return d.pose.Move(center), half
}

// push is meet for a node whose box is where placed says.
func (d *overlapSearch) push(mine, its int32, at, size, center, half geom.Vec) {
	if depth := depthOf(&d.pose.R, &d.turn, r3.Sub(at, center), half, size, d.grow); depth >= 0 {
		d.stack = append(d.stack, overlap{mine, its, center, half, depth})
	}
}

// depthOf returns by how much two boxes overlap along the axis along which they do least, of the six of
// their sides; it is negative where they are apart, and where a number is none. The one is given
// in W, the other in a frame that the rotation r turns to W, turn being its absolute values;
// t leads from the one's middle to the other's, in W. Both reach farther by grow.
func depthOf(r, turn *geom.Rot, t, one, other geom.Vec, grow float64) float64 {
	depth := min(
		one.X+grow+turn.XX*other.X+turn.XY*other.Y+turn.XZ*other.Z-abs(t.X),
		one.Y+grow+turn.YX*other.X+turn.YY*other.Y+turn.YZ*other.Z-abs(t.Y),
		one.Z+grow+turn.ZX*other.X+turn.ZY*other.Y+turn.ZZ*other.Z-abs(t.Z),
	)
	if !(depth >= 0) {
		return -1
	}
	l := r.TurnBack(t)
	depth = min(depth,
		other.X+grow+turn.XX*one.X+turn.YX*one.Y+turn.ZX*one.Z-abs(l.X),
		other.Y+grow+turn.XY*one.X+turn.YY*one.Y+turn.ZY*one.Z-abs(l.Y),
		other.Z+grow+turn.XZ*one.X+turn.YZ*one.Y+turn.ZZ*one.Z-abs(l.Z),
	)
	if math.IsNaN(depth) {
		return -1
	}
	return depth
}

// sort orders the overlaps from first on, the deepest last.
func (d *overlapSearch) sort(first int) {
	for i := first + 1; i < len(d.stack); i++ {
		for j := i; j > first && d.stack[j].depth < d.stack[j-1].depth; j-- {
			d.stack[j], d.stack[j-1] = d.stack[j-1], d.stack[j]
		}
	}
}
