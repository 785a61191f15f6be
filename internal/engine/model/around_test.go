package model

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// blocks is a grid of n x n x n unit cubes, each wall between two stored once, dented
// at one corner so that no hull stands for it.
func blocks(n int) (vertices []geom.Vec, triangles [][3]int32) {
	at := map[geom.Vec]int32{}
	vertex := func(p geom.Vec) int32 {
		i, known := at[p]
		if !known {
			i = int32(len(vertices))
			if at[p] = i; p == (geom.Vec{}) {
				p = geom.Vec{X: 0.25, Y: 0.25, Z: 0.25}
			}
			vertices = append(vertices, p)
		}
		return i
	}
	for axis := range 3 {
		size := [3]int{n, n, n}
		size[axis]++
		for x := range size[0] {
			for y := range size[1] {
				for z := range size[2] {
					corner := func(u, v int) int32 {
						c := [3]float64{float64(x), float64(y), float64(z)}
						c[(axis+1)%3] += float64(u)
						c[(axis+2)%3] += float64(v)
						return vertex(geom.Vec{X: c[0], Y: c[1], Z: c[2]})
					}
					triangles = append(triangles,
						[3]int32{corner(0, 0), corner(1, 0), corner(1, 1)}, [3]int32{corner(0, 0), corner(1, 1), corner(0, 1)})
				}
			}
		}
	}
	return vertices, triangles
}

func worldOfBlocks(t *testing.T, n int, at ...geom.Vec) *Model {
	t.Helper()
	s := &scene.Snapshot{}
	for i, p := range at {
		v, k := blocks(n)
		s.Objects = append(s.Objects, scene.NewMesh(string(rune('a'+i)), geom.Translation(p), v, k))
	}
	m, err := New(&urdf.Robot{Name: "none", Links: []urdf.Link{{Name: "base"}}}, s, nil, &Library{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Blocks that share walls are solid, and where two of them overlap one is found.
func TestSolidAroundBlocks(t *testing.T) {
	m := worldOfBlocks(t, 2, geom.Vec{}, geom.Vec{X: 1.3, Y: 0.6})
	row := make([]int32, len(m.Elements))
	for p, want := range map[geom.Vec]bool{
		{X: 0.6, Y: 0.5, Z: 0.5}: true, {X: 1.7, Y: 1.7, Z: 0.3}: true, {X: 3.1, Y: 2.5, Z: 1.9}: true,
		{X: 2.5, Y: 0.1, Z: 0.5}: false, {X: 0.1, Y: 2.5, Z: 1}: false, {X: 0.05, Y: 0.05, Z: 0.05}: false,
		{X: 1, Y: 1.2, Z: 0.7}: true, // on a wall
	} {
		if got, ok := m.World.SolidAround(p, row, new(Segments)); !ok || (got >= 0) != want {
			t.Errorf("%v: %d, %v; inside is %v", p, got, ok, want)
		}
	}
	for i := range m.Bodies {
		if m.Bodies[i].Open || m.Bodies[i].Ambiguous {
			t.Errorf("%+v", m.Bodies[i])
		}
	}
}

// A segment through edges tells nothing.
func TestSegmentsThroughEdgesOfTheWorld(t *testing.T) {
	m := worldOfBlocks(t, 2, geom.Vec{})
	row := make([]int32, len(m.Elements))
	for end, ok := range map[geom.Vec]bool{{X: 9, Y: 1.5, Z: 1.5}: false, {X: 9, Y: 1.7, Z: 1.5}: true} {
		c := casting{w: m.World, x: geom.Vec{X: 0.5, Y: end.Y, Z: end.Z}, row: row, Segments: new(Segments), only: -1, shell: -1}
		if _, got := c.cast(end); got != ok {
			t.Errorf("to %v: %v", end, got)
		}
	}
}

// What hangs together in more ways than are sorted out is named, and counts as inside
// wherever it may be; what is clear of it is outside, also with two such objects.
func TestAmbiguousWorld(t *testing.T) {
	m := worldOfBlocks(t, 8, geom.Vec{}, geom.Vec{X: 20, Y: 1})
	for i := range m.Bodies {
		if b := &m.Bodies[i]; !b.Ambiguous || b.Open {
			t.Errorf("%+v", b)
		}
	}
	row := make([]int32, len(m.Elements))
	for x := 0.13; x < 30; x += 0.71 {
		for y := -1.9; y < 11; y += 0.83 {
			p := geom.Vec{X: x, Y: y, Z: 3.3}
			want := x < 8 && y > 0 && y < 8 || x > 20 && x < 28 && y > 1 && y < 9
			if got, ok := m.World.SolidAround(p, row, new(Segments)); !ok || (got >= 0) != want {
				t.Errorf("%v: %d, %v; inside is %v", p, got, ok, want)
			}
		}
	}
	if got, ok := m.World.SolidAround(geom.Vec{X: math.Inf(1)}, row, new(Segments)); !ok || got >= 0 {
		t.Errorf("far away: %d, %v", got, ok)
	}
}

// Where each segment from a point meets an edge or a vertex, nothing is said about it.
func TestSolidAroundDoesNotGuess(t *testing.T) {
	const size = 5.000000000000004 // half the world's: five metres, and what is rounded
	box := World{Box: geom.Box{Min: geom.Vec{X: -size, Y: -size, Z: -size}, Max: geom.Vec{X: size, Y: size, Z: size}}}
	for left := range 2 { // segments that miss the vertices
		var rays []geom.Vec
		for attempt := left; attempt < attempts; attempt++ {
			rays = append(rays, r3.Scale(1./8, box.beyond(geom.Vec{}, attempt)))
		}
		urchin := meshes.Urchin(rays)
		s := &scene.Snapshot{Objects: []scene.Object{scene.NewMesh("urchin", geom.IdentityPose(), urchin.Vertices, urchin.Triangles)}}
		m, err := New(&urdf.Robot{Name: "none", Links: []urdf.Link{{Name: "base"}}}, s, nil, &Library{})
		if err != nil {
			t.Fatal(err)
		}
		if m.World.Box != box.Box {
			t.Fatalf("the box is %v", m.World.Box)
		}
		if in, ok := m.World.SolidAround(geom.Vec{}, make([]int32, len(m.Elements)), new(Segments)); ok != (left > 0) || ok != (in >= 0) {
			t.Errorf("%d of %d segments meet no vertex: %d, %v", left, attempts, in, ok)
		}
	}
}
