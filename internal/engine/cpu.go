package engine

import (
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

var began = time.Now()

// ThreadTime is the computing time that the calling thread has used, which does not
// count what else the machine does; where it cannot be told, the time since the program
// began. Differences of it mean something only while the goroutine stays on its thread
// (runtime.LockOSThread).
func ThreadTime() time.Duration {
	t, err := cputime.Thread()
	if err != nil {
		return time.Since(began)
	}
	return t
}
