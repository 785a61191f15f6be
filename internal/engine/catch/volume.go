package catch

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// ZRLK07, section 4, Preprocess: a hierarchy of convex volumes for each link.
//
// Departure: below the link's own hull the volumes are the boxes of its static
// hierarchy, aligned with the link's frame, farther down the hulls of few triangles
// (hulltree.go), and at the bottom triangles, points and cells; the paper's are the hulls
// of a convex decomposition, for which a mesh must be closed. So polygon soups work.

// volume is a node of an element's hierarchy, or whole.
type volume = int32

// whole stands for the element's convex hull, above its hierarchy. Where the element
// is convex it is all there is.
const whole volume = -1

// piece is a volume as a convex set; its vertices are stored beside it so that making
// one allocates nothing.
type piece struct {
	core     convex.Core
	vertices [3]geom.Vec
}

// coreOf returns a convex set, in E, that holds the volume, padding included.
func coreOf(e *model.Element, hulls *hullTree, v volume, p *piece) *convex.Core {
	if v == whole {
		return &e.Core
	}
	l := e.Leaves
	n := &l.Tree.Nodes[v]
	radius := l.Radius + e.Padding
	first := l.Tree.Order[n.First]
	switch corners := hulls.of(v); {
	case corners != nil:
		p.core = convex.Core{Kind: convex.Hull, Vertices: corners}
	case !n.Leaf() || l.Cells != nil: // the box of a leaf is its cell
		p.core = convex.BoxOf(n.Box)
	case l.Mesh == nil:
		p.vertices[0] = l.Points[first]
		p.core = convex.Core{Kind: convex.Point, Vertices: p.vertices[:1]}
	default:
		t := &l.Mesh.Triangles[first]
		p.vertices = [3]geom.Vec{l.Mesh.Vertices[t[0]], l.Mesh.Vertices[t[1]], l.Mesh.Vertices[t[2]]}
		p.core = convex.Core{Kind: convex.Triangle, Vertices: p.vertices[:]}
	}
	p.core.Radius = radius
	return &p.core
}

// ballOf returns a ball, in E, around the part of the element that is in the volume.
func ballOf(e *model.Element, v volume) (center geom.Vec, radius float64) {
	if v == whole {
		return e.Center, e.Radius
	}
	n := &e.Leaves.Tree.Nodes[v]
	return n.Center, (n.Radius + e.Leaves.Radius + e.Padding) * (1 + 4*u)
}

// opens reports whether the volume has smaller ones in it; otherwise it is what is
// there: a solid, a triangle, a point or a cell.
func opens(e *model.Element, v volume) bool {
	if v == whole {
		return !e.Exact
	}
	return !e.Leaves.Tree.Nodes[v].Leaf()
}

// inside returns the volumes below one that opens: two, or one if the hierarchy is a
// single leaf. Those below the hull are the root's own, as the root's box is hardly
// smaller than the hull.
func inside(e *model.Element, v volume) (first volume, count int32) {
	if v == whole {
		v = 0
		if e.Leaves.Tree.Nodes[0].Leaf() {
			return 0, 1
		}
	}
	return e.Leaves.Tree.Nodes[v].Left, 2
}
