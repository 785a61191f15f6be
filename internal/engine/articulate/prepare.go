package articulate

import (
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Prepared is a model with what the method makes of it once: an OBB tree of each
// element, and the vertices and edges of meshes, each of which belongs to one of its
// triangles. It is immutable and shared by any number of workers.
type Prepared struct {
	model *model.Model
	links *LinkBVH // of stages 1 and 2
	parts []part   // per element of the model that is a shape
	scale float64  // the largest reach of the robot's elements
}

// part is an element as the third stage takes it.
type part struct {
	element *model.Element
	tree    *OBBTree
	faces   *surface      // of a mesh that is taken for its triangles, else nil
	place   interval.Pose // of the element in its frame
	radius  float64       // of what is around the pieces: of points, cells and padding
	reach   float64       // no point of the pieces is farther from the element's Center
}

// surface is a mesh by its vertices, edges and faces.
type surface struct {
	vertices []geom.Vec
	faces    [][3]int32
	edges    [][2]int32 // each once
	sides    [][3]int32 // per face, the edges from its vertices 0, 1 and 2
	// own tells, per face, which of its vertices (bits 0 to 2) and edges (bits 3 to 5)
	// the face stands for. A contact at a vertex or an edge touches every face that has
	// it, so that one of them is enough to find the equation.
	own []uint8
}

// Prepare builds the OBB trees of the model's elements.
func Prepare(m *model.Model) (*Prepared, error) {
	if m == nil {
		return nil, errors.New("there is no model (nil)")
	}
	p := &Prepared{model: m, links: NewLinkBVH(m), parts: make([]part, m.Real)}
	for i := range p.parts {
		e := &m.Elements[i]
		q := &p.parts[i]
		q.element, q.place = e, interval.PoseWithin(e.PoseFE, e.ErrR, e.ErrP)
		q.reach = e.Radius*(1+0x1p-40) + 0x1p-40*geom.Norm(e.Center)
		if m.Bodies[e.Body].Link >= 0 {
			p.scale = max(p.scale, q.reach)
		}
		if e.Exact {
			q.radius, q.tree = e.Core.Radius, OBBTreeOf(e)
			continue
		}
		q.radius = e.Leaves.Radius + e.Padding
		made := e.Leaves.Derived(obbPieces{}, func() any { return piecesOf(e) }).(*obbPieces)
		if q.tree, q.faces = made.tree, made.faces; len(q.tree.Nodes) == 0 {
			return nil, fmt.Errorf("body %s has a shape without any triangle, point or cell", m.Bodies[e.Body].Name)
		}
	}
	return p, nil
}

// obbPieces is what the method makes of a shape; the zero value is its key.
type obbPieces struct {
	tree  *OBBTree
	faces *surface
}

func piecesOf(e *model.Element) *obbPieces {
	p := &obbPieces{tree: OBBTreeOf(e)}
	if e.Leaves.Mesh != nil && len(p.tree.Nodes) > 0 {
		p.faces = surfaceOf(e.Leaves)
	}
	return p
}

func surfaceOf(l *model.Leaves) *surface {
	m := l.Mesh
	s := &surface{
		vertices: m.Vertices, faces: m.Triangles,
		sides: make([][3]int32, len(m.Triangles)), own: make([]uint8, len(m.Triangles)),
	}
	seen := make([]bool, len(m.Vertices))
	edges := make(map[[2]int32]int32, 3*len(m.Triangles)/2)
	for i, t := range m.Triangles {
		for k, v := range t {
			if !seen[v] {
				seen[v] = true
				s.own[i] |= 1 << k
			}
			w := t[next[k]]
			key := [2]int32{min(v, w), max(v, w)}
			e, ok := edges[key]
			if !ok {
				e = int32(len(s.edges))
				edges[key], s.edges = e, append(s.edges, key)
				s.own[i] |= 8 << k
			}
			s.sides[i][k] = e
		}
	}
	return s
}

// core is piece i of the part as a convex piece without its radius, in the element's
// frame; vs has room for its vertices.
func (p *part) core(i int32, vs *[3]geom.Vec) convex.Core {
	switch l := p.element.Leaves; {
	case p.element.Exact:
		c := p.element.Core
		c.Radius = 0
		return c
	case p.faces != nil:
		for k, v := range p.faces.faces[i] {
			vs[k] = p.faces.vertices[v]
		}
		return convex.Core{Kind: convex.Triangle, Vertices: vs[:3]}
	case l.Cells != nil:
		c := convex.BoxOf(l.Cells[i])
		return c
	default:
		vs[0] = l.Points[i]
		return convex.Core{Kind: convex.Point, Vertices: vs[:1]}
	}
}

// normal is the vector across two sides of face i, not of unit length.
func (s *surface) normal(i int32) interval.Vec {
	t := s.faces[i]
	a := interval.OfVec(s.vertices[t[0]])
	return interval.OfVec(s.vertices[t[1]]).Sub(a).Cross(interval.OfVec(s.vertices[t[2]]).Sub(a))
}
