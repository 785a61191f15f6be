package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// meshFile identifies a mesh.
type meshFile struct {
	path  string
	scale geom.Vec
}

// readMesh reads a mesh file, once for each path and scale, and counts its triangles for the
// object that uses it.
func (r *reader) readMesh(path string, scale geom.Vec) (*mesh.Mesh, error) {
	key := meshFile{path, scale}
	m := r.meshes[key]
	if m == nil {
		var err error
		if m, err = r.loadMesh(path, scale); err != nil {
			return nil, err
		}
		if r.meshes == nil {
			r.meshes = map[meshFile]*mesh.Mesh{}
		}
		r.meshes[key] = m
	}
	return m, r.count(len(m.Triangles))
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
