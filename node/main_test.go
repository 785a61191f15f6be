package node

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// roleVariable names the role that this test binary plays as another process.
const roleVariable = "FIRSTCONTACT_TEST_ROLE"

// roles are what it may play.
var roles = map[string]func(args []string) error{}

// waitTogether lets more parallel tests run than there are processors, because they
// mostly wait; -parallel overrides it.
func waitTogether() {
	flag.Parse()
	most := 8
	if race.Enabled {
		most = 5
	}
	if p := flag.Lookup("test.parallel").Value; p.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		p.Set(strconv.Itoa(most))
	}
}

// awayFromTheUser runs tests with a cache folder of their own.
func awayFromTheUser(run func() int) int {
	dir, err := os.MkdirTemp("", "firstcontact-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("XDG_CACHE_HOME", dir); err != nil {
		panic(err)
	}
	return run()
}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" || role == loner {
		waitTogether()
		os.Exit(awayFromTheUser(m.Run))
	}
	go func() { // the test holds the other end, also where it is killed
		tellFootprint(os.Stdin, os.Stdout)
		os.Exit(3)
	}()
	if err := roles[role](os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
