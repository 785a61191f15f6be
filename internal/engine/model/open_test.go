package model

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// anySolid returns a closed mesh that is not convex: hollow, thin, bent, or with slivers.
func anySolid(d chance.Dice) *mesh.Mesh {
	size := d.Spread(1e-3, 1)
	switch d.IntN(6) {
	case 0:
		return meshes.Of(meshes.Cube(size), meshes.Reversed(meshes.Cube(size*d.In(0.5, 0.999))))
	case 1:
		return meshes.Elbow(size)
	case 2:
		return meshes.Ring(size)
	case 3:
		thin := geom.Vec{X: size, Y: size * d.In(0.1, 1), Z: d.Spread(1e-6, 1e-2)}
		return meshes.Of(meshes.Block(thin), meshes.At(geom.Vec{X: 3 * size}, meshes.Block(thin)))
	case 4:
		return meshes.Of(needles(d, size), meshes.At(geom.Vec{Z: 3 * size}, meshes.Cube(size)))
	}
	return meshes.Wedges(size)
}

// needles is a prism on a saw of very thin teeth: its caps are fans of slivers.
func needles(d chance.Dice, size float64) *mesh.Mesh {
	var outline []geom.Vec
	n := 4 + d.IntN(60)
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		r := size * (1 + 1e-3*d.Float64())
		outline = append(outline, geom.Vec{X: r * math.Cos(a), Y: r * math.Sin(a)})
	}
	return meshes.Prism(outline, size*d.Spread(1e-3, 1))
}

// around returns how often a surface winds around a point, by the solid angles of its triangles.
func around(p geom.Vec, w *World, element int32) float64 {
	sum := 0.0
	for i := range w.Items {
		if w.Items[i].Element != element {
			continue
		}
		v := &w.Items[i].Vertices
		a, b, c := r3.Sub(v[0], p), r3.Sub(v[1], p), r3.Sub(v[2], p)
		la, lb, lc := geom.Norm(a), geom.Norm(b), geom.Norm(c)
		sum += 2 * math.Atan2(r3.Dot(a, r3.Cross(b, c)), la*lb*lc+r3.Dot(a, b)*lc+r3.Dot(b, c)*la+r3.Dot(c, a)*lb)
	}
	return sum / (4 * math.Pi)
}

// Points of open cells are outside all solids, and no surface is near.
func TestOpenCellsAreOutside(t *testing.T) {
	inside, outside, open := 0, 0, 0
	worlds := switches.Long.Times(800, 150)
	if race.Enabled {
		worlds /= 8 // nothing here shares memory
	}
	for i := range worlds {
		d := chance.New(77, uint64(i))
		s := &scene.Snapshot{}
		for k := range 1 + d.IntN(4) {
			m := anySolid(d)
			s.Objects = append(s.Objects, scene.NewMesh(string(rune('a'+k)), d.Pose(d.Spread(1e-3, 10)), m.Vertices, m.Triangles))
		}
		m, err := New(&urdf.Robot{Name: "none", Links: []urdf.Link{{Name: "base"}}}, s, nil, &Library{})
		if err != nil {
			t.Fatal(err)
		}
		w := m.World
		grid := newOpen(w, math.MaxInt)
		if !w.Encloses || grid == nil {
			t.Fatalf("world %d encloses nothing", i)
		}
		for range 100 {
			it := &w.Items[d.IntN(len(w.Items))]
			p := it.Vertices[d.IntN(3)]
			for _, q := range it.Vertices {
				p = r3.Add(p, r3.Scale(d.Float64()/2, r3.Sub(q, p)))
			}
			switch d.IntN(3) {
			case 0:
				p = r3.Add(p, r3.Scale(d.In(0.9, 1.1)*OpenNear, d.Unit()))
			case 1:
				p = r3.Add(p, d.Vec(d.Spread(1e-3, 1)/grid.per))
			default:
				p = r3.Add(p, d.Vec(10/grid.per))
			}
			isOpen := grid.holds(p)
			if isOpen {
				open++
				for k := range w.Items {
					at := tri.Triangle(w.Items[k].Vertices)
					if far := tri.Distance(&at, &tri.Triangle{p, p, p}).Distance; far < OpenNear {
						t.Fatalf("world %d: a triangle is %g from %v, which is said to be open", i, far, p)
					}
				}
			}
			in := false
			for e := m.First; int(e) < m.Real; e++ {
				in = in || math.Abs(around(p, w, e)) > 0.5
			}
			switch {
			case !in:
				outside++
			case isOpen:
				t.Fatalf("world %d: %v is inside a solid, and said to be open", i, p)
			default:
				inside++
			}
		}
	}
	if t.Logf("%d inside, %d outside, %d of these open", inside, outside, open); inside < 10*worlds || open < outside/8 {
		t.Error("a poor test")
	}
}

// What is beyond all solids is open, and what is no point is not.
func TestOpenBeyondTheGrid(t *testing.T) {
	grid := newOpen(worldOfBlocks(t, 2, geom.Vec{}).World, math.MaxInt)
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, p := range []geom.Vec{{X: x}, {Y: x}, {Z: x}, {X: x, Y: -10}, {X: 10, Z: x}} {
			if grid.holds(p) {
				t.Errorf("%v is said to be open", p)
			}
		}
	}
	for _, p := range []geom.Vec{{X: -0.05, Y: 1, Z: 1}, {X: 100}, {X: -100}, {Y: 100}, {Y: -100}, {Z: 100}, {Z: -100}, {X: 1, Y: 1, Z: -1e9}} {
		if !grid.holds(p) {
			t.Errorf("%v is not said to be open", p)
		}
	}
}

// The grid is made once it has been asked for often, beside the answers, which stay the same; a world that
// follows with the same solids takes it over.
func TestOpeningIsMadeAndTakenOver(t *testing.T) {
	library := &Library{}
	cubes := meshes.Of(meshes.Cube(0.5), meshes.At(geom.Vec{X: 2}, meshes.Cube(0.5)))
	object := scene.NewMesh("cubes", geom.Pose{}, cubes.Vertices, cubes.Triangles)
	at := func(x float64, more ...scene.Object) *scene.Snapshot {
		object.PoseWS = geom.Translation(geom.Vec{X: x})
		return &scene.Snapshot{Objects: append(more, object)}
	}
	compile := func(s *scene.Snapshot, before *Model) *Model {
		var frozen *World
		if before != nil {
			frozen = before.World
		}
		m, err := New(&urdf.Robot{Name: "none", Links: []urdf.Link{{Name: "base"}}}, s, nil, library)
		if err != nil {
			t.Fatal(err)
		}
		m.World = newWorld(m, frozen)
		return m
	}
	first := compile(at(0), nil)
	row := make([]int32, len(first.Elements))
	outside, inside := geom.Vec{X: 1, Y: 0.1}, geom.Vec{X: 2.1, Y: 0.1}
	for i := 0; first.World.opening.grid.Load() == nil; i++ {
		if i > 100*openAfter {
			t.Fatal("no grid is made")
		}
		if e, ok := first.World.SolidAround(outside, row, new(Segments)); e >= 0 || !ok {
			t.Fatal("a point between cubes is said to be inside")
		}
		if i > openAfter {
			time.Sleep(time.Millisecond)
		}
	}
	if e, _ := first.World.SolidAround(inside, row, new(Segments)); e < 0 || first.World.IsOpen(inside) || !first.World.IsOpen(outside) {
		t.Error("the grid tells otherwise")
	}
	ball := scene.Object{ID: "ball", PoseWS: geom.Translation(geom.Vec{Y: 3}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.1}}
	if next := compile(at(0, ball), first); next.World.opening.grid.Load() != first.World.opening.grid.Load() {
		t.Error("a world with the same solids makes another grid")
	}
	if moved := compile(at(0.3), first); moved.World.opening.grid.Load() != nil {
		t.Error("a world whose solids have moved takes the grid over")
	}
}

// The grid of large solids is made with the world that has them first, or elsewhere; that of small ones is not, and neither is one
// where large solids stand as before.
func TestOpeningOfLargeSolidsIsMadeAtOnce(t *testing.T) {
	library := &Library{}
	block := func(id string, cubes int) scene.Object {
		var all []*mesh.Mesh
		for i := range cubes {
			all = append(all, meshes.At(geom.Vec{X: float64(i % 10), Y: float64(i / 10 % 10), Z: float64(i / 100)}, meshes.Cube(0.2)))
		}
		m := meshes.Of(all...)
		return scene.NewMesh(id, geom.IdentityPose(), m.Vertices, m.Triangles)
	}
	many, few := block("many", openAtOnce/12+1), block("few", 10)
	at := func(o scene.Object, x float64) scene.Object {
		o.PoseWS = geom.Translation(geom.Vec{X: x})
		return o
	}
	robot := &urdf.Robot{Name: "none", Links: []urdf.Link{{Name: "base"}}}
	before, err := New(robot, nil, nil, library)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		what    string
		objects []scene.Object
		made    bool
	}{
		{"small solids", []scene.Object{at(few, 0)}, false},
		{"a large one", []scene.Object{at(many, 0)}, true},
		{"it has moved", []scene.Object{at(many, 0.5)}, true},
		{"a small one comes", []scene.Object{at(many, 0.5), at(few, 20)}, false},
	} {
		next, err := before.In(t.Context(), robot, &scene.Snapshot{Objects: step.objects}, nil, library)
		if err != nil {
			t.Fatal(err)
		}
		grid := next.World.opening.grid.Load()
		if (grid != nil) != step.made {
			t.Errorf("%s: a grid: %v, want %v", step.what, grid != nil, step.made)
		}
		x := step.objects[0].PoseWS.P.X
		if step.made && (next.World.IsOpen(geom.Vec{X: 3 + x, Y: 3, Z: 3}) || !next.World.IsOpen(geom.Vec{X: 3.5 + x, Y: 3.5, Z: 3.5})) {
			t.Errorf("%s: the grid is that of other solids", step.what)
		}
		before = next
	}
}

// Where triangles are so large that the grid would cost more than the world, it is not made with it.
func TestOpeningOfLongTrianglesIsNotMadeAtOnce(t *testing.T) {
	strut := func(i int) *mesh.Mesh { // from corner to corner
		x := 1e-3 * float64(i%50)
		y := 1e-3 * float64(i/50)
		return &mesh.Mesh{
			Vertices:  []geom.Vec{{X: x, Y: y}, {X: x + 1e-4, Y: y}, {X: x, Y: y + 1e-4}, {X: 1 + x, Y: 1 + y, Z: 1}},
			Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
		}
	}
	var all []*mesh.Mesh
	for i := range openAtOnce/4 + 1 {
		all = append(all, strut(i))
	}
	m := meshes.Of(all...)
	object := scene.NewMesh("struts", geom.IdentityPose(), m.Vertices, m.Triangles)
	made, err := New(&urdf.Robot{Name: "none", Links: []urdf.Link{{Name: "base"}}}, &scene.Snapshot{Objects: []scene.Object{object}}, nil, &Library{})
	if err != nil {
		t.Fatal(err)
	}
	w := made.World
	if !w.Encloses || w.opening.grid.Load() != nil {
		t.Errorf("it encloses something: %v, a grid is there: %v", w.Encloses, w.opening.grid.Load() != nil)
	}
}
