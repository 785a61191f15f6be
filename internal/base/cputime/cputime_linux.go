package cputime

import (
	"syscall"
	"time"
	"unsafe"
)

// Thread returns the computing time of the calling thread so far. Who takes
// differences of it locks the goroutine to its thread.
//
// getrusage has it too, but only to a microsecond, on some machines to some
// milliseconds; package syscall has no name for the clock that counts nanoseconds, and
// none is worth a further dependency.
func Thread() (time.Duration, error) {
	const threadCPU = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadCPU, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0, errno
	}
	return time.Duration(t.Nano()), nil
}
