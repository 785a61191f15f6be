package linkspheres_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Bodies for the tests: meshes and primitives as robots have them, and as nobody
// should.

func v(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }

func at(p geom.Vec, s *shape.Shape) urdf.Collision {
	return urdf.Collision{PoseLS: geom.Translation(p), Shape: s}
}

func box(x, y, z float64) *shape.Shape { return &shape.Shape{Kind: shape.Box, Size: v(x, y, z)} }

func meshShape(m *mesh.Mesh) *shape.Shape {
	return &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: "made here"}
}

func bodyOf(t testing.TB, collisions ...urdf.Collision) *linkspheres.Body {
	t.Helper()
	b, err := linkspheres.NewBody(&urdf.Link{Name: "link", Collisions: collisions})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// append adds the triangles of another mesh.
func joined(a, b *mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{Vertices: append([]geom.Vec(nil), a.Vertices...), Triangles: append([][3]int32(nil), a.Triangles...)}
	n := int32(len(a.Vertices))
	out.Vertices = append(out.Vertices, b.Vertices...)
	for _, t := range b.Triangles {
		out.Triangles = append(out.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
	}
	return out
}

// blockMesh is a box of sides 2 h about c.
func blockMesh(c, h geom.Vec) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range 8 {
		s := v(-1, -1, -1)
		if i&1 != 0 {
			s.X = 1
		}
		if i&2 != 0 {
			s.Y = 1
		}
		if i&4 != 0 {
			s.Z = 1
		}
		m.Vertices = append(m.Vertices, v(c.X+s.X*h.X, c.Y+s.Y*h.Y, c.Z+s.Z*h.Z))
	}
	for _, f := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{f[0], f[1], f[2]}, [3]int32{f[0], f[2], f[3]})
	}
	return m
}

// starMesh is closed and star-shaped: an octahedron's triangles, cut n times, each
// vertex at its own distance from the middle.
func starMesh(n int, radius func(dir geom.Vec) float64) *mesh.Mesh {
	m := &mesh.Mesh{Vertices: []geom.Vec{v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1)}}
	for _, x := range []int32{0, 1} {
		for _, y := range []int32{2, 3} {
			for _, z := range []int32{4, 5} {
				m.Triangles = append(m.Triangles, [3]int32{x, y, z})
			}
		}
	}
	for range n {
		mids := map[[2]int32]int32{}
		mid := func(a, b int32) int32 {
			k := [2]int32{min(a, b), max(a, b)}
			if _, ok := mids[k]; !ok {
				p, q := m.Vertices[a], m.Vertices[b]
				d, _ := geom.Unit(v(p.X+q.X, p.Y+q.Y, p.Z+q.Z))
				mids[k] = int32(len(m.Vertices))
				m.Vertices = append(m.Vertices, d)
			}
			return mids[k]
		}
		var out [][3]int32
		for _, t := range m.Triangles {
			a, b, c := mid(t[0], t[1]), mid(t[1], t[2]), mid(t[2], t[0])
			out = append(out, [3]int32{t[0], a, c}, [3]int32{a, t[1], b}, [3]int32{c, b, t[2]}, [3]int32{a, b, c})
		}
		m.Triangles = out
	}
	for i, d := range m.Vertices {
		r := radius(d)
		m.Vertices[i] = v(r*d.X, r*d.Y, r*d.Z)
	}
	return m
}

func transformed(m *mesh.Mesh, f func(geom.Vec) geom.Vec) *mesh.Mesh {
	out := &mesh.Mesh{Triangles: m.Triangles}
	for _, p := range m.Vertices {
		out.Vertices = append(out.Vertices, f(p))
	}
	return out
}

// drawMesh draws a mesh of about size 1: round, flat, long, open, nested, with
// triangles without area and edges that four triangles share.
func drawMesh(t *rapid.T) *mesh.Mesh {
	x := rapid.Float64Range(0.3, 1)
	star := func(name string, size float64) *mesh.Mesh {
		return starMesh(rapid.IntRange(0, 2).Draw(t, name+".cuts"), func(geom.Vec) float64 { return size * x.Draw(t, name) })
	}
	switch rapid.IntRange(0, 8).Draw(t, "mesh") {
	case 0:
		return star("round", 1)
	case 1: // a plate
		return blockMesh(geom.Vec{}, v(x.Draw(t, "a"), x.Draw(t, "b"), 1e-3))
	case 2: // a needle
		return blockMesh(geom.Vec{}, v(x.Draw(t, "a"), 1e-3, 2e-3))
	case 3: // open: a face is missing
		m := blockMesh(geom.Vec{}, v(1, x.Draw(t, "a"), 0.5))
		m.Triangles = m.Triangles[:len(m.Triangles)-2]
		return m
	case 4: // one inside the other
		return joined(star("outer", 1), star("inner", 0.2))
	case 5: // two that share an edge, so that four triangles meet there
		a, b := blockMesh(v(-0.5, -0.5, 0), v(0.5, 0.5, 0.5)), blockMesh(v(0.5, 0.5, 0), v(0.5, 0.5, 0.5))
		index := map[geom.Vec]int32{}
		m := &mesh.Mesh{}
		for _, part := range []*mesh.Mesh{a, b} {
			for _, c := range part.Triangles {
				var k [3]int32
				for i, p := range c {
					w := part.Vertices[p]
					if _, ok := index[w]; !ok {
						index[w] = int32(len(m.Vertices))
						m.Vertices = append(m.Vertices, w)
					}
					k[i] = index[w]
				}
				m.Triangles = append(m.Triangles, k)
			}
		}
		return m
	case 6: // triangles without area, sticking out
		m := star("round", 0.6)
		n := int32(len(m.Vertices))
		m.Vertices = append(m.Vertices, v(1, 0.2, 0.1))
		m.Triangles = append(m.Triangles, [3]int32{0, n, n}, [3]int32{0, 0, n})
		return m
	case 7: // two parts, apart
		return joined(star("a", 0.4), transformed(star("b", 0.4), func(p geom.Vec) geom.Vec { return v(p.X+1.5, p.Y, p.Z) }))
	}
	// A bent bar: not convex.
	return joined(blockMesh(v(0.5, 0, 0), v(0.5, 0.1, 0.1)), blockMesh(v(0, 0.5, 0), v(0.1, 0.6, 0.1)))
}

// drawCollisions draws what a link may have.
func drawCollisions(t *rapid.T) []urdf.Collision {
	scale := rapid.SampledFrom([]float64{1, 1, 0.05, 1e-6, 1e5}).Draw(t, "scale")
	angle, shift, size := rapid.Float64Range(-4, 4), rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{1, 0.3, 0.02})
	var out []urdf.Collision
	for range rapid.IntRange(1, 2).Draw(t, "shapes") {
		s := &shape.Shape{Radius: scale * size.Draw(t, "radius"), Length: scale * size.Draw(t, "length")}
		switch s.Kind = rapid.SampledFrom([]shape.Kind{shape.Mesh, shape.Mesh, shape.Mesh, shape.Box, shape.Sphere, shape.Cylinder, shape.Capsule, shape.Cone}).Draw(t, "kind"); s.Kind {
		case shape.Box:
			s.Size = v(scale*size.Draw(t, "x"), scale*size.Draw(t, "y"), scale*size.Draw(t, "z"))
		case shape.Mesh:
			s = meshShape(transformed(drawMesh(t), func(p geom.Vec) geom.Vec { return v(scale*p.X, scale*p.Y, scale*p.Z) }))
		}
		out = append(out, urdf.Collision{Shape: s, PoseLS: geom.Pose{
			R: geom.RPY(angle.Draw(t, "roll"), angle.Draw(t, "pitch"), angle.Draw(t, "yaw")),
			P: v(scale*shift.Draw(t, "px"), scale*shift.Draw(t, "py"), scale*shift.Draw(t, "pz")),
		}})
	}
	return out
}

// insideMesh tells by ray crossings whether p, in the mesh's frame, is in one of its closed
// components: in plain arithmetic, with a margin, a twin that shares no code. Others enclose
// nothing. sure is false near a surface or an edge.
func insideMesh(m *mesh.Mesh, p geom.Vec) (inside, sure bool) {
	d := v(0.5403, 0.2917, 0.7891)
	for _, c := range mesh.ComponentsOf(m) {
		if !closed(m, c.Triangles) {
			continue
		}
		odd := false
		for _, k := range c.Triangles {
			hit, ok := rayHits(m, k, p, d)
			if !ok {
				return false, false
			}
			odd = odd != hit
		}
		inside = inside || odd
	}
	return inside, true
}

// closed reports whether triangles with three different corners have an even number of sides at
// every edge.
func closed(m *mesh.Mesh, triangles []int32) bool {
	odd := map[[2]geom.Vec]bool{}
	for _, k := range triangles {
		t := m.Triangles[k]
		a, b, c := m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]
		if a == b || b == c || c == a {
			continue
		}
		for _, e := range [][2]geom.Vec{{a, b}, {b, c}, {c, a}} {
			if back := [2]geom.Vec{e[1], e[0]}; odd[back] {
				e = back
			}
			if odd[e] = !odd[e]; !odd[e] {
				delete(odd, e)
			}
		}
	}
	return len(odd) == 0
}

func rayHits(m *mesh.Mesh, k int32, p, d geom.Vec) (hit, sure bool) {
	t := m.Triangles[k]
	a, b, c := m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]
	if a == b || b == c || c == a {
		return false, true
	}
	minus := func(a, b geom.Vec) geom.Vec { return v(a.X-b.X, a.Y-b.Y, a.Z-b.Z) }
	cross := func(a, b geom.Vec) geom.Vec { return v(a.Y*b.Z-a.Z*b.Y, a.Z*b.X-a.X*b.Z, a.X*b.Y-a.Y*b.X) }
	dot := func(a, b geom.Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
	e, f := minus(b, a), minus(c, a)
	h := cross(d, f)
	det := dot(e, h)
	size := geom.Norm(e) * geom.Norm(f)
	if math.Abs(det) < 1e-9*size || size == 0 {
		return false, size == 0
	}
	s := minus(p, a)
	x, q := dot(s, h)/det, cross(s, e)
	y, l := dot(d, q)/det, dot(f, q)/det
	const margin = 1e-7
	if x < -margin || y < -margin || x+y > 1+margin || l < 0 {
		return false, math.Abs(l) > margin*geom.Norm(e) || x < -margin || y < -margin || x+y > 1+margin
	}
	return true, x > margin && y > margin && x+y < 1-margin && l > margin*geom.Norm(e)
}
