package verify

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/check"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

const (
	gantry   = clitest.Gantry
	humanoid = clitest.Humanoid
)

// commands are those that certificates take.
var commands = clitest.Commands{Command, check.Command}

func TestMain(m *testing.M) { clitest.Main(m) }

// command runs a command line on a standard input.
func command(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return commands.Run(t, stdin, args...)
}

func humanoidArgs(more ...string) []string { return clitest.CheckHumanoid(more...) }
