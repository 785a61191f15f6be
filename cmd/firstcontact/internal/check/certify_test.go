package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// A motion may be free without the proof that was asked for: its pairs are proved apart by a file, which leaves
// the answer nothing to do, but a proof has to be searched, and there is no time. No file is claimed then, not
// even one that is there, and the exit status is that of a lost file.
func TestNoProofIsClaimedThatIsNotWritten(t *testing.T) {
	lever, err := filepath.Abs("../../../../testdata/pairs/lever.urdf")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("elbow.csv", []byte("time,elbow\n0,0\n1,0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := command(t, "", "pairs", "-q", "--no-cache", "--robot", lever, "--file", "proved.pairs"); code != cli.ExitFree && code != cli.ExitContact {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	args := []string{
		"check", "-q", "--no-cache", "--json", "--robot", lever, "--pairs", "proved.pairs", "--allow", "base:hand", "--allow", "arm:hand",
		"--budget", "1ns", "--certificate", "elbow.cert", "elbow.csv",
	}
	for _, older := range []bool{false, true} {
		says := "elbow.cert is not created"
		if older {
			says = "elbow.cert is an older file and stays as it is"
			if err := os.WriteFile("elbow.cert", []byte("older"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		code, out, errs := command(t, "", args...)
		r := clitest.Objects(t, out)[0]
		if code != cli.ExitOutput || r["status"] != "free" || r["certificate"] != nil || !strings.Contains(errs, says) || !strings.Contains(out, says) {
			t.Errorf("exit status %d: %s%s", code, out, errs)
		}
		if text, err := os.ReadFile("elbow.cert"); older != (string(text) == "older") || older != (err == nil) {
			t.Errorf("the file has %q, %v", text, err)
		}
	}
	args[len(args)-4] = "10s" // the budget
	if code, out, errs := command(t, "", args...); code != cli.ExitFree || clitest.Objects(t, out)[0]["certificate"] != "elbow.cert" {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}
