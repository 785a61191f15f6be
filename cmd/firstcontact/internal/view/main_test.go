package view

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// command runs a command line on a standard input.
func command(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return clitest.Commands{Command}.Run(t, stdin, args...)
}
