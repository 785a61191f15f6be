package main

import (
	"context"
	"strings"
	"testing"
)

// A flag that several commands have has one name, and old names are not shown.
func TestScopeFlagsHaveOneName(t *testing.T) {
	for _, name := range []string{"check", "distance", "verify", "bench"} {
		var out strings.Builder
		if code := run(context.Background(), []string{name, "--help"}, strings.NewReader(""), &out, &out); code != exitFree {
			t.Fatalf("%s --help: exit status %d", name, code)
		}
		for word, want := range map[string]bool{"--no-self ": true, "--no-world ": true, "--noself": false, "--noenv": false} {
			if strings.Contains(out.String(), word) != want {
				t.Errorf("%s --help: %s is there: %v", name, word, !want)
			}
		}
	}
}
