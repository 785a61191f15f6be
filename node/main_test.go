package node

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// roleVariable names the role that this test binary plays as another process.
const roleVariable = "FIRSTCONTACT_TEST_ROLE"

// roles are what it may play.
var roles = map[string]func(args []string) error{}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	go func() { // the test holds the other end, also where it is killed
		io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	}()
	if err := roles[role](os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
