package scene

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// planeReach (m) is how far the square that stands for a plane extends from its middle, the
// point nearest to the origin of the plane's frame.
const planeReach = 1e4

// IsPlane reports whether a shape stands for a plane of MoveIt, which has no end.
func IsPlane(s *Shape) bool {
	if s.Kind != shape.Mesh || s.Source != "" || s.Mesh == nil || len(s.Mesh.Triangles) != 2 || len(s.Mesh.Vertices) != 4 {
		return false
	}
	const diagonal = 2 * math.Sqrt2 * planeReach
	across := geom.Norm(r3.Sub(s.Mesh.Vertices[2], s.Mesh.Vertices[0]))
	return math.Abs(across-diagonal) <= 1e-6*diagonal
}

// planeWords tells how a plane is checked.
func planeWords() string {
	return fmt.Sprintf("has a plane: it is a surface with two free sides, as in MoveIt, and ends %g m from its middle", float64(planeReach))
}

// plane reads a shape_msgs/Plane, the points with ax + by + cz + d = 0.
func plane(v document.Value) (*Shape, error) {
	f, err := v.Fields("plane", "coef")
	if err != nil {
		return nil, err
	}
	c, err := f.Need("plane", "coef")
	if err != nil {
		return nil, err
	}
	x, err := c.Floats("coef", 4)
	if err != nil {
		return nil, err
	}
	s, err := NewPlane([4]float64(x))
	if err != nil {
		return nil, c.Errorf("%w", err)
	}
	return s, nil
}

// planeShape returns a square on the plane of the points p with normal·p + d = 0.
func planeShape(normal geom.Vec, d float64) (s *Shape, ok bool) {
	n, ok := geom.Unit(normal)
	if !ok || !(math.Abs(geom.Norm(normal)-1) <= quatTolerance) {
		return nil, false
	}
	d /= geom.Norm(normal)
	middle := r3.Scale(-d, n)
	if !geom.Bounded(middle) {
		return nil, false
	}
	across := geom.Vec{X: 1}
	if math.Abs(n.X) > 0.7 {
		across = geom.Vec{Y: 1}
	}
	u, _ := geom.Unit(r3.Cross(n, across))
	w := r3.Cross(n, u)
	corner := func(a, b float64) geom.Vec {
		return r3.Add(middle, r3.Add(r3.Scale(a*planeReach, u), r3.Scale(b*planeReach, w)))
	}
	corners := []geom.Vec{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}
	return &Shape{Kind: shape.Mesh, Mesh: weld(corners, [][3]int32{{0, 1, 2}, {0, 2, 3}})}, true
}
