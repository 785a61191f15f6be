package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Keys are checked before anything is measured.
func TestPapersFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"papers --only RKLM04/table9", `"RKLM04/table9" is no table or figure`},
		{"papers --scale huge", "huge"},
		{"papers --unknown", "unknown"},
	} {
		var errs strings.Builder
		if status := run(t.Context(), strings.Fields(c.args), io.Discard, &errs); status != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: status %d, %q; want %d and %q", c.args, status, errs.String(), exitUsage, c.want)
		}
	}
}

// papers measures what it is told to, and writes the page.
func TestPapers(t *testing.T) {
	out := t.TempDir()
	var errs strings.Builder
	status := run(t.Context(), []string{"papers", "--only", "SPHERE/figure2", "--scale", "quick", "--out", out}, io.Discard, &errs)
	if status != 0 || !strings.Contains(errs.String(), "SPHERE/figure2") {
		t.Errorf("status %d, progress %q", status, errs.String())
	}
	page, err := os.ReadFile(filepath.Join(out, "papers.md"))
	if err != nil || !strings.Contains(string(page), "SPHERE Figure 2") {
		t.Errorf("no page: %v", err)
	}
}
