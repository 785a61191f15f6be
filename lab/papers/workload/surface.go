package workload

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// surface is a triangle mesh under construction. Triangles run counterclockwise
// seen from outside.
type surface struct {
	vertices  []geom.Vec
	triangles [][3]int32
	solids    []int // of a body: the first triangle of each
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

// parts are the solids of a body, each by itself.
func (s *surface) parts() []surface {
	out := make([]surface, len(s.solids))
	for i, from := range s.solids {
		to := len(s.triangles)
		if i+1 < len(s.solids) {
			to = s.solids[i+1]
		}
		known := map[int32]int32{}
		for _, t := range s.triangles[from:to] {
			for k, v := range t {
				if _, ok := known[v]; !ok {
					known[v] = out[i].vertex(s.vertices[v])
				}
				t[k] = known[v]
			}
			out[i].triangle(t[0], t[1], t[2])
		}
	}
	return out
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
