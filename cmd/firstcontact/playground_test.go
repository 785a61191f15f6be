package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// The playground's examples are answered as its list says.
func TestExamplesOfThePlayground(t *testing.T) {
	text, err := os.ReadFile("../../testdata/examples/examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Name, Status string
		Files, Flags []string
	}
	if err := json.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	codes := map[string]int{"free": cli.ExitFree, "contact": cli.ExitContact, "clearance": cli.ExitClearance, "undecided": cli.ExitUndecided}
	for _, e := range examples {
		args := append([]string{"check", "--no-cache"}, e.Flags...)
		for i, f := range e.Files {
			path := filepath.Join("../../testdata", f)
			switch {
			case strings.HasSuffix(f, ".urdf"):
				args = append(args, "--robot", path)
			case strings.HasSuffix(f, ".srdf"):
				args = append(args, "--srdf", path)
			case i == len(e.Files)-1:
				args = append(args, path)
			case strings.HasSuffix(f, ".yaml"):
				args = append(args, "--scene", path)
			}
		}
		var out, errs strings.Builder
		if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != codes[e.Status] {
			t.Errorf("%s: exit status %d, want %s\n%s%s", e.Name, code, e.Status, out.String(), errs.String())
		}
	}
}
