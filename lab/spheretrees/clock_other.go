//go:build !linux

package main

import "time"

// computing runs f and returns how long it took on the clock.
func computing(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
