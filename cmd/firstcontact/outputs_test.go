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
	{"png", "x.png", "check --robot HUMANOID/humanoid.urdf --png OUT HUMANOID/trajectory_free.yaml"},
	{"record", "x.mcap", "check --robot HUMANOID/humanoid.urdf --record OUT HUMANOID/trajectory_free.yaml"},
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
		if strings.Contains(out, " is "+link) || strings.Contains(out, " is in "+link) || strings.Contains(out, " are in "+link) {
			t.Errorf("%s: the answer names a file that is not written: %q", o.args, out)
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

// A file to write that is one to read would be lost, whatever it is called.
func TestOutputsSpareTheInputs(t *testing.T) {
	files := map[string]string{
		"r.urdf": lever + ".urdf", "r.srdf": lever + ".srdf",
		"s.yaml": "objects: [{id: far, type: box, xyz: [5, 0, 0], size: [1, 1, 1]}]", "m.csv": "time,elbow\n0,0\n1,0.1\n", "p.json": "{}",
	}
	dir := t.TempDir()
	for name, text := range files {
		if data, err := os.ReadFile(text); err == nil {
			text = string(data)
		}
		files[name] = text
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for link, to := range map[string]string{"link.svg": "s.yaml", "link.html": "r.srdf", "link.mcap": "r.urdf", "link.png": "m.csv", "link-2.png": "m.csv"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	if code, _, errs := command(t, "", "pairs", "-q", "--robot", "r.urdf", "--file", "r.pairs"); code != cli.ExitFree {
		t.Fatal(errs)
	}
	check := "check -q --robot r.urdf --srdf r.srdf --scene s.yaml "
	for _, tc := range []struct{ args, says string }{
		{check + "--profile ./m.csv m.csv", "--profile ./m.csv: MOTION is the same file"},
		{check + "--certificate m.csv m.csv", "--certificate m.csv: MOTION"},
		{check + "--certificate p.json p.json#set/1", "--certificate p.json: MOTION"},
		{"check -q --robot r.urdf --certificate p.json --scene p.json#set m.csv", "--certificate p.json: --scene"},
		{check + "--certificate r.urdf m.csv", "--certificate r.urdf: --robot"},
		{"check -q --robot a=r.urdf --srdf a=r.srdf --report link.html m.csv", "--report link.html: --srdf"},
		{check + "--certificate r.pairs --pairs r.pairs m.csv", "--certificate r.pairs: --pairs"},
		{check + "--picture link.svg m.csv", "--picture link.svg: --scene"},
		{check + "--record link.mcap m.csv", "--record link.mcap: --robot"},
		{"check -q --robot r.urdf --png link.png m.csv", "--png link.png: MOTION"},
		{"check -q --robot r.urdf --png link.png m.csv m.csv", "--png link-2.png: MOTION"},
		{"render -q --robot r.urdf --png link.png --at 0 m.csv", "--png link.png: MOTION"},
		{"render -q --robot r.urdf --scene m.csv --png link.png", "--png link.png: --scene"},
		{"pairs -q --robot r.urdf --srdf r.srdf --write-srdf r.srdf", "--write-srdf r.srdf: --srdf"},
		{"pairs -q --robot r.urdf --file r.urdf", "--file r.urdf: --robot"},
		{"spheres -q --robot r.urdf --out r.urdf", "--out r.urdf: --robot"},
		{"spheres -q --robot r.urdf --verify s.yaml --picture link.svg", "--picture link.svg: --verify"},
	} {
		code, out, errs := command(t, "", strings.Fields(tc.args)...)
		if code != cli.ExitUsage || out != "" || !strings.Contains(errs, tc.says) {
			t.Errorf("%s: exit status %d: %s%s", tc.args, code, out, errs)
		}
		for name, text := range files {
			if data, err := os.ReadFile(name); err != nil || string(data) != text {
				t.Fatalf("%s: %s is overwritten, %v", tc.args, name, err)
			}
		}
	}
}
