package engine

import (
	"runtime"
	"time"
)

// ticksBeforeMetering is how many proofs, some 50 us, pass before the thread's clock is read
// for the first time. Reading it is a system call of a quarter of a microsecond; many checks
// take only a few microseconds.
const ticksBeforeMetering = 160

// meter measures the computing time of one goroutine: that of its thread, except at its
// beginning, which counts as wall time.
type meter struct {
	began  time.Duration // on the wall clock, since the program began
	early  time.Duration // wall time before the thread's clock was read
	thread time.Duration // the thread's clock at that time
	exact  bool          // the thread's clock was read
}

// start begins measuring and locks the goroutine to its thread.
func (m *meter) start() {
	runtime.LockOSThread()
	*m = meter{began: time.Since(began)}
}

// refine uses the thread's clock from now on.
func (m *meter) refine() {
	if !m.exact {
		m.early, m.thread, m.exact = m.passed(), ThreadTime(), true
	}
}

// passed returns the wall time since the start. One reading of a clock takes half of what time.Now does.
func (m *meter) passed() time.Duration { return time.Since(began) - m.began }

func (m *meter) spent() time.Duration {
	if !m.exact {
		return m.passed()
	}
	return m.early + ThreadTime() - m.thread
}

// stop returns the time spent and unlocks the goroutine from its thread.
func (m *meter) stop() time.Duration {
	spent := m.spent()
	runtime.UnlockOSThread()
	return spent
}
