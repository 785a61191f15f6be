package articulate

// The dynamic bounding volume hierarchy: RKLM04, section 4.1.
//
// Before any motion each element gets its line swept sphere, and the elements, in the
// order of the chain, a binary tree (LinkBVH). For an interval of time both ends of each
// sphere-swept line are bounded by interval matrices; the box around those two boxes,
// grown by the radius, holds the element all along, as a box is convex, and the boxes
// of the tree follow bottom-up (DynamicBVH).
//
// Departures:
//   - The interval is cut into 2^Level parts, of which a leaf's box is the union: interval
//     matrices of a chain are too wide by the square of the interval. Level 0 is the paper's.
//   - Boxes are held against those of the environment's pieces, in its own static tree,
//     where the paper has an object's box; and two links of one robot against each other,
//     part by part at the same time, in the frame where their chains part.
//   - Clearance, padding and rounding are counted.

import (
	"math/bits"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// LinkBVH is what of the hierarchy does not depend on the motion. Immutable.
type LinkBVH struct {
	LSS   []LSS // per element that moves with the robot, in its frame F
	model *model.Model
	nodes []linkNode // parents before children; the root is nodes[0]
	bases []int32    // per frame: its place among those that pairs part at, -1 for none
	count int        // of those
	sole  []int32    // per node of the world's tree: the element all of it belongs to, -1 for several
}

// linkNode is a node over elements: a leaf has one, the others two children.
type linkNode struct {
	element     int32 // -1 for a node with children
	left, right int32
}

// Model returns the model that the tree is of.
func (b *LinkBVH) Model() *model.Model { return b.model }

// NewLinkBVH fits line swept spheres to the robot's elements, attached objects included,
// and hangs them into a tree.
func NewLinkBVH(m *model.Model) *LinkBVH {
	b := &LinkBVH{LSS: make([]LSS, m.Real), model: m, bases: make([]int32, len(m.Tree.Frames))}
	var robot []int32
	for i := range b.LSS {
		if e := &m.Elements[i]; m.Bodies[e.Body].Link >= 0 {
			b.LSS[i] = LSSOfElement(e)
			robot = append(robot, int32(i))
		}
	}
	slices.SortStableFunc(robot, func(x, y int32) int { return m.Elements[x].Frame - m.Elements[y].Frame })
	if len(robot) > 0 {
		b.grow(robot)
	}
	for i := range b.bases {
		b.bases[i] = -1
	}
	for i := range m.Pairs {
		if at := &b.bases[m.Pairs[i].Base]; !m.Pairs[i].World && *at < 0 {
			*at = int32(b.count)
			b.count++
		}
	}
	b.findSole()
	return b
}

// grow hangs elements, halves of a stretch of the chain below each node.
func (b *LinkBVH) grow(elements []int32) int32 {
	at := int32(len(b.nodes))
	b.nodes = append(b.nodes, linkNode{element: elements[0]})
	if n := len(elements); n > 1 {
		left := b.grow(elements[:n/2])
		right := b.grow(elements[n/2:])
		b.nodes[at] = linkNode{element: -1, left: left, right: right}
	}
	return at
}

// findSole notes which nodes of the world's tree hold pieces of one element only.
func (b *LinkBVH) findSole() {
	w := b.model.World
	b.sole = make([]int32, len(w.Tree.Nodes))
	for i := range w.Tree.Nodes {
		n := &w.Tree.Nodes[i]
		b.sole[i] = w.Items[n.First].Element
		for _, it := range w.Items[n.First : n.First+n.Items] {
			if it.Element != b.sole[i] {
				b.sole[i] = -1
				break
			}
		}
	}
}

// DynamicBVH is the boxes of a LinkBVH over an interval of time. It is the scratch of one
// goroutine.
type DynamicBVH struct {
	// Level is how often the interval is halved for the boxes.
	Level int

	links *LinkBVH
	mover *Mover
	cuts  []float64      // the ends of the interval's parts
	boxes []interval.Vec // per node of the LinkBVH, in the world
	boxed []bvh.Box32    // the same for the world's tree, grown by what may be between

	// Per base and element: a box for each part, in the base's frame.
	parts    [][]interval.Vec
	partsFor []uint64
	stamp    uint64

	// Of the query that runs.
	alive, touched []bool
	tests          int
}

// NewDynamicBVH returns the scratch for a hierarchy, of motions that mover tells.
func NewDynamicBVH(links *LinkBVH, mover *Mover) *DynamicBVH {
	n := links.count * len(links.LSS)
	return &DynamicBVH{
		Level: defaultLevel, links: links, mover: mover,
		boxes: make([]interval.Vec, len(links.nodes)), boxed: make([]bvh.Box32, len(links.nodes)),
		parts: make([][]interval.Vec, n), partsFor: make([]uint64, n),
		touched: make([]bool, len(links.model.Pairs)),
	}
}

// defaultLevel cuts a motion in four.
const defaultLevel = 2

// Update bounds every element, and every stretch of the chain, from s0 to s1 of the piece
// that the mover has loaded.
func (d *DynamicBVH) Update(s0, s1 float64) {
	d.stamp++
	n := 1 << d.Level
	d.cuts = d.cuts[:0]
	for i := range n {
		d.cuts = append(d.cuts, s0+(s1-s0)*float64(i)/float64(n))
	}
	d.cuts = append(d.cuts, s1)
	for i := len(d.links.nodes) - 1; i >= 0; i-- {
		node := &d.links.nodes[i]
		if node.element < 0 {
			d.boxes[i] = d.boxes[node.left].Hull(d.boxes[node.right])
			continue
		}
		d.boxes[i] = d.over(0, node.element, 0)
		for k := 1; k < n; k++ {
			d.boxes[i] = d.boxes[i].Hull(d.over(0, node.element, k))
		}
	}
}

// over bounds an element in the frame base during part k of the interval: the boxes of
// both ends, and what is between them, grown by the radius.
func (d *DynamicBVH) over(base int, element int32, k int) interval.Vec {
	l := &d.links.LSS[element]
	p := d.mover.PoseBF(base, d.links.model.Elements[element].Frame, d.cuts[k], d.cuts[k+1])
	return p.Apply(interval.OfVec(l.A)).Hull(p.Apply(interval.OfVec(l.B))).Grow(l.Radius)
}

// Box returns a box that holds the element from s0 to s1 of the last Update, in the world.
func (d *DynamicBVH) Box(element int) geom.Box {
	for i := range d.links.nodes {
		if d.links.nodes[i].element == int32(element) {
			return d.boxes[i].Box()
		}
	}
	return geom.EmptyBox()
}

// Tests returns how many times a box was held against a box since the last Cull began.
func (d *DynamicBVH) Tests() int { return d.tests }

// Cull clears alive, which has a place for each of the model's pairs, for those that the
// boxes prove more than clearance apart all along the interval of the last Update. It
// returns how many those are. Of a mesh of the environment that is its triangles: whether
// a link is inside a closed one all along is another question, to be asked of one instant.
func (d *DynamicBVH) Cull(clearance float64, alive []bool) (culled int) {
	d.alive, d.tests = alive, 0
	m := d.links.model
	clear(d.touched)
	if len(d.links.nodes) > 0 && len(m.World.Tree.Nodes) > 0 {
		grow := (clearance + m.World.Err) * (1 + 2*u)
		for i := range d.boxes {
			d.boxed[i] = bvh.Outward(d.boxes[i].Grow(grow).Box())
		}
		d.descend(0, 0)
	}
	for i := range m.Pairs {
		if !alive[i] {
			continue
		}
		p := &m.Pairs[i]
		if p.World && !d.touched[i] || !p.World && d.apart(p, clearance) {
			alive[i] = false
			culled++
		}
	}
	return culled
}

// descend goes down the larger of both: stretch r of the chain, node w of the world.
func (d *DynamicBVH) descend(r, w int32) {
	node, at := &d.links.nodes[r], &d.links.model.World.Tree.Nodes[w]
	if node.element < 0 && !larger(&at.Box, &d.boxed[r]) {
		d.descend(node.left, w)
		d.descend(node.right, w)
		return
	}
	if node.element >= 0 && d.settled(node.element, d.links.sole[w]) {
		return
	}
	d.tests += int(at.Count)
	for hit := at.Meets(&d.boxed[r]); hit != 0; hit &= hit - 1 {
		i := bits.TrailingZeros32(hit)
		if child := at.Child[i]; child >= 0 {
			d.descend(r, child)
		} else {
			box := at.ChildBox32(i)
			d.touch(r, ^child, &box)
		}
	}
}

// touch notes which elements below r have boxes that meet that of an item.
func (d *DynamicBVH) touch(r, item int32, box *bvh.Box32) {
	node := &d.links.nodes[r]
	d.tests++
	if !d.boxed[r].Meets(box) {
		return
	}
	if node.element < 0 {
		d.touch(node.left, item, box)
		d.touch(node.right, item, box)
		return
	}
	m := d.links.model
	if against := m.Against[node.element]; against != nil {
		if p := against[m.World.Items[item].Element-m.First]; p >= 0 {
			d.touched[p] = true
		}
	}
}

// settled reports whether nothing is left to find between the element and one of the world,
// negative for several.
func (d *DynamicBVH) settled(element, of int32) bool {
	against := d.links.model.Against[element]
	if against == nil {
		return true
	}
	if of < 0 {
		return false
	}
	p := against[of-d.links.model.First]
	return p < 0 || !d.alive[p] || d.touched[p]
}

// apart proves two elements of the robot apart part by part.
func (d *DynamicBVH) apart(p *model.Pair, clearance float64) bool {
	a, b := d.partsOf(p.Base, p.A), d.partsOf(p.Base, p.B)
	for k := range a {
		d.tests++
		if a[k].Grow(clearance).Overlaps(b[k]) {
			return false
		}
	}
	return true
}

func (d *DynamicBVH) partsOf(base, element int) []interval.Vec {
	i := int(d.links.bases[base])*len(d.links.LSS) + element
	if d.partsFor[i] != d.stamp {
		d.partsFor[i] = d.stamp
		d.parts[i] = d.parts[i][:0]
		for k := range len(d.cuts) - 1 {
			d.parts[i] = append(d.parts[i], d.over(base, int32(element), k))
		}
	}
	return d.parts[i]
}

// larger reports whether b is longer than c, all sides together.
func larger(b, c *bvh.Box32) bool {
	return b.Hi[0]-b.Lo[0]+b.Hi[1]-b.Lo[1]+b.Hi[2]-b.Lo[2] > c.Hi[0]-c.Lo[0]+c.Hi[1]-c.Lo[1]+c.Hi[2]-c.Lo[2]
}
