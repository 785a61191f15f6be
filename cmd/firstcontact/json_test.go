package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// Every motion has an object, whatever cannot be read, and the exit status stays that of bad
// input.
func TestEveryMotionHasAnObject(t *testing.T) {
	free := humanoid + "trajectory_free.yaml"
	for _, tc := range []struct {
		name     string
		args     []string
		statuses []string
	}{
		{"a bad motion among good ones", humanoidArgs("--json", free, "nowhere.csv", free), []string{"free", "invalid", "free"}},
		{"a bad motion", humanoidArgs("--json", "nowhere.csv"), []string{"invalid"}},
		{"a bad scene", []string{"check", "-q", "--json", "--robot", humanoid + "humanoid.urdf", "--scene", "nowhere.yaml", free, free}, []string{"invalid", "invalid"}},
		{"a bad robot", []string{"check", "-q", "--json", "--robot", "nowhere.urdf", free}, []string{"invalid"}},
	} {
		code, out, errs := command(t, "", tc.args...)
		var statuses []string
		all := clitest.Objects(t, out)
		if n := len(tc.statuses); n > 1 && len(all) == n+1 && all[n]["schema"] == "firstcontact/check-totals/1" {
			all = all[:n]
		}
		for _, o := range all {
			statuses = append(statuses, o["status"].(string))
			if o["status"] == "invalid" && !strings.Contains(o["message"].(string), "nowhere") {
				t.Errorf("%s: %v", tc.name, o["message"])
			}
		}
		if code != cli.ExitBadInput || !slices.Equal(statuses, tc.statuses) || !strings.Contains(errs, "nowhere") {
			t.Errorf("%s: exit status %d, %v\n%s", tc.name, code, statuses, errs)
		}
	}
}

// A command that fails on its input says so in an object; a wrong command line gets none.
func TestFailuresHaveAnObject(t *testing.T) {
	for _, args := range [][]string{
		{"distance", "--robot", "nowhere.urdf"},
		{"pairs", "--robot", "nowhere.urdf"},
		{"spheres", "--robot", "nowhere.urdf"},
		{"verify", "--robot", "nowhere.urdf", "--certificate", "x", "y"},
		{"bench", "nowhere.txt", "nowhere.seg"},
	} {
		code, out, _ := command(t, "", append(args, "--json")...)
		list := clitest.Objects(t, out)
		if code != cli.ExitBadInput || len(list) != 1 || list[0]["schema"] != "firstcontact/failure/1" || list[0]["command"] != args[0] {
			t.Errorf("%v: exit status %d\n%s", args, code, out)
		}
		if _, out, _ := command(t, "", args...); out != "" {
			t.Errorf("%v: without --json it prints %s", args, out)
		}
	}
	if code, out, _ := command(t, "", "distance", "--json", "--robot", gantry, "--top", "0"); code != cli.ExitUsage || out != "" {
		t.Errorf("usage: exit status %d, %s", code, out)
	}
}

// An answer names its inputs by the sums that a certificate has, and changes them with the content.
func TestInputsHaveSums(t *testing.T) {
	free := humanoid + "trajectory_free.yaml"
	cert := filepath.Join(t.TempDir(), "free.cert")
	_, out, _ := command(t, "", humanoidArgs("--json", "--certificate", cert, free)...)
	proof, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	in := clitest.Objects(t, out)[0]["inputs"].(map[string]any)
	for _, what := range []string{"robot", "srdf", "scene", "motion"} {
		one := in[what].(map[string]any)
		sum := one["sha256"].(string)
		if len(sum) != 64 || len(one["files"].([]any)) != 1 {
			t.Errorf("%s: %v", what, one)
		}
		if what != "srdf" && !strings.Contains(string(proof), sum) {
			t.Errorf("the certificate does not have the sum of the %s, %s", what, sum)
		}
	}
	_, out, _ = command(t, "", "check", "-q", "--json", "--robot", humanoid+"humanoid.urdf", humanoid+"wave.csv")
	other := clitest.Objects(t, out)[0]["inputs"].(map[string]any)
	if other["srdf"] != nil || other["scene"] != nil || other["robot"].(map[string]any)["sha256"] != in["robot"].(map[string]any)["sha256"] ||
		other["motion"].(map[string]any)["sha256"] == in["motion"].(map[string]any)["sha256"] {
		t.Errorf("%v", other)
	}
}

// A proof that there is not is not written, and the answer says so.
func TestNoProofIsTold(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "wave.cert")
	args := humanoidArgs("--certificate", file, humanoid+"wave.csv")
	if code, out, errs := command(t, "", args...); code != cli.ExitContact || !strings.Contains(out, "note: there is no proof to write: "+file+" is not created") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	if err := os.WriteFile(file, []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := command(t, "", args...); !strings.Contains(out, file+" is an older file and stays as it is") {
		t.Errorf("%s", out)
	}
	_, out, _ := command(t, "", append(args, "--json")...)
	if r := clitest.Objects(t, out)[0]; r["certificate"] != nil || len(r["notes"].([]any)) != 1 {
		t.Errorf("%s", out)
	}
}
