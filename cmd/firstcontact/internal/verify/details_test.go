package verify

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// verify sums up what is confirmed; --details prints it one by one.
func TestVerifyIsBrief(t *testing.T) {
	cert := filepath.Join(t.TempDir(), "free.cert")
	free := humanoid + "trajectory_free.yaml"
	if code, out, errs := command(t, "", humanoidArgs("--certificate", cert, free)...); code != cli.ExitFree {
		t.Fatalf("%s%s", out, errs)
	}
	args := []string{
		"verify", "-q", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml", "--certificate", cert, free,
	}
	_, brief, errs := command(t, "", args...)
	if strings.Count(brief, "\n") != 5 || !strings.Contains(brief, "held (rad or m): 23 joints: ") || !strings.Contains(brief, "not checked: 31 pairs for which ") {
		t.Errorf("%s%s", brief, errs)
	}
	_, all, _ := command(t, "", append(args, "--details")...)
	if strings.Count(all, "joint held at") != 23 || strings.Count(all, "not checked: ") != 31 || strings.Count(all, "rests on: no-geometry") != 6 {
		t.Errorf("--details:\n%s", all)
	}
}

// Statements that only a certificate makes are always printed.
func TestVerifyPrintsWhatIsOnTrust(t *testing.T) {
	v := Result{Verified: true, NotChecked: []notChecked{{[2]string{"a", "b"}, "option", false}, {[2]string{"c", "d"}, "srdf: Never", true}}}
	var b strings.Builder
	if err := v.writeText(&b, false); err != nil {
		t.Fatal(err)
	}
	if out := b.String(); !strings.Contains(out, "not checked: a, b (option), on the certificate's word alone\n") || !strings.Contains(out, "not checked: 1 pairs") {
		t.Errorf("%s", out)
	}
}
