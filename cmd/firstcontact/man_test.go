package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// Every command has a manual page with its flags, which groff takes without a warning.
func TestManualPages(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := command(t, "", "man", dir); code != cli.ExitFree {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	check, err := os.ReadFile(filepath.Join(dir, "firstcontact-check.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".TH FIRSTCONTACT\\-CHECK 1", "\\-\\-clearance metres", ".SH EXAMPLES\n.nf\n  firstcontact check"} {
		if !strings.Contains(string(check), want) {
			t.Errorf("firstcontact-check.1 lacks %q:\n%s", want, check)
		}
	}
	if got, want := roffEscaped(".dot -x \\\n'quote"), "\\&.dot \\-x \\e\n\\&'quote"; got != want {
		t.Errorf("escaped %q, want %q", got, want)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Log("groff is not installed: the pages are not tried")
		return
	}
	for _, page := range pages {
		if out, err := exec.Command(groff, "-man", "-Tascii", "-ww", "-z", page).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", page, err, out)
		}
	}
}
