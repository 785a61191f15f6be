package convex

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Links of real robots: their hulls are verified and lean, and links that are
// known to be convex are found so.
func TestRealLinks(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "robots")
	if _, err := os.Stat(root); err != nil {
		t.Skip("needs ../shared/robots")
	}
	for _, c := range []struct {
		file   string
		convex bool
	}{
		{"abb_irb2400/abb_irb2400_support/meshes/irb2400/collision/link_6.stl", true},
		{"ur5e/ur_description/meshes/ur5e/collision/shoulder.stl", true},
		{"g1/meshes/left_wrist_roll_link_5010.STL", false},
	} {
		m, err := mesh.Load(filepath.Join(root, c.file), geom.Vec{X: 1, Y: 1, Z: 1})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		hull, err := HullOf(m.Vertices)
		if err != nil {
			t.Fatal(err)
		}
		if hull.Radius > 1e-14*hull.Extent() {
			t.Errorf("%s: radius %g", c.file, hull.Radius)
		}
		deviation, convex := Convexity(m, nil, &hull, 5e-5)
		if convex != c.convex {
			t.Errorf("%s: convex %v, deviation %g", c.file, convex, deviation)
		}
		simple, err := SimplifyHull(m.Vertices, 64, 5e-4)
		if err != nil || len(simple.Vertices) > 64 {
			t.Errorf("%s: simplified to %d vertices, %v", c.file, len(simple.Vertices), err)
		}
		t.Logf("%s: %d vertices, hull %d, radius %.2g, deviation %.2g; %d vertices within %.2g",
			filepath.Base(c.file), len(m.Vertices), len(hull.Vertices), hull.Radius, deviation, len(simple.Vertices), simple.Radius)
	}
}
