package ccd

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The package comment leads to folders and files that exist.
func TestPackageCommentNamesWhatExists(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\b(ccd|certificate|docs|internal|lab|motion|selfcollision)/[a-z0-9/_.-]*[a-z0-9]`).FindAllString(string(text), -1)
	if len(named) < 15 {
		t.Errorf("only %d paths are found: %q", len(named), named)
	}
	for _, path := range named {
		if _, err := os.Stat(filepath.Join("..", path)); err != nil {
			t.Error(err)
		}
	}
}
