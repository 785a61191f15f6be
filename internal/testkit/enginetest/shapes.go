package enginetest

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// smaller returns a shape that the given one contains: shrunk about its middle, or
// without a triangle, a point or a cell.
func smaller(s *shape.Shape) *shape.Shape {
	const by = 0.9
	c := *s
	c.Size, c.Radius, c.Length = r3.Scale(by, s.Size), by*s.Radius, by*s.Length
	switch {
	case s.Kind == shape.Mesh && len(s.Mesh.Triangles) > 1:
		c.Mesh = &mesh.Mesh{Vertices: s.Mesh.Vertices, Triangles: s.Mesh.Triangles[:len(s.Mesh.Triangles)-1]}
	case len(s.Points) > 1:
		c.Points = s.Points[1:]
	case len(s.Cells) > 1:
		c.Cells = s.Cells[1:]
	}
	return &c
}
