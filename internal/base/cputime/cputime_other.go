//go:build !linux

package cputime

import (
	"errors"
	"time"
)

// Thread fails on systems without a clock for a thread's computing time: wall-clock time would
// be misleading.
func Thread() (time.Duration, error) {
	return 0, errors.New("measuring needs Linux: this system has no clock of a thread's computing time")
}
