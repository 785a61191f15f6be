package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// TestMain keeps the tests out of the user's cache, but for what go builds in tests.
func TestMain(m *testing.M) {
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		if err := os.Setenv("GOCACHE", filepath.Join(cache, "go-build")); err != nil {
			panic(err)
		}
	}
	dir, err := os.MkdirTemp("", "firstcontact-test-")
	if err != nil {
		panic(err)
	}
	if err := os.Setenv("XDG_CACHE_HOME", dir); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func TestCacheFlags(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	entries := func(dir string) int {
		found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	free := humanoid + "trajectory_free.yaml"
	runs := func(want string, args ...string) {
		t.Helper()
		args = append([]string{"check", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", free}, args...)
		code, out, errs := command(t, "", args...)
		if code != cli.ExitFree || !strings.Contains(errs, want) || want == "" && strings.Contains(errs, "cache") {
			t.Errorf("%v: exit status %d, want %q\n%s%s", args[5:], code, want, out, errs)
		}
	}
	runs("", "--no-cache")
	if n := entries(filepath.Join(home, "firstcontact")); n != 0 {
		t.Errorf("--no-cache: %d entries", n)
	}
	runs("")
	n := entries(filepath.Join(home, "firstcontact"))
	if n == 0 {
		t.Error("nothing was kept")
	}
	dir := t.TempDir()
	runs("", "--cache", dir)
	runs("", "--cache", dir)
	if got := entries(dir); got != n {
		t.Errorf("--cache: %d entries, %d in the user's", got, n)
	}
	runs("note: cache", "--cache", filepath.Join(humanoid, "humanoid.urdf"))
	code, _, errs := command(t, "", "check", "--robot", gantry, free, "--cache", dir, "--no-cache")
	if code != cli.ExitUsage {
		t.Errorf("both flags: exit status %d\n%s", code, errs)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	runs("") // without a home there is no cache, and nothing to say
}
