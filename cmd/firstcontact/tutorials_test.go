package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

var update = flag.Bool("update", false, "write the pictures in docs/pictures that the pages' commands make")

// lesson is a command of a page with what it says that comes of it.
type lesson struct {
	line   string // as it stands on the page, continued lines joined
	output []string
	status string
}

// lessons finds the commands in the indented blocks of a page: "$ firstcontact ...", a
// backslash at the end of a line that goes on, then the output and perhaps "exit
// status N".
func lessons(page string) []lesson {
	var found []lesson
	open, continued := false, false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		text, indented := strings.CutPrefix(line, "    ")
		switch {
		case !indented:
			open = false
		case continued:
			last := &found[len(found)-1]
			last.line = strings.TrimSuffix(last.line, "\\") + strings.TrimSpace(text)
			continued = strings.HasSuffix(text, "\\")
		case strings.HasPrefix(text, "$ "):
			found = append(found, lesson{line: strings.TrimPrefix(text, "$ "), status: "0"})
			open, continued = true, strings.HasSuffix(text, "\\")
		case open && strings.HasPrefix(text, "exit status "):
			found[len(found)-1].status = strings.TrimPrefix(text, "exit status ")
		case open && text != "...":
			found[len(found)-1].output = append(found[len(found)-1].output, text)
		}
	}
	return found
}

// prints reports whether one of the lines of an output is the one of a page, in which
// "..." stands for anything.
func prints(out, line string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, ".*")
	return regexp.MustCompile("(?m)^" + pattern + "$").MatchString(out)
}

// perform types a command of a page: this program here, in the working directory; others in
// the repository, of which make only says what it would do (.ci/fresh runs the README's).
func (l *lesson) perform(t *testing.T, repository string) (status int, out, errs string) {
	t.Helper()
	words := strings.Fields(l.line)
	if strings.ContainsAny(l.line, "|<>;&'\"`$") {
		t.Fatalf("this test is no shell: %s", l.line)
	}
	switch words[0] {
	case "firstcontact", "bin/firstcontact":
		if slices.Contains(words, "check") && slices.Contains(words, "--png") {
			// Where several places are as close, it depends on who is first which one is drawn.
			words = append(words, "--jobs", "1")
		}
		return command(t, "", words[1:]...)
	case "make":
		words = slices.Insert(words, 1, "-n")
	case "go":
	default:
		t.Fatalf("this test cannot run: %s", l.line)
	}
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	var o, e bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = repository, &o, &e
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", l.line, err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// TestTutorials types what README.md and docs/tutorials.md say and sees what they show. A
// picture that a page shows is the one that its commands make.
func TestTutorials(t *testing.T) {
	race.LeaveOut(t)
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := os.Symlink(filepath.Join(repository, "testdata"), "testdata"); err != nil {
		t.Skip(err)
	}
	shown := regexp.MustCompile(`\]\((?:docs/)?pictures/([a-z_-]+\.(?:svg|png))\)`)
	for _, name := range []string{"README.md", "docs/tutorials.md"} {
		data, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		page := string(data)
		found := lessons(page)
		if len(found) < 3 {
			t.Errorf("%s has %d commands", name, len(found))
		}
		for _, l := range found {
			l.compare(t, repository)
		}
		for _, m := range shown.FindAllStringSubmatch(page, -1) {
			comparePicture(t, m[1], filepath.Join(repository, "docs", "pictures", m[1]))
		}
	}
}

// compare performs the lesson and reports what is not as the page says.
func (l *lesson) compare(t *testing.T, repository string) {
	t.Helper()
	code, out, errs := l.perform(t, repository)
	if fmt.Sprint(code) != l.status {
		t.Errorf("%s\nexit status %d, the page has %s\n%s%s", l.line, code, l.status, out, errs)
	}
	for _, line := range l.output {
		if !prints(out, line) {
			t.Errorf("%s\ndoes not print the page's line\n%s\nbut\n%s", l.line, line, out)
		}
	}
}

// comparePicture compares a picture that a command has made with the one that a page shows.
func comparePicture(t *testing.T, made, shown string) {
	t.Helper()
	got, err := os.ReadFile(made)
	if err != nil {
		t.Errorf("no command of the page makes %s: %v", made, err)
		return
	}
	if *update {
		if err := os.WriteFile(shown, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(shown)
	same := bytes.Equal(got, want)
	if err == nil && !same && strings.HasSuffix(made, ".png") { // another version of Go may compress it otherwise
		same = reflect.DeepEqual(clitest.Picture(t, made), clitest.Picture(t, shown))
	}
	if err != nil || !same {
		t.Errorf("%s is not what the page's command makes: run make pictures (%v)", shown, err)
	}
}

// TestCommandPage: docs/command.md names every command, and no flag that there is not.
func TestCommandPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	all := firstcontact.CommandLine().Commands()
	for _, c := range all {
		if name := c.Name(); name != "help" && name != "completion" && !strings.Contains(string(page), "\n| `"+name+"` |") {
			t.Errorf("docs/command.md does not list %s", name)
		}
	}
	named := regexp.MustCompile("--([a-z][a-z-]*)").FindAllStringSubmatch(string(page), -1)
	if len(named) < 25 {
		t.Errorf("docs/command.md names %d flags", len(named))
	}
	for _, m := range named {
		if m[1] != "version" && m[1] != "help" && !slices.ContainsFunc(all, func(c *cobra.Command) bool {
			return c.Flags().Lookup(m[1]) != nil || c.InheritedFlags().Lookup(m[1]) != nil
		}) {
			t.Errorf("docs/command.md names --%s, which no command has", m[1])
		}
	}
}

func TestLessons(t *testing.T) {
	got := lessons("text\n\n    make\n    $ firstcontact check \\\n          --robot r\n    r: ... s\n    ...\n      more\n    exit status 3\n\ntext\n\n    $ make build\n\n    lone\n")
	want := []lesson{{"firstcontact check --robot r", []string{"r: ... s", "  more"}, "3"}, {"make build", nil, "0"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if !prints("a\nr: 0.1 s\n", "r: ... s") || prints("r: 0.1 s more\n", "r: ... s") || prints("rx 0.1 s\n", "r: ... s") {
		t.Error("lines are compared wrongly")
	}
	for line, want := range map[string]int{"make -s help": 0, "make no-such-target": 2, "go run ./no/such/package": 1} {
		l := lesson{line: line}
		if status, out, errs := l.perform(t, "../.."); status != want {
			t.Errorf("%s: exit status %d, want %d\n%s%s", line, status, want, out, errs)
		}
	}
}
