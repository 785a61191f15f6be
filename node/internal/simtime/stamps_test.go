package simtime

import (
	"strings"
	"testing"
	"time"
)

func TestStamps(t *testing.T) {
	c := NewStamps[string](100*ms, 200*ms)
	for i, s := range []struct {
		up    time.Duration
		from  string // "" for a look
		stamp float64
		broke string
		fault string
		now   float64
	}{
		{up: 0, fault: "no joint state with a stamp has come yet"},
		{up: time.Second, fault: "no joint state with a stamp has come yet"},
		{up: time.Second, from: "a", stamp: 50, now: 50},
		{up: 1010 * ms, from: "b", stamp: 49.5, now: 50}, // older
		{up: 1020 * ms, from: "b", stamp: 50.01, now: 50.01},
		{up: 1030 * ms, from: "a", stamp: 50.005, now: 50.01},
		{up: 1040 * ms, from: "a", stamp: 49.91, now: 50.01}, // a correction
		{up: 1050 * ms, from: "a", stamp: 70, now: 70},       // a gap
		{up: 1060 * ms, from: "b", stamp: 50.02, now: 70},
		{up: 1070 * ms, from: "a", stamp: 3, now: 3, broke: "the time of the joint states was set back by 67.000 s"},
		{up: 1080 * ms, from: "b", stamp: 3.01, now: 3.01},
		{up: 1090 * ms, from: "b", stamp: 2.95, now: 3.01},
		{up: 1280 * ms, from: "b", stamp: 3.01, now: 3.01}, // no advance
		{up: 1281 * ms, now: 3.01, broke: "stands still: their stamp has not advanced for 0.200 s", fault: "stands still"},
		{up: 1290 * ms, from: "b", stamp: 3.01, now: 3.01, fault: "stands still"},
		{up: 1300 * ms, from: "c", stamp: 1, now: 1, broke: "set back by 2.010 s"}, // another recording
	} {
		broke := c.Look(s.up)
		if s.from != "" {
			broke += c.Hear(s.from, at(s.stamp), s.up)
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
}

func TestManySources(t *testing.T) {
	c := NewStamps[int](100*ms, time.Second)
	for i := range 10000 {
		c.Hear(i, at(float64(i)), time.Duration(i)*ms)
	}
	if len(c.last) != mostSources {
		t.Errorf("%d sources are remembered", len(c.last))
	}
}
