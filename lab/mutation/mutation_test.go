package mutation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// mutation is one wrong change.
type mutation struct {
	name string
	file string // from the module's root
	in   string // the package whose tests notice, where it is not the file's
	// old occurs in the file exactly once and becomes new.
	old, new string
	// tests names what must fail, separated by spaces.
	tests string
	// drops says which condition or term of the design is gone.
	drops string
	// loose marks changes that leave every bound true but wider than it should
	// be: a matter of speed, not of truth.
	loose bool
}

// always are the mutations that every run of the tests tries.
var always = []string{"radius: deeper joints less 1 %", "coupling halved", "Omega from the ends only"}

func all() []mutation {
	return slices.Concat(kinBounds, kinState, kinCurve, kinTree, tubesAndRoots, proofRules, sweptRules, thirdOrder, traversal, containment, worldTree, enclosed, fronts, rangeOfMotion, coverProof, distances, taylorModels, catching, sweptVolumes, bisection, nearPairs)
}

// pkg is the package whose tests must notice.
func (m *mutation) pkg() string {
	if m.in != "" {
		return m.in
	}
	return filepath.Dir(m.file)
}

// TestConditions applies mutations and holds the named tests to their failure.
func TestConditions(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to build the changed code with")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	mode := switches.Mutate.Get()
	c := campaign{root: root, everything: mode == "all", chosen: all()}
	if mode == "" {
		c.chosen = slices.DeleteFunc(c.chosen, func(m mutation) bool { return !slices.Contains(always, m.name) })
		if len(c.chosen) != len(always) {
			t.Fatalf("of the mutations %q only %d exist", always, len(c.chosen))
		}
	}
	if only := switches.MutateOnly.Get(); only != "" {
		match, err := regexp.Compile(only)
		if err != nil {
			t.Fatal(err)
		}
		c.chosen = slices.DeleteFunc(c.chosen, func(m mutation) bool { return !match.MatchString(m.file + ": " + m.name) })
	}
	c.passesUnchanged(t)
	for _, m := range c.chosen {
		t.Run(m.name, func(t *testing.T) { c.try(t, m) })
	}
	t.Logf("%d mutations\n%s", len(c.rows), c.table())
}

// row is a mutation and what noticed it.
type row struct{ file, name, drops, noticed string }

// TestTable checks the table itself: every mutation applies, once, and has a
// name of its own.
func TestTable(t *testing.T) {
	seen := make(map[string]bool)
	for _, m := range all() {
		if seen[m.name] {
			t.Errorf("two mutations are called %q", m.name)
		}
		seen[m.name] = true
		if _, err := m.apply(filepath.Join("..", "..")); err != nil {
			t.Error(err)
		}
		if m.tests == "" || m.drops == "" {
			t.Errorf("%s: names no tests or no condition", m.name)
		}
	}
}

// apply returns the changed text of the mutation's file.
func (m *mutation) apply(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("mutation %q applies to %d places of %s, want 1: bring its text up to date with the code", m.name, n, m.file)
	}
	return strings.Replace(string(text), m.old, m.new, 1), nil
}

// campaign is one run over chosen mutations.
type campaign struct {
	root       string
	everything bool // run all tests of the package instead of the named ones
	chosen     []mutation
	rows       []row
}

// passesUnchanged holds the named tests to success on the code as it is: one
// that fails anyway would notice nothing.
func (c *campaign) passesUnchanged(t *testing.T) {
	t.Helper()
	named := make(map[string][]string)
	for _, m := range c.chosen {
		pkg := m.pkg()
		named[pkg] = append(named[pkg], strings.Fields(m.tests)...)
	}
	for pkg, tests := range named {
		if got := c.run(t, pkg, tests, ""); !got.passed {
			t.Fatalf("%s: tests fail on the unchanged code:\n%s", pkg, got.output)
		}
	}
}

// try applies one mutation and runs the tests that must notice.
func (c *campaign) try(t *testing.T, m mutation) {
	text, err := m.apply(c.root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(c.root, m.file): changed}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{changed: []byte(text), overlay: replace} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	named := strings.Fields(m.tests)
	got := c.run(t, m.pkg(), named, overlay)
	what := m.drops
	if m.loose {
		what += " (loose, not false)"
	}
	c.rows = append(c.rows, row{m.file, m.name, what, strings.Join(got.failed, ", ")})
	for _, name := range named {
		if !slices.Contains(got.failed, name) {
			t.Errorf("%s does not notice: %s\n%s", name, m.drops, got.output)
		}
	}
}

// outcome is what a run of tests said.
type outcome struct {
	passed bool
	failed []string // top-level tests
	output string
}

var failLine = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// run runs the named tests of the package at the given path, on changed code
// where there is an overlay. Code that does not compile and names of no test end
// the test.
func (c *campaign) run(t *testing.T, pkg string, tests []string, overlay string) outcome {
	t.Helper()
	args := []string{"test", "-count=1", "-vet=off", "-timeout=120s"}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	if !c.everything || overlay == "" {
		args = append(args, "-run=^("+strings.Join(tests, "|")+")$")
	}
	args = append(args, "./"+filepath.ToSlash(pkg))
	if c.usesRapid(t, pkg) {
		args = append(args, "-rapid.nofailfile", "-rapid.shrinktime=1ms") // no files in the tree
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(), "FIRSTCONTACT_MUTATE=", "FIRSTCONTACT_LONG=")
	out, err := cmd.CombinedOutput()
	got := outcome{passed: err == nil, output: string(out)}
	for _, m := range failLine.FindAllStringSubmatch(got.output, -1) {
		got.failed = append(got.failed, m[1])
	}
	switch {
	case strings.Contains(got.output, "no tests to run"):
		t.Fatalf("%s has none of the tests %v", pkg, tests)
	case !got.passed && len(got.failed) == 0:
		t.Fatalf("no test ran to its end:\n%s", tail(got.output))
	}
	return got
}

func tail(s string) string { return s[max(0, len(s)-2000):] }

// usesRapid reports whether the package's tests import rapid and so know its
// flags.
func (c *campaign) usesRapid(t *testing.T, pkg string) bool {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", "{{.TestImports}} {{.XTestImports}}", "./"+filepath.ToSlash(pkg))
	cmd.Dir = c.root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(out, []byte("pgregory.net/rapid"))
}

// table writes mutation, condition and the tests that noticed, file by file, as
// docs/mutations.md has it.
func (c *campaign) table() string {
	var b strings.Builder
	escape := strings.NewReplacer("|", "&#124;")
	var files []string
	for _, r := range c.rows {
		if !slices.Contains(files, r.file) {
			files = append(files, r.file)
		}
	}
	slices.SortStableFunc(c.rows, func(a, b row) int {
		return cmp.Compare(slices.Index(files, a.file), slices.Index(files, b.file))
	})
	file := ""
	for _, r := range c.rows {
		if r.file != file {
			file = r.file
			fmt.Fprintf(&b, "\n## `%s`\n\n| change | what is gone | noticed by |\n|---|---|---|\n", file)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", escape.Replace(r.name), escape.Replace(r.drops), r.noticed)
	}
	return b.String()
}
