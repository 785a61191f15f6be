package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// everyOutput has a command line for every flag that names a file to write. OUT stands for it.
var everyOutput = []struct{ flag, name, args string }{
	{"certificate", "c.cert", "check --robot HUMANOID/humanoid.urdf --certificate OUT HUMANOID/trajectory_free.yaml"},
	{"profile", "p.svg", "check --robot HUMANOID/humanoid.urdf --profile OUT HUMANOID/trajectory_free.yaml"},
	{"profile", "p.csv", "check --robot HUMANOID/humanoid.urdf --profile OUT HUMANOID/trajectory_free.yaml"},
	{"picture", "x.svg", "check --robot HUMANOID/humanoid.urdf --picture OUT HUMANOID/trajectory_free.yaml"},
	{"file", "x.pairs", "pairs --robot LEVER.urdf --file OUT"},
	{"write-srdf", "x.srdf", "pairs --robot LEVER.urdf --write-srdf OUT"},
	{"picture", "x.svg", "pairs --robot LEVER.urdf --picture OUT"},
	{"picture", "x.html", "pairs --robot LEVER.urdf --picture OUT"},
	{"out", "x.yaml", "spheres --robot HUMANOID/humanoid.urdf --link torso --spheres 1 --out OUT"},
	{"out", "x.urdf", "spheres --robot HUMANOID/humanoid.urdf --link torso --spheres 1 --out OUT"},
	{"picture", "x.svg", "spheres --robot HUMANOID/humanoid.urdf --link torso --spheres 1 --picture OUT"},
	{"picture", "x.svg", "spheres --robot HUMANOID/humanoid.urdf --range-of-motion --picture OUT"},
	{"report", "x.html", "check --robot HUMANOID/humanoid.urdf --report OUT HUMANOID/trajectory_free.yaml"},
}

func outputArgs(args, out string) []string {
	return append(strings.Fields(strings.NewReplacer("OUT", out, "HUMANOID/", humanoid, "LEVER", lever).Replace(args)), "-q")
}

// A file that cannot be written is an error that names its flag, before the work begins.
func TestOutputsAreTriedFirst(t *testing.T) {
	race.LeaveOut(t)
	dir := t.TempDir()
	nowhere, folder := filepath.Join(dir, "nowhere"), filepath.Join(dir, "folder.svg")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, o := range everyOutput {
		t.Run(o.flag+" "+o.name, func(t *testing.T) {
			code, out, errs := command(t, "", outputArgs(o.args, filepath.Join(nowhere, o.name))...)
			want := "firstcontact: --" + o.flag + " " + filepath.Join(nowhere, o.name) + ": the folder " + nowhere + " does not exist: create it, or name another\n"
			if code != cli.ExitOutput || errs != want || out != "" {
				t.Errorf("exit status %d: %s\nwant %s%s", code, errs, want, out)
			}
			if o.name == "x.svg" {
				if code, _, errs := command(t, "", outputArgs(o.args, folder)...); code != cli.ExitOutput || !strings.Contains(errs, "it is a folder: name a file in it") {
					t.Errorf("exit status %d: %s", code, errs)
				}
			}
			good := filepath.Join(dir, o.name)
			if code, _, errs := command(t, "", outputArgs(o.args, good)...); code == cli.ExitOutput || code == cli.ExitBadInput {
				t.Errorf("exit status %d: %s", code, errs)
			}
			if _, err := os.Stat(good); err != nil {
				t.Error(err)
			}
		})
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What cannot be written is told with the reason that holds there, and the remedy.
func TestOutputsTellWhy(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{
		"/proc/x.html":                       "the system lets nobody make files in the folder /proc: name another",
		filepath.Join(file, "x.html"):        file + " is a file and no folder: name another folder",
		filepath.Join(file, "y", "x.html"):   file + " is a file and no folder: name another folder",
		strings.Repeat("long", 70) + ".html": "cannot be written: file name too long: give a shorter name",
	} {
		code, out, errs := command(t, "", "check", "--robot", humanoid+"humanoid.urdf", "--report", path, humanoid+"trajectory_free.yaml", "-q")
		if want := "firstcontact: --report " + path + ": " + why + "\n"; code != cli.ExitOutput || errs != want || out != "" {
			t.Errorf("exit status %d: %s\nwant %s%s", code, errs, want, out)
		}
	}
}

// A disk that is full only when the file is written costs the file, not the answer.
func TestOutputsOnFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	for _, o := range everyOutput {
		link := filepath.Join(t.TempDir(), o.name)
		if err := os.Symlink("/dev/full", link); err != nil {
			t.Skip(err)
		}
		if o.flag == "file" {
			continue // a file of results is read first, and a device is refused
		}
		code, out, errs := command(t, "", outputArgs(o.args, link)...)
		if code != cli.ExitOutput || !strings.Contains(errs, "--"+o.flag+" "+link+": cannot be written: no space left on device: free some, or name a folder on another disk") {
			t.Errorf("%s: exit status %d: %s", o.args, code, errs)
		}
		if strings.HasPrefix(o.args, "check") && !strings.Contains(out, "FREE") {
			t.Errorf("%s: the answer is lost: %q", o.args, out)
		}
	}
}

// The name of a picture or table says what it is.
func TestOutputsHaveTheirEndings(t *testing.T) {
	for _, tc := range []struct{ args, out, says string }{
		{everyOutput[1].args, "p.png", "--profile p.png: name a file that ends in .svg (a picture) or .csv (a table)"},
		{everyOutput[1].args, "p", "--profile p: name a file"},
		{everyOutput[6].args, "p.png", "--picture p.png: name a file that ends in .svg or .html"},
		{everyOutput[10].args, "p.png", "--picture p.png: name a file that ends in .svg"},
		{everyOutput[8].args, "p.png", "--out p.png: its name must end in .yaml"},
		{everyOutput[1].args + " --certificate p.svg", "p.svg", "--profile p.svg: --certificate names the same file: give each its own"},
	} {
		t.Chdir(t.TempDir())
		code, _, errs := command(t, "", outputArgs(tc.args, tc.out)...)
		if code != cli.ExitUsage && code != cli.ExitOutput || !strings.Contains(errs, tc.says) {
			t.Errorf("exit status %d: %s\nwant %s", code, errs, tc.says)
		}
		if _, err := os.Stat(tc.out); err == nil {
			t.Errorf("%s is written", tc.out)
		}
	}
}
