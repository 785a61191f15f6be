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
		if half := mine.Box.Half(); mine.Left >= 0 && half.X+half.Y+half.Z > top.half.X+top.half.Y+top.half.Z {
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
	for i := range int(count) {
		center, half := of.ChildBox(i)
		d.meet(e, mine, of.Child[i], center, half)
	}
	d.sort(n)
}

// meet pushes a node and a box of the world unless an axis of either box separates them.
func (d *overlapSearch) meet(e *model.Element, mine, its int32, center, half geom.Vec) {
	b := &e.Leaves.Tree.Nodes[mine].Box
	h := b.Half()
	t := r3.Sub(d.pose.Apply(b.Center()), center)
	a := &d.turn
	depth := min(
		half.X+d.grow+a.XX*h.X+a.XY*h.Y+a.XZ*h.Z-abs(t.X),
		half.Y+d.grow+a.YX*h.X+a.YY*h.Y+a.YZ*h.Z-abs(t.Y),
		half.Z+d.grow+a.ZX*h.X+a.ZY*h.Y+a.ZZ*h.Z-abs(t.Z),
	)
	if depth < 0 {
		return
	}
	l := d.pose.R.ApplyInv(t)
	depth = min(depth,
		h.X+d.grow+a.XX*half.X+a.YX*half.Y+a.ZX*half.Z-abs(l.X),
		h.Y+d.grow+a.XY*half.X+a.YY*half.Y+a.ZY*half.Z-abs(l.Y),
		h.Z+d.grow+a.XZ*half.X+a.YZ*half.Y+a.ZZ*half.Z-abs(l.Z),
	)
	if depth < 0 || math.IsNaN(depth) {
		return
	}
	d.stack = append(d.stack, overlap{mine, its, center, half, depth})
}

// sort orders the overlaps from first on, the deepest last.
func (d *overlapSearch) sort(first int) {
	for i := first + 1; i < len(d.stack); i++ {
		for j := i; j > first && d.stack[j].depth < d.stack[j-1].depth; j-- {
			d.stack[j], d.stack[j-1] = d.stack[j-1], d.stack[j]
		}
	}
}
