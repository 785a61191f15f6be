package enginetest

import (
	"os"
	"strconv"
)

// long is how many times as much a campaign does.
func long() int {
	if k, err := strconv.Atoi(os.Getenv("FIRSTCONTACT_LONG")); err == nil && k > 0 {
		return 10 * k
	}
	return 1
}
