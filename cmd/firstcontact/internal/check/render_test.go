package check

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// size is enough to see whether a picture is drawn.
const tiny = "--size=160x100"

// What render answers and writes.
func TestRender(t *testing.T) {
	race.LeaveOut(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "p.png")
	render := func(args ...string) []string { return append([]string{"render"}, humanoidArgs(args...)[1:]...) }
	for _, c := range []struct {
		name   string
		args   []string
		status int
		out    string
		files  []string
	}{
		{"a contact", render(humanoid + "wave.csv"), cli.ExitContact, "its picture is " + file, []string{"p.png"}},
		{"a free motion", render("--background", "dark", "--no-close-up", humanoid+"trajectory_free.yaml"), cli.ExitFree, "its picture is " + file, []string{"p.png"}},
		{"an undecided one", render("--deadline", "1ns", humanoid+"trajectory_free.yaml"), cli.ExitUndecided, "UNDECIDED", []string{"p.png"}},
		{"a time", render("--at", "2.5", "--ghosts", "3", humanoid+"wave.csv"), cli.ExitFree, "wave.csv at 2.5 s of 15 s", []string{"p.png"}},
		{"the end", render("--at", "end", humanoid+"wave.csv"), cli.ExitFree, "wave.csv at 15 s of 15 s", []string{"p.png"}},
		{"at rest", render("--view", "90,10"), cli.ExitFree, "humanoid", []string{"p.png"}},
		{"several", render("--at", "start", humanoid+"wave.csv", humanoid+"trajectory_free.yaml"), cli.ExitFree, "p-2.png", []string{"p-1.png", "p-2.png"}},
		{"several, checked", render("--ghosts", "0", humanoid+"wave.csv", humanoid+"trajectory_free.yaml"), cli.ExitContact, "their pictures are " + dir + "/p-1.png to " + dir + "/p-2.png", []string{"p-1.png", "p-2.png"}},
	} {
		code, out, errs := command(t, "", append(c.args, tiny, "--png", file)...)
		if code != c.status || !strings.Contains(out, c.out) {
			t.Errorf("%s: exit status %d, want %d and %q\n%s%s", c.name, code, c.status, c.out, out, errs)
		}
		for _, name := range c.files {
			if size := clitest.Picture(t, filepath.Join(dir, name)).Bounds().Size(); size != image.Pt(160, 100) {
				t.Errorf("%s: %s is of size %v", c.name, name, size)
			}
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: it also writes %v", c.name, left)
		}
	}
}

// Errors say what to give instead, and leave no file.
func TestRenderRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.png")
	wave := humanoid + "wave.csv"
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{wave}, cli.ExitUsage, "name the file to write by --png FILE"},
		{[]string{"--png", "p.jpg", wave}, cli.ExitUsage, "name a file that ends in .png"},
		{[]string{"--png", file, "--size", "10x10", wave}, cli.ExitUsage, "--size 10x10: give WIDTHxHEIGHT"},
		{[]string{"--png", file, "--size", "1e3", wave}, cli.ExitUsage, "--size 1e3"},
		{[]string{"--png", file, "--size", "100x9000", wave}, cli.ExitUsage, "to 8192"},
		{[]string{"--png", file, "--view", "30", wave}, cli.ExitUsage, "--view 30: give AZIMUTH,ELEVATION"},
		{[]string{"--png", file, "--view", "30,91", wave}, cli.ExitUsage, "from -90 to 90"},
		{[]string{"--png", file, "--view", "NaN,0", wave}, cli.ExitUsage, "--view NaN,0"},
		{[]string{"--png", file, "--background", "blue", wave}, cli.ExitUsage, "give light or dark"},
		{[]string{"--png", file, "--ghosts", "65", wave}, cli.ExitUsage, "give 0 to 64"},
		{[]string{"--png", file, "--at", "soon", wave}, cli.ExitUsage, "start or end"},
		{[]string{"--png", file, "--at", "-1", wave}, cli.ExitUsage, "--at -1"},
		{[]string{"--png", file, "--at", "1"}, cli.ExitUsage, "give a MOTION"},
		{[]string{"--png", file, "--at", "15.1", wave}, cli.ExitBadInput, "--at 15.1 is after its end, 15 s"},
		{[]string{"--png", file, "--at", "1", humanoid + "none.csv"}, cli.ExitBadInput, "none.csv"},
		{[]string{"--png", filepath.Join(dir, "no", "p.png"), tiny, wave}, cli.ExitOutput, "the folder " + filepath.Join(dir, "no") + " does not exist"},
		{[]string{"--png", os.DevNull, tiny, wave, wave}, cli.ExitOutput, "name a file in a folder"},
	} {
		code, _, errs := command(t, "", append([]string{"render", "--robot", humanoid + "humanoid.urdf"}, c.args...)...)
		if code != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit status %d, want %d and %q:\n%s", c.args, code, c.status, c.want, errs)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// check draws what render does without flags of its own.
func TestCheckPNG(t *testing.T) {
	race.LeaveOut(t)
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.png"), filepath.Join(dir, "b.png")
	code, out, errs := command(t, "", humanoidArgs("--json", "--png", a, humanoid+"wave.csv")...)
	if code != cli.ExitContact || !strings.Contains(out, `"png":"`+a+`"`) {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
	args := humanoidArgs("--png", b, humanoid+"wave.csv")
	args[0] = "render"
	if code, out, errs := command(t, "", args...); code != cli.ExitContact {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
	one, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := os.ReadFile(b); err != nil || !bytes.Equal(one, other) {
		t.Errorf("two pictures of one contact differ (%v)", err)
	}
}
