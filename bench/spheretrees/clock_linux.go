package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// computing runs f and returns the computing time that its thread took, which unlike
// the time on the clock does not count what else the machine is doing.
func computing(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	f()
	return threadTime() - before
}

// threadTime returns the computing time of the calling thread. getrusage tells it only
// to some milliseconds on some machines; package syscall has no name for the clock
// that counts nanoseconds, and none is worth a further dependency.
func threadTime() time.Duration {
	const threadCPU = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadCPU, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
