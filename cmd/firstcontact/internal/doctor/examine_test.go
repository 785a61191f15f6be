package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/node/selftest"
)

// The findings decide the exit status; each has a line with its number and its remedy.
func TestDoctorFinds(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	degrees := write("degrees.csv", "time,right_elbow,right_shoulder_pitch\n0,0,0\n1,-90,-45\n2,-60,-20\n")
	few := write("few.csv", "time,right_elbow\n0,-0.1\n1,-0.2\n")
	far := write("far.yaml", "objects: [{id: table, type: box, xyz: [500, 0, 800], size: [1, 1, 1]}]")
	late := write("late.yaml", "joint_names: [right_elbow]\npoints: [{positions: [-0.1], time_from_start: 2}, {positions: [-0.2], time_from_start: 3}]\n")
	robot := []string{"--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf"}
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{robot, cli.ExitFree, "ok     robot and scene: nothing is implausible"},
		{append(slices.Clone(robot), humanoid+"wave.csv"), cli.ExitFree, "ok     wave.csv: nothing is implausible"},
		{append(slices.Clone(robot), few), cli.ExitContact, "warn   few.csv: few-joints: "},
		{append(slices.Clone(robot), degrees), cli.ExitUndecided, "gap    degrees.csv: degrees: values look like degrees: joint right_elbow goes to -90, its limits are -2.3 and 0 rad (likewise right_shoulder_pitch) (measured 90, threshold 9.42"},
		{append(slices.Clone(robot), "--accept", "implausible:degrees", degrees), cli.ExitContact, "warn   degrees.csv: degrees: "},
		{append(slices.Clone(robot), "--scene", far), cli.ExitUndecided, "gap    robot and scene: scene-out-of-reach: "},
		{append(slices.Clone(robot), late), cli.ExitUndecided, "accept start"},
		{append(slices.Clone(robot), "--state", "right_elbow=-90"), cli.ExitUndecided, "gap    robot and scene: degrees: "},
		{append(slices.Clone(robot), "nowhere.csv"), cli.ExitBadInput, "nowhere.csv"},
		{[]string{"--scene", far}, cli.ExitUsage, "--robot is needed"},
		{[]string{"--nonsense"}, cli.ExitUsage, "--nonsense"},
		{[]string{"--help"}, cli.ExitFree, "self-test"},
	} {
		code, out, errs := command(t, "", append([]string{"doctor"}, c.args...)...)
		if code != c.want || !strings.Contains(out+errs, c.says) {
			t.Errorf("%v: exit status %d, want %d and %q:\n%s%s", c.args, code, c.want, c.says, out, errs)
		}
	}
}

// The environment is told as it is set.
func TestDoctorTellsTheEnvironment(t *testing.T) {
	t.Setenv("ROS_DOMAIN_ID", "42")
	t.Setenv("RMW_IMPLEMENTATION", "rmw_zenoh_cpp")
	code, out, errs := command(t, "", "doctor", "--json")
	var e Report
	if err := json.Unmarshal([]byte(out), &e); err != nil || code != cli.ExitFree {
		t.Fatalf("exit status %d, %v: %s%s", code, err, out, errs)
	}
	if e.Domain != 42 || e.Environment["RMW_IMPLEMENTATION"] != "rmw_zenoh_cpp" || !strings.Contains(strings.Join(e.Notes, " "), "zenoh") || e.Schema != "firstcontact/doctor/1" || e.Status != "ok" {
		t.Errorf("%+v", e)
	}
	t.Setenv("ROS_DOMAIN_ID", "x")
	if code, out, errs := command(t, "", "doctor"); code != cli.ExitBadInput || !strings.Contains(errs, "ROS_DOMAIN_ID") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}

// A wrong answer of the self-test ends with the exit status of a fault of the program, whichever
// it is.
func TestWrongAnswersFail(t *testing.T) {
	defer func() { knownAnswers = selftest.Questions }()
	right := selftest.Questions()
	for i := range right {
		for _, wrong := range []func(q *selftest.Question){
			func(q *selftest.Question) { q.Status = motion.Free + motion.Contact - q.Status },
			func(q *selftest.Question) { q.TOC += 1e-4 },
			func(q *selftest.Question) { q.TOC -= 1e-4 },
			func(q *selftest.Question) { q.Least += 1e-6 },
		} {
			asked := slices.Clone(right)
			if wrong(&asked[i]); asked[i].Status == motion.Free && right[i].Status == motion.Free && asked[i].TOC != right[i].TOC {
				continue // a free motion has no time of contact
			}
			knownAnswers = func() []selftest.Question { return asked }
			code, out, errs := command(t, "", "doctor")
			if code != cli.ExitInternal || !strings.Contains(out, "wrong  self-test, ") || !strings.Contains(errs, "trust no answer") {
				t.Errorf("%s: exit status %d: %s%s", right[i].Name, code, out, errs)
			}
		}
	}
	knownAnswers = selftest.Questions
	if code, out, _ := command(t, "", "doctor"); code != cli.ExitFree {
		t.Errorf("exit status %d: %s", code, out)
	}
}
