package shape

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// TriangleMesh is an indexed triangle mesh in metres, in its own frame. It may be shared
// between goroutines that do not change it.
//
// In what readers return no two vertices are equal: corners at bitwise the same place
// (with -0 as 0) are one vertex, so that STL has connectivity too. Triangles without area
// stay in the mesh, because their points belong to the shape. Triangles of a closed mesh
// run counterclockwise seen from outside where the file had them so.
type TriangleMesh struct {
	Vertices  []geom.Vec
	Triangles [][3]int32 // indices into Vertices
}

// Clone returns a copy that shares nothing with m.
func (m *TriangleMesh) Clone() *TriangleMesh {
	c := *m
	c.Vertices, c.Triangles = slices.Clone(m.Vertices), slices.Clone(m.Triangles)
	return &c
}

// Equal reports whether two meshes have the same vertices and triangles in the same
// order.
func (m *TriangleMesh) Equal(o *TriangleMesh) bool {
	return m == o || slices.Equal(m.Triangles, o.Triangles) && slices.Equal(m.Vertices, o.Vertices)
}
