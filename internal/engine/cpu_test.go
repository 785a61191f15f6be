package engine

import (
	"runtime"
	"testing"
	"time"
)

// TestThreadTimeCountsWork: it grows with what the thread computes, not with sleep.
func TestThreadTimeCountsWork(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := ThreadTime()
	for x := 1.0; ThreadTime()-begin < time.Millisecond; x *= 1.0000001 {
		if x == 0 {
			t.Fatal("no work")
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	begin = ThreadTime()
	time.Sleep(20 * time.Millisecond)
	if used := ThreadTime() - begin; used > 10*time.Millisecond {
		t.Errorf("sleeping took %v of computing", used)
	}
}
