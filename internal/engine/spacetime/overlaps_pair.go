package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// linkEffort is the cost of a pair of nodes of two links.
const linkEffort = 1

// isMeshes reports whether both elements of a pair are meshes.
func (w *prover) isMeshes(pair int32) bool {
	q := &w.m.Pairs[pair]
	isMesh := func(e *model.Element) bool { return volume.CanOpen(e, volume.Whole) && volume.IsMesh(e) }
	return isMesh(&w.m.Elements[q.A]) && isMesh(&w.m.Elements[q.B])
}

// looksAtMeshes reports whether an entry of two links is only looked at for a witness, as a yes or no does at
// an instant.
func (s *search) looksAtMeshes(e entry) bool {
	return s.anyTouch && s.w.at.H == 0 && !s.ranged && e.a == volume.Whole && e.b == volume.Whole && s.w.isMeshes(e.pair)
}

// lookIntoPair searches two links with meshes for parts that touch at the current time, first where
// boxes around them overlap deepest, and reports whether it recorded a witness. It proves
// nothing and gives up.
func (s *search) lookIntoPair(pair int32) bool {
	return s.withEffort(func() bool { return s.searchPair(pair) })
}

func (s *search) searchPair(pair int32) bool {
	w := s.w
	q, p := &w.m.Pairs[pair], w.at.Pair(pair)
	a, b := &w.m.Elements[q.A], &w.m.Elements[q.B]
	d := &w.linkSearch
	reach := w.clearance + w.tolerance + p.Tube
	d.from(a, b, &p.A.Pose, &p.B.Pose, reach+a.Padding+b.Padding+a.Leaves.Radius+b.Leaves.Radius)
	for d.push(0, 0); w.itemSearch.effort > 0 && len(d.stack) > 0; {
		w.itemSearch.effort -= linkEffort
		top := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		na, nb := &a.Leaves.Tree.Nodes[top.a], &b.Leaves.Tree.Nodes[top.b]
		switch {
		case na.Left < 0 && nb.Left < 0:
			if s.testLeaves(entry{pair, top.a, top.b}, reach) {
				return true
			}
		case nb.Left < 0 || na.Left >= 0 && na.Radius > nb.Radius:
			d.pushBoth(nodePair{a: na.Left, b: top.b}, nodePair{a: na.Left + 1, b: top.b})
		default:
			d.pushBoth(nodePair{a: top.a, b: nb.Left}, nodePair{a: top.a, b: nb.Left + 1})
		}
	}
	return false
}

// testLeaves tests two shapes of a pair.
func (s *search) testLeaves(e entry, reach float64) bool {
	w := s.w
	q, p, h := &w.m.Pairs[e.pair], w.at.Pair(e.pair), &w.itemSearch
	h.effort -= leafEffort
	a, b := volume.Core(&w.m.Elements[q.A], e.a, &h.mine), volume.Core(&w.m.Elements[q.B], e.b, &h.its)
	if a.Kind == convex.Triangle && b.Kind == convex.Triangle {
		ta, tb := triangleOf(a, &p.A.Pose), triangleOf(b, &p.B.Pose)
		grow := reach + a.Radius + b.Radius
		if aside(&ta, &tb, grow) || aside(&tb, &ta, grow) {
			return false
		}
	}
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{}
	found := convex.Bounded(a, &p.A.Pose, b, &p.B.Pose, reach, &w.search)
	if found.Overlap || found.Distance <= reach {
		s.meet(e, e.pair, &found, false)
	}
	return s.res.hit
}

func triangleOf(c *convex.Core, at *geom.Pose) tri.Triangle {
	return tri.Triangle{at.Move(c.Vertices[0]), at.Move(c.Vertices[1]), at.Move(c.Vertices[2])}
}

// from starts the search of two elements at their poses.
func (d *linkSearch) from(a, b *model.Element, poseA, poseB *geom.Pose, grow float64) {
	d.a, d.b, d.grow, d.stack = a, b, grow, d.stack[:0]
	d.pose.Relate(poseA, poseB)
	d.turn = absolute(&d.pose.R)
}

// push adds two nodes to the stack unless an axis of either box separates them.
func (d *linkSearch) push(a, b int32) {
	at, one := d.a.Leaves.Tree.Nodes[a].Box.Middle()
	center, other := d.b.Leaves.Tree.Nodes[b].Box.Middle()
	if depth := depthOf(&d.pose.R, &d.turn, r3.Sub(d.pose.Move(center), at), one, other, d.grow); depth >= 0 {
		d.stack = append(d.stack, nodePair{a, b, depth})
	}
}

// pushBoth pushes two pairs of nodes, the deeper one last.
func (d *linkSearch) pushBoth(one, other nodePair) {
	n := len(d.stack)
	d.push(one.a, one.b)
	d.push(other.a, other.b)
	if len(d.stack) == n+2 && d.stack[n].depth > d.stack[n+1].depth {
		d.stack[n], d.stack[n+1] = d.stack[n+1], d.stack[n]
	}
}
