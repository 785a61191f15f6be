package main

import (
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// A state answers the joint states with its stamp and older ones, once each, and an UNKNOWN one
// answers none.
func TestTally(t *testing.T) {
	const ms = time.Millisecond
	begin := time.Unix(1000, 0)
	at := func(n int) builtininterfaces.Time {
		return builtininterfaces.TimeOf(begin.Add(time.Duration(n) * 10 * ms))
	}
	of := func(n int, level uint8) *fcmsgs.CollisionState {
		s := &fcmsgs.CollisionState{Level: level, Reason: "stale"}
		s.Header.Stamp = at(n)
		return s
	}
	var c tally
	for n := range 5 {
		c.asked(at(n), at(n).Time())
	}
	c.answered(of(-1, fcmsgs.CollisionStateFree), begin)
	c.answered(of(0, fcmsgs.CollisionStateFree), at(0).Time().Add(2*ms))
	c.answered(of(0, fcmsgs.CollisionStateFree), at(0).Time().Add(9*ms))
	c.answered(of(1, fcmsgs.CollisionStateUnknown), at(1).Time().Add(ms))
	c.answered(of(2, fcmsgs.CollisionStateWarn), at(2).Time().Add(3*ms))
	if want := []time.Duration{2 * ms, 13 * ms, 3 * ms}; len(c.took) != 3 || c.took[0] != want[0] || c.took[1] != want[1] || c.took[2] != want[2] {
		t.Errorf("latencies %v, want %v", c.took, want)
	}
	if c.shared != 1 || c.unknown != 1 || c.open() != 2 {
		t.Errorf("%d with a later one, %d unknown, %d open", c.shared, c.unknown, c.open())
	}
	r := &result{settings: settings{rate: 100}, tally: &c, missed: 1, unchecked: 2}
	if n := r.late(); n != 1 {
		t.Errorf("%d late", n)
	}
	for _, want := range []string{"2 joint states have no answer", "1 states are UNKNOWN: stale", "2 motions were not judged", "1 deadlines"} {
		if err := r.fault(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if text := r.String(); !strings.Contains(text, "median 3.00, p99 13.00") {
		t.Error(text)
	}
}
