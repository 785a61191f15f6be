package pairs

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// pairs lists some of many pairs, and all faults.
func TestPairsListsSome(t *testing.T) {
	race.LeaveOut(t)
	args := []string{"pairs", "-q", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--budget", "20"}
	_, some, errs := command(t, "", args...)
	_, all, _ := command(t, "", append(args, "--details")...)
	for _, kind := range []string{"sometimes  ", "undecided  ", "wasted: "} {
		n, of := strings.Count(some, "\n"+kind), strings.Count(all, "\n"+kind)
		if n != manyPairs+1 || of <= n || !strings.Contains(some, "\n"+kind+"and ") || strings.Contains(all, "\n"+kind+"and ") {
			t.Errorf("%s: %d lines, with --details %d\n%s", kind, n, of, errs)
		}
	}
	if n := strings.Count(some, "\nhidden: "); n == 0 || n != strings.Count(all, "\nhidden: ") {
		t.Errorf("%d hidden pairs are listed, with --details %d", n, strings.Count(all, "\nhidden: "))
	}
}
