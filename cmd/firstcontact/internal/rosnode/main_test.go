package rosnode

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

var commands = clitest.Commands{func(cli.Streams) *cobra.Command { return Command() }}

func TestMain(m *testing.M) { clitest.Main(m) }

// command runs a command line on a standard input.
func command(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return commands.Run(t, stdin, args...)
}
