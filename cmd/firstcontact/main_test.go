package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

const (
	gantry   = "../../testdata/gantry.urdf"
	humanoid = "../../testdata/humanoid/"

	lever     = "../../testdata/pairs/lever" // .urdf and .srdf
	crane     = "../../testdata/corpus/crane.scene"
	craneSegs = "../../testdata/corpus/crane.segs"
)

// command runs a command line on a standard input.
func command(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(stdin), &o, &e)
	return code, o.String(), e.String()
}

func humanoidArgs(more ...string) []string {
	return append([]string{
		"check", "-q", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml",
	}, more...)
}

func TestExitStatuses(t *testing.T) {
	truncated := filepath.Join(t.TempDir(), "truncated.urdf")
	if err := os.WriteFile(truncated, []byte("<robot name='r'><link name='a'>"), 0o600); err != nil {
		t.Fatal(err)
	}
	free, between := humanoid+"trajectory_free.yaml", humanoid+"trajectory_between.yaml"
	for _, tc := range []struct {
		name  string
		args  []string
		stdin string
		want  int
		says  string // on either stream
	}{
		{"free", humanoidArgs(free), "", cli.ExitFree, "FREE, proved for all of 8.5 s"},
		{"contact", humanoidArgs(between), "", cli.ExitContact, "CONTACT world: left_hand and post"},
		{"clearance", humanoidArgs("--clearance", "0.02", free), "", cli.ExitClearance, "CLEARANCE world: right_hand and handle"},
		{"contact outranks clearance", humanoidArgs("--clearance", "0.02", between), "", cli.ExitContact, "CONTACT"},
		{"clearance kept", humanoidArgs("--clearance", "0.01", free), "", cli.ExitFree, "farther than 10.00 mm"},
		{"undecided", humanoidArgs("--deadline", "1ns", free), "", cli.ExitUndecided, "UNDECIDED"},
		{"worst of several", humanoidArgs("-j", "1", free, between, free), "", cli.ExitContact, "CONTACT"},
		{"bad file outranks contact", humanoidArgs(between, "nowhere.yaml"), "", cli.ExitBadInput, "nowhere.yaml"},
		{"standard input", humanoidArgs("-"), "time,left_elbow\n0,0.1\n1,0.2\n", cli.ExitFree, "FREE"},
		{"not a number", humanoidArgs("-"), "time,left_elbow\n0,0.1\n1,nan\n", cli.ExitBadInput, "left_elbow"},
		{"unknown joint", humanoidArgs("-"), "time,left_elbov\n0,0.1\n1,0.2\n", cli.ExitBadInput, "left_elbov"},
		{"time runs back", humanoidArgs("-"), "time,left_elbow\n1,0.1\n0,0.2\n", cli.ExitBadInput, "standard input"},
		{"nothing on standard input", humanoidArgs("-"), "", cli.ExitBadInput, "standard input"},
		{"no robot", []string{"check", "a.yaml"}, "", cli.ExitUsage, "robot"},
		{"no motion", []string{"check", "--robot", gantry}, "", cli.ExitUsage, "MOTION"},
		{"missing robot", []string{"check", "--robot", "nowhere.urdf", free}, "", cli.ExitBadInput, "nowhere.urdf"},
		{"truncated robot", []string{"check", "--robot", truncated, free}, "", cli.ExitBadInput, "truncated.urdf"},
		{"unknown flag", []string{"check", "--robo", gantry}, "", cli.ExitUsage, "--help"},
		{"unknown command", []string{"chek"}, "", cli.ExitUsage, "chek"},
		{"splines", humanoidArgs("--interpolation", "jtc", free), "", cli.ExitFree, "interpolation jtc"},
		{"straight lines", humanoidArgs("--interpolation", "linear", free), "", cli.ExitFree, "interpolation linear"},
		{"a paper's method", humanoidArgs("--method", "catch", free), "", cli.ExitFree, "method catch"},
		{"a paper's method finds it too", humanoidArgs("--method", "catch", between), "", cli.ExitContact, "CONTACT"},
		{"no tube for it", humanoidArgs("--method", "catch", "--tube", "0.01", free), "", cli.ExitBadInput, "use method spacetime"},
		{"no certificate by it", humanoidArgs("--method", "catch", "--certificate", "x.cert", free), "", cli.ExitUsage, "writes no certificates"},
		{"unknown method", humanoidArgs("--method", "sampling", free), "", cli.ExitUsage, "auto, spacetime, articulate"},
		{"unknown interpolation", humanoidArgs("--interpolation", "none", free), "", cli.ExitUsage, "which is not a continuous motion"},
		{"negative tube", humanoidArgs("--tube", "left_elbow=-1", free), "", cli.ExitUsage, "--tube left_elbow=-1"},
		{"tube of nobody", humanoidArgs("--tube", "left_elbov=0", free), "", cli.ExitBadInput, "no joint left_elbov"},
		{"a base that the SRDF lacks", humanoidArgs("-"), "{joint_trajectory: {joint_names: [left_elbow], points: [{positions: [0], time_from_start: 0}]}, multi_dof_joint_trajectory: {joint_names: [wheels], points: [{transforms: [{translation: [0, 0, 0], rotation: [0, 0, 0, 1]}], time_from_start: 0}]}}", cli.ExitBadInput, "multi-DOF joint wheels"},
		{"negative clearance", humanoidArgs("--clearance", "-1", free), "", cli.ExitBadInput, "clearance"},
		{"unknown allowed pair", humanoidArgs("--allow", "left_hand:pots", between), "", cli.ExitBadInput, "pots"},
		{"allowed pair", humanoidArgs("--allow", "left_hand:post", "--allow", "left_palm:post", between), "", cli.ExitFree, "FREE"},
		{"nothing to check", []string{"check", "-q", "--no-self", "--robot", humanoid + "humanoid.urdf", free}, "", cli.ExitBadInput, "no pair of bodies"},
		{"unknown state", humanoidArgs("--state", "nirvana", free), "", cli.ExitBadInput, "nirvana"},
		{"help", []string{"check", "--help"}, "", cli.ExitFree, "FREE       a proof: nothing touches"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := command(t, tc.stdin, tc.args...)
			if code != tc.want {
				t.Errorf("exit status %d, want %d\n%s%s", code, tc.want, out, errs)
			}
			if !strings.Contains(out+errs, tc.says) {
				t.Errorf("nothing says %q in\n%s%s", tc.says, out, errs)
			}
		})
	}
}

// The keys of --json are an interface: scripts depend on them.
func TestJSON(t *testing.T) {
	code, out, errs := command(t, "", humanoidArgs("--json", "--min-clearance", humanoid+"trajectory_free.yaml", humanoid+"trajectory_between.yaml")...)
	if code != cli.ExitContact || errs != "" {
		t.Errorf("exit status %d, standard error %q", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines for two motions and their totals:\n%s", len(lines), out)
	}
	var free, contact map[string]any
	for i, into := range []*map[string]any{&free, &contact} {
		if err := json.Unmarshal([]byte(lines[i]), into); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"motion", "status", "duration", "proven_until", "clearance", "interpolation", "assumed_pairs", "compute_s", "work"} {
			if _, ok := (*into)[key]; !ok {
				t.Errorf("line %d has no %s", i, key)
			}
		}
	}
	if free["status"] != "free" || free["proven_until"] != free["duration"] {
		t.Errorf("free: %v", free)
	}
	closest := free["min_clearance"].(map[string]any)
	if lo, hi := closest["lower"].(float64), closest["upper"].(float64); lo > 0.0132 || hi < 0.0130 || hi-lo > 0.0011 {
		t.Errorf("closest approach [%g, %g], expected.yaml says 0.0131", lo, hi)
	}
	toc := contact["toc"].([]any)
	if lo, hi := toc[0].(float64), toc[1].(float64); hi-lo > 1e-6 || lo < 1.649 || hi > 1.652 {
		t.Errorf("time of contact %v, expected.yaml says 1.6507", toc)
	}
	if contact["status"] != "contact" || contact["scope"] != "world" || contact["segment"] == nil || contact["witness"] == nil {
		t.Errorf("contact: %v", contact)
	}
}

func TestDistance(t *testing.T) {
	args := []string{"distance", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml"}
	code, out, errs := command(t, "", append(args, "--top", "3")...)
	if code != cli.ExitFree || strings.Count(out, "\n") != 7 || !strings.Contains(out, "closest: self 54.20 mm, scene 125.10 mm, attached none") {
		t.Errorf("exit status %d:\n%s%s", code, out, errs)
	}
	if !strings.Contains(errs, "assumed to be allowed") {
		t.Errorf("assumed pairs are not told: %s", errs)
	}
	code, out, _ = command(t, "", append(args, "--json", "--clearance", "5")...)
	var d map[string]any
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if code != cli.ExitClearance || len(d["pairs"].([]any)) != 5 || d["self"] == nil || d["world"] == nil {
		t.Errorf("exit status %d: %s", code, out)
	}
	if code, _, _ = command(t, "", append(args, "extra")...); code != cli.ExitUsage {
		t.Errorf("an argument: exit status %d", code)
	}
}

// Without an SRDF one line says how many pairs are left out, what is proved of them,
// and which are but assumed.
func TestAssumptionsAreTold(t *testing.T) {
	_, _, errs := command(t, "", "distance", "--no-cache", "--robot", humanoid+"humanoid.urdf")
	_, line, _ := strings.Cut(errs, "without an SRDF ")
	line, _, _ = strings.Cut(line, "\n")
	var all, always, never, assumed int
	if _, err := fmt.Sscanf(line, "%d pairs of links are not checked: %d proved to touch always, %d proved never to touch, %d assumed", &all, &always, &never, &assumed); err != nil {
		t.Fatalf("%v in\n%s", err, errs)
	}
	if all != 27 || always+never+assumed != all || strings.Count(line, "/") != assumed || strings.Count(line, " (adjacent)")+strings.Count(line, " (touch at the default state)") != assumed {
		t.Errorf("%s", line)
	}
}

// TestMain keeps the tests out of the user's cache.
func TestMain(m *testing.M) { clitest.Main(m) }
