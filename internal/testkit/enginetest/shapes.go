package enginetest

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"

	"gonum.org/v1/gonum/spatial/r3"
)

// Ball is a sphere.
func Ball(radius float64) *shape.Shape { return &shape.Shape{Kind: shape.Sphere, Radius: radius} }

// Box is a box with sides of the given lengths.
func Box(x, y, z float64) *shape.Shape {
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: x, Y: y, Z: z}}
}

// MeshOf is several meshes as one shape, each a component of its own.
func MeshOf(ms ...*mesh.Mesh) *shape.Shape {
	out := &mesh.Mesh{}
	for _, m := range ms {
		n := int32(len(out.Vertices))
		out.Vertices = append(out.Vertices, m.Vertices...)
		for _, t := range m.Triangles {
			out.Triangles = append(out.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: out, Source: "made in the test"}
}

// Prism is a closed mesh: an outline in the plane of x and y that is star-shaped about
// its first corner, extruded by half both ways.
func Prism(outline []geom.Vec, half float64) *mesh.Mesh {
	m, n := &mesh.Mesh{}, int32(len(outline))
	for _, z := range []float64{-half, half} {
		for _, p := range outline {
			m.Vertices = append(m.Vertices, geom.Vec{X: p.X, Y: p.Y, Z: z})
		}
	}
	for i := int32(1); i+1 < n; i++ {
		m.Triangles = append(m.Triangles, [3]int32{0, i + 1, i}, [3]int32{n, n + i, n + i + 1})
	}
	for i := range n {
		j := (i + 1) % n
		m.Triangles = append(m.Triangles, [3]int32{i, j, j + n}, [3]int32{i, j + n, i + n})
	}
	return m
}

// Elbow is a closed mesh that is not convex: an L in the plane of x and y whose arms
// reach out by size, a fifth of that wide, and as thick.
func Elbow(size float64) *mesh.Mesh {
	w := size / 5
	return Prism([]geom.Vec{{}, {X: size}, {X: size, Y: w}, {X: w, Y: w}, {X: w, Y: size}, {Y: size}}, w/2)
}

// Cube is a closed mesh of a cube whose sides are 2 half.
func Cube(half float64) *mesh.Mesh {
	return Prism([]geom.Vec{{X: -half, Y: -half}, {X: half, Y: -half}, {X: half, Y: half}, {X: -half, Y: half}}, half)
}

// Ring is a closed mesh in the form of a square ring about z, between 0.6 size and size
// from its axis and as high as 0.6 size.
func Ring(size float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for _, h := range []float64{-0.3 * size, 0.3 * size} {
		for _, r := range []float64{size, 0.6 * size} {
			m.Vertices = append(m.Vertices, geom.Vec{X: -r, Y: -r, Z: h}, geom.Vec{X: r, Y: -r, Z: h}, geom.Vec{X: r, Y: r, Z: h}, geom.Vec{X: -r, Y: r, Z: h})
		}
	}
	quad := func(a, b, c, d int32) {
		m.Triangles = append(m.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
	}
	for i := range int32(4) {
		j := (i + 1) % 4
		quad(i, j, j+4, i+4)       // below
		quad(i+8, i+12, j+12, j+8) // above
		quad(i, i+8, j+8, j)       // outside
		quad(i+4, j+4, j+12, i+12) // inside
	}
	return m
}

// Soup is n triangles that have nothing to do with each other: a surface.
func (d Dice) Soup(n int, size float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range int32(n) {
		at := d.Vec(size)
		m.Vertices = append(m.Vertices, at, r3.Add(at, d.Vec(size)), r3.Add(at, d.Vec(size)))
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}

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
