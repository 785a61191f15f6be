package mesh

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func flip(ts []tri, every int) []tri {
	out := append([]tri(nil), ts...)
	for i := 0; i < len(out); i += every {
		out[i][1], out[i][2] = out[i][2], out[i][1]
	}
	return out
}

func join(parts ...[]tri) (out []tri) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func TestComponents(t *testing.T) {
	at := func(x, y, z float64) []tri { return cube(geom.Vec{X: x, Y: y, Z: z}) }
	sheet := []tri{{{}, {X: 1}, {Y: 1}}}
	band := func(twist bool) (out []tri) {
		const n = 8
		rim := func(i int) (geom.Vec, geom.Vec) {
			u := geom.AxisAngle(geom.Vec{Z: 1}, 2*3.14159265*float64(i%n)/n).Apply(geom.Vec{X: 1})
			a, b := u, r3.Add(u, geom.Vec{Z: 1})
			if twist && i == n {
				return b, a
			}
			return a, b
		}
		for i := range n {
			a, b := rim(i)
			c, d := rim(i + 1)
			out = append(out, tri{a, c, b}, tri{b, c, d})
		}
		return out
	}
	for _, tt := range []struct {
		name   string
		tris   []tri
		sizes  []int
		closed []bool
	}{
		{"cube", at(0, 0, 0), []int{12}, []bool{true}},
		{"two cubes apart", join(at(0, 0, 0), at(3, 0, 0)), []int{12, 12}, []bool{true, true}},
		{"interleaved", join(at(0, 0, 0)[:6], at(3, 0, 0), at(0, 0, 0)[6:]), []int{12, 12}, []bool{true, true}},
		{"overlapping, no vertex shared", join(at(0, 0, 0), at(.5, .5, .5)), []int{12, 12}, []bool{true, true}},
		{"touching at a corner", join(at(0, 0, 0), at(1, 1, 1)), []int{24}, []bool{true}},
		{"touching along an edge", join(at(0, 0, 0), at(1, 1, 0)), []int{24}, []bool{true}},
		{"sharing a face", join(at(0, 0, 0), at(1, 0, 0)), []int{24}, []bool{true}},
		{"lid missing", at(0, 0, 0)[2:], []int{10}, []bool{false}},
		{"one triangle missing", at(0, 0, 0)[1:], []int{11}, []bool{false}},
		{"crooked orientation", flip(at(0, 0, 0), 3), []int{12}, []bool{true}},
		{"a triangle twice", join(at(0, 0, 0), at(0, 0, 0)[:1]), []int{13}, []bool{false}},
		{"everything twice", join(at(0, 0, 0), at(0, 0, 0)), []int{24}, []bool{true}},
		{"sheet", sheet, []int{1}, []bool{false}},
		{"sharing the last corner only", []tri{{{}, {X: 1}, {Y: 1}}, {{X: 5}, {X: 6}, {Y: 1}}}, []int{2}, []bool{false}},
		{"sharing the second corner only", []tri{{{}, {Y: 1}, {X: 1}}, {{X: 5}, {Y: 1}, {X: 6}}}, []int{2}, []bool{false}},
		{"sheet with both sides", join(sheet, flip(sheet, 1)), []int{2}, []bool{true}},
		{"open beside closed", join(sheet, at(5, 0, 0)), []int{1, 12}, []bool{false, true}},
		{"band", band(false), []int{16}, []bool{false}},
		{"Moebius band", band(true), []int{16}, []bool{false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustParse(t, "a.stl", binarySTL("", tt.tris), one)
			var sizes []int
			var closed []bool
			for _, c := range m.Components() {
				sizes = append(sizes, len(c.Triangles))
				closed = append(closed, c.Closed)
			}
			if diff := cmp.Diff(tt.sizes, sizes); diff != "" {
				t.Errorf("sizes (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.closed, closed); diff != "" {
				t.Errorf("closed (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(m.Components(), m.Components()); diff != "" {
				t.Errorf("two calls differ:\n%s", diff)
			}
		})
	}
}

// What Closed promises: the parity of crossings does not depend on the ray,
// and it tells the inside. Orientation is scrambled on purpose.
func TestClosedMakesParityTellInside(t *testing.T) {
	tris := flip(join(cube(geom.Vec{}), cube(geom.Vec{X: 1, Y: 1})), 5) // two cubes sharing an edge
	m := mustParse(t, "a.stl", binarySTL("", tris), one)
	comps := m.Components()
	if len(comps) != 1 || !comps[0].Closed {
		t.Fatalf("components: %+v", comps)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	inside := 0
	for range 2000 {
		p := geom.Vec{X: 3*rng.Float64() - .5, Y: 3*rng.Float64() - .5, Z: 2*rng.Float64() - .5}
		want := p.Z > 0 && p.Z < 1 && (p.X > 0 && p.X < 1 && p.Y > 0 && p.Y < 1 || p.X > 1 && p.X < 2 && p.Y > 1 && p.Y < 2)
		for range 3 {
			d := geom.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			if got := crossings(m, comps[0], p, d)%2 == 1; got != want {
				t.Fatalf("%v along %v: inside %v, want %v", p, d, got, want)
			}
		}
		if want {
			inside++
		}
	}
	if inside < 100 {
		t.Errorf("only %d of 2000 points were inside: the test proves little", inside)
	}
}

func crossings(m *Mesh, c Component, p, d geom.Vec) int {
	n := 0
	for _, i := range c.Triangles {
		t := m.Triangles[i]
		a, b, e := r3.Sub(m.Vertices[t[0]], p), r3.Sub(m.Vertices[t[1]], p), r3.Sub(m.Vertices[t[2]], p)
		u, v, w := r3.Dot(d, r3.Cross(a, b)), r3.Dot(d, r3.Cross(b, e)), r3.Dot(d, r3.Cross(e, a))
		if !(u > 0 && v > 0 && w > 0 || u < 0 && v < 0 && w < 0) {
			continue // the line passes beside the triangle
		}
		// The line meets the plane at a weighted mean of the corners; the ray only ahead.
		hit := r3.Scale(1/(u+v+w), r3.Add(r3.Add(r3.Scale(v, a), r3.Scale(w, b)), r3.Scale(u, e)))
		if r3.Dot(hit, d) > 0 {
			n++
		}
	}
	return n
}
