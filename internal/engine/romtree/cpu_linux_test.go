package romtree

import (
	"syscall"
	"unsafe"
)

// threadTime is the computing time of this thread in seconds.
func threadTime() float64 {
	const threadCPU = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadCPU, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		panic(errno)
	}
	return float64(t.Nano()) * 1e-9
}
