package workload

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What is written is read as the same surfaces, pairs and motions, with the same
// verdicts.
func TestWrite(t *testing.T) {
	for _, name := range []string{"rklm04-pipes", "ssl04-six-irb", "zrlk07-crane-load", "zrlk07-exercise", "ssl04-bad-floor"} {
		if race.Enabled && name != "ssl04-bad-floor" {
			continue
		}
		w := inSmall(t, name)
		folder := t.TempDir()
		if err := w.Write(folder); err != nil {
			t.Fatal(err)
		}
		robot, err := urdf.Load(filepath.Join(folder, "robot.urdf"), urdf.Options{SRDF: filepath.Join(folder, "robot.srdf")})
		if err != nil {
			t.Fatal(err)
		}
		var world *scene.Snapshot
		if w.World != nil {
			if world, err = scene.Load(filepath.Join(folder, "scene.yaml"), scene.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		read := &Workload{Robot: robot, World: world}
		ours, theirs := meshes(w), meshes(read)
		if len(ours) != len(theirs) {
			t.Fatalf("%s: %d meshes are read as %d", name, len(ours), len(theirs))
		}
		for i := range ours {
			if !sameTriangles(ours[i], theirs[i]) {
				t.Errorf("%s: mesh %d is not read as it was", name, i)
			}
		}
		sameVerdicts(t, w, read, folder)
	}
}

// sameTriangles reports whether two meshes have the same triangles in the same order.
func sameTriangles(a, b *mesh.Mesh) bool {
	if len(a.Triangles) != len(b.Triangles) {
		return false
	}
	corner := func(m *mesh.Mesh, i, k int) geom.Vec { return m.Vertices[m.Triangles[i][k]] }
	for i := range a.Triangles {
		for k := range 3 {
			if corner(a, i, k) != corner(b, i, k) {
				return false
			}
		}
	}
	return true
}

func sameVerdicts(t *testing.T, w, read *Workload, folder string) {
	mine, err := w.Checker()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := ccd.New(read.Robot, read.World, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := mine.Pairs(), theirs.Pairs()
	if a.Self != b.Self || a.World != b.World {
		t.Errorf("%s: %d and %d pairs are checked, after reading %d and %d", w.Name, a.Self, a.World, b.Self, b.World)
	}
	for _, set := range w.Sets {
		motions, err := motionfile.Load(filepath.Join(folder, motionFile(set.Name)), motionfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(motions) != len(set.Motions) {
			t.Fatalf("%s/%s: %d motions are read as %d", w.Name, set.Name, len(set.Motions), len(motions))
		}
		for i, m := range set.Motions {
			a, errA := mine.Check(context.Background(), m, motion.Query{})
			b, errB := theirs.Check(context.Background(), motions[i].Motion, motion.Query{})
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if a.Status != b.Status {
				t.Errorf("%s is %v, after reading %v", m.ID, a.Status, b.Status)
			}
		}
	}
}
