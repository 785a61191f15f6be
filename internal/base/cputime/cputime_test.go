package cputime

import (
	"runtime"
	"testing"
)

// Work takes time, and time does not run backwards.
func TestThreadCountsWork(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	at := func() int64 {
		d, err := Thread()
		if err != nil {
			t.Fatal(err)
		}
		return int64(d)
	}
	before := at()
	x := 1.0
	for range 1_000_000 {
		x = x*1.0000001 + 1e-9
	}
	if took := at() - before; took <= 0 || x == 0 {
		t.Errorf("a million products took %d ns of computing", took)
	}
}
