package meshes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
)

// volume is what a closed mesh encloses, negative where its faces are turned inward.
func volume(m *mesh.Mesh) (sum float64) {
	for _, t := range m.Triangles {
		sum += r3.Dot(m.Vertices[t[0]], r3.Cross(m.Vertices[t[1]], m.Vertices[t[2]])) / 6
	}
	return sum
}

// closed reports whether each edge is there once each way.
func closed(m *mesh.Mesh) bool {
	edges := map[[2]int32]int{}
	for _, t := range m.Triangles {
		for k := range 3 {
			edges[[2]int32{t[k], t[(k+1)%3]}]++
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
			return false
		}
	}
	return true
}

func TestClosedMeshes(t *testing.T) {
	const size = 2.0
	for name, c := range map[string]struct {
		m    *mesh.Mesh
		want float64
	}{
		"cube":   {Cube(size), 8 * size * size * size},
		"block":  {Block(geom.Vec{X: 1, Y: 2, Z: 3}), 48},
		"elbow":  {Elbow(size), (0.2 + 0.16) * 0.2 * size * size * size},
		"ring":   {Ring(size), (4 - 4*0.36) * 0.6 * size * size * size},
		"wedges": {Wedges(size), 2 * size * size * size / 48},
		"two":    {Of(Cube(1), At(geom.Vec{X: 9}, Cube(1))), 16},
	} {
		if got := math.Abs(volume(c.m)); !closed(c.m) || got < c.want*(1-1e-12) || got > c.want*(1+1e-12) {
			t.Errorf("%s: closed %v, volume %g, want %g", name, closed(c.m), got, c.want)
		}
	}
	inside := 0
	d := chance.New(1, 1)
	for range 4000 {
		x := d.Vec(size)
		if InElbow(x, size) {
			inside++
		}
	}
	// An elbow fills 0.9 % of the cube of twice its size.
	if inside < 10 || inside > 80 {
		t.Errorf("%d of 4000 points are in the elbow", inside)
	}
}

func TestOpenMeshes(t *testing.T) {
	d := chance.New(2, 1)
	for _, m := range []*mesh.Mesh{Soup(d, 5, 1), Shards(d, 5, geom.Vec{X: 1, Y: 1, Z: 1}), Slivers(d, geom.Vec{X: 100})} {
		if closed(m) || len(m.Triangles) < 3 {
			t.Errorf("%d triangles, closed: %v", len(m.Triangles), closed(m))
		}
		for _, t3 := range m.Triangles {
			for _, v := range t3 {
				if int(v) >= len(m.Vertices) {
					t.Fatalf("vertex %d of %d", v, len(m.Vertices))
				}
			}
		}
	}
}
