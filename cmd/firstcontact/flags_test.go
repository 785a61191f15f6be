package main

import (
	"context"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// A flag that several commands have has one name, and old names are not shown.
func TestScopeFlagsHaveOneName(t *testing.T) {
	for _, name := range []string{"check", "distance", "verify", "bench"} {
		var out strings.Builder
		if code := run(context.Background(), []string{name, "--help"}, strings.NewReader(""), &out, &out); code != cli.ExitFree {
			t.Fatalf("%s --help: exit status %d", name, code)
		}
		for word, want := range map[string]bool{"--no-self ": true, "--no-world ": true, "--noself": false, "--noenv": false} {
			if strings.Contains(out.String(), word) != want {
				t.Errorf("%s --help: %s is there: %v", name, word, !want)
			}
		}
	}
}

// Help shows flags by headings, and every flag once.
func TestHelpGroupsFlags(t *testing.T) {
	var out strings.Builder
	if code := run(context.Background(), []string{"check", "--help"}, strings.NewReader(""), &out, &out); code != cli.ExitFree {
		t.Fatalf("exit status %d", code)
	}
	_, flags, _ := strings.Cut(out.String(), "\nFlags:\n")
	at := -1
	for _, word := range []string{" Robot:\n", "--robot ", "--srdf ", " Scene and start:\n", "--scene ", " Question:\n", "--clearance ", " Output:\n", "--json ", " Other flags:\n", "--quiet "} {
		i := strings.Index(flags, word)
		if i <= at || strings.Count(flags, "\n      "+word) > 1 {
			t.Errorf("%q is not there, not once or not in its place", word)
		}
		at = i
	}
	for _, c := range commands(cli.Streams{}) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && strings.Count(cli.FlagHelp(c), "--"+f.Name+" ") == 0 {
				t.Errorf("%s --help leaves out --%s", c.Name(), f.Name)
			}
		})
	}
}

// Every flag of the commands that people use daily stands under a heading of its own, and their
// text fits on a screen.
func TestHelpIsShort(t *testing.T) {
	usual := map[string]bool{"cache": true, "no-cache": true, "jobs": true, "help": true}
	seen := 0
	for _, c := range commands(cli.Streams{}) {
		switch c.Name() {
		case "check", "distance", "pairs", "spheres", "verify", "node", "doctor":
		default:
			continue
		}
		seen++
		c.InitDefaultHelpFlag()
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if h := f.Annotations[cli.HeadingKey]; !f.Hidden && !usual[f.Name] && (h == nil || h[0] == "Other flags") {
				t.Errorf("%s --help shows --%s under no heading", c.Name(), f.Name)
			}
		})
		lines := strings.Split(c.Long, "\n")
		if len(lines) > 40 {
			t.Errorf("%s --help begins with %d lines of text", c.Name(), len(lines))
		}
		for _, line := range append(lines, strings.Split(cli.FlagHelp(c), "\n")...) {
			if len(line) > 135 {
				t.Errorf("%s --help: a line of %d characters: %s", c.Name(), len(line), line)
			}
		}
	}
	if seen != 7 {
		t.Errorf("%d of 7 commands", seen)
	}
}

// An empty value is an error of every flag that names something: that of a shell's variable that is not set must
// not count as a flag that is not given.
func TestEmptyValuesAreRefused(t *testing.T) {
	tried := 0
	for _, c := range commands(cli.Streams{}) {
		if c.Name() == "node" { // its arguments are those of ROS
			continue
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); kind != "string" && kind != "stringArray" {
				return
			}
			tried++
			for _, args := range [][]string{{c.Name(), "--" + f.Name, "", "x"}, {c.Name(), "--" + f.Name + "=", "x"}} {
				code, out, errs := command(t, "", args...)
				if code != cli.ExitUsage || out != "" || !strings.Contains(errs, "--"+f.Name) || !strings.Contains(errs, "the value is empty") {
					t.Errorf("%q: exit status %d: %s%s", args, code, out, errs)
				}
			}
		})
	}
	if tried < 50 {
		t.Errorf("%d flags", tried)
	}
	args := []string{"check", "-q", "--robot", humanoid + "humanoid.urdf", "--scene", "", humanoid + "trajectory_free.yaml"}
	if code, out, errs := command(t, "", args...); code != cli.ExitUsage || out != "" {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}

// Of two values of a flag that takes one, neither counts: a check with the second scene alone would call free what
// touches the first.
func TestSecondValuesAreRefused(t *testing.T) {
	values := map[string]string{"string": "a", "float64": "1", "int": "1", "uint64": "1", "duration": "1s"}
	tried := 0
	for _, c := range commands(cli.Streams{}) {
		if c.Name() == "node" { // its arguments are those of ROS
			continue
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value, one := values[f.Value.Type()]
			if !one {
				return
			}
			tried++
			code, out, errs := command(t, "", c.Name(), "--"+f.Name, value, "--"+f.Name+"="+value, "x")
			if code != cli.ExitUsage || out != "" || !strings.Contains(errs, "--"+f.Name) || !strings.Contains(errs, "the flag is given twice") {
				t.Errorf("%s --%s: exit status %d: %s%s", c.Name(), f.Name, code, out, errs)
			}
		})
	}
	if tried < 80 {
		t.Errorf("%d flags", tried)
	}
}
