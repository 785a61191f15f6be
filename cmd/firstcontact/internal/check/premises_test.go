package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

const millimetre = "400 100 100" // read as metres

// A motion with a gap in its input is never free, unless the gap is accepted by name.
func TestOpenInputIsUndecided(t *testing.T) {
	robot, huge := clitest.Folding(t, clitest.Metre), clitest.Folding(t, millimetre)
	for _, tc := range []struct {
		name string
		args []string
		in   string
		want int
		says string
	}{
		{"all is said", []string{"check", "-q", "--robot", robot, "-"}, clitest.WristTurns, cli.ExitFree, "FREE"},
		{"folded by --state", []string{"check", "-q", "--robot", robot, "--state", "elbow=3.0", "-"}, clitest.WristTurns, cli.ExitContact, "CONTACT self"},
		{"distance when folded", []string{"distance", "-q", "--robot", robot, "--state", "elbow=3.0"}, "", cli.ExitContact, "touch"},
		{"millimetres", []string{"check", "-q", "--robot", huge, "-"}, clitest.WristTurns, cli.ExitBadInput, "no pair of bodies"},
		{"millimetres and a world", []string{"distance", "-q", "--robot", huge, "--scene", farBall(t)}, "", cli.ExitUndecided, "--accept default-pairs:folding"},
		{"millimetres accepted", []string{"distance", "-q", "--robot", huge, "--scene", farBall(t), "--accept", "default-pairs", "--accept", "implausible"}, "", cli.ExitFree, "scene"},
		{"millimetres in a motion", []string{"check", "-q", "--robot", huge, "--scene", farBall(t), "-"}, clitest.WristTurns, cli.ExitUndecided, "units and the scale"},
		{"late start", []string{"check", "-q", "--robot", robot, "-"}, clitest.Late, cli.ExitUndecided, "accept start"},
		{"late start accepted", []string{"check", "-q", "--robot", robot, "--accept", "start", "-"}, clitest.Late, cli.ExitFree, "accepted: start"},
		{"a recording", []string{"check", "-q", "--robot", robot, "-"}, "time,wrist\n100,0\n101,1\n", cli.ExitFree, "FREE, proved from 100 s to 101 s"},
		{"known start", []string{"check", "-q", "--robot", robot, "--state", "shoulder=0,elbow=0,wrist=0", "-"}, clitest.Late, cli.ExitFree, "FREE"},
		{"carried object", []string{"check", "-q", "--robot", robot, "-"}, clitest.Carrying, cli.ExitUndecided, "accept attached-objects:mug"},
		{"carried object accepted", []string{"check", "-q", "--robot", robot, "--accept", "attached-objects:mug", "-"}, clitest.Carrying, cli.ExitFree, "accepted: attached-objects mug"},
		{"accepting another", []string{"check", "-q", "--robot", robot, "--accept", "attached-objects:cup", "-"}, clitest.Carrying, cli.ExitUndecided, "mug"},
		{"accepting nonsense", []string{"check", "-q", "--robot", robot, "--accept", "all", "-"}, clitest.Carrying, cli.ExitUsage, "default-pairs, start"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := command(t, tc.in, tc.args...)
			if code != tc.want || !strings.Contains(out+errs, tc.says) {
				t.Errorf("exit status %d, want %d and %q\n%s%s", code, tc.want, tc.says, out, errs)
			}
		})
	}
}

func farBall(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "far.yaml")
	if err := os.WriteFile(file, []byte("objects:\n- {id: far, type: sphere, radius: 0.1, xyz: [0, 90000, 0]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// --json lists all premises, --premises prints them.
func TestPremisesAreListed(t *testing.T) {
	_, out, _ := command(t, clitest.WristTurns, "check", "-q", "--json", "--robot", clitest.Folding(t, clitest.Metre), "-")
	var r struct {
		Premises []struct {
			Kind  string
			Names []string
			Value float64
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, p := range r.Premises {
		count[p.Kind]++
	}
	if count["left-out"] != 3 || count["held"] != 2 || len(count) != 2 {
		t.Errorf("premises %v, want three adjacent pairs and two held joints", count)
	}
	if _, out, _ := command(t, clitest.WristTurns, "check", "-q", "--premises", "--robot", clitest.Folding(t, clitest.Metre), "-"); !strings.Contains(out, "rests on: left-out base upper: adjacent") || !strings.Contains(out, "rests on: held shoulder") {
		t.Errorf("not all premises are printed:\n%s", out)
	}
}
