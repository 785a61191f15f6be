package bvh

import (
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// The boxes below a node lead to the very point that looking at all finds first, also where
// several are equally far, and so do balls found with them.
func TestFarthestIsExact(t *testing.T) {
	r := rand.New(rand.NewSource(31))
	ms := meshes()
	ms["soup"] = soup(700, 31)
	grid := &mesh.Mesh{} // of many points at one distance
	for i := range 400 {
		at := int32(len(grid.Vertices))
		x, y := float64(i%20)-9.5, float64(i/20)-9.5
		grid.Vertices = append(grid.Vertices, geom.Vec{X: x, Y: y}, geom.Vec{X: x + 1, Y: y}, geom.Vec{X: x, Y: y + 1})
		grid.Triangles = append(grid.Triangles, [3]int32{at, at + 1, at + 2})
	}
	ms["grid"] = grid
	asked := 0
	for name, m := range ms {
		b := triangles(m, 1)
		b.build()
		for i := range b.tree.Nodes {
			nd := &b.tree.Nodes[i]
			points := b.around(nd)
			for _, c := range []geom.Vec{
				nd.Center, nd.Box.Center(),
				{},
				points[r.Intn(len(points))],
				{X: 9 * r.NormFloat64(), Y: 9 * r.NormFloat64(), Z: 9 * r.NormFloat64()},
			} {
				want, first := convex.Farthest(points, c)
				if far, at := b.farthest(int32(i), c); far != want || at != first {
					t.Fatalf("%s, node %d of %d triangles, from %v: point %d at %g, want %d at %g", name, i, nd.Count, c, at, far, first, want)
				}
				asked++
			}
			if ball := convex.MinBall(points); nd.Center != ball.Center || nd.Radius != ball.Radius {
				t.Fatalf("%s, node %d: ball %v %g, want %v %g", name, i, nd.Center, nd.Radius, ball.Center, ball.Radius)
			}
		}
	}
	if asked < 10_000 {
		t.Errorf("asked %d times only", asked)
	}
}
