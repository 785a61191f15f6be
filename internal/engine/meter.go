package engine

import (
	"runtime"
	"time"
)

// ticksBeforeMetering is how many proofs, some 50 us, pass before the thread's clock is
// read for the first time. Reading it is a system call of a quarter of a microsecond,
// which many a check takes a few of.
const ticksBeforeMetering = 160

// meter measures the computing time of one goroutine: that of its thread, except for
// its beginning, which counts as it passes on the wall clock.
type meter struct {
	began  time.Time
	early  time.Duration // on the wall clock, before the thread's clock was read
	thread time.Duration // what the thread's clock showed then
	exact  bool          // it was read
}

// start begins to measure and keeps the goroutine on its thread.
func (m *meter) start() {
	runtime.LockOSThread()
	*m = meter{began: time.Now()}
}

// refine measures by the thread's clock from now on.
func (m *meter) refine() {
	if !m.exact {
		m.early, m.thread, m.exact = time.Since(m.began), ThreadTime(), true
	}
}

func (m *meter) spent() time.Duration {
	if !m.exact {
		return time.Since(m.began)
	}
	return m.early + ThreadTime() - m.thread
}

// stop returns what was spent and lets the goroutine leave its thread.
func (m *meter) stop() time.Duration {
	spent := m.spent()
	runtime.UnlockOSThread()
	return spent
}
