package batch

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/check"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// commands are those whose answers are compared.
var commands = clitest.Commands{Command, check.Command}

func TestMain(m *testing.M) { clitest.Main(m) }

// command runs a command line on a standard input.
func command(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return commands.Run(t, stdin, args...)
}
