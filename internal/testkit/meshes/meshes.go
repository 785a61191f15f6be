// Package meshes makes triangle meshes for tests: closed and open, convex and not, in
// several components, needles and soups.
//
// The judges of the lab (lab/static, lab/premises, lab/oracle) and the verifier's tests
// (certificate/verify) make their own on purpose: an error here must not hide one there.
package meshes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
)

// Of returns several meshes as one, each a component of its own.
func Of(ms ...*mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{}
	for _, m := range ms {
		n := int32(len(out.Vertices))
		out.Vertices = append(out.Vertices, m.Vertices...)
		for _, t := range m.Triangles {
			out.Triangles = append(out.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return out
}

// At returns a copy of a mesh, moved.
func At(by geom.Vec, m *mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{Triangles: m.Triangles}
	for _, v := range m.Vertices {
		out.Vertices = append(out.Vertices, r3.Add(v, by))
	}
	return out
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

// InElbow reports whether a point is in Elbow(size), in closed form.
func InElbow(x geom.Vec, size float64) bool {
	w := size / 5
	arm := func(along, across float64) bool { return along >= 0 && along <= size && across >= 0 && across <= w }
	return x.Z <= w/2 && x.Z >= -w/2 && (arm(x.X, x.Y) || arm(x.Y, x.X))
}

// Cube is a closed mesh of a cube whose sides are 2 half; it is convex.
func Cube(half float64) *mesh.Mesh { return Block(geom.Vec{X: half, Y: half, Z: half}) }

// Block is a closed mesh of a box with the given half sides.
func Block(half geom.Vec) *mesh.Mesh {
	return Prism([]geom.Vec{{X: -half.X, Y: -half.Y}, {X: half.X, Y: -half.Y}, {X: half.X, Y: half.Y}, {X: -half.X, Y: half.Y}}, half.Z)
}

// Ring is a closed mesh in the form of a square ring about z, between 0.6 size and size
// from its axis and as high as 0.6 size. Its faces are turned inward.
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

// Wedges is two tetrahedra apart: a mesh whose hull holds more than it.
func Wedges(size float64) *mesh.Mesh {
	wedge := &mesh.Mesh{
		Vertices:  []geom.Vec{{}, {X: size / 2}, {Y: size / 2}, {Z: size / 2}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	return Of(At(geom.Vec{X: -size}, wedge), At(geom.Vec{X: size}, wedge))
}

// Soup is n triangles that have nothing to do with each other: a surface.
func Soup(d chance.Dice, n int, size float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range int32(n) {
		at := d.Vec(size)
		m.Vertices = append(m.Vertices, at, r3.Add(at, d.Vec(size)), r3.Add(at, d.Vec(size)))
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}

// Shards is n triangles anywhere in a flat box, as long as the box or less.
func Shards(d chance.Dice, n int, half geom.Vec) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range int32(n) {
		for range 3 {
			v := d.Vec(1)
			m.Vertices = append(m.Vertices, geom.Vec{X: half.X * v.X, Y: half.Y * v.Y, Z: half.Z * v.Z})
		}
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}

// Slivers is a small mesh of needles that share vertices, at a distance from its origin,
// where the smallest ball around a triangle is mostly rounding.
func Slivers(d chance.Dice, at geom.Vec) *mesh.Mesh {
	m := &mesh.Mesh{}
	size := d.Spread(1e-6, 0.1)
	n := 4 + d.IntN(12)
	for range n {
		m.Vertices = append(m.Vertices, r3.Add(at, d.Vec(size*d.Spread(1e-9, 1))))
	}
	for range 3 + d.IntN(8) {
		m.Triangles = append(m.Triangles, [3]int32{int32(d.IntN(n)), int32(d.IntN(n)), int32(d.IntN(n))})
	}
	return m
}

// Reversed returns a copy of a mesh whose faces are turned the other way: as the inner
// one of two it is a cavity.
func Reversed(m *mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{Vertices: m.Vertices}
	for _, t := range m.Triangles {
		out.Triangles = append(out.Triangles, [3]int32{t[0], t[2], t[1]})
	}
	return out
}
