package main

import (
	"path/filepath"
	"regexp"
	"testing"
)

// An excuse that fits no mutant is left over from code that has changed, and would
// excuse the first mutant that happens to get its name.
func TestEquivalentsExist(t *testing.T) {
	m, err := openModule(filepath.Join("..", ".."), trustedDirs())
	if err != nil {
		t.Fatal(err)
	}
	c := &campaign{options: &options{}, only: regexp.MustCompile("")}
	all, err := c.generic(m)
	if err != nil {
		t.Fatal(err)
	}
	there := make(map[string]bool)
	for _, a := range all {
		there[a.name()] = true
		there[a.pkg.dir+" "+a.fn] = true
	}
	for name := range equivalents {
		if !there[name] {
			t.Errorf("no mutant of a trusted file is excused by %q: bring it up to date, or take it out", name)
		}
	}
}
