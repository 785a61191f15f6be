package workload

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
)

// surface is a triangle mesh under construction. Triangles run counterclockwise
// seen from outside.
type surface struct {
	vertices  []geom.Vec
	triangles [][3]int32
}

func (s *surface) vertex(v geom.Vec) int32 {
	s.vertices = append(s.vertices, v)
	return int32(len(s.vertices) - 1)
}

func (s *surface) triangle(i, j, k int32) { s.triangles = append(s.triangles, [3]int32{i, j, k}) }

// quad adds a b c d, in that order around, as two triangles.
func (s *surface) quad(a, b, c, d int32) {
	s.triangle(a, b, c)
	s.triangle(a, c, d)
}

// add appends other, moved by pose.
func (s *surface) add(other surface, pose geom.Pose) {
	first := int32(len(s.vertices))
	for _, v := range other.vertices {
		s.vertices = append(s.vertices, pose.Apply(v))
	}
	for _, t := range other.triangles {
		s.triangle(first+t[0], first+t[1], first+t[2])
	}
}

// shape welds corners at the same place, as the readers of mesh files do, and
// returns the mesh as a shape.
func (s *surface) shape(name string) *shape.Shape {
	m := &mesh.Mesh{Triangles: make([][3]int32, len(s.triangles))}
	index := make(map[geom.Vec]int32, len(s.vertices))
	known := make([]int32, len(s.vertices))
	for i, v := range s.vertices {
		v = r3.Add(v, geom.Vec{}) // -0 becomes 0
		k, ok := index[v]
		if !ok {
			k = int32(len(m.Vertices))
			index[v] = k
			m.Vertices = append(m.Vertices, v)
		}
		known[i] = k
	}
	for i, t := range s.triangles {
		m.Triangles[i] = [3]int32{known[t[0]], known[t[1]], known[t[2]]}
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: name}
}
