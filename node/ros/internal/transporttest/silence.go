package transporttest

import (
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// promises checks that a reader gets samples of a writer that offers what it requests, or
// more.
func promises(t *testing.T, a, b Side) {
	pa, pb := a.Open(t), b.Open(t)
	e := channel(ros.QoS{Deadline: time.Minute, Lease: time.Second, Lifespan: time.Minute})
	w := newWriter(t, pa, e)
	for _, qos := range []ros.QoS{
		{},
		{Reliability: ros.BestEffort},
		{Deadline: time.Minute, Lease: time.Second},
		{Deadline: time.Hour},
		{Lease: time.Hour},
	} {
		e.QoS = qos
		in := newInbox(t, pb, e)
		waitMatch(t, 1, w, in)
		write(t, w, text("for all"))
		in.next(t)
		in.Close()
		waitMatch(t, 0, w)
	}
}

// told waits until the reported counters meet a condition, and returns them.
func told(t *testing.T, events <-chan ros.EndpointStats, what string, ok func(ros.EndpointStats) bool) ros.EndpointStats {
	t.Helper()
	var last ros.EndpointStats
	for patience := time.After(patience); ; {
		select {
		case last = <-events:
			if ok(last) {
				return last
			}
		case <-patience:
			t.Fatalf("%s is not told; the last that is told is %+v", what, last)
		}
	}
}

// listened makes a reader whose silence events go to the channel.
func listened(t *testing.T, p ros.Participant, e ros.Endpoint) (inbox, <-chan ros.EndpointStats) {
	events := make(chan ros.EndpointStats, 10000)
	e.Silence = func(s ros.EndpointStats) { events <- s }
	return newInbox(t, p, e), events
}

func missedDeadlines(t *testing.T, a, b Side) {
	const deadline = 50 * time.Millisecond
	e := channel(ros.QoS{Deadline: deadline})
	w := newWriter(t, a.Open(t), e)
	in, events := listened(t, b.Open(t), e)
	waitMatch(t, 1, w, in)
	time.Sleep(3 * deadline)
	if missed := in.Stats().DeadlineMissed; missed != 0 {
		t.Errorf("%d deadlines are missed before the first sample", missed)
	}
	begin := time.Now()
	write(t, w, text("once"))
	in.next(t)
	// One report may tell of several, so they are held against the time that has passed.
	missed := told(t, events, "a missed deadline", func(s ros.EndpointStats) bool { return s.DeadlineMissed > 0 }).DeadlineMissed
	if took := time.Since(begin); missed > uint64(took/(deadline/2)) {
		t.Errorf("%d deadlines of %v are missed after %v", missed, deadline, took)
	}
	told(t, events, "the next", func(s ros.EndpointStats) bool { return s.DeadlineMissed > missed })
	for end := time.Now().Add(patience); w.Stats().DeadlineMissed == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the writer counts no missed deadline")
		}
	}
}

func livelinessTold(t *testing.T, a, b Side) {
	e := channel(ros.QoS{Lease: time.Second})
	in, events := listened(t, b.Open(t), e)
	alive := func(n int) func(ros.EndpointStats) bool {
		return func(s ros.EndpointStats) bool { return s.Alive == n && s.NotAlive == 0 }
	}
	w := newWriter(t, a.Open(t), e)
	told(t, events, "the first writer", alive(1))
	p := a.Open(t)
	newWriter(t, p, e)
	told(t, events, "the second writer", alive(2))
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	told(t, events, "the end of the second participant", alive(1))
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	told(t, events, "the end of the first writer", alive(0))
	waitMatch(t, 0, in)
	if s := in.Stats(); s.Alive != 0 {
		t.Errorf("the counters are %+v", s)
	}
}
