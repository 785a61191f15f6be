package simtime

import (
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

func at(s float64) time.Time {
	return time.Unix(0, 0).UTC().Add(time.Duration(s * float64(time.Second)))
}

func TestClock(t *testing.T) {
	c := New(100*ms, time.Second)
	steps := []struct {
		up    time.Duration
		value float64 // none: no message
		broke string
		fault string
		now   float64
	}{
		{up: 0, value: -1, fault: "nothing has come on /clock yet"},
		{up: 5 * time.Second, value: -1, fault: "nothing has come on /clock yet"}, // an absent clock does not stand still
		{up: 5 * time.Second, value: 50, now: 50},
		{up: 5100 * ms, value: 50.02, now: 50.02},
		{up: 5200 * ms, value: 50.02, now: 50.02},
		{up: 5300 * ms, value: 50.12, now: 50.12}, // as far as it may go
		{up: 5310 * ms, value: 50.221, now: 50.221, broke: "went ahead by 0.101 s"},
		{up: 5320 * ms, value: 50.22, now: 50.22, broke: "set back by 0.001 s"},
		{up: 5330 * ms, value: 0, now: 0, broke: "set back by 50.220 s"}, // a log that starts again
		{up: 6330 * ms, value: 0, now: 0},                                // without an advance
		{up: 6331 * ms, value: -1, now: 0, broke: "stands still", fault: "has not advanced for 1.000 s"},
		{up: 6400 * ms, value: -1, now: 0, fault: "has not advanced for 1.000 s"},
		{up: 6500 * ms, value: 0, now: 0, fault: "has not advanced for 1.000 s"}, // a paused recording repeats its time
		{up: 9000 * ms, value: 0.01, now: 0.01},
		{up: 9990 * ms, value: -1, now: 0.01},
		{up: 11 * time.Second, value: -1, now: 0.01, broke: "stands still", fault: "has not advanced"},
		{up: 12 * time.Second, value: 0, now: 0, broke: "set back by 0.010 s"}, // while it stood still
		{up: 12100 * ms, value: 0.05, now: 0.05},
	}
	for i, s := range steps {
		broke := c.Look(s.up)
		if s.value >= 0 {
			broke += c.Hear(at(s.value), s.up)
		}
		if (broke == "") != (s.broke == "") || !strings.Contains(broke, s.broke) {
			t.Errorf("step %d: broke by %q, want %q", i, broke, s.broke)
		}
		if fault := c.Fault(); (fault == "") != (s.fault == "") || !strings.Contains(fault, s.fault) {
			t.Errorf("step %d: fault %q, want %q", i, fault, s.fault)
		}
		if !c.Now().Equal(at(s.now)) {
			t.Errorf("step %d: now %v, want %v", i, c.Now(), at(s.now))
		}
	}
	c.Lose("this process was paused for 2 s")
	if !strings.Contains(c.Fault(), "paused for 2 s, and nothing has come on /clock since") {
		t.Errorf("fault %q", c.Fault())
	}
	if broke := c.Hear(at(100), 10*time.Second); broke != "" || c.Fault() != "" || !c.Now().Equal(at(100)) {
		t.Errorf("after a loss: broke by %q, fault %q", broke, c.Fault())
	}
}
