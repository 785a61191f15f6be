package spheretree

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const sharedRobots = "../../../shared/robots"

// robotFiles lists real robots; all of them where FIRSTCONTACT_LONG is set.
func robotFiles(t *testing.T) []string {
	t.Helper()
	if _, err := os.Stat(sharedRobots); err != nil {
		t.Skip("no collection of robots beside the repository")
	}
	if !switches.Long.Set() {
		if race.Enabled {
			return []string{"panda/panda.urdf", "g1/g1_cylinders.urdf"}
		}
		return []string{"panda/panda.urdf", "g1/g1_cylinders.urdf", "baxter/baxter.urdf", "ur5e/ur5e.urdf"}
	}
	names, err := filepath.Glob(filepath.Join(sharedRobots, "*", "*.urdf"))
	if err != nil || len(names) < 23 {
		t.Fatalf("%d robots found: %v", len(names), err)
	}
	for i := range names {
		names[i], _ = filepath.Rel(sharedRobots, names[i])
	}
	return names
}

// Of every link of real robots, each triangle is inside the balls of all its
// ancestors, in interval arithmetic, and the greedy tree covers and nests.
func TestRealRobots(t *testing.T) {
	seen := map[*mesh.Mesh]bool{}
	shapes, triangles, checked := 0, 0, 0
	var took time.Duration
	for _, name := range robotFiles(t) {
		robot, err := urdf.Load(filepath.Join(sharedRobots, name), urdf.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range robot.Links {
			for _, c := range robot.Links[i].Collisions {
				if c.Shape.Mesh != nil && seen[c.Shape.Mesh] {
					continue
				}
				seen[c.Shape.Mesh] = true
				what := name + ", " + robot.Links[i].Name
				s, err := OfShape(c.Shape, 1e-3)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				start := time.Now()
				tree := mustTree(t)(s.Compact())
				took += time.Since(start)
				checked += checkCompact(t, what, tree, s.Triangles)
				checked += checkCompact(t, what+", whole", mustTree(t)(CompactOf(s.Triangles, math.Inf(1))), s.Triangles)
				shapes++
				triangles += len(s.Triangles)
				if tree.Len() <= 3000 {
					checkGreedy(t, what, mustTree(t)(s.Greedy(0)), s.Triangles)
				}
			}
		}
	}
	t.Logf("%d shapes, %d triangles, built in %v, %d corners checked against balls", shapes, triangles, took, checked)
	if shapes < 20 {
		t.Errorf("only %d shapes", shapes)
	}
}
