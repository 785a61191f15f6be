package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Thread returns the computing time of the calling thread so far. Lock the goroutine to its
// thread before taking differences.
//
// getrusage reports it too, but with a resolution of a microsecond or, on some machines,
// milliseconds.
func Thread() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0, err
	}
	return time.Duration(t.Nano()), nil
}
