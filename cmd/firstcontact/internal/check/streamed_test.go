package check

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// fed is a named pipe into which a text is written, as <(xacro arm.urdf.xacro) is.
func fed(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "63")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	go func() {
		w, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		_, _ = w.WriteString(text) // the command may end first
	}()
	return path
}

// A robot, its SRDF and the scene may come from a pipe or from standard input.
func TestStreams(t *testing.T) {
	data, err := os.ReadFile(clitest.Folding(t, clitest.Metre))
	if err != nil {
		t.Fatal(err)
	}
	urdf := string(data)
	relative := strings.Replace(urdf, "<box size='"+clitest.Metre+"'/>", "<mesh filename='meshes/part.stl'/>", 1)
	const srdf = "<robot name='folding'><disable_collisions link1='base' link2='upper' reason='Adjacent'/></robot>"
	const ball = "objects:\n  - {id: ball, type: sphere, radius: 0.1, xyz: [1.9, 0, 0]}\n"
	robot := write(t, filepath.Join(t.TempDir(), "r.urdf"), urdf)
	wrist := write(t, filepath.Join(t.TempDir(), "wrist.csv"), clitest.WristTurns)
	for _, c := range []struct {
		name, in string
		args     []string
		want     int
		says     string
	}{
		{"robot", urdf, []string{"check", "--robot", "-", wrist}, cli.ExitFree, "FREE"},
		{"robot from a pipe", "", []string{"check", "--robot", fed(t, urdf), wrist}, cli.ExitFree, "FREE"},
		{"scene", ball, []string{"check", "--robot", robot, "--scene", "-", wrist}, cli.ExitContact, "ball"},
		{"scene from a pipe", "", []string{"check", "--robot", robot, "--scene", fed(t, ball), wrist}, cli.ExitContact, "ball"},
		{"motion from a pipe", "", []string{"check", "--robot", robot, fed(t, clitest.WristTurns)}, cli.ExitFree, "FREE"},
		{"SRDF", srdf, []string{"pairs", "--robot", robot, "--srdf", "-"}, cli.ExitContact, "upper"},
		{"all from pipes", "", []string{"check", "--robot", fed(t, urdf), "--scene", fed(t, ball), fed(t, clitest.WristTurns)}, cli.ExitContact, "ball"},
		{"distance", urdf, []string{"distance", "--robot", "-"}, cli.ExitFree, "base"},
		{"twice", urdf, []string{"check", "--robot", "-", "-"}, cli.ExitBadInput, "standard input is read once, and --robot has it"},
		{"twice, scene", urdf, []string{"check", "--robot", "-", "--scene", "-", wrist}, cli.ExitUsage, "standard input is read once, and --robot has it"},
		{"two motions", clitest.WristTurns, []string{"check", "--robot", robot, "-", "-"}, cli.ExitBadInput, "standard input is read once"},
		{"empty", "", []string{"check", "--robot", "-", wrist}, cli.ExitBadInput, "standard input is empty: the program that writes it has failed"},
		{"xacro", "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:include filename='a'/></robot>", []string{"check", "--robot", "-", wrist}, cli.ExitBadInput, "expand it first"},
		{"relative mesh", relative, []string{"check", "--robot", "-", wrist}, cli.ExitBadInput, "relative to the working directory, as the URDF comes from a stream"},
		{"relative mesh of a pipe", "", []string{"check", "--robot", fed(t, relative), wrist}, cli.ExitBadInput, "relative to the working directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := command(t, c.in, append(c.args, "-q")...)
			if code != c.want || !strings.Contains(out+errs, c.says) {
				t.Errorf("exit status %d, want %d and %q\n%s%s", code, c.want, c.says, out, errs)
			}
		})
	}
}
