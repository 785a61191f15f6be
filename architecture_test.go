package firstcontact_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitectureShowsThePackages holds docs/architecture.md to the code: the rooms
// in the order of deps_test.go, and each package in a table.
func TestArchitectureShowsThePackages(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	packages := slices.Sorted(maps.Keys(readImports(t, ".")))
	packages = slices.DeleteFunc(packages, func(p string) bool { return matches(".ci/...", p) })
	for _, line := range wrongOnPage(string(page), rooms, packages) {
		t.Errorf("docs/architecture.md %s", line)
	}
}

// inBackquotes finds names of folders.
var inBackquotes = regexp.MustCompile("`([^`]+)`")

// wrongOnPage compares a page with rooms and packages. Headings of third order name the
// rooms; the first cells of tables below a heading of packages name those.
func wrongOnPage(page string, rooms, packages []string) []string {
	var found, shownRooms, shown []string
	inTable := false
	room := "" // of the heading; none in the part about the lab
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "## "):
			room = ""
		case strings.HasPrefix(line, "### "):
			names := inBackquotes.FindAllStringSubmatch(line, -1)
			for _, m := range names {
				shownRooms = append(shownRooms, m[1])
			}
			room = line
		case strings.HasPrefix(line, "| package |"):
			inTable = true
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case inTable && !strings.HasPrefix(line, "|---"):
			m := inBackquotes.FindStringSubmatch(line)
			if m == nil {
				found = append(found, "has a row without a package: "+line)
				continue
			}
			shown = append(shown, m[1])
			if name := strings.TrimSuffix(m[1], "/..."); room != "" && !slices.ContainsFunc(inBackquotes.FindAllStringSubmatch(room, -1), func(r []string) bool { return matches(r[1]+"/...", name) }) {
				found = append(found, fmt.Sprintf("shows %s in the room of %s", m[1], strings.TrimSpace(room)))
			}
		}
	}
	if !slices.Equal(shownRooms, rooms) {
		found = append(found, fmt.Sprintf("shows the rooms %v, deps_test.go has %v", shownRooms, rooms))
	}
	for _, p := range packages {
		if !matchesAny(shown, p) {
			found = append(found, "does not show "+p)
		}
	}
	for i, pattern := range shown {
		if !slices.ContainsFunc(packages, func(p string) bool { return matches(pattern, p) }) {
			found = append(found, fmt.Sprintf("shows %s, which is not there", pattern))
		}
		if slices.Contains(shown[:i], pattern) {
			found = append(found, fmt.Sprintf("shows %s twice", pattern))
		}
	}
	return found
}

func TestWrongOnPage(t *testing.T) {
	const page = "# Architecture\n\n### `a`, `b`: two rooms\n\n| package | contents |\n|---|---|\n| `a` | |\n| `b/...` | |\n\n### `c`: one\n\n| package | contents |\n|---|---|\n| `c/d` | |\n\n## The lab\n\n| package | contents |\n|---|---|\n| `lab/e` | |\n\n| decision |\n|---|\n| `x` |\n"
	rooms, packages := []string{"a", "b", "c"}, []string{"a", "b/x", "b/y", "c/d", "lab/e"}
	for _, c := range []struct {
		name            string
		page            string
		rooms, packages []string
		want            string
	}{
		{"nothing", page, rooms, packages, ""},
		{"another order of rooms", page, []string{"b", "a", "c"}, packages, "shows the rooms [a b c], deps_test.go has [b a c]"},
		{"a package that the page lacks", page, rooms, append(packages[:len(packages):len(packages)], "c"), "does not show c"},
		{"a package that is gone", page, rooms, packages[:4], "shows lab/e, which is not there"},
		{"a package of another room", strings.Replace(page, "`c/d`", "`c/d`|\n| `b/y`", 1), rooms, packages, "shows b/y in the room of ### `c`: one"},
		{"a package twice", strings.Replace(page, "| `a` |", "| `a` |\n| `a` |", 1), rooms, packages, "shows a twice"},
		{"a row without a name", strings.Replace(page, "| `a` |", "| `a` |\n| a |", 1), rooms, packages, "has a row without a package: | a |"},
	} {
		got := wrongOnPage(c.page, c.rooms, c.packages)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDependenciesAreExplained: docs/dependencies.md gives a reason for each module that
// the table outside allows.
func TestDependenciesAreExplained(t *testing.T) {
	page, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	for m := range outside {
		if m != "C" && !strings.Contains(string(page), "\n| `"+m+"` |") {
			t.Errorf("docs/dependencies.md does not explain %s", m)
		}
	}
}

// TestForge holds the files of a public forge: its workflow runs .ci/run, and whoever
// reports a wrong verdict is asked for what it takes to see it again.
func TestForge(t *testing.T) {
	for name, wanted := range map[string][]string{
		".github/workflows/ci.yml":                {"\n        run: bash .ci/run\n", "image: debian:12"},
		".github/ISSUE_TEMPLATE/wrong_verdict.md": {"- [ ] robot: URDF, SRDF", "- [ ] scene", "- [ ] motion", "- [ ] certificate", "--version"},
		".github/ISSUE_TEMPLATE/node_problem.md":  {"- [ ] robot", "- [ ] scene", "**Parameters**", "**Log of the node**", "--version"},
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		for _, part := range wanted {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q", name, part)
			}
		}
	}
}
