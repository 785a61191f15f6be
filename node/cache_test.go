package node

import (
	"context"
	"path/filepath"
	"testing"
)

// The parameter cache keeps hierarchies of meshes where it says; without it nothing
// is kept.
func TestCacheParameter(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "wall.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	path := filepath.Join(dir, "scene.yaml")
	write(t, path, "{objects: [{id: wall, type: mesh, mesh: wall.obj, xyz: [3, 0, 0]}]}")
	kept := filepath.Join(dir, "kept")
	for _, c := range []struct {
		cache string
		want  int
	}{{"", 0}, {kept, 1}} {
		v := values(t, map[string]any{"robot_description": railURDF, "scene": path, "cache": c.cache})
		m, err := build(context.Background(), describe(v), v)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.checker.CacheError(); err != nil {
			t.Error(err)
		}
		if files, err := filepath.Glob(filepath.Join(kept, "*", "*")); err != nil || len(files) != c.want {
			t.Errorf("cache %q: %d files, %v", c.cache, len(files), err)
		}
	}
}
