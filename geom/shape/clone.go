package shape

import "slices"

// Clone returns a copy that shares nothing with s.
func (s *Shape) Clone() *Shape {
	c := *s
	c.Points, c.Cells = slices.Clone(s.Points), slices.Clone(s.Cells)
	if s.Mesh != nil {
		c.Mesh = s.Mesh.Clone()
	}
	return &c
}

// Equal reports whether two shapes are the same set of points, number by number.
// Where they come from does not matter. A shape with a NaN equals none.
func (s *Shape) Equal(o *Shape) bool {
	if s.Kind != o.Kind || s.Size != o.Size || s.Radius != o.Radius || s.Length != o.Length ||
		(s.Mesh == nil) != (o.Mesh == nil) {
		return false
	}
	return slices.Equal(s.Points, o.Points) && slices.Equal(s.Cells, o.Cells) && (s.Mesh == nil || s.Mesh.Equal(o.Mesh))
}
