package verify

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// component is a connected part of an object: a box, a point, a connected part of a mesh.
// While its surface and a solid's stay apart, it is inside the solid as a whole or not at all,
// because it is connected.
type component struct {
	span
	points []geom.Vec // some of its points, in the shape's frame
	frame  pose       // of the shape in the body's frame
}

// span is a set of atoms in the written order, and the smallest and largest of them.
type span struct {
	atoms       []int32
	first, last int32
}

func (s *span) add(atom int32) {
	if len(s.atoms) == 0 {
		s.first, s.last = atom, atom
	}
	s.atoms = append(s.atoms, atom)
	s.first, s.last = min(s.first, atom), max(s.last, atom)
}

func (s *span) reorder(position []int32) {
	old := s.atoms
	s.atoms = s.atoms[:0]
	for _, a := range old {
		s.add(position[a])
	}
}

// componentsOf returns the components of a shape other than a mesh, whose atoms are
// numbered from first on.
func componentsOf(s *shape.Shape, frame pose, first int) []component {
	single := func(i int, p geom.Vec) component {
		c := component{points: []geom.Vec{p}, frame: frame}
		c.add(int32(first + i))
		return c
	}
	var out []component
	switch s.Kind {
	case shape.Points:
		for i, p := range s.Points {
			out = append(out, single(i, p))
		}
	case shape.Cells:
		for i, c := range s.Cells {
			out = append(out, single(i, c.Min))
		}
	default: // these contain their middle
		out = append(out, single(0, geom.Vec{}))
	}
	return out
}

var emptyBox = geom.Box{
	Min: geom.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
	Max: geom.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
}

// fewPoints is how many points of a component are tried.
const fewPoints = 4

// meshComponents connects triangles that share the position of a corner, including triangles
// without area.
func meshComponents(m *mesh.Mesh, places []int32, frame pose, first int) []component {
	sets := newSets(len(m.Vertices))
	for _, t := range m.Triangles {
		sets.join(places[t[0]], places[t[1]])
		sets.join(places[t[0]], places[t[2]])
	}
	index := make([]int, len(m.Vertices)) // a set's component index plus one
	var out []component
	for i, t := range m.Triangles {
		r := sets.find(places[t[0]])
		if index[r] == 0 {
			out = append(out, component{frame: frame})
			index[r] = len(out)
		}
		c := &out[index[r]-1]
		c.add(int32(first + i))
		if len(c.points) < fewPoints {
			c.points = append(c.points, m.Vertices[t[0]])
		}
	}
	return out
}

// sets are disjoint sets of the numbers from 0 on.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(i, j int32) { s[s.find(j)] = s.find(i) }
