package check

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// manyMotions writes files of motions of the left elbow: 96 are free, one has no
// numbers, and the rest are given.
func manyMotions(t *testing.T, more ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for i := range 96 {
		files = append(files, filepath.Join(dir, fmt.Sprintf("free%d.csv", i)))
		text := fmt.Sprintf("time,left_elbow\n0,-0.1\n1,%g\n", -0.2-0.001*float64(i))
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return append(files, more...)
}

// A hundred motions take a hundred lines, and what is to be said about them is said once.
func TestManyMotionsTakeALineEach(t *testing.T) {
	between := humanoid + "trajectory_between.yaml"
	code, out, errs := command(t, "", humanoidArgs(manyMotions(t, between, humanoid+"wave.csv", between, "nowhere.csv")...)...)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != cli.ExitBadInput || errs != "" || len(lines) > 106 {
		t.Fatalf("exit status %d, %d lines\n%s%s", code, len(lines), out, errs)
	}
	columns := regexp.MustCompile(`^(FREE     |CONTACT  |INVALID  )  (\S+ *)  (for all of 1 s$|at \d|motion: open)`)
	at := 0
	for i, line := range lines[:100] {
		m := columns.FindStringSubmatchIndex(line)
		if m == nil {
			t.Fatalf("line %d: %q", i, line)
		}
		if at = max(at, m[6]); m[6] != at {
			t.Errorf("line %d is not aligned: %q", i, line)
		}
	}
	rest := strings.Join(lines[100:], "\n")
	for _, want := range []string{
		"100 motions: 96 free, 3 contact, 1 invalid; worst: INVALID nowhere.csv; exit status 4; ",
		"held, because the motion does not name them: 29 joints: waist_yaw 0, waist_pitch 0, ",
		" (96, free0.csv first)",
		"31 pairs of bodies assumed to be allowed",
	} {
		if !strings.Contains(rest, want) {
			t.Errorf("the totals do not say %q:\n%s", want, rest)
		}
	}
	if _, out, _ := command(t, "", humanoidArgs("--details", between, between)...); strings.Count(out, "witness") != 2 || !strings.Contains(out, "2 motions: 2 contact; worst: CONTACT trajectory_between.yaml; exit status 1") {
		t.Errorf("--details:\n%s", out)
	}
}

// Each scope has its place in the line of a motion.
func TestScopesInALine(t *testing.T) {
	_, out, _ := command(t, "", humanoidArgs("--each-scope", humanoid+"trajectory_free.yaml", humanoid+"wave.csv")...)
	for _, want := range []string{
		"FREE       trajectory_free.yaml  for all of 8.5 s; self: FREE; world: FREE\n",
		"CONTACT    wave.csv              self: CONTACT at 7.301030 s, torso, right_hand; world: CONTACT at ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
}

// A motion tells which joints it holds, what precedes its contact, and what it does not cover.
func TestDetailsOfOneMotion(t *testing.T) {
	robot := clitest.Folding(t, clitest.Metre)
	for _, tc := range []struct {
		name, in string
		args     []string
		says     []string
	}{
		{"held", clitest.WristTurns, nil, []string{"held, because the motion does not name them: shoulder 0, elbow 0\n"}},
		{"it begins in contact", clitest.WristTurns, []string{"--state", "elbow=3.0"}, []string{"at 0.000000 s of 1 s", "it begins like that\n"}},
		{"beyond its limits", "time,wrist\n0,3\n1,3.2\n", nil, []string{"beyond its limits, checked as given: wrist\n"}},
		{"faster than its limit", "time,wrist\n0,0\n1,-0.5\n1.5,-1.5\n", nil, []string{"FREE", "faster than its limit (rad/s or m/s): wrist -2 at 1 s (limit 1)\n"}},
		{"held beyond its limits", clitest.WristTurns, []string{"--state", "shoulder=3.2"}, []string{"note: held beyond its limits: shoulder at 3.2, 0.1 beyond its limit 3.1\n"}},
		{"free before", "time,elbow\n0,0\n1,3\n", nil, []string{"proved: nothing touches before 0.9"}},
		{
			"a gap before a contact", "joint_names: [elbow]\npoints: [{positions: [0], time_from_start: 2}, {positions: [3.0], time_from_start: 3}]\n", nil,
			[]string{"nothing is proved about the time before\n", "not covered: ", "accept start\n"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, out, errs := command(t, tc.in, append([]string{"check", "-q", "--robot", robot, "-"}, tc.args...)...)
			for _, want := range tc.says {
				if !strings.Contains(out, want) {
					t.Errorf("nothing says %q in\n%s%s", want, out, errs)
				}
			}
		})
	}
}
