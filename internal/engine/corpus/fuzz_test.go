package corpus

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// FuzzCorpus: what is read is a tree with valid shapes; the rest is an error.
// Meshes are made up, so that fuzzing does not reach the disk.
func FuzzCorpus(f *testing.F) {
	f.Add([]byte("ccdscene 1\nlink a - fixed 0 0 0 0 0 0 0 0 1 0 0\nlink b a revolute 0 0 1 0 0 0 0 1 0 -1 1\nlink c b frozen_prismatic 0 0 1 0 0 0 0 1 0 0.5 0.5\nbody b m.stl 1 1 1 0 0 0 0 0 0\nenv w m.stl 1 0 0 0 0 0\nacm a b\nacm a w\n"), []byte("seg 0 1\n"))
	f.Fuzz(func(t *testing.T, data, segments []byte) {
		s, err := parse("fuzz", data, func(string, geom.Vec) (*mesh.Mesh, error) {
			return &mesh.Mesh{Vertices: []geom.Vec{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}}}, nil
		})
		if err != nil {
			return
		}
		for i, l := range s.Robot.Links {
			if (l.ParentJoint < 0) != (i == s.Robot.Root) {
				t.Fatalf("link %s has the parent joint %d", l.Name, l.ParentJoint)
			}
		}
		for _, j := range s.Robot.Joints {
			if j.Parent >= j.Child || s.Robot.Links[j.Child].Name != j.Name {
				t.Fatalf("joint %+v", j)
			}
		}
		motions, err := s.ParseSegments("fuzz", segments)
		if err != nil {
			return
		}
		for _, m := range motions {
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
