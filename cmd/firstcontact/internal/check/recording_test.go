package check

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// folds is a recording of the elbow, as ros2 topic echo --csv prints it, every 20 ms from a
// position on to another, with a pause of a second in the middle.
func folds(to float64, pause bool) string {
	var b strings.Builder
	for i := range 51 {
		at := 1_700_000_000_000 + int64(i)*20
		if pause && i > 25 {
			at += 1000
		}
		fmt.Fprintf(&b, "%d,%d,base,shoulder,elbow,0.0,%g,,\n", at/1000, at%1000*1_000_000, to*float64(i)/50)
	}
	return b.String()
}

// What a recording does not measure keeps it from being free, and a verdict says what it
// assumes between the samples.
func TestRecordings(t *testing.T) {
	robot := clitest.Folding(t, clitest.Metre)
	for _, tc := range []struct {
		name, in string
		args     []string
		want     int
		says     []string
	}{
		{"free", folds(1, false), nil, cli.ExitFree, []string{"FREE", "rests on: between-samples: the motion was measured; between samples, up to 0.02 s apart"}},
		{"contact", folds(3.1, false), nil, cli.ExitContact, []string{"CONTACT self", "the contact lies between samples at 0.", "straight lines"}},
		{"a pause", folds(1, true), nil, cli.ExitUndecided, []string{"proved free until 0.500000 s", "accept recording-gap:shoulder"}},
		{"a pause accepted", folds(1, true), []string{"--accept", "recording-gap"}, cli.ExitFree, []string{"accepted: recording-gap elbow"}},
		{"a pause relied on", folds(1, true), []string{"--max-gap", "1.1"}, cli.ExitFree, []string{"up to 1.02 s apart"}},
		{"a joint alone", folds(1, false), []string{"--joints", "elbow"}, cli.ExitFree, []string{"FREE", "shoulder"}},
		{"a table with a hole", "time,elbow,wrist\n0,0,0\n0.5,,1\n1,1,1\n", nil, cli.ExitBadInput, []string{"column elbow is empty", "--recording"}},
		{"a table that was measured", "time,elbow,wrist\n0,0,0\n0.5,,1\n1,1,1\n", []string{"--recording"}, cli.ExitFree, []string{"FREE", "between-samples"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := command(t, tc.in, append([]string{"check", "-q", "--robot", robot, "-"}, tc.args...)...)
			for _, want := range tc.says {
				if code != tc.want || !strings.Contains(out+errs, want) {
					t.Errorf("exit status %d, want %d and %q\n%s%s", code, tc.want, want, out, errs)
				}
			}
		})
	}
}

// A joint that turns without end takes the short way between two samples, also where another
// joint is measured in between, and a joint with limits does not.
func TestTurnsOfRecordings(t *testing.T) {
	const robot = `<robot name='r'><link name='base'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>
<link name='arm'><collision><origin xyz='1 0 0'/><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link><link name='tip'/>
<joint name='turn' type='KIND'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/><limit lower='-6' upper='6' effort='1' velocity='1'/></joint>
<joint name='slide' type='prismatic'><parent link='arm'/><child link='tip'/><axis xyz='1 0 0'/><limit lower='0' upper='1' effort='1' velocity='1'/></joint></robot>`
	const post = "objects:\n  - {id: post, type: sphere, radius: 0.1, xyz: [1, 0, 0]}\n"
	const rows = "0,0,,turn,slide,3.1,0.0,,\n0,10000000,,slide,0.1,,\n0,20000000,,turn,slide,-3.1,0.2,,\n"
	dir := t.TempDir()
	scene := write(t, filepath.Join(dir, "post.yaml"), post)
	for kind, want := range map[string]int{"continuous": cli.ExitFree, "revolute": cli.ExitContact} {
		file := write(t, filepath.Join(dir, kind+".urdf"), strings.Replace(robot, "KIND", kind, 1))
		code, out, errs := command(t, rows, "check", "-q", "--robot", file, "--scene", scene, "--accept", "recording-gap", "--accept", "implausible", "-")
		if code != want {
			t.Errorf("%s: exit status %d, want %d\n%s%s", kind, code, want, out, errs)
		}
	}
}
