package mesh

import "slices"

// Clone returns a copy that shares nothing with m.
func (m *Mesh) Clone() *Mesh {
	c := *m
	c.Vertices, c.Triangles = slices.Clone(m.Vertices), slices.Clone(m.Triangles)
	return &c
}

// Equal reports whether two meshes have the same vertices and triangles in the same
// order.
func (m *Mesh) Equal(o *Mesh) bool {
	return m == o || slices.Equal(m.Triangles, o.Triangles) && slices.Equal(m.Vertices, o.Vertices)
}
