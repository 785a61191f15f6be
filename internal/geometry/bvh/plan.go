package bvh

import (
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
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
// with the same m and leaf it is the same tree. A plan that does not fit is an error.
func (p *Plan) OfTriangles(m *mesh.Mesh, leaf int) (*Tree, error) {
	return p.follow(triangles(m, leaf))
}

// OfBoxes is OfTriangles for boxes.
func (p *Plan) OfBoxes(boxes []geom.Box, leaf int) (*Tree, error) {
	return p.follow(ofBoxes(boxes, leaf))
}

var errPlan = errors.New("the plan of a hierarchy does not fit")

// follow builds by the plan.
func (p *Plan) follow(b *builder) (*Tree, error) {
	n := len(b.boxes)
	if len(p.Order) != n || len(p.Inner) >= max(n, 1) {
		return nil, fmt.Errorf("%w: it is for %d items, not %d", errPlan, len(p.Order), n)
	}
	if n == 0 {
		return &b.tree, nil
	}
	if err := b.arrange(p.Order); err != nil {
		return nil, err
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
		nd.ball(convex.BallAround(s.Center, b.points(nd)))
		if !(nd.Radius-nd.Radius == 0) { // an infinity or a NaN
			return 0
		}
		return int(s.Left)
	})
	if !ok || next != len(p.Inner) {
		return nil, errPlan
	}
	return &b.tree, nil
}

// arrange puts the items into an order, which must be a permutation.
func (b *builder) arrange(order []int32) error {
	seen := make([]bool, len(order))
	boxes := make([]geom.Box, len(order))
	corners := make([]geom.Vec, 0, len(b.corners))
	for i, k := range order {
		if k < 0 || int(k) >= len(order) || seen[k] {
			return fmt.Errorf("%w: its order is not a permutation", errPlan)
		}
		seen[k] = true
		boxes[i] = b.boxes[k]
		corners = append(corners, b.corners[int(k)*b.size:(int(k)+1)*b.size]...)
	}
	b.boxes, b.corners = boxes, corners
	b.tree.Order = append([]int32(nil), order...)
	return nil
}
