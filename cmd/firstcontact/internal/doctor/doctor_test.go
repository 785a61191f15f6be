package doctor

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/node"
)

// doctor tells without a graph what the node would do, and refuses what the node would refuse.
func TestDoctor(t *testing.T) {
	const robot = "robot_description_file:=../../../../testdata/humanoid/humanoid.urdf"
	far := filepath.Join(t.TempDir(), "far.yaml")
	if err := os.WriteFile(far, []byte("objects: [{id: table, type: box, xyz: [500, 0, 800], size: [1, 1, 1]}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		parameters []string
		status     int
		says       []string
	}{
		{[]string{robot}, cli.ExitFree, []string{"ok     loaded in", "self pairs by spheres (repeated queries of", "hulls of the ranges of motion of", "built in", "ok     distance ranges: 0.01 to 0.5 m; WARN below 0.05 m"}},
		{[]string{robot, "self.method:=spacetime", "distance_range.world.min:=0.03"}, cli.ExitFree, []string{"by spacetime (as asked for)", "world 0.03 to 0.5 m"}},
		{[]string{robot, "distance_range.self.max:=0.02"}, cli.ExitBadInput, []string{"distance_range.self.max", "warn_distance"}},
		{[]string{robot, "self.method:=best"}, cli.ExitBadInput, []string{"self.method", "spheres"}},
		{nil, cli.ExitFree, []string{"a node would join domain", "self-test: all "}},
		{[]string{robot, "scene:=" + far}, cli.ExitUndecided, []string{"warn   implausible: scene-out-of-reach: ", "accept implausible:scene-out-of-reach"}},
		{[]string{robot, "scene:=" + far, "accept:=[implausible]"}, cli.ExitFree, []string{"warn   implausible: scene-out-of-reach: "}},
		{[]string{"self.method:=spheres"}, cli.ExitBadInput, []string{"robot_description_file"}},
		{[]string{"robot_description_file:=nowhere.urdf"}, cli.ExitBadInput, []string{"nowhere.urdf"}},
	} {
		args := []string{"doctor"}
		for _, p := range c.parameters {
			if len(args) == 1 {
				args = append(args, "--ros-args")
			}
			args = append(args, "-p", p)
		}
		var out, errs bytes.Buffer
		status := run(context.Background(), args, strings.NewReader(""), &out, &errs)
		text := out.String() + errs.String()
		if status != c.status {
			t.Errorf("%v: exit status %d, want %d:\n%s", c.parameters, status, c.status, text)
		}
		for _, word := range c.says {
			if !strings.Contains(text, word) {
				t.Errorf("%v lacks %q:\n%s", c.parameters, word, text)
			}
		}
	}
	var out, errs bytes.Buffer
	if status := run(context.Background(), []string{"doctor", "arm.urdf"}, strings.NewReader(""), &out, &errs); status != cli.ExitUsage {
		t.Errorf("without --ros-args: exit status %d", status)
	}
}

// Faults of the command line are told from those of files, and the node takes the parameter
// file of a bring-up.
func TestROSArguments(t *testing.T) {
	const robot = "robot_description_file:=../../../../testdata/humanoid/humanoid.urdf"
	file := filepath.Join(t.TempDir(), "bringup.yaml")
	if err := os.WriteFile(file, []byte("/**: {ros__parameters: {use_sim_time: false, publish_frequency: 50.0}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		rmw    string
		status int
		says   string
	}{
		{[]string{"node", "--ros-args", "--foo"}, "", cli.ExitUsage, `unknown argument "--foo"`},
		{[]string{"doctor", "--ros-args", "--foo"}, "", cli.ExitUsage, "Try 'firstcontact doctor --help'"},
		{[]string{"node", "--ros-args", "--log-level", "loud"}, "", cli.ExitUsage, "loud"},
		{[]string{"node", "--ros-args", "--params-file", "nowhere.yaml"}, "", cli.ExitBadInput, "nowhere.yaml"},
		{[]string{"doctor", "--ros-args", "-p", robot, "--params-file", file}, "rmw_cyclonedds_cpp", cli.ExitFree, "left to other nodes: publish_frequency"},
		{[]string{"doctor", "--ros-args", "-p", robot, "-p", "use_sim_time:=soon"}, "", cli.ExitBadInput, "true or false"},
		{[]string{"doctor", "--ros-args", "-p", robot, "--log-config-file", "x"}, "rmw_fastrtps_cpp", cli.ExitFree, "--log-config-file x has no effect"},
		{[]string{"doctor", "--ros-args", "-p", robot}, "rmw_zenoh_cpp", cli.ExitUndecided, "RMW_IMPLEMENTATION=rmw_zenoh_cpp: its nodes use Zenoh"},
	} {
		t.Setenv("RMW_IMPLEMENTATION", c.rmw)
		var out, errs bytes.Buffer
		status := run(context.Background(), c.args, strings.NewReader(""), &out, &errs)
		if text := out.String() + errs.String(); status != c.status || strings.Count(text, c.says) != 1 {
			t.Errorf("%v: exit status %d, want %d with %q:\n%s", c.args, status, c.status, c.says, text)
		}
	}
}

// A gap that is not accepted keeps every state UNKNOWN: doctor says so, and fails.
func TestDoctorTellsOfGaps(t *testing.T) {
	var out bytes.Buffer
	status := writeRemarks(&out, []node.Remark{{Level: 20, Text: "fine"}, {Level: 30, Text: "odd"}, {Level: 40, Text: "nothing will be FREE"}})
	if want := "ok     fine\nwarn   odd\nerror  nothing will be FREE\n"; out.String() != want || status != cli.Outcome(cli.ExitUndecided) {
		t.Errorf("%v: %q", status, out.String())
	}
}
