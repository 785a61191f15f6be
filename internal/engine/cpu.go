package engine

import (
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

var began = time.Now()

// ThreadTime is the computing time of the calling thread, excluding other programs; on systems
// without such a clock, the time since the program began. Differences are valid only while the
// goroutine stays on its thread (runtime.LockOSThread).
func ThreadTime() time.Duration {
	t, err := cputime.Thread()
	if err != nil {
		return time.Since(began)
	}
	return t
}
