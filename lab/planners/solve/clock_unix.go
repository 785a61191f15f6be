//go:build unix

package main

import (
	"syscall"
	"time"
)

// computing returns the computing time of this process, which does not count what else
// the machine does.
func computing() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
