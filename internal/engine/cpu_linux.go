package engine

import (
	"syscall"
	"time"
	"unsafe"
)

// ThreadTime is the computing time that the calling thread has used, which does not
// count what else the machine does; 0 where it cannot be told. Differences of it mean
// something only while the goroutine stays on its thread (runtime.LockOSThread).
func ThreadTime() time.Duration {
	const threadCPU = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadCPU, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
