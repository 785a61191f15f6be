package firstcontact_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
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
	least := map[string]int{"docs/security.md": 10, "docs/comparison.md": 10, "CONTRIBUTING.md": 10}
	for page, text := range pagesOf(t) {
		names := named.FindAllStringSubmatch(text, -1)
		if len(names) < least[page] {
			t.Errorf("%s names %d tests", page, len(names))
		}
		for _, m := range names {
			if !there[m[1]] {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
}

// TestNamedFilesExist holds the pages to the code: each path in backquotes that begins
// with a folder of the repository is a file or folder, or a pattern that fits some.
func TestNamedFilesExist(t *testing.T) {
	path := regexp.MustCompile("`((?:[\\w.*-]+/)+[\\w.*-]*)`")
	least := map[string]int{"CONTRIBUTING.md": 100, "docs/glossary.md": 14, "docs/architecture.md": 70}
	for page, text := range pagesOf(t) {
		named := path.FindAllStringSubmatch(text, -1)
		if len(named) < least[page] {
			t.Errorf("%s names %d files, want %d", page, len(named), least[page])
		}
		for _, m := range named {
			name := m[1]
			top, _, _ := strings.Cut(name, "/")
			if _, err := os.Stat(top); err != nil || top == "bin" || top == "build" || top == ".." || strings.HasSuffix(name, "...") || strings.Contains(name, "NAME") || page == "CHANGELOG.md" {
				continue // not of the repository, built, a pattern of packages, or what was
			}
			found, err := filepath.Glob(name)
			beside, _ := filepath.Glob(filepath.Join(filepath.Dir(page), name))
			if err != nil || len(found)+len(beside) == 0 {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
	}
}

// TestNamedGoFilesExist: a Go file in backquotes, with its last folders or without, is one
// of the repository.
func TestNamedGoFilesExist(t *testing.T) {
	var all []string
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") {
			all = append(all, "/"+filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for page, text := range pagesOf(t) {
		for _, m := range regexp.MustCompile("`([\\w./*-]+\\.go)`").FindAllStringSubmatch(text, -1) {
			pattern := strings.ReplaceAll(regexp.QuoteMeta("/"+m[1]), `\*`, `[^/]*`) + "$"
			if page != "CHANGELOG.md" && !strings.Contains(m[1], "NAME") && !strings.HasPrefix(m[1], "../") && !strings.HasPrefix(m[1], "github.com/") && !slices.ContainsFunc(all, regexp.MustCompile(pattern).MatchString) {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
}

// TestNamedFunctionsExist: what stands in backquotes within brackets behind a file, as in
// `config/values.go` (`Values`: what is set), occurs in it.
func TestNamedFunctionsExist(t *testing.T) {
	inFile := regexp.MustCompile("`([\\w./-]+\\.go)` \\(([^)]*)\\)")
	count := 0
	for page, text := range pagesOf(t) {
		for _, m := range inFile.FindAllStringSubmatch(text, -1) {
			code, err := os.ReadFile(m[1])
			if err != nil {
				continue // TestNamedFilesExist
			}
			for _, name := range regexp.MustCompile("`([\\w.]+)`").FindAllStringSubmatch(m[2], -1) {
				count++
				if !regexp.MustCompile(`\b` + regexp.QuoteMeta(name[1]) + `\b`).Match(code) {
					t.Errorf("%s looks for %s in %s, which does not have it", page, name[1], m[1])
				}
			}
		}
	}
	if count < 25 {
		t.Errorf("the pages name %d functions with their files", count)
	}
}

// TestNamedTargetsExist: each make target that a page names is in the Makefile.
func TestNamedTargetsExist(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for page, text := range pagesOf(t) {
		for _, m := range regexp.MustCompile("(?m)(?:`|^    )make ([a-z][a-z-]*)").FindAllStringSubmatch(text, -1) {
			if page != "CHANGELOG.md" && !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s names make %s, which the Makefile does not have", page, m[1])
			}
		}
	}
}

// TestGlossaryIsUsed: the glossary has twenty terms, and at least three other pages use
// each of them.
func TestGlossaryIsUsed(t *testing.T) {
	pages := pagesOf(t)
	table, _, _ := strings.Cut(pages["docs/glossary.md"], "\n## ")
	terms := regexp.MustCompile(`(?m)^\| ([a-z][a-z -]*) \| [A-Z]`).FindAllStringSubmatch(table, -1)
	if len(terms) != 20 {
		t.Errorf("docs/glossary.md has %d terms", len(terms))
	}
	for _, m := range terms {
		used := 0
		for page, text := range pages {
			if page != "docs/glossary.md" && strings.Contains(strings.ToLower(text), m[1]) {
				used++
			}
		}
		if used < 3 {
			t.Errorf("%d pages use the term %q", used, m[1])
		}
	}
}

// TestLinksLeadSomewhere: each link of a page to a file of the repository finds it, and
// the heading in it that it names.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)]*))?\)`)
	pages := pagesOf(t)
	for page, text := range pages {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			name, heading := m[1], m[2]
			if strings.Contains(name, "://") {
				continue
			}
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, name)
			} else if other, isPage := pages[target]; heading != "" && isPage && !slices.Contains(headings(other), heading) {
				t.Errorf("%s links to %s#%s, but the page has no such heading", page, name, heading)
			}
		}
	}
}

// pagesOf reads all pages of the repository, by their path.
func pagesOf(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "build" || d.Name() == "shared" || path == ".git" || path == "vendor"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		pages[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 30 {
		t.Fatalf("only %d pages found", len(pages))
	}
	return pages
}

// headings returns the anchors that a forge makes of a page's headings: small letters,
// digits, hyphens and underscores; blanks become hyphens.
func headings(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		var b strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(title)) {
			switch {
			case r == ' ':
				b.WriteRune('-')
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				b.WriteRune(r)
			}
		}
		all = append(all, b.String())
	}
	return all
}

func TestHeadings(t *testing.T) {
	got := headings("# Where is ...?\ntext # no\n## `check`: a b-c_d (2)\n#no\n")
	if want := []string{"where-is-", "check-a-b-c_d-2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPagesAreListed: a reader finds each page of docs by docs/README.md, and each of
// lab/docs by lab/docs/README.md.
func TestPagesAreListed(t *testing.T) {
	pages := pagesOf(t)
	for page := range pages {
		folder, name := filepath.Split(page)
		if index, ok := pages[folder+"README.md"]; ok && (folder == "docs/" || folder == "lab/docs/") && name != "README.md" && !strings.Contains(index, "]("+name+")") && !strings.Contains(index, "]("+name+"#") {
			t.Errorf("%sREADME.md does not list %s", folder, name)
		}
	}
	for _, index := range []string{"docs/README.md", "lab/docs/README.md"} {
		if pages[index] == "" {
			t.Errorf("there is no %s", index)
		}
	}
}
