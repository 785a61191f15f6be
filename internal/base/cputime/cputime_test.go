package cputime

import (
	"runtime"
	"testing"
	"time"
)

// TestOfCountsNoRest: what f sleeps is no computing, what it computes is.
func TestOfCountsNoRest(t *testing.T) {
	if _, err := Thread(); err != nil {
		t.Skip(err)
	}
	const rest = 50 * time.Millisecond
	if took := Of(func() { time.Sleep(rest) }); took > rest/2 {
		t.Errorf("%v of computing in a sleep of %v", took, rest)
	}
	began := time.Now()
	took := Of(func() {
		for x := 1.0; time.Since(began) < rest || x == 0; x *= 1.0000001 {
		}
	})
	if passed := time.Since(began); took <= 0 || took > passed {
		t.Errorf("%v of computing in %v", took, passed)
	}
}

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
