package race

import "testing"

// LeaveOut skips a long test under the race detector. The test must run in one goroutine, or
// what it runs in several must be run so by other tests of its package: then the detector has
// nothing to find in it.
func LeaveOut(t *testing.T) {
	t.Helper()
	if Enabled {
		t.Skip("long, and nothing for the race detector to find")
	}
}
