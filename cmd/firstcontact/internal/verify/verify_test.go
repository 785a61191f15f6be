package verify

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

func verifyArgs(file string, more ...string) []string {
	return append([]string{
		"verify", "-q", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml",
		"--certificate", file,
	}, more...)
}

func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	free, between := humanoid+"trajectory_free.yaml", humanoid+"trajectory_between.yaml"
	plain, packed := filepath.Join(dir, "free.cert"), filepath.Join(dir, "free.cert.gz")
	for _, file := range []string{plain, packed} {
		if code, out, errs := command(t, "", humanoidArgs("--clearance", "0.005", "--certificate", file, free)...); code != cli.ExitFree || !strings.Contains(out, "its proof is in "+file) {
			t.Fatalf("exit status %d: %s %s", code, out, errs)
		}
	}
	text, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(dir, "changed.cert")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), "clearance 0.005", "clearance 0.2", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut.cert")
	half := bytes.LastIndexByte(text[:len(text)/2], '\n') + 1 // within a line, what is left of it may be told instead
	if err := os.WriteFile(cut, text[:half], 0o600); err != nil {
		t.Fatal(err)
	}
	nothing := filepath.Join(dir, "nothing.cert")
	if code, _, _ := command(t, "", humanoidArgs("--certificate", nothing, between)...); code != cli.ExitContact {
		t.Errorf("exit status %d of a contact", code)
	}
	if _, err := os.Stat(nothing); err == nil {
		t.Error("a proof is written of a motion that is not free")
	}
	for _, tc := range []struct {
		name string
		args []string
		want int
		says string
	}{
		{"verified", verifyArgs(plain, free), cli.ExitFree, "VERIFIED"},
		{"compressed", verifyArgs(packed, free), cli.ExitFree, "stay more than 5.00 mm apart"},
		{"pairs are told", verifyArgs(plain, free), cli.ExitFree, "not checked: "},
		{"all pairs are excused", verifyArgs(plain, "--strict", free), cli.ExitFree, "VERIFIED"},
		{"enough clearance", verifyArgs(plain, "--clearance", "0.005", free), cli.ExitFree, "VERIFIED"},
		{"too little clearance", verifyArgs(plain, "--clearance", "0.006", free), cli.ExitUndecided, "REFUSED: it proves a clearance of 0.005 m"},
		{"more clearance than there is", verifyArgs(changed, free), cli.ExitUndecided, "REFUSED"},
		{"another motion", verifyArgs(plain, between), cli.ExitUndecided, "another motion"},
		{"other straight lines", verifyArgs(plain, "--interpolation", "linear", free), cli.ExitFree, "VERIFIED"},
		{"without the scene", []string{"verify", "--robot", humanoid + "humanoid.urdf", "--certificate", plain, free}, cli.ExitUndecided, "another scene"},
		{"without the SRDF", []string{"verify", "--robot", humanoid + "humanoid.urdf", "--scene", humanoid + "obstacles.yaml", "--certificate", plain, free}, cli.ExitUndecided, "neither SRDF nor scene"},
		{"another robot", []string{"verify", "--robot", gantry, "--certificate", plain, free}, cli.ExitUndecided, "another robot"},
		{"cut off", verifyArgs(cut, free), cli.ExitBadInput, "truncated"},
		{"not there", verifyArgs("nowhere.cert", free), cli.ExitBadInput, "nowhere.cert"},
		{"no certificate", []string{"verify", "--robot", gantry, free}, cli.ExitUsage, "--certificate is needed"},
		{"no motion", verifyArgs(plain), cli.ExitUsage, "MOTION"},
		{"two motions", verifyArgs(plain, free, between), cli.ExitUsage, "2 motions"},
		{"certificate of two motions", humanoidArgs("--certificate", nothing, free, between), cli.ExitUsage, "one motion"},
		{"certificate nowhere", humanoidArgs("--certificate", filepath.Join(dir, "no", "where"), free), cli.ExitOutput, "does not exist"},
		{"help", []string{"verify", "--help"}, cli.ExitFree, "Exit status"},
	} {
		code, out, errs := command(t, "", tc.args...)
		if code != tc.want || !strings.Contains(out+errs, tc.says) {
			t.Errorf("%s: exit status %d, want %d with %q:\n%s%s", tc.name, code, tc.want, tc.says, out, errs)
		}
	}
}

func TestVerifyJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "free.cert")
	free := humanoid + "trajectory_free.yaml"
	code, out, errs := command(t, "", humanoidArgs("--json", "--tube", "0.001", "--padding", "0.002", "--certificate", file, free)...)
	var checked struct{ Status, Certificate string }
	if err := json.Unmarshal([]byte(out), &checked); err != nil || code != cli.ExitFree || checked.Certificate != file {
		t.Fatalf("exit status %d, %v: %s %s", code, err, out, errs)
	}
	for _, tc := range []struct {
		args     []string
		verified bool
	}{{verifyArgs(file, "--json", free), true}, {verifyArgs(file, "--json", "--clearance", "1", free), false}} {
		_, out, _ := command(t, "", tc.args...)
		var v struct {
			Verified      bool
			Reason        string
			Pairs, Items  int
			Padding, Tube map[string]float64
			NotChecked    []struct {
				Pair      [2]string
				Confirmed bool
			} `json:"not_checked"`
		}
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatal(err)
		}
		if v.Verified != tc.verified || (v.Reason == "") != tc.verified {
			t.Errorf("%s", out)
		}
		if tc.verified && (v.Pairs < 10 || v.Items < v.Pairs || len(v.NotChecked) == 0 || v.Padding["torso"] != 0.002 || len(v.Tube) == 0) {
			t.Errorf("%s", out)
		}
	}
}

// What was accepted for the check has to be accepted again; what it was given has to be
// given again.
func TestVerifyPremises(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(humanoid + "trajectory_free.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const first = "  - positions: [0.1, -0.25, 0, -0.5, 0, 0, 0]\n    time_from_start: {sec: 0, nanosec: 0}\n"
	late, accepted, given := filepath.Join(dir, "late.yaml"), filepath.Join(dir, "accepted.cert"), filepath.Join(dir, "given.cert")
	if err := os.WriteFile(late, []byte(strings.Replace(string(text), first, "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	const state = "right_shoulder_pitch=0.1,right_shoulder_roll=-0.25,right_shoulder_yaw=0,right_elbow=-0.5,right_wrist_yaw=0,right_wrist_pitch=0,right_wrist_roll=0"
	for file, more := range map[string][]string{accepted: {"--accept", "start"}, given: {"--state", state}} {
		if code, out, errs := command(t, "", humanoidArgs(append(more, "--allow", "pelvis:post", "--certificate", file, late)...)...); code != cli.ExitFree {
			t.Fatalf("%v: exit status %d: %s %s", more, code, out, errs)
		}
	}
	for _, tc := range []struct {
		name string
		args []string
		want int
		says string
	}{
		{"accepted again", verifyArgs(accepted, "--accept", "start", late), cli.ExitFree, "accepted: start"},
		{"how premises are known", verifyArgs(accepted, "--accept", "start", late), cli.ExitFree, "confirmed by a file, 1 on trust"},
		{"not accepted again", verifyArgs(accepted, late), cli.ExitUndecided, "accept start to verify it"},
		{"nothing to accept", verifyArgs(accepted, "--accept", "everything", late), cli.ExitUsage, "--accept"},
		{"given again", verifyArgs(given, "--state", state, late), cli.ExitFree, "VERIFIED"},
		{"not given again", verifyArgs(given, "--accept", "start", late), cli.ExitUndecided, "another motion"},
		{"an option on trust", verifyArgs(accepted, "--accept", "start", "--strict", late), cli.ExitUndecided, "without a reason in the files"},
		{"an option given again", verifyArgs(accepted, "--accept", "start", "--strict", "--allow", "post:pelvis", late), cli.ExitFree, "VERIFIED"},
		{"half an option", verifyArgs(accepted, "--allow", "pelvis", late), cli.ExitUsage, "A:B"},
	} {
		code, out, errs := command(t, "", tc.args...)
		if code != tc.want || !strings.Contains(out+errs, tc.says) {
			t.Errorf("%s: exit status %d, want %d with %q:\n%s%s", tc.name, code, tc.want, tc.says, out, errs)
		}
	}
}
