package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

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
		case strings.HasPrefix(text, "$ firstcontact "):
			found = append(found, lesson{line: strings.TrimPrefix(text, "$ firstcontact "), status: "0"})
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

// TestTutorials types what README.md and docs/tutorials.md say and sees what they show.
func TestTutorials(t *testing.T) {
	var all []lesson
	for name, least := range map[string]int{"../../docs/tutorials.md": 8, "../../README.md": 1} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := lessons(string(page))
		if len(found) < least {
			t.Errorf("%s has %d commands", name, len(found))
		}
		all = append(all, found...)
	}
	testdata, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := os.Symlink(testdata, "testdata"); err != nil {
		t.Skip(err)
	}
	for _, l := range all {
		code, out, errs := command(t, "", strings.Fields(l.line)...)
		if fmt.Sprint(code) != l.status {
			t.Errorf("firstcontact %s\nexit status %d, the page has %s\n%s%s", l.line, code, l.status, out, errs)
		}
		for _, line := range l.output {
			if !prints(out, line) {
				t.Errorf("firstcontact %s\ndoes not print the page's line\n%s\nbut\n%s", l.line, line, out)
			}
		}
	}
}

// TestCommandPage: docs/command.md names every command, and no flag that there is not.
func TestCommandPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	all := root(streams{}, newConsole(nil, nil)).Commands()
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
	got := lessons("text\n\n    make\n    $ firstcontact check \\\n          --robot r\n    r: ... s\n    ...\n      more\n    exit status 3\n\ntext\n\n    $ firstcontact node\n\n    lone\n")
	want := []lesson{{"check --robot r", []string{"r: ... s", "  more"}, "3"}, {"node", nil, "0"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if !prints("a\nr: 0.1 s\n", "r: ... s") || prints("r: 0.1 s more\n", "r: ... s") || prints("rx 0.1 s\n", "r: ... s") {
		t.Error("lines are compared wrongly")
	}
}
