package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// The obstacles of a planning problem count, whether its file is named or comes through standard
// input, and do not where --scene names others.
func TestProblemsHaveObstacles(t *testing.T) {
	object := `[{"id": "wall", "type": "box", "size": [9, 9, 9], "xyz": [0, 0, 0], "quat_xyzw": [0, 0, 0, 1]}]`
	text := `{"robot": "humanoid", "group": "arm", "joints": ["left_elbow"], "sets": {"room": [
		{"index": 3, "start": [0], "goal": [0.1], "objects": ` + object + `},
		{"index": 7, "start": [0], "goal": [0.1], "objects": []}]}}`
	dir := t.TempDir()
	file, nothing := filepath.Join(dir, "problems.json"), filepath.Join(dir, "nothing.yaml")
	for name, text := range map[string]string{file: text, nothing: "objects: []\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	robot := []string{"check", "-q", "--no-cache", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf"}
	for _, tc := range []struct {
		name, stdin string
		args        []string
		want        int
		says        string
	}{
		{"by name", "", []string{file + "#room/3"}, cli.ExitContact, "wall"},
		{"another", "", []string{file + "#room/7"}, cli.ExitFree, "FREE"},
		{"all of the file", "", []string{file}, cli.ExitContact, "wall"},
		{"standard input", text, []string{"-"}, cli.ExitContact, "wall"},
		{"with a scene", "", []string{"--scene", nothing, file + "#room/3"}, cli.ExitFree, "FREE"},
	} {
		code, out, errs := command(t, tc.stdin, append(robot[:len(robot):len(robot)], tc.args...)...)
		if code != tc.want || !strings.Contains(out, tc.says) {
			t.Errorf("%s: status %d, want %d\n%s%s", tc.name, code, tc.want, out, errs)
		}
	}
}
