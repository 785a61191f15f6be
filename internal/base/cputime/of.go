package cputime

import (
	"runtime"
	"time"
)

// Of returns the computing time of f, without that of other goroutines that f starts. On
// systems on which Thread fails it returns the elapsed time.
func Of(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	before, err := Thread()
	f()
	if after, err2 := Thread(); err == nil && err2 == nil {
		return after - before
	}
	return time.Since(began)
}
