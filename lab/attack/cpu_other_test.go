//go:build !linux

package attack

import "time"

func cpuOf(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}
