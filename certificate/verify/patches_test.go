package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

func solidsIn(m *mesh.Mesh) (solids []solid, open bool) { return solidsOf(m, placesOf(m), still, 0) }

func cube(half float64) *mesh.Mesh { return boxMesh(geom.Vec{X: half, Y: half, Z: half}) }

func reversed(m *mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{Vertices: m.Vertices}
	for _, t := range m.Triangles {
		out.Triangles = append(out.Triangles, [3]int32{t[0], t[2], t[1]})
	}
	return out
}

func scaled(m *mesh.Mesh, by float64) *mesh.Mesh {
	out := &mesh.Mesh{Triangles: m.Triangles}
	for _, v := range m.Vertices {
		out.Vertices = append(out.Vertices, times(by, v))
	}
	return out
}

func without(m *mesh.Mesh, triangles int) *mesh.Mesh {
	return &mesh.Mesh{Vertices: m.Vertices, Triangles: m.Triangles[triangles:]}
}

// twoCells are the cubes from -1 to 1 and from 1 to 3 along x, with the wall between
// them stored so many times.
func twoCells(walls int) *mesh.Mesh {
	a := cube(1)
	b := shifted(cube(1), geom.Vec{X: 2})
	isWall := func(m *mesh.Mesh, t [3]int32) bool {
		return !slices.ContainsFunc(t[:], func(v int32) bool { return m.Vertices[v].X != 1 })
	}
	keep := func(m *mesh.Mesh, drop bool) *mesh.Mesh {
		out := &mesh.Mesh{Vertices: m.Vertices}
		for _, t := range m.Triangles {
			if !drop || !isWall(m, t) {
				out.Triangles = append(out.Triangles, t)
			}
		}
		return out
	}
	return merged(keep(a, walls < 2), keep(b, walls < 1))
}

// kleinBottle is a torus of n by m squares in which one way round the other is turned
// over: it has no orientation, and goes through itself. Its middle circle has radius 2.
func kleinBottle(n, m int) *mesh.Mesh {
	out := &mesh.Mesh{}
	for i := range n {
		for j := range m {
			u, v := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(m)
			// The figure of eight, turned by half a turn on its way.
			r := 2 + math.Cos(u/2)*math.Sin(v) - math.Sin(u/2)*math.Sin(2*v)
			out.Vertices = append(out.Vertices, geom.Vec{X: r * math.Cos(u), Y: r * math.Sin(u), Z: math.Sin(u/2)*math.Sin(v) + math.Cos(u/2)*math.Sin(2*v)})
		}
	}
	at := func(i, j int) int32 {
		if i == n { // the way round turns the figure of eight over
			i, j = 0, 2*m-j
		}
		return int32(i*m + j%m)
	}
	for i := range n {
		for j := range m {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			out.Triangles = append(out.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return out
}

// twiceAround are two overlapping cubes, the first's top joined to the second's bottom by a
// tube: one surface, which winds twice around what both have.
func twiceAround() *mesh.Mesh {
	drop := func(m *mesh.Mesh, t [3]int32) *mesh.Mesh {
		return &mesh.Mesh{Vertices: m.Vertices, Triangles: slices.DeleteFunc(slices.Clone(m.Triangles), func(u [3]int32) bool { return u == t })}
	}
	m := merged(drop(cube(1), [3]int32{1, 5, 7}), drop(shifted(cube(1), geom.Vec{X: 1.5}), [3]int32{0, 6, 4}))
	top, bottom := [3]int32{1, 5, 7}, [3]int32{8, 12, 14}
	for i := range 3 {
		j := (i + 1) % 3
		m.Triangles = append(m.Triangles, [3]int32{top[i], top[j], bottom[j]}, [3]int32{top[i], bottom[j], bottom[i]})
	}
	return m
}

// finned has open fins all along the first ring of a Klein bottle, where it is cut: what
// is left has an orientation, but only modulo 2 no border.
func finned(n, m int) *mesh.Mesh {
	out := kleinBottle(n, m)
	for j := range m {
		out.Vertices = append(out.Vertices, geom.Vec{X: 4, Y: -3, Z: float64(j)})
		out.Triangles = append(out.Triangles, [3]int32{int32(j), int32((j + 1) % m), int32(len(out.Vertices) - 1)})
	}
	return out
}

// heap is a mesh, and what is known of it.
type heap struct {
	name            string
	m               *mesh.Mesh
	in, out         []geom.Vec
	open, ambiguous bool
}

func heaps() []heap {
	x := func(x float64) geom.Vec { return geom.Vec{X: x, Y: 0.013, Z: 0.017} }
	one := cube(1)
	corner := geom.Vec{X: 1, Y: 1, Z: 1}
	// The second cube shares one corner with the first and is turned to overlap it.
	vertexCube := func() *mesh.Mesh {
		pose := geom.AxisAngle(geom.Vec{X: 0.6, Y: 0.8}, 0.3)
		b := shifted(cube(0.75), geom.Vec{X: -0.75, Y: -0.75, Z: -0.75})
		out := &mesh.Mesh{Triangles: b.Triangles}
		for _, v := range b.Vertices {
			out.Vertices = append(out.Vertices, plus(corner, pose.Apply(v)))
		}
		// The corner itself, to the last bit.
		for i, v := range out.Vertices {
			if length(minus(v, corner)) < 1e-9 {
				out.Vertices[i] = corner
			}
		}
		return out
	}()
	fin := &mesh.Mesh{Vertices: []geom.Vec{{X: 1, Y: 1, Z: -1}, {X: 1, Y: 1, Z: 1}, {X: 3, Y: 3}}, Triangles: [][3]int32{{0, 1, 2}}}
	return []heap{
		{name: "cube", m: one, in: []geom.Vec{x(0), x(0.9)}, out: []geom.Vec{x(1.1), x(-5)}},
		{name: "open box", m: without(one, 1), out: []geom.Vec{x(0), x(2)}, open: true},
		{name: "open box, doubled", m: merged(without(one, 1), reversed(without(one, 1))), out: []geom.Vec{x(0), x(2)}, open: true},
		{name: "cube and an open box around it", m: merged(one, without(cube(2), 1)), in: []geom.Vec{x(0)}, out: []geom.Vec{x(1.5)}, open: true},
		{name: "overlapping", m: merged(one, shifted(one, x(1.5))), in: []geom.Vec{x(0), x(0.75), x(2)}, out: []geom.Vec{x(2.6), x(-1.1)}},
		{name: "overlapping, of opposite orientation", m: merged(one, reversed(shifted(one, x(1.5)))), in: []geom.Vec{x(0), x(0.75), x(2)}, out: []geom.Vec{x(2.6)}},
		{name: "sharing a corner and overlapping", m: merged(one, vertexCube), in: []geom.Vec{x(0), {X: 0.5, Y: 0.51, Z: 0.52}}, out: []geom.Vec{x(1.1), x(2.5)}},
		{name: "sharing an edge", m: merged(one, shifted(one, geom.Vec{X: 2, Y: 2})), in: []geom.Vec{x(0), {X: 2.1, Y: 2.2, Z: 0.1}}, out: []geom.Vec{x(2.1)}},
		{name: "sharing a wall stored twice", m: twoCells(2), in: []geom.Vec{x(0), x(2)}, out: []geom.Vec{x(3.1), x(-1.1)}},
		{name: "sharing a wall stored once", m: twoCells(1), in: []geom.Vec{x(0), x(2)}, out: []geom.Vec{x(3.1), x(-1.1)}},
		{name: "without a wall", m: twoCells(0), in: []geom.Vec{x(0), x(1), x(2)}, out: []geom.Vec{x(3.1), x(-1.1)}},
		{name: "a hollow wall", m: merged(one, reversed(cube(0.5))), in: []geom.Vec{x(0), x(0.75)}, out: []geom.Vec{x(1.1)}},
		{name: "an inner shell", m: merged(one, cube(0.5)), in: []geom.Vec{x(0), x(0.75)}, out: []geom.Vec{x(1.1)}},
		{name: "winding twice", m: twiceAround(), in: []geom.Vec{{X: 0.75, Y: 0.5, Z: 0.017}, {X: 0, Y: 0.5, Z: 0.017}}, out: []geom.Vec{x(-1.1), x(2.7)}},
		{name: "a fin", m: merged(one, fin), in: []geom.Vec{x(0)}, out: []geom.Vec{x(1.1), {X: 1.5, Y: 1.8, Z: 0.1}}, open: true},
		{name: "a lid that juts out", m: merged(one, &mesh.Mesh{Vertices: []geom.Vec{{X: 1, Y: -1, Z: 1}, {X: 1, Y: 1, Z: 1}, {X: 3, Y: 0, Z: 1}}, Triangles: [][3]int32{{0, 1, 2}}}), in: []geom.Vec{x(0)}, out: []geom.Vec{x(2)}, open: true},
		{name: "a flat triangle, doubled", m: merged(fin, reversed(fin)), out: []geom.Vec{x(0)}, open: true},
		{name: "a Klein bottle", m: kleinBottle(36, 18), out: []geom.Vec{x(5), {Z: 3}}, in: []geom.Vec{{X: 2.4, Y: 0.01, Z: 0.5}}, ambiguous: true},
		{name: "a Klein bottle with fins", m: finned(36, 18), out: []geom.Vec{x(5), {Z: 3}}, in: []geom.Vec{{X: 2.4, Y: 0.01, Z: 0.5}}, open: true},
	}
}

// disguises store a mesh in another way that means the same.
var disguises = []struct {
	name string
	do   func(r *rand.Rand, m *mesh.Mesh) *mesh.Mesh
}{
	{"as it is", func(_ *rand.Rand, m *mesh.Mesh) *mesh.Mesh { return m }},
	{"triangles reordered and turned one by one", func(r *rand.Rand, m *mesh.Mesh) *mesh.Mesh {
		out := &mesh.Mesh{Vertices: m.Vertices, Triangles: slices.Clone(m.Triangles)}
		r.Shuffle(len(out.Triangles), func(i, j int) { out.Triangles[i], out.Triangles[j] = out.Triangles[j], out.Triangles[i] })
		for i, t := range out.Triangles {
			k := r.IntN(3)
			out.Triangles[i] = [3]int32{t[k], t[(k+1)%3], t[(k+2)%3]}
			if r.IntN(2) == 0 {
				out.Triangles[i] = [3]int32{t[k], t[(k+2)%3], t[(k+1)%3]}
			}
		}
		return out
	}},
	{"doubled", func(_ *rand.Rand, m *mesh.Mesh) *mesh.Mesh { return merged(m, m) }},
	{"two-sided", func(_ *rand.Rand, m *mesh.Mesh) *mesh.Mesh { return merged(m, reversed(m)) }},
	{"three times", func(_ *rand.Rand, m *mesh.Mesh) *mesh.Mesh { return merged(m, reversed(m), m) }},
	{"some twice", func(r *rand.Rand, m *mesh.Mesh) *mesh.Mesh {
		out := &mesh.Mesh{Vertices: m.Vertices, Triangles: slices.Clone(m.Triangles)}
		for range 1 + len(m.Triangles)/3 {
			t := m.Triangles[r.IntN(len(m.Triangles))]
			out.Triangles = append(out.Triangles, [3]int32{t[2], t[1], t[0]})
		}
		return out
	}},
	{"every triangle with vertices of its own", func(r *rand.Rand, m *mesh.Mesh) *mesh.Mesh {
		out := &mesh.Mesh{}
		for _, t := range m.Triangles {
			n := int32(len(out.Vertices))
			for _, v := range t {
				x := m.Vertices[v]
				if x.X == 0 && r.IntN(2) == 0 {
					x.X = math.Copysign(0, -1)
				}
				out.Vertices = append(out.Vertices, x)
			}
			out.Triangles = append(out.Triangles, [3]int32{n, n + 1, n + 2})
		}
		return out
	}},
	{"with triangles that have no area", func(r *rand.Rand, m *mesh.Mesh) *mesh.Mesh {
		out := &mesh.Mesh{Vertices: m.Vertices, Triangles: slices.Clone(m.Triangles)}
		for range 5 {
			t := m.Triangles[r.IntN(len(m.Triangles))]
			out.Triangles = append(out.Triangles, [3]int32{t[0], t[1], t[0]})
		}
		return out
	}},
}

// What a mesh encloses does not depend on how it is stored; several solids are their
// union.
func TestSolidsOfHeaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, h := range heaps() {
		for _, d := range disguises {
			t.Run(h.name+", "+d.name, func(t *testing.T) {
				solids, open := solidsIn(d.do(r, h.m))
				ambiguous := slices.ContainsFunc(solids, func(s solid) bool { return s.unit.ambiguous })
				if open != h.open || ambiguous != h.ambiguous {
					t.Errorf("open %v, ambiguous %v; want %v, %v", open, ambiguous, h.open, h.ambiguous)
				}
				for i, p := range append(slices.Clone(h.in), h.out...) {
					got := outside
					for k := range solids {
						if w := solids[k].locate(at(p)); w != outside {
							got = w
						}
					}
					if want := i < len(h.in); got == unknown || (got == inside) != want {
						t.Errorf("%v: %d, want inside %v", p, got, want)
					}
				}
			})
		}
	}
}

// Units that are too entangled are ambiguous, and taken for the larger.
func TestTooManyPatches(t *testing.T) {
	// A row of cubes, each sharing a wall with the next.
	m := &mesh.Mesh{}
	for i := range 2 * maxPatches {
		m = merged(m, shifted(cube(0.5), geom.Vec{X: float64(i)}))
	}
	solids, open := solidsIn(m)
	if len(solids) != 1 || open || !solids[0].unit.ambiguous {
		t.Fatalf("%d solids, open %v", len(solids), open)
	}
	if w := solids[0].locate(at(geom.Vec{X: 3.1, Y: 0.1, Z: 0.2})); w != inside {
		t.Errorf("within: %d", w)
	}
	if w := solids[0].locate(at(geom.Vec{X: 3.1, Y: 1.1, Z: 0.2})); w != outside {
		t.Errorf("beside: %d", w)
	}
}

// The robot g1 as it is shipped has a mesh that goes through itself.
func TestShippedMeshThatOverlapsItself(t *testing.T) {
	m, err := mesh.Load("../../../shared/robots/g1/meshes/right_shoulder_yaw_link.STL", geom.Vec{X: 1, Y: 1, Z: 1})
	if err != nil {
		t.Skip(err)
	}
	solids, _ := solidsIn(m)
	p := at(geom.Vec{X: 0.0268731, Y: -0.0120144, Z: -0.0528642})
	if !slices.ContainsFunc(solids, func(s solid) bool { return s.locate(p) == inside }) {
		t.Error("a point that the surface winds around twice is outside")
	}
}

// Nothing is free inside a mesh, however it is stored.
func TestContainmentInHeaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 0.03}
	for _, h := range heaps() {
		if strings.HasPrefix(h.name, "a Klein bottle") {
			continue // the ball has no room there
		}
		for _, d := range disguises {
			for i, q := range append(slices.Clone(h.in), h.out...) {
				m := d.do(r, scaled(shifted(h.m, times(-1, q)), 3))
				for side, s := range [2][2]*shape.Shape{{ball, meshOf(m)}, {meshOf(m), ball}} {
					what := fmt.Sprintf("%s, %s, %v, side %d", h.name, d.name, q, side)
					p := slider(t, s[0], s[1]).prove()
					_, err := p.verify()
					if i < len(h.in) {
						refusedBecause(t, what, err)
					} else if err != nil {
						t.Errorf("%s: %v", what, err)
					}
				}
			}
		}
	}
}

// Boxes on a grid share corners, edges and walls, overlap and hold each other. Whatever
// way their faces are stored, what is inside is what one of them holds: too few to close
// a hollow between them.
func TestRandomHeaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	in, out := 0, 0
	for round := range 400 {
		m, boxes := &mesh.Mesh{}, []geom.Box(nil)
		for range 2 + r.IntN(4) {
			corner := func(most int) geom.Vec {
				return geom.Vec{X: float64(r.IntN(most)), Y: float64(r.IntN(most)), Z: float64(r.IntN(most))}
			}
			b := geom.Box{Min: corner(4)}
			b.Max = plus(b.Min, plus(corner(2), geom.Vec{X: 1, Y: 1, Z: 1}))
			boxes = append(boxes, b)
			m = merged(m, shifted(boxMesh(times(0.5, minus(b.Max, b.Min))), times(0.5, plus(b.Min, b.Max))))
		}
		open := r.IntN(2) == 0
		if open { // off the grid, so that nobody's face closes it
			m = merged(m, without(shifted(cube(0.7+r.Float64()), geom.Vec{X: 2.03, Y: 1.97, Z: 2.01}), 1))
		}
		for range 2 {
			m = disguises[r.IntN(len(disguises))].do(r, m)
		}
		solids, isOpen := solidsIn(m)
		if isOpen != open {
			t.Fatalf("round %d: open %v, want %v", round, isOpen, open)
		}
		for range 30 {
			p := geom.Vec{X: 5.5*r.Float64() - 0.25, Y: 5.5*r.Float64() - 0.25, Z: 5.5*r.Float64() - 0.25}
			got := slices.ContainsFunc(solids, func(s solid) bool {
				w := s.locate(at(p))
				if w == unknown {
					t.Fatalf("round %d: %v cannot be told", round, p)
				}
				return w == inside
			})
			want := slices.ContainsFunc(boxes, func(b geom.Box) bool { return beside(p, b) < 1e-12 })
			if got != want {
				t.Fatalf("round %d, boxes %v, open %v: %v inside %v, want %v", round, boxes, open, p, got, want)
			}
			if want {
				in++
			} else {
				out++
			}
		}
	}
	if in < 500 || out < 500 {
		t.Errorf("%d points inside, %d outside", in, out)
	}
}
