package show

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// volume is what a closed mesh encloses, positive where its triangles run counterclockwise seen
// from outside.
func volume(m Mesh) (v float64) {
	at := func(k uint32) geom.Vec {
		return geom.Vec{X: float64(m.Vertices[3*k]), Y: float64(m.Vertices[3*k+1]), Z: float64(m.Vertices[3*k+2])}
	}
	for i := 0; i+2 < len(m.Triangles); i += 3 {
		v += r3.Dot(at(m.Triangles[i]), r3.Cross(at(m.Triangles[i+1]), at(m.Triangles[i+2]))) / 6
	}
	return v
}

// closed reports whether every edge has a triangle on each side.
func closed(m Mesh) bool {
	edges := map[[2]uint32]int{}
	for i := 0; i+2 < len(m.Triangles); i += 3 {
		for k := range 3 {
			a, b := m.Triangles[i+k], m.Triangles[i+(k+1)%3]
			edges[[2]uint32{a, b}]++
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]uint32{e[1], e[0]}] != 1 {
			return false
		}
	}
	return len(edges) > 0
}

// A primitive is drawn closed, facing outward, and of almost its volume.
func TestPrimitivesAreDrawnWhole(t *testing.T) {
	for _, tc := range []struct {
		shape shape.Shape
		want  float64
	}{
		{shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 1, Y: 2, Z: 3}}, 6},
		{shape.Shape{Kind: shape.Sphere, Radius: 0.5}, 4.0 / 3 * math.Pi / 8},
		{shape.Shape{Kind: shape.Cylinder, Radius: 0.5, Length: 2}, math.Pi / 2},
		{shape.Shape{Kind: shape.Capsule, Radius: 0.5, Length: 2}, math.Pi/2 + 4.0/3*math.Pi/8},
		{shape.Shape{Kind: shape.Cone, Radius: 0.5, Length: 2}, math.Pi / 6},
		{shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Max: geom.Vec{X: 1, Y: 1, Z: 1}}, {Min: geom.Vec{X: 2}, Max: geom.Vec{X: 3, Y: 1, Z: 1}}}}, 2},
	} {
		m := MeshOf(&tc.shape, 1000)
		if got := volume(m); math.Abs(got-tc.want) > 0.03*tc.want || !closed(m) {
			t.Errorf("%s: volume %g of %g, closed %v", tc.shape.Kind, got, tc.want, closed(m))
		}
	}
}

// ball is a mesh of a ball with so many rings.
func ball(rings int) *shape.TriangleMesh {
	m := &shape.TriangleMesh{}
	for i := range rings + 1 {
		for k := range 2 * rings {
			sin, cos := math.Sincos(math.Pi * float64(i) / float64(rings))
			s, c := math.Sincos(math.Pi * float64(k) / float64(rings))
			m.Vertices = append(m.Vertices, geom.Vec{X: sin * c, Y: sin * s, Z: cos})
		}
	}
	n := 2 * rings
	for i := range rings {
		for k := range n {
			a, b := int32(i*n+k), int32(i*n+(k+1)%n)
			m.Triangles = append(m.Triangles, [3]int32{a, a + int32(n), b}, [3]int32{b, a + int32(n), b + int32(n)})
		}
	}
	return m
}

// A large mesh is drawn with few triangles, near its surface; a small one, or without a limit,
// with all.
func TestLargeMeshesAreSimplified(t *testing.T) {
	s := &shape.Shape{Kind: shape.Mesh, Mesh: ball(100)}
	for _, most := range []int{200, 1000, 5000} {
		m := MeshOf(s, most)
		n := len(m.Triangles) / 3
		if n > most || n < most/4 || m.Of != 40000 {
			t.Errorf("%d triangles of %d, at most %d", n, m.Of, most)
		}
		if got, want := volume(m), 4.0/3*math.Pi; math.Abs(got-want) > 0.12*want {
			t.Errorf("at most %d: volume %g of %g", most, got, want)
		}
		for i := 0; i < len(m.Vertices); i += 3 {
			if r := math.Hypot(math.Hypot(float64(m.Vertices[i]), float64(m.Vertices[i+1])), float64(m.Vertices[i+2])); math.Abs(r-1) > 0.2 {
				t.Fatalf("at most %d: a vertex is %g from the middle", most, r)
			}
		}
	}
	for _, most := range []int{0, 40000} {
		if m := MeshOf(s, most); len(m.Triangles) != 3*40000 || len(m.Vertices) != 3*len(s.Mesh.Vertices) {
			t.Errorf("at most %d: %d triangles", most, len(m.Triangles)/3)
		}
	}
}

// Clouds and octrees with more than can be drawn keep their extent.
func TestLargeCloudsAreThinned(t *testing.T) {
	var points []geom.Vec
	var cells []geom.Box
	for i := range 20 {
		for k := range 20 {
			for l := range 20 {
				p := geom.Vec{X: float64(i), Y: float64(k), Z: float64(l)}
				points = append(points, p)
				cells = append(cells, geom.Box{Min: p, Max: geom.Vec{X: p.X + 1, Y: p.Y + 1, Z: p.Z + 1}})
			}
		}
	}
	for i, s := range []shape.Shape{{Kind: shape.Points, Points: points, Radius: 0.5}, {Kind: shape.Cells, Cells: cells}} {
		if m := MeshOf(&s, 0); m.Of != len(m.Triangles)/3 { // otherwise the page does not tell that it is thinned
			t.Errorf("%s: %d triangles of %d", s.Kind, len(m.Triangles)/3, m.Of)
		}
		m := MeshOf(&s, 3000)
		if n := len(m.Triangles) / 3; n > 3000 || n < 100 || m.Of != 8000*[]int{8, 12}[i] {
			t.Errorf("%s: %d triangles of %d", s.Kind, n, m.Of)
		}
		if h := m.Box().Half(); h.X < 8 || h.Y < 8 || h.Z < 8 {
			t.Errorf("%s: drawn half as large as %v", s.Kind, h)
		}
	}
}

// A polynomial stays the same with more control points.
func TestElevatedPolynomialsStayTheSame(t *testing.T) {
	c := []float64{1, -2, 5}
	at := func(c []float64, s float64) float64 {
		b := append([]float64(nil), c...)
		for n := len(b) - 1; n > 0; n-- {
			for k := range n {
				b[k] = (1-s)*b[k] + s*b[k+1]
			}
		}
		return b[0]
	}
	for count := 3; count <= 6; count++ {
		e := elevated(c, count)
		if len(e) != count {
			t.Fatalf("%d control points, want %d", len(e), count)
		}
		for _, s := range []float64{0, 0.3, 0.5, 0.9, 1} {
			if got, want := at(e, s), at(c, s); math.Abs(got-want) > 1e-14 {
				t.Errorf("%d points at %g: %g, want %g", count, s, got, want)
			}
		}
	}
}
