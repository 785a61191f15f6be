package scene

import (
	"fmt"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// meshFile identifies a mesh.
type meshFile struct {
	path  string
	scale geom.Vec
	up    string // the axis that points up, where the scene says so
}

// readMesh reads a mesh file for an object, once for each key, counts its triangles for the
// object and notes what it leaves open.
func (r *reader) readMesh(id string, key meshFile) (*mesh.Mesh, error) {
	f, known := r.meshes[key]
	if !known {
		var err error
		if f, err = r.loadMesh(key.path, key.scale); err != nil {
			return nil, err
		}
		if key.up == "y" {
			f.Mesh = yUp(f.Mesh)
		}
		if r.meshes == nil {
			r.meshes = map[meshFile]mesh.File{}
		}
		r.meshes[key] = f
	}
	r.meshGaps(id, key.path, f.Gaps, key.up != "")
	return f.Mesh, r.count(len(f.Mesh.Triangles))
}

// meshGaps adds what the mesh of an object leaves open. upright says that the scene tells which
// axis points up.
func (r *reader) meshGaps(id, path string, gaps []premise.Premise, upright bool) {
	for _, g := range gapsOfMesh(id, path, gaps) {
		if !upright || g.Kind != premise.MeshAxes {
			r.gaps = append(r.gaps, g)
		}
	}
}

// gapsOfMesh returns the gaps of a mesh file, named after the object that has the mesh.
func gapsOfMesh(id, path string, gaps []premise.Premise) []premise.Premise {
	var out []premise.Premise
	for _, g := range gaps {
		g.Names = []string{id}
		g.Detail = fmt.Sprintf("object %s, %s: %s", id, filepath.Base(path), g.Detail)
		out = append(out, g)
	}
	return out
}

// yUp returns the mesh turned by 90 degrees about x, so that its y axis points up.
func yUp(m *mesh.Mesh) *mesh.Mesh {
	m = m.Clone()
	for i, v := range m.Vertices {
		m.Vertices[i] = geom.Vec{X: v.X, Y: -v.Z + 0, Z: v.Y}
	}
	return m
}

// count adds the triangles, cells or points of one more object, so that a small file cannot
// exhaust memory by references to a large one.
func (r *reader) count(n int) error {
	r.triangles += n
	return checkTriangles(r.triangles)
}

func checkTriangles(n int) error {
	if n > limit.SceneTriangles {
		return fmt.Errorf("the objects so far have %d triangles, cells and points together, more than %d: simplify meshes, prune octrees or place fewer", n, limit.SceneTriangles)
	}
	return nil
}

// checkSize fails on a scene that exceeds the limits.
func checkSize(s *Snapshot) error {
	if n := len(s.Objects); n > limit.SceneObjects {
		return fmt.Errorf("the scene has %d objects, more than %d: give many small ones as one (points, cells, an octree or a mesh)", n, limit.SceneObjects)
	}
	n := 0
	for i := range s.Objects {
		sh := s.Objects[i].Shape
		if sh == nil {
			continue
		}
		n += len(sh.Points) + len(sh.Cells)
		if sh.Mesh != nil {
			n += len(sh.Mesh.Triangles)
		}
		if err := checkTriangles(n); err != nil {
			return fmt.Errorf("object %s: %w", s.Objects[i].ID, err)
		}
	}
	return nil
}
