package rsstree

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

var identity = geom.IdentityPose()

// Touch is the relative position of two leaves, in A's frame.
type Touch struct {
	// Lower is a proved lower bound of their distance, Upper one from above: that of
	// PointA and PointB, points of the pieces, and what rounding may add.
	Lower, Upper   float64
	PointA, PointB geom.Vec
	Normal         geom.Vec // unit, from A to B; zero where none is known
}

// Leaves measures two leaves: triangles, points, cells, cores, with their balls.
func (p *Pair) Leaves(a, b int32) Touch {
	na, nb := &p.A.Nodes[a], &p.B.Nodes[b]
	if p.A.triangles != nil && p.B.triangles != nil {
		return p.trianglePair(&p.A.triangles[na.First], &p.B.triangles[nb.First])
	}
	ca, cb := p.A.leaf(na, p.grownA, &p.scratchA), p.B.leaf(nb, p.grownB, &p.scratchB)
	r := convex.Distance(ca, &identity, cb, &p.PoseAB, &p.search)
	t := Touch{Lower: math.Max(0, r.Lower-p.err), Upper: r.Distance + p.err, PointA: r.PointA, PointB: r.PointB, Normal: r.Normal}
	if math.IsNaN(t.Upper) {
		t.Lower, t.Upper = 0, math.Inf(1)
	}
	return t
}

// trianglePair is Leaves for triangles. What a search for closest points returns is
// an upper bound; the lower one is the gap of the supports along their difference.
func (p *Pair) trianglePair(s, t *tri.Triangle) Touch {
	placed := tri.Triangle{p.PoseAB.Apply(t[0]), p.PoseAB.Apply(t[1]), p.PoseAB.Apply(t[2])}
	r := tri.Distance(s, &placed)
	n, ok := geom.Unit(r3.Sub(r.PointB, r.PointA))
	if r.Distance == 0 || !ok {
		return Touch{Upper: p.err, PointA: r.PointA, PointB: r.PointB}
	}
	out := Touch{PointA: r.PointA, PointB: r.PointB, Normal: n, Upper: math.Max(0, r.Distance-p.radii) + p.err}
	if gap := gapOf(n, s, &placed) - p.radii - p.err; gap > 0 {
		out.Lower = gap * (1 - 16*u)
	}
	switch {
	case p.radii >= r.Distance: // the balls overlap: one point of both
		out.PointA = r3.Add(r.PointA, r3.Scale(r.Distance*(p.grownA/p.radii), n))
		out.PointB = out.PointA
	case p.radii > 0:
		out.PointA = r3.Add(r.PointA, r3.Scale(p.grownA, n))
		out.PointB = r3.Sub(r.PointB, r3.Scale(p.grownB, n))
	}
	return out
}

// gapOf returns how far two triangles are apart along the unit vector n.
func gapOf(n geom.Vec, s, t *tri.Triangle) float64 {
	far, near := math.Inf(-1), math.Inf(1)
	for i := range 3 {
		far, near = math.Max(far, r3.Dot(n, s[i])), math.Min(near, r3.Dot(n, t[i]))
	}
	return near - far
}

// leaf returns the piece of a leaf, grown.
func (t *Tree) leaf(n *Node, grown float64, c *leafCore) *convex.Core {
	switch {
	case t.triangles != nil:
		c.vertices = t.triangles[n.First]
		c.core = convex.Core{Kind: convex.Triangle, Radius: grown, Vertices: c.vertices[:]}
	case t.points != nil:
		c.vertices[0] = t.points[n.First]
		c.core = convex.Core{Kind: convex.Point, Radius: grown, Vertices: c.vertices[:1]}
	case t.cells != nil:
		c.core = convex.BoxOf(t.cells[n.First])
		c.core.Radius += grown
	default:
		c.core = *t.core
		c.core.Radius = grown
	}
	return &c.core
}

// IsLeafPair reports whether both nodes are leaves: then Leaves says more than Bound.
func (p *Pair) IsLeafPair(a, b int32) bool {
	return p.A.Nodes[a].Leaf() && p.B.Nodes[b].Leaf()
}
