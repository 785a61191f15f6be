package bvh

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// manyPoints is the number of points from which the farthest is found by the boxes below a
// node: most of them are nearer than one point that was found.
const manyPoints = 96

// minBall returns the smallest ball around a node's items; the boxes of all nodes are made.
func (b *builder) minBall(node int32) convex.Ball {
	nd := &b.tree.Nodes[node]
	if b.size == 0 || int(nd.Count)*b.size < manyPoints {
		return convex.MinBall(b.around(nd))
	}
	return convex.MinBallBy(b.around(nd), func(c geom.Vec) (float64, int) { return b.farthest(node, c) })
}

// ballAround is minBall for a given centre.
func (b *builder) ballAround(c geom.Vec, node int32) convex.Ball {
	nd := &b.tree.Nodes[node]
	if b.size == 0 || int(nd.Count)*b.size < manyPoints {
		return convex.BallAround(c, b.around(nd))
	}
	return convex.BallAroundBy(c, b.around(nd), func(c geom.Vec) (float64, int) { return b.farthest(node, c) })
}

// farthest returns the largest computed squared distance from c of the node's points, and the
// first point that has it, exactly as if it looked at all: it passes over boxes that are
// nearer.
func (b *builder) farthest(node int32, c geom.Vec) (best float64, at int) {
	type open struct {
		node int32
		far  float64
	}
	var stack [2 * MaxDepth]open
	stack[0] = open{node, reach(&b.tree.Nodes[node].Box, c)}
	begin, best := int(b.tree.Nodes[node].First)*b.size, -1.0
	for n := 1; n > 0; {
		n--
		o := stack[n]
		if o.far < best {
			continue
		}
		nd := &b.tree.Nodes[o.node]
		if nd.Leaf() || int(nd.Count)*b.size < manyPoints {
			first := int(nd.First) * b.size
			d, i := convex.Farthest(b.corners[first:first+int(nd.Count)*b.size], c)
			if i += first - begin; d > best || d == best && i < at {
				best, at = d, i
			}
			continue
		}
		left, right := open{nd.Left, reach(&b.tree.Nodes[nd.Left].Box, c)}, open{nd.Left + 1, reach(&b.tree.Nodes[nd.Left+1].Box, c)}
		if left.far > right.far {
			left, right = right, left
		}
		stack[n], stack[n+1] = left, right
		n += 2
	}
	return best, at
}

// reach returns no less than the squared distance from c that is computed for any point in the
// box: rounding keeps the order of differences, products and sums, and the factor covers
// products that are fused with sums in one place only.
func reach(b *geom.Box, c geom.Vec) float64 {
	x, y, z := max(c.X-b.Min.X, b.Max.X-c.X), max(c.Y-b.Min.Y, b.Max.Y-c.Y), max(c.Z-b.Min.Z, b.Max.Z-c.Z)
	return (x*x + y*y + z*z) * (1 + 0x1p-50)
}
