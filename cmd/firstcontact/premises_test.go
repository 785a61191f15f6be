package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// folding is an arm of three bars whose third lies on the first where the elbow is at
// 3; bars as long as given, by their size or by a mesh's scale.
func folding(t *testing.T, size string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("<robot name='folding'>")
	for _, link := range []string{"base", "upper", "fore", "tool"} {
		b.WriteString("<link name='" + link + "'><collision><origin xyz='0.25 0 0'/><geometry><box size='" + size + "'/></geometry></collision></link>")
	}
	joint := func(name, parent, child, axis string) {
		b.WriteString("<joint name='" + name + "' type='revolute'><parent link='" + parent + "'/><child link='" + child +
			"'/><origin xyz='0.5 0 0'/><axis xyz='" + axis + "'/><limit lower='-3.1' upper='3.1' effort='1' velocity='1'/></joint>")
	}
	joint("shoulder", "base", "upper", "0 0 1")
	joint("elbow", "upper", "fore", "0 0 1")
	joint("wrist", "fore", "tool", "1 0 0")
	b.WriteString("</robot>")
	file := filepath.Join(t.TempDir(), "folding.urdf")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const (
	metre      = "0.4 0.1 0.1"
	millimetre = "400 100 100" // read as metres

	wristTurns = "time,wrist\n0,0\n1,1\n"
	late       = "joint_names: [shoulder, elbow, wrist]\npoints: [{positions: [0, 0, 0], time_from_start: 2}, {positions: [0, 0, 1], time_from_start: 3}]\n"
	carrying   = "trajectory: [{joint_trajectory: {joint_names: [wrist], points: [{positions: [0], time_from_start: 0}, {positions: [1], time_from_start: 1}]}}]\n" +
		"trajectory_start: {joint_state: {name: [wrist], position: [0]}, attached_collision_objects: [{link_name: tool, object: {id: mug}}]}\n"
)

// A motion with a gap in its input is never free, unless the gap is accepted by name.
func TestOpenInputIsUndecided(t *testing.T) {
	robot, huge := folding(t, metre), folding(t, millimetre)
	for _, tc := range []struct {
		name string
		args []string
		in   string
		want int
		says string
	}{
		{"all is said", []string{"check", "-q", "--robot", robot, "-"}, wristTurns, cli.ExitFree, "FREE"},
		{"folded by --state", []string{"check", "-q", "--robot", robot, "--state", "elbow=3.0", "-"}, wristTurns, cli.ExitContact, "CONTACT self"},
		{"distance when folded", []string{"distance", "-q", "--robot", robot, "--state", "elbow=3.0"}, "", cli.ExitContact, "touch"},
		{"millimetres", []string{"check", "-q", "--robot", huge, "-"}, wristTurns, cli.ExitBadInput, "no pair of bodies"},
		{"millimetres and a world", []string{"distance", "-q", "--robot", huge, "--scene", farBall(t)}, "", cli.ExitUndecided, "--accept default-pairs:folding"},
		{"millimetres accepted", []string{"distance", "-q", "--robot", huge, "--scene", farBall(t), "--accept", "default-pairs", "--accept", "implausible"}, "", cli.ExitFree, "scene"},
		{"millimetres in a motion", []string{"check", "-q", "--robot", huge, "--scene", farBall(t), "-"}, wristTurns, cli.ExitUndecided, "units and the scale"},
		{"late start", []string{"check", "-q", "--robot", robot, "-"}, late, cli.ExitUndecided, "accept start"},
		{"late start accepted", []string{"check", "-q", "--robot", robot, "--accept", "start", "-"}, late, cli.ExitFree, "accepted: start"},
		{"a recording", []string{"check", "-q", "--robot", robot, "-"}, "time,wrist\n100,0\n101,1\n", cli.ExitFree, "FREE, proved from 100 s to 101 s"},
		{"known start", []string{"check", "-q", "--robot", robot, "--state", "shoulder=0,elbow=0,wrist=0", "-"}, late, cli.ExitFree, "FREE"},
		{"carried object", []string{"check", "-q", "--robot", robot, "-"}, carrying, cli.ExitUndecided, "accept attached-objects:mug"},
		{"carried object accepted", []string{"check", "-q", "--robot", robot, "--accept", "attached-objects:mug", "-"}, carrying, cli.ExitFree, "accepted: attached-objects mug"},
		{"accepting another", []string{"check", "-q", "--robot", robot, "--accept", "attached-objects:cup", "-"}, carrying, cli.ExitUndecided, "mug"},
		{"accepting nonsense", []string{"check", "-q", "--robot", robot, "--accept", "all", "-"}, carrying, cli.ExitUsage, "default-pairs, start"},
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
	_, out, _ := command(t, wristTurns, "check", "-q", "--json", "--robot", folding(t, metre), "-")
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
	if _, out, _ := command(t, wristTurns, "check", "-q", "--premises", "--robot", folding(t, metre), "-"); !strings.Contains(out, "rests on: left-out base upper: adjacent") || !strings.Contains(out, "rests on: held shoulder") {
		t.Errorf("not all premises are printed:\n%s", out)
	}
}
