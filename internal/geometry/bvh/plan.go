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
	b := &builder{n: len(m.Triangles), size: 3, mesh: m, leaf: leafSize(leaf), kept: kept}
	defer b.release()
	if err := p.fits(b, kept); err != nil {
		return nil, err
	}
	b.corners = of(&kept.corners, 3*b.n)
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

// follow builds by the plan. Each node is finished right after those below it, while what they hold
// is at hand.
func (p *Plan) follow(b *builder) (*Tree, error) {
	if b.n == 0 {
		return &b.tree, nil
	}
	f := follower{b: b, inner: p.Inner, used: 1}
	b.tree.Nodes = make([]Node, 1+2*len(p.Inner))
	b.tree.Nodes[0].Count = int32(b.n)
	if !f.node(0, 0) || f.next != len(p.Inner) {
		return nil, errPlan
	}
	return &b.tree, nil
}

// follower makes the nodes of a tree from the splits of a plan, in the order of grow.
type follower struct {
	b     *builder
	inner []Split
	next  int   // of inner
	used  int32 // nodes
}

// node makes the node, whose items are set, and all below it. It fails where the plan does not fit.
func (f *follower) node(at int32, depth int) (ok bool) {
	nd := &f.b.tree.Nodes[at]
	if int(nd.Count) <= f.b.leaf {
		nd.Left = -1
		f.b.fetch(nd)
		f.b.boundLeaf(nd)
		nd.ball(f.b.minBall(at))
		return true
	}
	if f.next == len(f.inner) || depth+1 >= MaxDepth {
		return false
	}
	s := &f.inner[f.next]
	if f.next++; s.Left < 1 || s.Left >= nd.Count {
		return false
	}
	nd.Left = f.used
	f.used += 2
	l, r := &f.b.tree.Nodes[nd.Left], &f.b.tree.Nodes[nd.Left+1]
	l.First, l.Count = nd.First, s.Left
	r.First, r.Count = nd.First+s.Left, nd.Count-s.Left
	if !f.node(nd.Left, depth+1) || !f.node(nd.Left+1, depth+1) {
		return false
	}
	nd.Box = l.Box
	unite(&nd.Box, &r.Box)
	nd.ball(f.b.ballAround(s.Center, at))
	return nd.Radius-nd.Radius == 0 // no infinity or NaN
}
