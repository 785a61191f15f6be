//go:build !linux

package cputime

import (
	"errors"
	"time"
)

// Thread fails where we know no clock of a thread's computing: the time on the wall
// would be told as something it is not.
func Thread() (time.Duration, error) {
	return 0, errors.New("measuring needs Linux: no clock of a thread's computing is known here")
}
