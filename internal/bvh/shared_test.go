package bvh

import (
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/mesh"
)

// A link of a real robot and a scene of pipes: trees enclose, and inside agrees
// with the winding number wherever that is clear.
func TestRealMeshes(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "shared")
	if _, err := os.Stat(shared); err != nil {
		t.Skip("needs ../shared")
	}
	r := rand.New(rand.NewSource(1))
	for _, file := range []string{"robots/g1/meshes/left_wrist_roll_link_5010.STL", "peers/corpus/pipes38k.obj"} {
		m, err := mesh.Load(filepath.Join(shared, file), geom.Vec{X: 1, Y: 1, Z: 1})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		tr := OfTriangles(m, 1)
		seen := make([]int, len(m.Triangles))
		check(t, file, tr, 1, func(k int32) []geom.Vec {
			c := corners(m, k)
			return c[:]
		}, seen)
		cs := m.Components()
		of := Labels(cs, len(m.Triangles))
		asked, in, undecided := 0, 0, 0
		for range 300 {
			c := r.Intn(len(cs))
			if !cs[c].Closed {
				continue
			}
			part := &mesh.Mesh{Vertices: m.Vertices}
			for _, k := range cs[c].Triangles {
				part.Triangles = append(part.Triangles, m.Triangles[k])
			}
			k := cs[c].Triangles[r.Intn(len(cs[c].Triangles))]
			v := corners(m, k)
			step := 0.02 * r.NormFloat64() * tr.Nodes[0].Radius * math.Pow(10, -4*r.Float64())
			p := geom.Vec{X: v[0].X + step*r.NormFloat64(), Y: v[0].Y + step*r.NormFloat64(), Z: v[0].Z + step*r.NormFloat64()}
			w := math.Abs(winding(part, p))
			if math.Abs(w-math.Round(w)) > 1e-6 {
				continue // too near the surface for it
			}
			got, ok := Inside(tr, m, of, int32(c), p)
			asked++
			if !ok {
				undecided++
				continue
			}
			if got {
				in++
			}
			if got != (math.Mod(math.Round(w), 2) == 1) {
				t.Fatalf("%s: component %d, %v: inside %v, winding %g", file, c, p, got, w)
			}
		}
		t.Logf("%s: %d triangles, %d components, %d points, %d inside, %d undecided", file, len(m.Triangles), len(cs), asked, in, undecided)
		if undecided > 0 || asked < 20 {
			t.Errorf("%s: %d of %d points undecided", file, undecided, asked)
		}
	}
}
