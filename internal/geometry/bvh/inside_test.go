package bvh

import (
	"math"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// winding returns how often m goes round p: the sum of the triangles' solid angles
// (van Oosterom, Strackee 1983) over 4 pi, an independent and inexact twin.
func winding(m *mesh.Mesh, p geom.Vec) float64 {
	sub := func(a geom.Vec) geom.Vec { return geom.Vec{X: a.X - p.X, Y: a.Y - p.Y, Z: a.Z - p.Z} }
	dot := func(a, b geom.Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
	var sum float64
	for k := range m.Triangles {
		t := corners(m, int32(k))
		a, b, c := sub(t[0]), sub(t[1]), sub(t[2])
		la, lb, lc := math.Sqrt(dot(a, a)), math.Sqrt(dot(b, b)), math.Sqrt(dot(c, c))
		n := geom.Vec{X: b.Y*c.Z - b.Z*c.Y, Y: b.Z*c.X - b.X*c.Z, Z: b.X*c.Y - b.Y*c.X}
		sum += 2 * math.Atan2(dot(a, n), la*lb*lc+dot(a, b)*lc+dot(b, c)*la+dot(c, a)*lb)
	}
	return sum / (4 * math.Pi)
}

func TestInsideAgainstWinding(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, m := range []*mesh.Mesh{bumpySphere(12, 1, 1), bumpySphere(30, 0.02, 2), grid(4)} {
		tr, s := OfTriangles(m, 1), mesh.SolidOf(m)
		in := 0
		const n = 3000
		for range n {
			p := geom.Vec{X: 1.2 * r.NormFloat64(), Y: 1.2 * r.NormFloat64(), Z: 1.2 * r.NormFloat64()}
			got, ok := Inside(tr, m, s, p)
			w := winding(m, p)
			if !ok || got != (math.Abs(w) > 0.5) {
				t.Fatalf("inside %v (%v), winding %g at %v", got, ok, w, p)
			}
			if got {
				in++
			}
		}
		if in < n/20 || in > n*19/20 {
			t.Errorf("%d of %d inside: the test does not see both", in, n)
		}
	}
}

// grid returns a cube of side 2 about the origin whose faces are grids of n x n
// squares: edges and diagonals everywhere a segment could go along the axes.
func grid(n int) *mesh.Mesh {
	var m mesh.Mesh
	index := map[geom.Vec]int32{}
	vertex := func(p geom.Vec) int32 {
		k, ok := index[p]
		if !ok {
			k = int32(len(m.Vertices))
			index[p] = k
			m.Vertices = append(m.Vertices, p)
		}
		return k
	}
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			at := func(i, j int) int32 {
				x, y := 2*float64(i)/float64(n)-1, 2*float64(j)/float64(n)-1
				c := [3]float64{}
				c[axis], c[(axis+1)%3], c[(axis+2)%3] = side, side*x, y
				return vertex(geom.Vec{X: c[0], Y: c[1], Z: c[2]})
			}
			for i := range n {
				for j := range n {
					m.Triangles = append(m.Triangles,
						[3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
				}
			}
		}
	}
	return &m
}

// Points on the surface count as inside, exactly; the nearest numbers outside do not.
func TestSurfaceIsInside(t *testing.T) {
	m := grid(4)
	tr, s := OfTriangles(m, 2), mesh.SolidOf(m)
	r := rand.New(rand.NewSource(2))
	for range 2000 {
		// Coordinates with few bits, so that many points fall on edges and vertices.
		c := [3]float64{}
		for k := range c {
			c[k] = float64(r.Intn(17)-8) / 8
		}
		axis := r.Intn(3)
		c[axis] = math.Copysign(1, c[axis]+0.01)
		p := geom.Vec{X: c[0], Y: c[1], Z: c[2]}
		if in, ok := Inside(tr, m, s, p); !in || !ok {
			t.Fatalf("surface point %v: inside %v, %v", p, in, ok)
		}
		c[axis] = math.Nextafter(c[axis], 2*c[axis])
		p = geom.Vec{X: c[0], Y: c[1], Z: c[2]}
		if in, ok := Inside(tr, m, s, p); in || !ok {
			t.Fatalf("point %v one step outside: inside %v, %v", p, in, ok)
		}
		c[axis] = math.Nextafter(math.Copysign(1, c[axis]), 0)
		p = geom.Vec{X: c[0], Y: c[1], Z: c[2]}
		if in, ok := Inside(tr, m, s, p); !in || !ok {
			t.Fatalf("point %v one step inside: inside %v, %v", p, in, ok)
		}
	}
}

// Vertices of random meshes and points one step off a face are decided, too.
func TestInsideNearSurface(t *testing.T) {
	m := bumpySphere(20, 0.3, 3)
	tr, s := OfTriangles(m, 1), mesh.SolidOf(m)
	for _, v := range m.Vertices {
		if in, ok := Inside(tr, m, s, v); !in || !ok {
			t.Fatalf("vertex %v: inside %v, %v", v, in, ok)
		}
	}
	for k := range m.Triangles {
		c := corners(m, int32(k))
		p := geom.Vec{X: (c[0].X + c[1].X + c[2].X) / 3, Y: (c[0].Y + c[1].Y + c[2].Y) / 3, Z: (c[0].Z + c[1].Z + c[2].Z) / 3}
		// The face's own plane decides, since nothing else is near; p is a few
		// roundings from it.
		side := tri.Orient(c[0], c[1], c[2], p)
		in, ok := Inside(tr, m, s, p)
		if !ok || in != (side <= 0) {
			t.Fatalf("triangle %d: on side %d, inside %v, %v", k, side, in, ok)
		}
	}
}

// A segment through vertices or edges says that it cannot tell.
func TestSegmentsThroughEdges(t *testing.T) {
	m := grid(4)
	tr := OfTriangles(m, 1)
	for _, c := range []struct {
		p, end geom.Vec
		ok     bool
	}{
		{geom.Vec{}, geom.Vec{X: 9}, false},                               // a vertex
		{geom.Vec{Y: 0.1}, geom.Vec{X: 9, Y: 0.1}, false},                 // an edge
		{geom.Vec{Y: 0.1, Z: 0.1}, geom.Vec{X: 9, Y: 0.1, Z: 0.1}, false}, // a diagonal
		{geom.Vec{X: -5, Z: 1}, geom.Vec{X: 5, Y: 0.1, Z: 1}, false},      // along a face
		{geom.Vec{Y: 0.1, Z: 0.2}, geom.Vec{X: 9, Y: 0.1, Z: 0.2}, true},  // neither
		{geom.Vec{X: -1, Y: 0.1}, geom.Vec{X: 9, Y: 0.1}, true},           // from the surface
		{geom.Vec{X: -5, Y: 0.1, Z: 0.2}, geom.Vec{X: -9, Y: 0.1}, true},  // not through it
	} {
		cast := crossings{t: tr, m: m, s: mesh.SolidOf(m), p: c.p, only: -1}
		if _, ok := cast.cast(c.end); ok != c.ok {
			t.Errorf("from %v to %v: %v", c.p, c.end, ok)
		}
	}
}

// Cubes and balls of one mesh count as their union.
func TestInsideUnion(t *testing.T) {
	m := bumpySphere(10, 0, 1) // a ball in a cube that is larger and elsewhere
	cube := grid(2)
	base := int32(len(m.Vertices))
	for _, v := range cube.Vertices {
		m.Vertices = append(m.Vertices, geom.Vec{X: 3*v.X + 3, Y: 3 * v.Y, Z: 3 * v.Z})
	}
	for _, k := range cube.Triangles {
		m.Triangles = append(m.Triangles, [3]int32{k[0] + base, k[1] + base, k[2] + base})
	}
	s, tr := mesh.SolidOf(m), OfTriangles(m, 1)
	for _, c := range []struct {
		p    geom.Vec
		want bool
	}{
		{geom.Vec{X: -0.5}, true}, // in the ball alone
		{geom.Vec{X: 0.5}, true},  // in both
		{geom.Vec{X: 2}, true},    // in the cube alone
		{geom.Vec{X: -1.1}, false},
		{geom.Vec{X: 6.1}, false},
		{geom.Vec{Y: 0.9, X: 0.01}, true},
		{geom.Vec{Z: 100}, false},
	} {
		if in, ok := Inside(tr, m, s, c.p); in != c.want || !ok {
			t.Errorf("%v: %v, %v", c.p, in, ok)
		}
	}
	if in, ok := Inside(tr, m, s, geom.Vec{X: math.NaN()}); in || ok {
		t.Error("a point that is not a number was decided")
	}
}

// Segments never miss a box that they meet: boxes around points of the segment.
func TestSegmentMeetsBox(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	missed := 0
	for range 100000 {
		v := func() geom.Vec {
			return geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64() * float64(r.Intn(2)), Z: 1e-3 * r.NormFloat64()}
		}
		p, q := v(), v()
		k := r.Float64()
		x := geom.Vec{X: p.X + k*(q.X-p.X), Y: p.Y + k*(q.Y-p.Y), Z: p.Z + k*(q.Z-p.Z)}
		s := newSegment(p, q)
		// x is within 3 roundings of the segment; a box from it that reaches so far
		// in every direction meets it.
		w := func() float64 { return 1e-15 + math.Abs(r.NormFloat64())*float64(r.Intn(2)) }
		b := geom.Box{Min: geom.Vec{X: x.X - w(), Y: x.Y - w(), Z: x.Z - w()}, Max: geom.Vec{X: x.X + w(), Y: x.Y + w(), Z: x.Z + w()}}
		if s.misses(&b) {
			t.Fatalf("segment %v %v misses %v", p, q, b)
		}
		d := geom.Vec{X: p.X + 0.5 + 2*r.NormFloat64(), Y: p.Y, Z: p.Z}
		if b := (geom.Box{Min: d, Max: d}); s.misses(&b) {
			missed++
		}
	}
	if missed < 50000 {
		t.Errorf("only %d of 100000 random points are told from the segment", missed)
	}
}

func BenchmarkInside(b *testing.B) {
	m := bumpySphere(100, 0.1, 1)
	tr, s := OfTriangles(m, 1), mesh.SolidOf(m)
	r := rand.New(rand.NewSource(1))
	var ps [64]geom.Vec
	for i := range ps {
		ps[i] = geom.Vec{X: 0.6 * r.NormFloat64(), Y: 0.6 * r.NormFloat64(), Z: 0.6 * r.NormFloat64()}
	}
	b.ReportAllocs()
	for i := range b.N {
		Inside(tr, m, s, ps[i&63])
	}
}
