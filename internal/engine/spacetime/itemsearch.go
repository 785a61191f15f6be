package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// searchItem searches below a node of an element, or the whole of one without nodes, for a
// part that touches an item of the world. It reports whether it recorded a witness.
func (s *search) searchItem(element int, node, item int32) bool {
	w := s.w
	it, e := &w.m.World.Items[^item], &w.m.Elements[element]
	pair := w.m.Against[element][it.Element-w.m.First]
	if pair < 0 {
		return false // not checked
	}
	h, pose := &w.itemSearch, w.at.Element(element).Pose
	core, at := volume.ItemCore(w.m, it, &h.its)
	reach := w.clearance + w.tolerance + w.at.Pair(pair).Tube
	if node == volume.Whole {
		return s.testLeaf(entry{^int32(element), volume.Whole, item}, core, at, pair, reach)
	}
	tree := e.Leaves.Tree
	h.around(core, at, &pose, reach+core.Radius+e.Leaves.Radius+e.Padding)
	h.stack = h.stack[:0]
	h.push(tree, node)
	for h.effort > 0 && len(h.stack) > 0 {
		h.effort--
		top := h.stack[len(h.stack)-1].node
		h.stack = h.stack[:len(h.stack)-1]
		if left := tree.Nodes[top].Left; left >= 0 {
			h.pushBoth(tree, left)
		} else if s.testLeaf(entry{^int32(element), top, item}, core, at, pair, reach) {
			return true
		}
	}
	return false
}

// testLeaf tests one shape of an element against an item, core at pose.
func (s *search) testLeaf(e entry, core *convex.Core, pose *geom.Pose, pair int32, reach float64) bool {
	w := s.w
	element := int(^e.pair)
	h, at := &w.itemSearch, &w.at.Element(element).Pose
	h.effort -= leafEffort
	mine := volume.Core(&w.m.Elements[element], e.a, &h.mine)
	grow := reach + mine.Radius + core.Radius
	if core.Kind == convex.Triangle && mine.Kind == convex.Triangle {
		a := tri.Triangle{at.Move(mine.Vertices[0]), at.Move(mine.Vertices[1]), at.Move(mine.Vertices[2])}
		b := tri.Triangle(core.Vertices)
		if aside(&a, &b, grow) || aside(&b, &a, grow) {
			return false
		}
	}
	w.q.Work.Distances++
	w.search.Dir = geom.Vec{}
	found := convex.Bounded(mine, at, core, pose, reach, &w.search)
	if !found.Overlap && found.Distance > reach {
		h.part(found.Normal, core, pose, at, grow)
		return false
	}
	s.meet(e, pair, &found, w.m.Pairs[pair].A != element)
	return s.res.hit
}

// aside reports whether b is on one side of a's plane, by more than reach.
func aside(a, b *tri.Triangle, reach float64) bool {
	n := r3.Cross(r3.Sub(a[1], a[0]), r3.Sub(a[2], a[0]))
	x, y, z := r3.Dot(n, r3.Sub(b[0], a[0])), r3.Dot(n, r3.Sub(b[1], a[0])), r3.Dot(n, r3.Sub(b[2], a[0]))
	r := reach * geom.Norm(n)
	return x > r && y > r && z > r || x < -r && y < -r && z < -r
}

// around starts the search for an item, core at pose, seen from E at poseE. Slabs hold a triangle between its plane and a
// box between its sides, so that what is beside a turned plate but in the box around it is left out.
func (h *itemSearch) around(core *convex.Core, pose, poseE *geom.Pose, grow float64) {
	h.count = 0
	switch core.Kind {
	case convex.Triangle:
		h.aroundTriangle(core, poseE, grow)
	case convex.Box:
		h.aroundBox(core, pose, poseE, grow)
		return
	default:
		x0, x1 := extent(geom.Vec{X: 1}, core, pose, poseE)
		y0, y1 := extent(geom.Vec{Y: 1}, core, pose, poseE)
		z0, z1 := extent(geom.Vec{Z: 1}, core, pose, poseE)
		h.item = geom.Box{Min: geom.Vec{X: x0, Y: y0, Z: z0}, Max: geom.Vec{X: x1, Y: y1, Z: z1}}
	}
	by := geom.Vec{X: grow, Y: grow, Z: grow}
	h.item.Min, h.item.Max = r3.Sub(h.item.Min, by), r3.Add(h.item.Max, by)
}

func (h *itemSearch) aroundTriangle(core *convex.Core, poseE *geom.Pose, grow float64) {
	a, b, c := poseE.MoveBack(core.Vertices[0]), poseE.MoveBack(core.Vertices[1]), poseE.MoveBack(core.Vertices[2])
	h.item = geom.EmptyBox().Extend(a).Extend(b).Extend(c)
	if n, ok := geom.Unit(r3.Cross(r3.Sub(b, a), r3.Sub(c, a))); ok {
		x := r3.Dot(n, a)
		h.slabs[0], h.count = slab{n, x - grow, x + grow}, 1
	}
}

func (h *itemSearch) aroundBox(core *convex.Core, pose, poseE *geom.Pose, grow float64) {
	r, c := &pose.R, poseE.MoveBack(pose.Move(core.Center))
	half := [3]float64{core.Half.X + grow, core.Half.Y + grow, core.Half.Z + grow}
	var wide geom.Vec
	for i, n := range [3]geom.Vec{{X: r.XX, Y: r.YX, Z: r.ZX}, {X: r.XY, Y: r.YY, Z: r.ZY}, {X: r.XZ, Y: r.YZ, Z: r.ZZ}} {
		n = poseE.R.TurnBack(n)
		x := r3.Dot(n, c)
		h.slabs[i] = slab{n, x - half[i], x + half[i]}
		wide = r3.Add(wide, geom.Vec{X: half[i] * abs(n.X), Y: half[i] * abs(n.Y), Z: half[i] * abs(n.Z)})
	}
	h.item, h.count = geom.Box{Min: r3.Sub(c, wide), Max: r3.Add(c, wide)}, 3
}

// extent returns the minimum and the maximum of n.x over a core at pose, with both n and x in
// the frame at poseE.
func extent(n geom.Vec, core *convex.Core, pose, poseE *geom.Pose) (lo, hi float64) {
	turned := poseE.R.Turn(n)
	local := pose.R.TurnBack(turned)
	off := r3.Dot(turned, r3.Sub(pose.P, poseE.P))
	return off - core.SupportValue(r3.Scale(-1, local)), off + core.SupportValue(local)
}

// part adds the slab across the unit vector n of W, which parted the item from a
// shape.
func (h *itemSearch) part(n geom.Vec, core *convex.Core, pose, poseE *geom.Pose, grow float64) {
	if h.count == slabsKept || n == (geom.Vec{}) {
		return
	}
	local := poseE.R.TurnBack(n)
	lo, hi := extent(local, core, pose, poseE)
	h.slabs[h.count] = slab{local, lo - grow, hi + grow}
	h.count++
}

// push adds a node to the stack unless boxes or slabs separate it from the item.
func (h *itemSearch) push(t *bvh.Tree, node int32) {
	if d := h.depth(&t.Nodes[node].Box); d >= 0 {
		h.stack = append(h.stack, nodeDepth{node, d})
	}
}

// pushBoth pushes a node's children, the deeper one last.
func (h *itemSearch) pushBoth(t *bvh.Tree, left int32) {
	n := len(h.stack)
	h.push(t, left)
	h.push(t, left+1)
	if len(h.stack) == n+2 && h.stack[n].depth > h.stack[n+1].depth {
		h.stack[n], h.stack[n+1] = h.stack[n+1], h.stack[n]
	}
}

// depth returns by how much a box would have to move to be apart from the item, according to
// boxes and slabs; negative if it is apart.
func (h *itemSearch) depth(b *geom.Box) float64 {
	i := &h.item
	d := min(b.Max.X-i.Min.X, i.Max.X-b.Min.X, b.Max.Y-i.Min.Y, i.Max.Y-b.Min.Y, b.Max.Z-i.Min.Z, i.Max.Z-b.Min.Z)
	c, half := b.Middle()
	for k := 0; k < h.count && !(d < 0); k++ {
		s := &h.slabs[k]
		x := r3.Dot(c, s.n)
		r := half.X*abs(s.n.X) + half.Y*abs(s.n.Y) + half.Z*abs(s.n.Z)
		d = min(d, x+r-s.lo, s.hi-x+r)
	}
	return d
}
