package node

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// The parameter cache keeps hierarchies of meshes where it says, by default in the user's
// cache, and with off nowhere.
func TestCacheParameter(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "wall.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	path := filepath.Join(dir, "scene.yaml")
	write(t, path, "{objects: [{id: wall, type: mesh, mesh: wall.obj, xyz: [3, 0, 0]}]}")
	kept, home := filepath.Join(dir, "kept"), filepath.Join(dir, "home")
	for _, c := range []struct {
		cache                string
		inKept, inHome       int
		says                 ros.Level
		unwritable, homeless bool
	}{
		{cache: "off"},
		{cache: kept, inKept: 1},
		{cache: "", inKept: 1, inHome: 1},
		{cache: "", inKept: 1, inHome: 1, homeless: true},
		{cache: "", inKept: 1, inHome: 1, unwritable: true, says: ros.LevelInfo},
		{cache: path, inKept: 1, inHome: 1, says: ros.LevelWarn},
	} {
		t.Setenv("XDG_CACHE_HOME", home)
		if c.homeless {
			t.Setenv("XDG_CACHE_HOME", "")
			t.Setenv("HOME", "")
		}
		if c.unwritable { // root may write to a read-only folder, but nobody below a file
			t.Setenv("XDG_CACHE_HOME", path)
		}
		v := values(t, map[string]any{"robot_description": railURDF, "scene": path, "cache": c.cache})
		m, err := build(context.Background(), describe(v), v)
		if err != nil {
			t.Fatal(err)
		}
		var said ros.Level
		for _, r := range m.remarks(v, time.Second) {
			if strings.Contains(r.Text, "the parameter cache names another folder") {
				said = r.Level
			}
		}
		if said != c.says {
			t.Errorf("%+v: told at level %v", c, said)
		}
		if a, b := entries(t, kept), entries(t, filepath.Join(home, "firstcontact")); a != c.inKept || b != c.inHome {
			t.Errorf("%+v: %d and %d files", c, a, b)
		}
	}
}

// entries counts the files that a cache has.
func entries(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}
