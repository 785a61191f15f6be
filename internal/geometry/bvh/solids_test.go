package bvh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// A lattice of unit cells, of which some sides are faces: what of it is enclosed, a
// flood from outside tells.
type lattice struct {
	n    [3]int
	face map[[4]int]bool // axis and cell: the side of the cell towards smaller coordinates
}

func drawLattice(t *rapid.T) *lattice {
	l := &lattice{face: map[[4]int]bool{}}
	for k := range l.n {
		l.n[k] = rapid.IntRange(1, 3).Draw(t, "cells")
	}
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "faces"), 1))
	few := rapid.IntRange(0, 6).Draw(t, "missing of 100")
	l.eachSide(func(s [4]int) { l.face[s] = r.IntN(100) >= few*few })
	return l
}

func (l *lattice) eachSide(visit func([4]int)) {
	for axis := range 3 {
		n := l.n
		n[axis]++
		for x := range n[0] {
			for y := range n[1] {
				for z := range n[2] {
					visit([4]int{axis, x, y, z})
				}
			}
		}
	}
}

// regions numbers the cells, with one more all around, by which hang together; that of
// the outside is 0.
func (l *lattice) regions() map[[3]int]int {
	of := map[[3]int]int{}
	next := 0
	flood := func(from [3]int) {
		todo := [][3]int{from}
		of[from] = next
		for len(todo) > 0 {
			c := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for axis := range 3 {
				for _, step := range []int{-1, 1} {
					d, side := c, [4]int{axis, c[0], c[1], c[2]}
					d[axis] += step
					if step > 0 {
						side[1+axis]++
					}
					if _, seen := of[d]; seen || l.face[side] || d[axis] < -1 || d[axis] > l.n[axis] {
						continue
					}
					of[d] = next
					todo = append(todo, d)
				}
			}
		}
		next++
	}
	flood([3]int{-1, -1, -1})
	for x := range l.n[0] {
		for y := range l.n[1] {
			for z := range l.n[2] {
				if _, seen := of[[3]int{x, y, z}]; !seen {
					flood([3]int{x, y, z})
				}
			}
		}
	}
	return of
}

// open reports whether some face has the same region on both sides.
func (l *lattice) open() bool {
	of, open := l.regions(), false
	l.eachSide(func(s [4]int) {
		here := [3]int{s[1], s[2], s[3]}
		there := here
		there[s[0]]--
		open = open || l.face[s] && of[here] == of[there]
	})
	return open
}

func (l *lattice) corners() (out [][3]geom.Vec) {
	l.eachSide(func(s [4]int) {
		if !l.face[s] {
			return
		}
		at := func(u, v int) geom.Vec {
			c := [3]float64{float64(s[1]), float64(s[2]), float64(s[3])}
			c[(s[0]+1)%3] += float64(u)
			c[(s[0]+2)%3] += float64(v)
			return geom.Vec{X: c[0], Y: c[1], Z: c[2]}
		}
		out = append(out, [3]geom.Vec{at(0, 0), at(1, 0), at(1, 1)}, [3]geom.Vec{at(0, 0), at(1, 1), at(0, 1)})
	})
	return out
}

// inside tells the inside of the lattice; sure is false near a side.
func (l *lattice) inside(p geom.Vec) (inside, sure bool) {
	var c [3]int
	for k, x := range [3]float64{p.X, p.Y, p.Z} {
		f := math.Floor(x)
		if x-f < 1e-9 || x-f > 1-1e-9 {
			return false, false
		}
		if c[k] = int(f); c[k] < 0 || c[k] >= l.n[k] {
			return false, true
		}
	}
	return l.regions()[c] != 0, true
}

// block is a box at a pose, off the lattice.
type block struct {
	pose geom.Pose
	half geom.Vec
}

func drawBlock(t *rapid.T) block {
	f := rapid.Float64Range(0, 1)
	return block{
		pose: geom.Pose{
			R: geom.RPY(6*f.Draw(t, "roll"), 6*f.Draw(t, "pitch"), 6*f.Draw(t, "yaw")),
			P: geom.Vec{X: 3 * f.Draw(t, "x"), Y: 3 * f.Draw(t, "y"), Z: 3 * f.Draw(t, "z")},
		},
		half: geom.Vec{X: 0.1 + f.Draw(t, "a"), Y: 0.1 + f.Draw(t, "b"), Z: 0.1 + f.Draw(t, "c")},
	}
}

func (b *block) corners() (out [][3]geom.Vec) {
	one := lattice{n: [3]int{1, 1, 1}, face: map[[4]int]bool{}}
	one.eachSide(func(s [4]int) { one.face[s] = true })
	for _, c := range one.corners() {
		for k, v := range c {
			c[k] = b.pose.Apply(geom.Vec{X: (2*v.X - 1) * b.half.X, Y: (2*v.Y - 1) * b.half.Y, Z: (2*v.Z - 1) * b.half.Z})
		}
		out = append(out, c)
	}
	return out
}

func (b *block) inside(p geom.Vec) (inside, sure bool) {
	q := b.pose.ApplyInv(p)
	out := max(math.Abs(q.X)-b.half.X, math.Abs(q.Y)-b.half.Y, math.Abs(q.Z)-b.half.Z)
	return out < 0, math.Abs(out) > 1e-9
}

// variant is the same faces stored otherwise: in another order, some turned, some
// twice, each vertex as often as it is used or once, with triangles that are none.
func variant(corners [][3]geom.Vec, r *rand.Rand) *mesh.Mesh {
	all := slices.Clone(corners)
	if len(all) > 0 {
		for range r.IntN(2 * len(all)) {
			all = append(all, corners[r.IntN(len(corners))])
		}
		c := corners[r.IntN(len(corners))]
		all = append(all, [3]geom.Vec{c[0], c[1], c[0]}, [3]geom.Vec{c[2], c[2], c[2]})
	}
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	split := r.IntN(2) == 0
	m := &mesh.Mesh{}
	known := map[geom.Vec]int32{}
	for _, c := range all {
		r.Shuffle(3, func(i, k int) { c[i], c[k] = c[k], c[i] })
		var triangle [3]int32
		for k, v := range c {
			at, ok := known[v]
			if !ok || split {
				at = int32(len(m.Vertices))
				if v.X == 0 && r.IntN(2) == 0 {
					v.X = math.Copysign(0, -1)
				}
				known[v], m.Vertices = at, append(m.Vertices, v)
			}
			triangle[k] = at
		}
		m.Triangles = append(m.Triangles, triangle)
	}
	return m
}

// What a mesh encloses is the union of the regions that its faces close and of the
// solids beside them, however the faces are stored: overlapping, touching, sharing
// walls, with fins, cavities and shells inside.
func TestSolidsHoweverStored(t *testing.T) {
	in, asked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := drawLattice(t)
		blocks := rapid.SliceOfN(rapid.Custom(drawBlock), 0, 3).Draw(t, "blocks")
		corners := l.corners()
		for i := range blocks {
			corners = append(corners, blocks[i].corners()...)
		}
		if len(corners) == 0 {
			return
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 2))
		for range 3 {
			m := variant(corners, r)
			tree, s := OfTriangles(m, 1), mesh.SolidOf(m)
			if open := l.open(); s.Open() != open || s.Ambiguous {
				t.Fatalf("open %v, ambiguous %v, but open is %v", s.Open(), s.Ambiguous, open)
			}
			for range 20 {
				p := geom.Vec{X: 4*r.Float64() - 0.5, Y: 4*r.Float64() - 0.5, Z: 4*r.Float64() - 0.5}
				want, sure := l.inside(p)
				for i := range blocks {
					w, s := blocks[i].inside(p)
					want, sure = want || w, sure && s
				}
				if !sure {
					continue
				}
				got, ok := Inside(tree, m, s, p)
				if !ok || got != want {
					t.Fatalf("%v: inside %v (%v), want %v", p, got, ok, want)
				}
				asked++
				if got {
					in++
				}
			}
		}
	})
	if in < asked/50 || in > asked*49/50 {
		t.Errorf("%d of %d inside: one-sided", in, asked)
	}
}

// A surface that runs through itself has inside what it winds around, as often as it may.
func TestInsideOfWhatRunsThroughItself(t *testing.T) {
	twice := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "corners")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "places"), 6))
		f := func() float64 { return 2*r.Float64() - 1 }
		m := &mesh.Mesh{Vertices: []geom.Vec{{X: f(), Y: f(), Z: 1}, {X: f(), Y: f(), Z: -1}}}
		for range n {
			m.Vertices = append(m.Vertices, geom.Vec{X: f(), Y: f(), Z: 0.1 * f()})
		}
		for i := range int32(n) {
			a, b := 2+i, 2+(i+1)%int32(n)
			m.Triangles = append(m.Triangles, [3]int32{0, a, b}, [3]int32{1, b, a})
		}
		tree, s := OfTriangles(m, 1), mesh.SolidOf(m)
		for range 10 {
			p := geom.Vec{X: 0.5 * f(), Y: 0.5 * f(), Z: 0.3 * f()}
			w := math.Abs(winding(m, p))
			if math.Abs(w-math.Round(w)) > 1e-6 || fromSurface(m, p) < 1e-9 {
				continue
			}
			if w > 1.5 {
				twice++
			}
			if got, ok := Inside(tree, m, s, p); !ok || got != (w > 0.5) {
				t.Fatalf("%v: inside %v (%v), winding %g", p, got, ok, w)
			}
		}
	})
	if twice == 0 {
		t.Error("no point was inside twice")
	}
}

func fromSurface(m *mesh.Mesh, p geom.Vec) float64 {
	least := math.Inf(1)
	for k := range m.Triangles {
		q := tri.ClosestPoint(corners(m, int32(k)), p)
		least = math.Min(least, geom.Norm(geom.Vec{X: p.X - q.X, Y: p.Y - q.Y, Z: p.Z - q.Z}))
	}
	return least
}

// Where more hangs together than is sorted out, everything inside is called inside and
// nothing outside the hull.
func TestTangledIsTakenForTheLarger(t *testing.T) {
	l := &lattice{n: [3]int{8, 8, 8}, face: map[[4]int]bool{}}
	l.eachSide(func(s [4]int) { l.face[s] = true })
	m := variant(l.corners(), rand.New(rand.NewPCG(1, 3)))
	tree, s := OfTriangles(m, 1), mesh.SolidOf(m)
	if !s.Ambiguous || s.Open() {
		t.Fatalf("ambiguous %v, open %v", s.Ambiguous, s.Open())
	}
	holdsAll(t, tree, m, s, func(p geom.Vec) bool {
		return min(p.X, p.Y, p.Z) > 0 && max(p.X, p.Y, p.Z) < 8
	}, geom.Box{Max: geom.Vec{X: 8, Y: 8, Z: 8}})
}

// A surface with one side only is named, and what it has inside by parity is inside.
func TestOneSidedIsTakenForTheLarger(t *testing.T) {
	// The projective plane in six vertices: half an icosahedron.
	plane := [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1}, {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}}
	r := rand.New(rand.NewPCG(1, 4))
	for range 20 {
		m := &mesh.Mesh{Triangles: plane}
		for range 6 {
			m.Vertices = append(m.Vertices, geom.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()})
		}
		tree, s := OfTriangles(m, 1), mesh.SolidOf(m)
		if !s.Ambiguous || s.Open() {
			t.Fatalf("ambiguous %v, open %v", s.Ambiguous, s.Open())
		}
		holdsAll(t, tree, m, s, func(p geom.Vec) bool { return oddAlongZ(m, p) }, geom.Box{Max: geom.Vec{X: 1, Y: 1, Z: 1}})
	}
}

func holdsAll(t *testing.T, tree *Tree, m *mesh.Mesh, s *mesh.Solid, inside func(geom.Vec) bool, box geom.Box) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 5))
	in, size := 0, box.Max.X-box.Min.X
	for range 2000 {
		p := geom.Vec{X: size * (2*r.Float64() - 0.5), Y: size * (2*r.Float64() - 0.5), Z: size * (2*r.Float64() - 0.5)}
		got, ok := Inside(tree, m, s, p)
		switch {
		case !ok:
			t.Fatalf("%v: cannot tell", p)
		case inside(p) && !got:
			t.Fatalf("%v is inside", p)
		case got && !holds(&box, p):
			t.Fatalf("%v is outside the hull", p)
		case got:
			in++
		}
	}
	if in == 0 {
		t.Error("nothing is inside")
	}
}

// oddAlongZ counts the triangles above p, in plain arithmetic.
func oddAlongZ(m *mesh.Mesh, p geom.Vec) (odd bool) {
	for k := range m.Triangles {
		c := corners(m, int32(k))
		turn := func(a, b geom.Vec) float64 { return (a.X-p.X)*(b.Y-p.Y) - (a.Y-p.Y)*(b.X-p.X) }
		u, v, w := turn(c[1], c[2]), turn(c[2], c[0]), turn(c[0], c[1])
		if (u > 0) == (v > 0) && (v > 0) == (w > 0) && (u*c[0].Z+v*c[1].Z+w*c[2].Z)/(u+v+w) > p.Z {
			odd = !odd
		}
	}
	return odd
}
