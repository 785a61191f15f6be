package node

import (
	"slices"
	"sync"
	"time"
)

// meter measures what the node publishes: how often, how late, and how long after a joint state
// came.
type meter struct {
	deadline time.Duration // that ~/state offers

	mu       sync.Mutex
	last     time.Time // when a state was last published
	states   uint64
	missed   uint64 // periods of the deadline without a state
	delays   [1000]time.Duration
	measured uint64 // delays so far; the array holds the last of them
}

// published counts a state. delay is the time from the receipt of the joint state that it is
// about, negative if it is about none that is new.
func (m *meter) published(now time.Time, delay time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.last.IsZero() && m.deadline > 0 {
		m.missed += uint64(max(0, now.Sub(m.last)-1) / m.deadline)
	}
	m.last = now
	m.states++
	if delay >= 0 {
		m.delays[m.measured%uint64(len(m.delays))] = delay
		m.measured++
	}
}

// reading is what a meter shows.
type reading struct {
	last             time.Time
	states, missed   uint64
	median, p99, top time.Duration // of the last delays; zero if there are none
}

func (m *meter) read() reading {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := reading{last: m.last, states: m.states, missed: m.missed}
	if n := min(m.measured, uint64(len(m.delays))); n > 0 {
		sorted := slices.Sorted(slices.Values(m.delays[:n]))
		r.median, r.p99, r.top = sorted[n/2], sorted[n*99/100], sorted[n-1]
	}
	return r
}
