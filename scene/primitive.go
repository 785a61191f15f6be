package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// primitives are the solids of shape_msgs/SolidPrimitive that are supported, in the order of
// their numbers from 1.
var primitives = []struct {
	name       string
	dimensions int
	shape      func(d []float64) *Shape
}{
	{"box", 3, func(d []float64) *Shape {
		return &Shape{Kind: shape.Box, Size: geom.Vec{X: d[0], Y: d[1], Z: d[2]}}
	}},
	{"sphere", 1, func(d []float64) *Shape { return &Shape{Kind: shape.Sphere, Radius: d[0]} }},
	{"cylinder", 2, func(d []float64) *Shape { return &Shape{Kind: shape.Cylinder, Length: d[0], Radius: d[1]} }},
	{"cone", 2, func(d []float64) *Shape { return &Shape{Kind: shape.Cone, Length: d[0], Radius: d[1]} }},
}

// NewPrimitive returns the solid of a shape_msgs/SolidPrimitive, of which type and dimensions
// (m) are given. A type that is not a box (1), sphere (2), cylinder (3) or cone (4), another
// number of dimensions, and sizes that are not positive are errors.
func NewPrimitive(kind int, dimensions []float64) (*Shape, error) {
	if kind < 1 || kind > len(primitives) {
		return nil, fmt.Errorf("primitive type %d is not supported: use box (1), sphere (2), cylinder (3) and cone (4)", kind)
	}
	p := &primitives[kind-1]
	if len(dimensions) != p.dimensions {
		return nil, fmt.Errorf("dimensions of a %s has %d numbers: give %d", p.name, len(dimensions), p.dimensions)
	}
	s := p.shape(dimensions)
	return s, s.Validate()
}

// NewPlane returns the shape that stands for a shape_msgs/Plane, the points with
// ax + by + cz + d = 0: a large square.
func NewPlane(coef [4]float64) (*Shape, error) {
	s, ok := planeShape(geom.Vec{X: coef[0], Y: coef[1], Z: coef[2]}, coef[3])
	if !ok {
		return nil, fmt.Errorf("coef %v is no plane within %g m: give a, b, c, d of ax + by + cz + d = 0 with a normal (a, b, c) of length 1", coef, float64(geom.MaxLength))
	}
	return s, nil
}
