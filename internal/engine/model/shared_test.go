package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Forms of real links are the same as found and as remembered, and no entry is
// refused: that would only be slow, and nobody would notice. FIRSTCONTACT_LONG takes
// every robot there is.
func TestRememberedRobots(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "robots")
	if _, err := os.Stat(root); err != nil {
		t.Skip("needs ../shared/robots")
	}
	robots := []string{"panda/panda.urdf", "atlas/atlas.urdf"}
	if switches.Long.Set() {
		robots, _ = filepath.Glob(filepath.Join(root, "*", "*.urdf"))
		for i := range robots {
			robots[i], _ = filepath.Rel(root, robots[i])
		}
	}
	seen, n := map[*mesh.Mesh]bool{}, 0
	for _, name := range robots {
		robot, err := urdf.Load(filepath.Join(root, name), urdf.Options{})
		if err != nil {
			t.Logf("%s is left out: %v", name, err)
			continue
		}
		store := cache.Open(t.TempDir())
		for i := range robot.Links {
			for _, c := range robot.Links[i].Collisions {
				if c.Shape.Mesh == nil || seen[c.Shape.Mesh] {
					continue
				}
				seen[c.Shape.Mesh] = true
				n++
				found := formOf(t, c.Shape, store)
				data, ok := store.Load(meshKey(c.Shape.Mesh), planBytes(len(c.Shape.Mesh.Vertices), len(c.Shape.Mesh.Triangles)))
				if !ok {
					t.Fatalf("%s: nothing was stored", c.Shape.Source)
				}
				p, ok := decodePlan(data)
				if !ok {
					t.Fatalf("%s: the plan cannot be read", c.Shape.Source)
				}
				remembered, err := formBy(p, c.Shape.Mesh)
				if err != nil {
					t.Fatalf("%s: %v", c.Shape.Source, err)
				}
				if d := cmp.Diff(found, remembered, forms); d != "" {
					t.Errorf("%s: remembered otherwise:\n%.2000s", c.Shape.Source, d)
				}
			}
		}
	}
	t.Logf("%d meshes", n)
	if n < 20 {
		t.Errorf("only %d meshes were compared", n)
	}
}
