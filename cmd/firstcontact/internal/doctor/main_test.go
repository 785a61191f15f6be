package doctor

import (
	"context"
	"io"
	"testing"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/rosnode"
)

const humanoid = clitest.Humanoid

var commands = clitest.Commands{Command, func(cli.Streams) *cobra.Command { return rosnode.Command() }}

func TestMain(m *testing.M) { clitest.Main(m) }

// run runs a command line in a context.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	return commands.Program().Run(ctx, args, in, out, errs)
}

// command runs a command line on a standard input.
func command(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return commands.Run(t, stdin, args...)
}
