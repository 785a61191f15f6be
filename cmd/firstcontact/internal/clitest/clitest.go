// Package clitest runs command lines in tests.
package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// Made-up robots, as tests in a folder beside this one name their files.
const (
	Gantry   = "../../../../testdata/gantry.urdf"
	Humanoid = "../../../../testdata/humanoid/" // a folder
)

// CheckHumanoid is the command line that checks motions of the humanoid among its obstacles.
func CheckHumanoid(more ...string) []string {
	return append([]string{
		"check", "-q", "--robot", Humanoid + "humanoid.urdf", "--srdf", Humanoid + "humanoid.srdf", "--scene", Humanoid + "obstacles.yaml",
	}, more...)
}

// Main runs the tests of a package, and keeps them out of the user's cache, but for what go builds
// in tests.
func Main(m *testing.M) {
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		if err := os.Setenv("GOCACHE", filepath.Join(cache, "go-build")); err != nil {
			panic(err)
		}
	}
	dir, err := os.MkdirTemp("", "firstcontact-test-")
	if err != nil {
		panic(err)
	}
	if err := os.Setenv("XDG_CACHE_HOME", dir); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// Commands are the commands of a program that tests run.
type Commands []func(cli.Streams) *cobra.Command

// Run runs a command line with a text on standard input. It returns the exit status, and what the
// command wrote to standard output and to standard error.
func (c Commands) Run(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = c.Program().Run(context.Background(), args, strings.NewReader(stdin), &o, &e)
	return code, o.String(), e.String()
}

// Program is a program with these commands alone.
func (c Commands) Program() *cli.Program {
	return &cli.Program{Name: "firstcontact", Commands: func(s cli.Streams) []*cobra.Command {
		all := make([]*cobra.Command, len(c))
		for i := range c {
			all[i] = c[i](s)
		}
		return all
	}}
}

// Objects reads the objects that --json has printed, one on each line.
func Objects(t *testing.T, out string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(out) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		list = append(list, o)
	}
	return list
}
