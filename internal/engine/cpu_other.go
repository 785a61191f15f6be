//go:build !linux

package engine

import "time"

var began = time.Now()

// ThreadTime is the time since the program began: there is no clock of the thread.
func ThreadTime() time.Duration { return time.Since(began) }
