package bvh

import (
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Plan holds the choices by which a tree was built: the order of its items, where nodes were
// split and where the centres of their balls are. No proof depends on it: boxes and radii are
// computed from the items whenever a tree is made, so a wrong plan makes a worse tree or none,
// but no false one.
type Plan struct {
	Order []int32
	Inner []Split // of the nodes that have children, parents before children
}

// Split is the choices made at one node.
type Split struct {
	Left   int32 // how many of the items go left
	Center geom.Vec
}

// Plan returns the choices that make t again.
func (t *Tree) Plan() Plan {
	p := Plan{Order: t.Order}
	if len(t.Nodes) == 0 {
		return p
	}
	stack := []int32{0}
	for len(stack) > 0 {
		nd := &t.Nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if nd.Leaf() {
			continue
		}
		p.Inner = append(p.Inner, Split{t.Nodes[nd.Left].Count, nd.Center})
		stack = append(stack, nd.Left+1, nd.Left)
	}
	return p
}

// OfTriangles makes the tree over m's triangles with this plan. For the plan of OfTriangles
// with the same m and leaf it is the same tree. A plan that does not fit is an error. The tree
// shares p's Order.
func (p *Plan) OfTriangles(m *mesh.Mesh, leaf int) (*Tree, error) {
	kept := spare.Get().(*buffers)
	b := &builder{n: len(m.Triangles), size: 3, leaf: leafSize(leaf), kept: kept}
	defer b.release()
	if err := p.fits(b, kept); err != nil {
		return nil, err
	}
	b.corners = of(&kept.corners, 3*b.n)
	for i, k := range p.Order {
		t := &m.Triangles[k]
		b.corners[3*i], b.corners[3*i+1], b.corners[3*i+2] = m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]
	}
	return p.follow(b)
}

// OfBoxes is OfTriangles for boxes.
func (p *Plan) OfBoxes(boxes []geom.Box, leaf int) (*Tree, error) {
	kept := spare.Get().(*buffers)
	b := &builder{n: len(boxes), leaf: leafSize(leaf), kept: kept}
	defer b.release()
	if err := p.fits(b, kept); err != nil {
		return nil, err
	}
	b.boxes = of(&kept.boxes, b.n)
	for i, k := range p.Order {
		b.boxes[i] = boxes[k]
	}
	return p.follow(b)
}

var errPlan = errors.New("the plan of a hierarchy does not fit")

// fits checks that the plan's order is a permutation of the builder's items.
func (p *Plan) fits(b *builder, kept *buffers) error {
	if len(p.Order) != b.n || len(p.Inner) >= max(b.n, 1) {
		return fmt.Errorf("%w: it is for %d items, not %d", errPlan, len(p.Order), b.n)
	}
	seen := of(&kept.seen, b.n)
	clear(seen)
	for _, k := range p.Order {
		if k < 0 || int(k) >= b.n || seen[k] {
			return fmt.Errorf("%w: its order is not a permutation", errPlan)
		}
		seen[k] = true
	}
	b.tree.Order = p.Order
	return nil
}

// follow builds by the plan.
func (p *Plan) follow(b *builder) (*Tree, error) {
	if b.n == 0 {
		return &b.tree, nil
	}
	next := 0
	ok := b.grow(func(nd *Node, depth int) int {
		if next == len(p.Inner) || depth+1 >= MaxDepth {
			return 0
		}
		s := &p.Inner[next]
		next++
		if s.Left < 1 || s.Left >= nd.Count {
			return 0
		}
		nd.Center = s.Center
		return int(s.Left)
	})
	if !ok || next != len(p.Inner) {
		return nil, errPlan
	}
	for i := range b.tree.Nodes {
		nd := &b.tree.Nodes[i]
		if nd.Leaf() {
			nd.ball(b.minBall(int32(i)))
			continue
		}
		nd.ball(b.ballAround(nd.Center, int32(i)))
		if !(nd.Radius-nd.Radius == 0) { // an infinity or a NaN
			return nil, errPlan
		}
	}
	return &b.tree, nil
}
