package model

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// grid returns a closed mesh: the box of n by n by n squares a side, its vertices
// moved in or out by up to bump.
func grid(n int, bump float64, r *rand.Rand) *mesh.Mesh {
	m, at := &mesh.Mesh{}, map[[3]int]int32{}
	vertex := func(p [3]int) int32 {
		k, ok := at[p]
		if !ok {
			k = int32(len(m.Vertices))
			at[p] = k
			s := (1 + bump*(r.Float64()-0.5)) / float64(n)
			m.Vertices = append(m.Vertices, geom.Vec{X: s * float64(2*p[0]-n), Y: s * float64(2*p[1]-n), Z: s * float64(2*p[2]-n)})
		}
		return k
	}
	for axis := range 3 {
		for _, side := range []int{0, n} {
			for i := range n {
				for k := range n {
					corner := func(di, dk int) int32 {
						var p [3]int
						p[axis], p[(axis+1)%3], p[(axis+2)%3] = side, i+di, k+dk
						return vertex(p)
					}
					a, b, c, d := corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)
					if side == 0 {
						b, d = d, b
					}
					m.Triangles = append(m.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
				}
			}
		}
	}
	return m
}

// subjects are shapes with a plan: convex, not convex, open, of two parts, cells.
func subjects() map[string]*shape.Shape {
	return subjectsOf(map[string]int{"convex": 6, "bumpy": 6, "open": 5, "two": 3, "lid": 3, "cells": 60})
}

// subjectsOf are subjects of these many squares along an edge, or cells.
func subjectsOf(sizes map[string]int) map[string]*shape.Shape {
	r := rand.New(rand.NewPCG(5, 6))
	open := grid(sizes["open"], 0.3, r)
	open.Triangles = open.Triangles[:len(open.Triangles)-3]
	two := grid(sizes["two"], 0.3, r)
	n := int32(len(two.Vertices))
	for _, t := range slices.Clone(two.Triangles) {
		two.Triangles = append(two.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
	}
	for _, v := range slices.Clone(two.Vertices) {
		two.Vertices = append(two.Vertices, r3.Add(v, geom.Vec{X: 3}))
	}
	lid := grid(sizes["lid"], 0, r) // convex but for a hole
	lid.Triangles = lid.Triangles[1:]
	out := map[string]*shape.Shape{"cells": {Kind: shape.Cells, Cells: gridCells(r, sizes["cells"])}}
	for name, m := range map[string]*mesh.Mesh{"convex": grid(sizes["convex"], 0, r), "bumpy": grid(sizes["bumpy"], 0.2, r), "open": open, "two": two, "lid": lid} {
		out[name] = &shape.Shape{Kind: shape.Mesh, Mesh: m}
	}
	return out
}

var forms = cmp.Options{
	cmp.AllowUnexported(form{}), cmp.Comparer(sameCore), cmp.AllowUnexported(mesh.Mesh{}), cmp.Comparer(func(a, b *mesh.Solid) bool { return reflect.DeepEqual(a, b) }),
	cmpopts.IgnoreUnexported(Leaves{}), // what is made when it is asked for
}

func sameCore(a, b convex.Core) bool {
	return a.Kind == b.Kind && a.Radius == b.Radius && slices.Equal(a.Vertices, b.Vertices) && a.Center == b.Center && a.Half == b.Half && a.Extent() == b.Extent()
}

func boundOf(s *shape.Shape) int64 {
	if s.Kind == shape.Cells {
		return planBytes(0, len(s.Cells))
	}
	return planBytes(len(s.Mesh.Vertices), len(s.Mesh.Triangles))
}

func formOf(t *testing.T, s *shape.Shape, store *cache.Store) *form {
	t.Helper()
	f, err := newForm(context.Background(), s, store)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A form is the same without a cache, with an empty one and from a full one; and
// what is read from a full one is not made again.
func TestCachedFormsAreTheSame(t *testing.T) {
	for name, s := range subjects() {
		dir := t.TempDir()
		plain, first := formOf(t, s, nil), formOf(t, s, cache.Open(dir))
		store := cache.Open(dir)
		data, ok := store.Load(keyOf(s), 1<<30)
		if !ok {
			t.Fatalf("%s: nothing was stored", name)
		}
		second := formOf(t, s, store)
		if d := cmp.Diff(plain, first, forms); d != "" {
			t.Errorf("%s: with an empty cache:\n%s", name, d)
		}
		if d := cmp.Diff(plain, second, forms); d != "" {
			t.Errorf("%s: from the cache:\n%s", name, d)
		}
		if plain.exact != (name == "convex") || plain.open != (name == "open" || name == "lid") {
			t.Errorf("%s: exact %v, open %v", name, plain.exact, plain.open)
		}
		for i := range data {
			if i%(1+len(data)/20) == 0 {
				if _, ok := decodePlan(data[:i]); ok {
					t.Errorf("%s: %d of %d bytes are a plan", name, i, len(data))
				}
			}
		}
		if most := boundOf(s); int64(len(data)) > most {
			t.Errorf("%s: a plan of %d bytes, but at most %d are read", name, len(data), most)
		}
		if _, ok := decodePlan(append(bytes.Clone(data), 0)); ok {
			t.Errorf("%s: a plan may be followed by anything", name)
		}
		p, ok := decodePlan(data)
		if !ok || !bytes.Equal(p.encode(), data) {
			t.Errorf("%s: the plan is not what was written", name)
		}
		// A plan with another centre shows that the stored one is used.
		moved := geom.Vec{X: 0.5, Y: 0.25}
		centre := func(f *form) geom.Vec { return f.center }
		if p.center = moved; s.Kind == shape.Cells {
			p.tree.Inner[0].Center = moved
			centre = func(f *form) geom.Vec { return f.leaves.Tree.Nodes[0].Center }
		}
		store.Save(keyOf(s), p.encode())
		if got := centre(formOf(t, s, store)); got != moved {
			t.Errorf("%s: the centre is %v, not the stored %v", name, got, moved)
		}
	}
}

func keyOf(s *shape.Shape) cache.Key {
	if s.Kind == shape.Cells {
		return cellsKey(s.Cells)
	}
	return meshKey(s.Mesh)
}

// Keys are of the content: any change of a shape has another one.
func TestKeys(t *testing.T) {
	seen := map[cache.Key]string{}
	note := func(name string, k cache.Key) {
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[k] = name
	}
	for name, s := range subjects() {
		note(name, keyOf(s))
		if s.Mesh == nil {
			continue
		}
		m := &mesh.Mesh{Vertices: slices.Clone(s.Mesh.Vertices), Triangles: slices.Clone(s.Mesh.Triangles)}
		if meshKey(m) != keyOf(s) {
			t.Errorf("%s: a copy has another key", name)
		}
		m.Vertices[1].Y = math.Nextafter(m.Vertices[1].Y, 9)
		note(name+", a vertex moved", meshKey(m))
		m.Triangles[0][0], m.Triangles[0][1] = m.Triangles[0][1], m.Triangles[0][0]
		note(name+", a triangle turned", meshKey(m))
		m.Triangles = m.Triangles[1:]
		note(name+", a triangle less", meshKey(m))
	}
}

// holdsShape checks what proofs take from a form: hull, balls and boxes hold all of
// the shape, and a shape that its hull stands for is convex.
func holdsShape(t *testing.T, what string, s *shape.Shape, f *form) {
	t.Helper()
	item := func(k int32) []geom.Vec {
		if s.Kind == shape.Cells {
			return cornersOf(&s.Cells[k])
		}
		c := s.Mesh.Triangles[k]
		return []geom.Vec{s.Mesh.Vertices[c[0]], s.Mesh.Vertices[c[1]], s.Mesh.Vertices[c[2]]}
	}
	n := len(s.Cells)
	if s.Mesh != nil {
		n = len(s.Mesh.Triangles)
	}
	r := rand.New(rand.NewPCG(7, 8))
	var tops [20]float64
	var dirs [20]geom.Vec
	for i := range dirs {
		dirs[i], _ = geom.Unit(geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
		tops[i] = f.core.SupportValue(dirs[i]) + f.core.Radius
	}
	for k := range int32(n) {
		for _, p := range item(k) {
			for i, d := range dirs {
				if !(r3.Dot(d, p) <= tops[i]+1e-14) {
					t.Fatalf("%s: %v is outside the hull", what, p)
				}
			}
			if !(r3.Norm(r3.Sub(p, f.center)) <= f.radius*(1+1e-15)) {
				t.Fatalf("%s: %v is outside the ball", what, p)
			}
		}
	}
	if f.exact {
		if dev, yes := convex.IsConvex(s.Mesh, convexEnough); !yes || f.core.Radius > convexEnough {
			t.Fatalf("%s: the hull, radius %g, stands for a mesh that deviates by %g", what, f.core.Radius, dev)
		}
		return
	}
	for i, d := range dirs {
		if rough := f.rough.SupportValue(d) + f.rough.Radius; !(rough <= tops[i]) {
			t.Fatalf("%s: the rough hull sticks out of the hull by %g", what, rough-tops[i])
		}
	}
	seen := make([]int, n)
	for i := range f.leaves.Tree.Nodes {
		nd := &f.leaves.Tree.Nodes[i]
		if !(r3.Norm(r3.Sub(nd.Center, f.center)) <= f.radius) {
			t.Fatalf("%s: the centre of node %d is outside the ball", what, i)
		}
		for _, k := range f.leaves.Tree.Order[nd.First : nd.First+nd.Count] {
			if nd.Leaf() {
				seen[k]++
			}
			for _, p := range item(k) {
				if !(r3.Norm(r3.Sub(p, nd.Center)) <= nd.Radius*(1+1e-15)) {
					t.Fatalf("%s: %v is outside the ball of node %d", what, p, i)
				}
				if p.X < nd.Box.Min.X || p.Y < nd.Box.Min.Y || p.Z < nd.Box.Min.Z || p.X > nd.Box.Max.X || p.Y > nd.Box.Max.Y || p.Z > nd.Box.Max.Z {
					t.Fatalf("%s: %v is outside the box of node %d", what, p, i)
				}
			}
		}
	}
	for k, times := range seen {
		if times != 1 {
			t.Fatalf("%s: item %d is in %d leaves", what, k, times)
		}
	}
}

// forge changes a plan in one of many ways.
func forge(p *plan, r *rand.Rand) {
	pick := func(n int) int { return r.IntN(max(n, 1)) }
	anywhere := geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
	switch r.IntN(12) {
	case 0:
		p.exact = !p.exact
	case 1:
		p.center = anywhere
	case 2:
		p.center.Z = math.NaN()
	case 3: // a hull of a few vertices
		if len(p.hull.Vertices) == 0 {
			return
		}
		p.hull.Vertices = p.hull.Vertices[:1+pick(len(p.hull.Vertices)-1)]
		for i := range p.hull.Near {
			p.hull.Near[i] = [4]int32{int32(pick(len(p.hull.Vertices))), -1, -1, -1}
		}
	case 4:
		if len(p.hull.Near) == 0 {
			return
		}
		p.hull.Near[pick(len(p.hull.Near))] = [4]int32{int32(pick(len(p.hull.Vertices))), -1, -1, -1}
	case 5:
		if len(p.hull.Vertices) == 0 {
			return
		}
		p.hull.Vertices[pick(len(p.hull.Vertices))] = int32(pick(len(p.hull.Near)))
	case 6: // balls elsewhere
		for i := range p.tree.Inner {
			p.tree.Inner[i].Center = anywhere
		}
	case 7:
		if len(p.tree.Inner) > 0 {
			p.tree.Inner[pick(len(p.tree.Inner))].Left += int32(r.IntN(5) - 2)
		}
	case 8:
		r.Shuffle(len(p.tree.Order), func(i, k int) { p.tree.Order[i], p.tree.Order[k] = p.tree.Order[k], p.tree.Order[i] })
	case 9: // an item twice
		if len(p.tree.Order) > 1 {
			p.tree.Order[0] = p.tree.Order[1]
		}
	case 10:
		p.tree = bvh.Plan{}
	case 11: // a rough hull of other vertices, or of one that there is not
		p.rough = nil
		for range 1 + pick(8) {
			p.rough = append(p.rough, int32(pick(len(p.hull.Vertices)+1)))
		}
	}
}

// A forged entry with a right checksum makes a form that holds its shape all the
// same, or is made again.
func TestForgedEntries(t *testing.T) {
	race.LeaveOut(t)
	r := rand.New(rand.NewPCG(9, 10))
	other, again := 0, 0
	for name, s := range subjects() {
		store := cache.Open(t.TempDir())
		want := formOf(t, s, store)
		good, ok := store.Load(keyOf(s), 1<<30)
		if !ok {
			t.Fatal("nothing was stored")
		}
		for range 25 {
			p, ok := decodePlan(good)
			if !ok {
				t.Fatal("the plan cannot be read")
			}
			forge(p, r)
			store.Save(keyOf(s), p.encode())
			f := formOf(t, s, store)
			holdsShape(t, name, s, f)
			now, ok := store.Load(keyOf(s), 1<<30)
			if !ok {
				t.Fatal("nothing is stored")
			}
			if bytes.Equal(now, good) {
				again++ // refused and drawn again, or not changed at all
				if d := cmp.Diff(want, f, forms); d != "" {
					t.Fatalf("%s: made again:\n%s", name, d)
				}
				continue
			}
			other++
			if f.open != want.open || f.exact && !want.exact {
				t.Fatalf("%s: open %v, exact %v", name, f.open, f.exact)
			}
		}
	}
	if other < 30 || again < 30 {
		t.Errorf("one-sided: %d forged plans made a form, %d were made again", other, again)
	}
}

// Of an entry on disk every byte counts: with any changed or missing it is made
// again, and is again what it was.
func TestDamagedEntries(t *testing.T) {
	s := subjects()["lid"]
	dir := t.TempDir()
	store := cache.Open(dir)
	want := formOf(t, s, store)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(files[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, formOf(t, s, store), forms); d != "" {
			t.Errorf("%s:\n%s", what, d)
		}
		if now, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(now, good) {
			t.Errorf("%s: the entry was not made again (%v)", what, err)
		}
	}
	for i := 0; i < len(good); i += 1 + len(good)/40 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x40
		try("a flipped bit", bad)
		try("cut short", good[:i])
	}
	try("something else", []byte("PNG"))
	if err := store.Err(); err != nil {
		t.Error(err)
	}
}

// FuzzPlan: whatever is decoded makes a form that holds its shape, or none. The
// shapes are small, for the sake of many tries; TestForgedEntries has large ones.
func FuzzPlan(f *testing.F) {
	shapes := subjectsOf(map[string]int{"convex": 2, "bumpy": 2, "open": 2, "two": 1, "lid": 1, "cells": 8})
	names := []string{"bumpy", "convex", "cells", "open", "two"}
	solids, parts := map[string]*mesh.Solid{}, map[string][]mesh.Component{}
	for i, name := range names {
		if m := shapes[name].Mesh; m != nil {
			solids[name], parts[name] = mesh.Topology(m)
		}
		store := cache.Open(f.TempDir())
		if _, err := newForm(context.Background(), shapes[name], store); err != nil {
			f.Fatal(err)
		}
		data, _ := store.Load(keyOf(shapes[name]), 1<<30)
		f.Add(data, uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		p, ok := decodePlan(data)
		if !ok {
			return
		}
		if !bytes.Equal(p.encode(), data) {
			t.Fatal("a plan is encoded otherwise than it was read")
		}
		name := names[int(which)%len(names)]
		s := shapes[name]
		var made *form
		var err error
		if s.Kind == shape.Cells {
			made, err = p.cells(s.Cells)
		} else {
			made, err = p.mesh(s.Mesh, solids[name], parts[name])
		}
		if err == nil {
			holdsShape(t, "fuzz", s, made)
		}
	})
}

// formBy makes the form of a mesh from a plan.
func formBy(p *plan, m *mesh.Mesh) (*form, error) {
	solid, parts := mesh.Topology(m)
	return p.mesh(m, solid, parts)
}
