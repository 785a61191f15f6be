package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// A mesh that many objects name is read once, and counts for each of them.
func TestMeshesOfAScene(t *testing.T) {
	const triangles, objects = 300_000, 50
	var text strings.Builder
	text.WriteString("objects:\n")
	for i := range objects {
		fmt.Fprintf(&text, "  - {id: o%d, type: mesh, mesh: big.stl}\n", i)
	}
	reads := 0
	load := func(n int) (*Snapshot, error) {
		r := newReader("s.yaml", Options{})
		r.loadMesh = func(string, geom.Vec) (mesh.File, error) {
			reads++
			m := &mesh.Mesh{Vertices: []geom.Vec{{}, {X: 1}, {Y: 1}}, Triangles: make([][3]int32, n)}
			for i := range m.Triangles {
				m.Triangles[i] = [3]int32{0, 1, 2}
			}
			return mesh.File{Mesh: m}, nil
		}
		return r.parse([]byte(text.String()))
	}
	if s, err := load(10); err != nil || len(s.Objects) != objects || reads != 1 {
		t.Errorf("%d reads: %v", reads, err)
	}
	if _, err := load(triangles); err == nil || !strings.Contains(err.Error(), fmt.Sprint(limit.SceneTriangles)) || !strings.Contains(err.Error(), "s.yaml") {
		t.Errorf("%d triangles: %v", triangles*objects, err)
	}
}

func TestTooLargeScenes(t *testing.T) {
	many := make([]Object, limit.SceneObjects+1)
	for i := range many {
		many[i] = NewBox(fmt.Sprint(i), geom.IdentityPose(), geom.Vec{X: 1, Y: 1, Z: 1})
	}
	if _, err := New("", many...); err == nil || !strings.Contains(err.Error(), fmt.Sprint(limit.SceneObjects)) {
		t.Errorf("%d objects: %v", len(many), err)
	}
	points := NewPoints("cloud", geom.IdentityPose(), make([]geom.Vec, limit.SceneTriangles+1), 0.01)
	if _, err := New("", points); err == nil || !strings.Contains(err.Error(), fmt.Sprint(limit.SceneTriangles)) {
		t.Errorf("points: %v", err)
	}
}
