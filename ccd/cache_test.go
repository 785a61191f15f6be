package ccd

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// lamp is a robot whose link is the mesh of an L, in a world with another.
func lamp(t *testing.T, opts Options) (*Checker, *motion.Motion) {
	t.Helper()
	robot := chainOf(chainJoint{name: "turn", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: lMesh(), at: geom.IdentityPose()})
	c, err := New(robot, worldOf(object("l", scaled(lMesh(), 0.5), pose(0.9, 0.1, 0)), object("ball", ball(0.1), pose(3, 0, 0))), opts)
	if err != nil {
		t.Fatal(err)
	}
	m, err := motion.Between([]string{"turn"}, []float64{1}, []float64{-1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// With a cache, empty or full, and with one that cannot be written, the verdict is
// the same; only of the last something is told.
func TestCacheChangesNoVerdict(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	plain, m := lamp(t, Options{})
	want := ask(t, plain, m, motion.Query{})
	if want.Status != motion.Contact {
		t.Fatalf("%v", want.Status)
	}
	for i, tc := range []struct{ name, cache string }{{"empty", dir}, {"full", dir}, {"a file for a folder", file}} {
		c, m := lamp(t, Options{Cache: tc.cache})
		got := ask(t, c, m, motion.Query{})
		if got.Status != want.Status || got.TOC != want.TOC || got.Contact != want.Contact || got.Work != want.Work {
			t.Errorf("%s: %v in %v, not in %v", tc.name, got.Status, got.TOC, want.TOC)
		}
		if broken := c.CacheError() != nil; broken != (tc.cache == file) {
			t.Errorf("%s: %v", tc.name, c.CacheError())
		}
		if entries, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(entries) != 2 {
			t.Errorf("case %d: %d entries, want one for each mesh", i, len(entries))
		}
	}
}

func TestProgress(t *testing.T) {
	var mu sync.Mutex
	var told []string
	last := [2]int{}
	_, _ = lamp(t, Options{Progress: func(done, total int, what string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, what)
		if done == 1 {
			last[0] = 0
		}
		if done != last[0]+1 || done > total {
			t.Errorf("%d of %d after %d", done, total, last[0])
		}
		last = [2]int{done, total}
	}})
	if got := strings.Join(told, ", "); got != "test L, test L, sphere" && got != "test L, sphere, test L" || last != [2]int{2, 2} {
		t.Errorf("told of %q, the last %v", got, last)
	}
}
