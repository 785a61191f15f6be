//go:build !linux

package romtree

import "time"

var started = time.Now()

func threadTime() float64 { return time.Since(started).Seconds() }
