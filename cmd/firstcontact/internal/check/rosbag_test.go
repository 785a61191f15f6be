package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

const bags = "../../../../rosbag/testdata/"

// Recordings are checked as other motions are. The arm's tip turns from the x axis to
// (cos 0.5 + cos 0.5, sin 0.5 - sin 0.5) while its elbow moves to (0.88, 0.48).
func TestCheckRecordings(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	far := put("far.yaml", "objects: [{id: box, type: box, xyz: [0, 3, 0], size: [0.1, 0.1, 0.1]}]")
	near := put("near.yaml", "objects: [{id: box, type: box, xyz: [0.8, 0.44, 0], size: [0.1, 0.1, 0.1]}]")
	whole, err := os.ReadFile(bags + "zstd.mcap")
	if err != nil {
		t.Fatal(err)
	}
	cut := put("cut.mcap", string(whole[:len(whole)/2]))
	arm := func(scene string, args ...string) []string {
		return append([]string{"check", "-q", "--robot", "../../../../testdata/two_link.urdf", "--scene", scene}, args...)
	}
	for name, c := range map[string]struct {
		args  []string
		stdin string
		want  int
		says  string
	}{
		"free":                  {arm(far, bags+"states.mcap"), "", cli.ExitFree, "states.mcap:/joint_states: FREE, proved for all of 2 s"},
		"contact":               {arm(near, bags+"states.mcap"), "", cli.ExitContact, "states.mcap:/joint_states: CONTACT world: upper and box"},
		"trajectories":          {arm(far, "--topic", "arm_controller/joint_trajectory", bags+"lz4.mcap"), "", cli.ExitFree, "lz4.mcap:/arm_controller/joint_trajectory#3"},
		"two topics":            {arm(near, "--topic", "/joint_states", "--topic", "/display_planned_path", bags+"chunked.mcap"), "", cli.ExitContact, "chunked.mcap:/display_planned_path#1"},
		"which topic":           {arm(far, bags+"zstd.mcap"), "", cli.ExitBadInput, "--topic NAME: /arm_controller/joint_trajectory"},
		"cut short":             {arm(far, "--topic", "joint_states", cut), "", cli.ExitUndecided, "recording-gap"},
		"cut short, accepted":   {arm(far, "--topic", "joint_states", "--accept", "recording-gap", cut), "", cli.ExitFree, "FREE"},
		"contact after the cut": {arm(near, "--topic", "joint_states", cut), "", cli.ExitUndecided, "cut short"},
		"no recording":          {arm(far, "--topic", "joint_states", "../../../../testdata/humanoid/wave.csv"), "", cli.ExitBadInput, "wave.csv: INVALID: --topic chooses from a recording"},
		"standard input":        {arm(far, "-"), string(whole), cli.ExitBadInput, "standard input: is a recording"},
	} {
		code, out, errs := command(t, c.stdin, c.args...)
		if code != c.want || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s: exit status %d, want %d and %q\n%s%s", name, code, c.want, c.says, out, errs)
		}
	}
}

// The error of a file that cannot be read names it once.
func TestErrorsNameTheFileOnce(t *testing.T) {
	const file = "../../../../rosbag/testdata/json.mcap"
	code, out, errs := command(t, "", "check", "-q", "--robot", gantry, file)
	if code != cli.ExitBadInput || strings.Count(out+errs, "json.mcap") != 1 || !strings.HasPrefix(out, file+": INVALID: topic /joint_states: ") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	code, out, errs = command(t, "", "check", "-q", "--robot", gantry, file, file)
	if code != cli.ExitBadInput || strings.Count(out+errs, "json.mcap") != 3 { // the totals name the worst
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
}
