package firstcontact_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNamedTestsExist: the pages that answer "how is this shown?" with the name of a
// test name one that there is.
func TestNamedTestsExist(t *testing.T) {
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			there[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	for _, page := range []string{"docs/security.md", "docs/comparison.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		names := named.FindAllStringSubmatch(string(text), -1)
		if len(names) < 10 {
			t.Errorf("%s names %d tests", page, len(names))
		}
		for _, m := range names {
			if !there[m[1]] {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
}

// TestNamedFilesExist holds the pages that lead through the code to it: each path in
// backquotes is a file or folder.
func TestNamedFilesExist(t *testing.T) {
	path := regexp.MustCompile("`((?:[\\w.-]+/)+[\\w.-]*)`")
	for page, least := range map[string]int{"CONTRIBUTING.md": 100, "docs/glossary.md": 14} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		named := path.FindAllSubmatch(text, -1)
		if len(named) < least {
			t.Errorf("%s names %d files, want %d", page, len(named), least)
		}
		for _, m := range named {
			name := string(m[1])
			if strings.HasPrefix(name, "bin/") || strings.HasPrefix(name, "../") || strings.HasSuffix(name, "...") || strings.Contains(name, "NAME") {
				continue // what is built, what is beside the repository, patterns
			}
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
	}
}

// TestLinksLeadSomewhere: each link of a page to a file of the repository finds it.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"docs", "lab/docs", "examples", "lab/planners", "examples/stop_on_silence"} {
		more, err := filepath.Glob(folder + "/*.md")
		if err != nil || len(more) == 0 {
			t.Fatalf("%s has no pages: %v", folder, err)
		}
		pages = append(pages, more...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllSubmatch(text, -1) {
			if name := string(m[1]); !strings.Contains(name, "://") {
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), name)); err != nil {
					t.Errorf("%s links to %s, which does not exist", page, name)
				}
			}
		}
	}
}
