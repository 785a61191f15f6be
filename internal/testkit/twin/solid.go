package twin

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// Solid is a shape in its link's frame: points, and a ball of the given radius around
// each of them. Their hull is in the shape's and, but for round sides of cylinders and
// cones, is it.
type Solid struct {
	Link   int
	Points []geom.Vec
	Radius float64
	At     geom.Pose // of the shape in the link
}

// SolidOf describes a shape of a link, padded. Cells it does not know.
func SolidOf(link int, at geom.Pose, s *shape.Shape, padding float64) Solid {
	out := Solid{Link: link, Radius: padding, At: at}
	switch s.Kind {
	case shape.Box:
		for k := range 8 {
			f := func(bit int) float64 { return float64(k>>bit&1) - 0.5 }
			out.Points = append(out.Points, geom.Vec{X: f(0) * s.Size.X, Y: f(1) * s.Size.Y, Z: f(2) * s.Size.Z})
		}
	case shape.Sphere:
		out.Points, out.Radius = []geom.Vec{{}}, out.Radius+s.Radius
	case shape.Capsule:
		out.Points = []geom.Vec{{Z: -s.Length / 2}, {Z: s.Length / 2}}
		out.Radius += s.Radius
	case shape.Cylinder, shape.Cone:
		for k := range 24 {
			y, x := math.Sincos(2 * math.Pi * float64(k) / 24)
			out.Points = append(out.Points, geom.Vec{X: s.Radius * x, Y: s.Radius * y, Z: -s.Length / 2})
			if s.Kind == shape.Cylinder {
				out.Points = append(out.Points, geom.Vec{X: s.Radius * x, Y: s.Radius * y, Z: s.Length / 2})
			}
		}
		out.Points = append(out.Points, geom.Vec{Z: s.Length / 2})
	case shape.Mesh:
		out.Points = append(out.Points, s.Mesh.Vertices...)
	case shape.Points:
		out.Points, out.Radius = append(out.Points, s.Points...), out.Radius+s.Radius
	default:
		panic("twin: a shape of which no points are known")
	}
	for i := range out.Points {
		out.Points[i] = at.Apply(out.Points[i])
	}
	return out
}
