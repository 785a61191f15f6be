package check

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

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
