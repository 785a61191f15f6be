package robots

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
)

// Form is a form that Dice.Shape may draw.
type Form uint8

// The forms.
const (
	Sphere   Form = iota
	Block         // a box, long or flat
	Cylinder      //
	Capsule       //
	Cone          //
	Cube          // a convex mesh
	Cubes         // a mesh of two cubes, apart or not
	Elbow         // a closed mesh that is not convex
	Ring          // a closed mesh with a hole through it
	Wedges        // a mesh of two tetrahedra apart
	Shell         // a cube with a cavity
	Soup          // triangles that enclose nothing
	Shards        // long flat triangles that enclose nothing
	Mixed         // a closed elbow and a soup
	Slivers       // needles, some of them degenerate
	Cells         // cells of an octree, of two sizes
	Cell          // one cell
	Cloud         // up to six points, with a radius
	Dust          // up to six points, half of the time without extent
)

// Sets of forms.
var (
	Primitives = []Form{Sphere, Block, Cylinder, Capsule, Cone}
	// Hulls are forms of which all points are known: primitives, convex and other closed
	// meshes, and points.
	Hulls = []Form{Sphere, Block, Cylinder, Capsule, Cone, Cube, Cubes, Elbow, Dust}
	// All is each kind that a robot or a world may have.
	All = []Form{Sphere, Block, Cylinder, Capsule, Cone, Elbow, Ring, Soup, Mixed, Shell, Cells, Cloud}
)

// Shape draws a shape of one of the forms, of All if none is given. Its parts are within
// about three times size.
func (d Dice) Shape(size float64, forms ...Form) *shape.Shape {
	if len(forms) == 0 {
		forms = All
	}
	r, l := d.In(0.2, 1)*size, d.In(0.5, 3)*size
	switch forms[d.IntN(len(forms))] {
	case Sphere:
		return Ball(r)
	case Block:
		return Box(r, l, d.In(0.05, 1)*size)
	case Cylinder:
		return &shape.Shape{Kind: shape.Cylinder, Radius: r, Length: l}
	case Capsule:
		return &shape.Shape{Kind: shape.Capsule, Radius: r, Length: l}
	case Cone:
		return &shape.Shape{Kind: shape.Cone, Radius: r, Length: l}
	case Cube:
		return Mesh(meshes.At(d.Vec(size), meshes.Cube(r)))
	case Cubes:
		return Mesh(meshes.At(d.Vec(size), meshes.Cube(r)), meshes.At(d.Vec(2*size), meshes.Cube(0.5*r)))
	case Elbow:
		return Mesh(meshes.Elbow(l))
	case Ring:
		return Mesh(meshes.Ring(l))
	case Wedges:
		return Mesh(meshes.Wedges(size))
	case Shell:
		return Mesh(meshes.Cube(size), meshes.Cube(size/3))
	case Soup:
		return Mesh(meshes.Soup(d.Dice, 4, size))
	case Shards:
		return Mesh(meshes.Shards(d.Dice, 12, geom.Vec{X: l, Y: 0.3 * l, Z: 0.2 * l}))
	case Mixed:
		return Mesh(meshes.Elbow(size), meshes.Soup(d.Dice, 4, size))
	case Slivers:
		return Mesh(meshes.Slivers(d.Dice, d.Vec(size)))
	case Cells:
		return d.cells(size)
	case Cell:
		at := d.Vec(l)
		return &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Min: at, Max: r3.Add(at, geom.Vec{X: r, Y: r, Z: r})}}}
	case Cloud:
		return d.points(0.1*r, l)
	}
	return d.points(0.1*r*float64(d.IntN(2)), l)
}

func (d Dice) points(radius, size float64) *shape.Shape {
	s := &shape.Shape{Kind: shape.Points, Radius: radius}
	for range 1 + d.IntN(6) {
		s.Points = append(s.Points, d.Vec(size))
	}
	return s
}

func (d Dice) cells(size float64) *shape.Shape {
	s := &shape.Shape{Kind: shape.Cells}
	for range 1 + d.IntN(6) {
		side := 0.5 * size * float64(1+d.IntN(2))
		at := geom.Vec{X: side * float64(d.IntN(6)-3), Y: side * float64(d.IntN(6)-3), Z: side * float64(d.IntN(6)-3)}
		s.Cells = append(s.Cells, geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: side, Y: side, Z: side})})
	}
	return s
}
