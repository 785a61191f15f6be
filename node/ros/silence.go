package ros

import "time"

// silence watches the deadline of an endpoint of Memory and calls Endpoint.Silence. The
// domain's lock guards it.
type silence struct {
	of     *memoryEndpoint
	timer  *time.Timer // nil until the first sample
	since  time.Time   // the last sample, or the last miss
	events chan struct{}
	done   chan struct{} // closed when no call is running and none follows
}

// newSilence is for an endpoint that is about to be connected.
func newSilence(e *memoryEndpoint) *silence {
	s := &silence{of: e, events: make(chan struct{}, 1), done: make(chan struct{})}
	if e.Silence == nil || !e.isReader() {
		close(s.done)
		return s
	}
	go func() {
		defer close(s.done)
		for range s.events {
			e.Silence(e.Stats())
		}
	}()
	return s
}

// tell signals that the counters have changed.
func (s *silence) tell() {
	select {
	case s.events <- struct{}{}:
	default:
	}
}

// broken records a sample.
func (s *silence) broken() {
	if s.of.QoS.Deadline == 0 {
		return
	}
	s.since = time.Now()
	if s.timer == nil {
		s.timer = time.AfterFunc(s.of.QoS.Deadline, s.look)
	}
}

// look counts a miss, unless a sample has arrived since the timer was set.
func (s *silence) look() {
	defer s.of.lock()()
	if s.of.closed {
		return
	}
	now := time.Now()
	if now.Sub(s.since) >= s.of.QoS.Deadline {
		s.of.stats.DeadlineMissed++
		s.since = now
		s.tell()
	}
	s.timer.Reset(s.of.QoS.Deadline - now.Sub(s.since))
}

// end stops the timer and waits for calls. The endpoint is closed by now.
func (s *silence) end() {
	if s.timer != nil {
		s.timer.Stop()
	}
	close(s.events)
}
