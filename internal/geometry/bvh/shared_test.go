package bvh

import (
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// A link of a real robot and a scene of pipes: trees enclose, and inside agrees
// with the winding number wherever that is clear.
func TestRealMeshes(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "..", "shared")
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
		solid, asked, in, undecided := mesh.SolidOf(m), 0, 0, 0
		for range 300 {
			v := corners(m, int32(r.Intn(len(m.Triangles))))
			step := 0.02 * r.NormFloat64() * tr.Nodes[0].Radius * math.Pow(10, -4*r.Float64())
			p := geom.Vec{X: v[0].X + step*r.NormFloat64(), Y: v[0].Y + step*r.NormFloat64(), Z: v[0].Z + step*r.NormFloat64()}
			want := false
			for _, part := range solid.Split(m) {
				w := math.Abs(winding(part, p))
				if want = want || w > 0.5; math.Abs(w-math.Round(w)) > 1e-6 {
					step = 0 // too near the surface for it
				}
			}
			if step == 0 {
				continue
			}
			got, ok := Inside(tr, m, solid, p)
			asked++
			if !ok {
				undecided++
				continue
			}
			if got {
				in++
			}
			if got != want {
				t.Fatalf("%s: %v: inside %v, by winding %v", file, p, got, want)
			}
		}
		t.Logf("%s: %d triangles, %d points, %d inside, %d undecided", file, len(m.Triangles), asked, in, undecided)
		if undecided > 0 || asked < 20 {
			t.Errorf("%s: %d of %d points undecided", file, undecided, asked)
		}
	}
}
