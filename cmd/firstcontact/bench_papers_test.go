package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The papers' flags and those of a corpus do not mix, and keys are checked before
// anything is measured.
func TestBenchPapersFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--only RKLM04", "--only needs --papers"},
		{"--render", "--render needs --papers"},
		{"--papers --method toc", "--method is not for --papers"},
		{"--papers arm.scene arm.segs", "takes no arguments"},
		{"--papers --only RKLM04/table9", `"RKLM04/table9" is no table or figure`},
		{"--papers --scale huge", "huge"},
	} {
		status, _, errs := command(t, "", append([]string{"bench"}, strings.Fields(c.args)...)...)
		if status != 64 || !strings.Contains(errs, c.want) {
			t.Errorf("bench %s: status %d, %q; want 64 and %q", c.args, status, errs, c.want)
		}
	}
}

// bench --papers measures what it is told to, and writes the page.
func TestBenchPapers(t *testing.T) {
	out := t.TempDir()
	status, _, errs := command(t, "", "bench", "--papers", "--only", "SPHERE/figure2", "--scale", "quick", "--out", out)
	if status != 0 || !strings.Contains(errs, "SPHERE/figure2") {
		t.Errorf("status %d, progress %q", status, errs)
	}
	page, err := os.ReadFile(filepath.Join(out, "papers.md"))
	if err != nil || !strings.Contains(string(page), "SPHERE Figure 2") {
		t.Errorf("no page: %v", err)
	}
}
