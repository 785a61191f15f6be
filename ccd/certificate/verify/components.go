package verify

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/shape"
)

// component is a connected part of an object: a box, a point, a connected part of
// a mesh. Items follow a mesh as a surface; where every edge of a part belongs to
// an even number of its triangles it has an inside, and then nothing else may be
// in there. Anything else is solid to the items themselves.
type component struct {
	atoms       []int32    // in the written order
	first, last int32      // the smallest and largest of them
	points      []geom.Vec // some of its own, in the shape's frame
	frame       pose       // of the shape in the body's frame

	// Where it has an inside.
	closed    bool
	mesh      *mesh.Mesh
	triangles []int32
	box       geom.Box
}

func (c *component) reorder(position []int32) {
	for i, a := range c.atoms {
		c.atoms[i] = position[a]
	}
	c.span()
}

func (c *component) span() {
	c.first, c.last = c.atoms[0], c.atoms[0]
	for _, a := range c.atoms {
		c.first, c.last = min(c.first, a), max(c.last, a)
	}
}

// componentsOf returns the components of a shape whose atoms are numbered from
// first on.
func componentsOf(s *shape.Shape, frame pose, first int) []component {
	single := func(i int, p geom.Vec) component {
		c := component{atoms: []int32{int32(first + i)}, points: []geom.Vec{p}, frame: frame}
		c.span()
		return c
	}
	var out []component
	switch s.Kind {
	case shape.Mesh:
		return meshComponents(s.Mesh, frame, first)
	case shape.Points:
		for i, p := range s.Points {
			out = append(out, single(i, p))
		}
	case shape.Cells:
		for i, c := range s.Cells {
			out = append(out, single(i, c.Min))
		}
	default: // convex about its middle
		out = append(out, single(0, geom.Vec{}))
	}
	return out
}

var emptyBox = geom.Box{
	Min: geom.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
	Max: geom.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
}

// fewPoints of a component are tried in turn.
const fewPoints = 4

// meshComponents joins triangles that share a vertex.
func meshComponents(m *mesh.Mesh, frame pose, first int) []component {
	leader := make([]int32, len(m.Vertices))
	for i := range leader {
		leader[i] = int32(i)
	}
	find := func(v int32) int32 {
		for leader[v] != v {
			leader[v] = leader[leader[v]]
			v = leader[v]
		}
		return v
	}
	for _, t := range m.Triangles {
		leader[find(t[1])] = find(t[0])
		leader[find(t[2])] = find(t[0])
	}
	index := make([]int, len(m.Vertices)) // of a leader's component, plus one
	var out []component
	for i, t := range m.Triangles {
		r := find(t[0])
		if index[r] == 0 {
			index[r] = len(out) + 1
			out = append(out, component{frame: frame, mesh: m, closed: true, box: emptyBox})
		}
		c := &out[index[r]-1]
		c.atoms = append(c.atoms, int32(first+i))
		c.triangles = append(c.triangles, int32(i))
		for _, v := range t {
			c.box = extended(c.box, m.Vertices[v])
		}
		if len(c.points) < fewPoints {
			c.points = append(c.points, m.Vertices[t[0]])
		}
	}
	for _, v := range oddEdges(m) {
		out[index[find(v)]-1].closed = false
	}
	for i := range out {
		out[i].span()
	}
	return out
}

// oddEdges returns one vertex of each edge that an odd number of triangles share.
// The edges of a triangle with a repeated vertex cancel.
func oddEdges(m *mesh.Mesh) []int32 {
	edges := make([]uint64, 0, 3*len(m.Triangles))
	for _, t := range m.Triangles {
		for i := range 3 {
			if a, b := t[i], t[(i+1)%3]; a != b {
				edges = append(edges, uint64(min(a, b))<<32|uint64(max(a, b)))
			}
		}
	}
	slices.Sort(edges)
	var out []int32
	for i := 0; i < len(edges); {
		j := i
		for j < len(edges) && edges[j] == edges[i] {
			j++
		}
		if (j-i)%2 == 1 {
			out = append(out, int32(edges[i]>>32))
		}
		i = j
	}
	return out
}
