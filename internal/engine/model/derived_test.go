package model

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestDerivedIsMadeOnce(t *testing.T) {
	type first struct{}
	type second struct{}
	var l Leaves
	var made atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if got := l.Derived(first{}, func() any { return made.Add(1) }); got != int32(1) {
				t.Errorf("made %v", got)
			}
		}()
	}
	all.Wait()
	if got := l.Derived(second{}, func() any { return made.Add(1) }); got != int32(2) || made.Load() != 2 {
		t.Errorf("another key: %v, made %d times", got, made.Load())
	}
	var other Leaves
	if got := other.Derived(first{}, func() any { return made.Add(1) }); got != int32(3) {
		t.Errorf("another shape: %v", got)
	}
}
