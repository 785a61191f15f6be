package check

import (
	"context"
	"io"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/distance"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/pairs"
)

const (
	gantry   = clitest.Gantry
	humanoid = clitest.Humanoid
)

// commands are those that read the same input.
var commands = clitest.Commands{Command, RenderCommand, distance.Command, pairs.Command}

func TestMain(m *testing.M) { clitest.Main(m) }

// command runs a command line on a standard input.
func command(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return commands.Run(t, stdin, args...)
}

// run runs a command line in a context.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	return commands.Program().Run(ctx, args, in, out, errs)
}

func humanoidArgs(more ...string) []string { return clitest.CheckHumanoid(more...) }
