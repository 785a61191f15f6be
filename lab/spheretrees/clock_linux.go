package main

import (
	"runtime"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

// computing runs f and returns the computing time that its thread took, which unlike
// the time on the clock does not count what else the machine is doing.
func computing(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, _ := cputime.Thread() // Linux has it
	f()
	after, _ := cputime.Thread()
	return after - before
}
