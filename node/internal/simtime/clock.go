// Package simtime keeps a time that messages bring: that of a simulator, as it comes on the topic
// /clock, or that of the stamps of measurements.
package simtime

import (
	"fmt"
	"time"
)

// Clock is the time of a simulator. As for every ROS node, now is the newest value on /clock,
// without interpolation.
//
// A value that lies before the previous one, or far ahead of it, breaks the time: what was
// measured before it belongs to another time. A clock that has not advanced for long, by the
// monotonic clock, is not known until it advances: that the simulator is paused looks like the
// loss of its clock.
// A Clock is not safe for concurrent use.
type Clock struct {
	name    string        // of the time
	source  string        // what brings it
	nothing string        // that nothing has brought it
	ahead   time.Duration // greatest step that does not break the time
	still   time.Duration // longest stop, by the monotonic clock

	now   time.Time     // newest value; of the last known one while fault is not ""
	moved time.Duration // when it advanced last, by the monotonic clock
	fault string        // why the time is not known, or ""
	heard bool          // now is a value from /clock
}

// Absent is why the time is not known before the first message.
const Absent = "the parameter use_sim_time is true and nothing has come on /clock yet"

// New returns a clock that is not known yet. A step of more than ahead breaks the time, and a
// stop of more than still makes it unknown.
func New(ahead, still time.Duration) *Clock {
	return &Clock{name: "the simulated clock", source: "/clock", nothing: "nothing has come on /clock", ahead: ahead, still: still, now: time.Unix(0, 0).UTC(), fault: Absent}
}

// Hear takes a value that was received at up, which the monotonic clock shows. It returns how
// the time broke, or "".
func (c *Clock) Hear(value time.Time, up time.Duration) (broke string) {
	step, known, first := value.Sub(c.now), c.fault == "", !c.heard
	if step == 0 && !first {
		return ""
	}
	c.now, c.moved, c.heard, c.fault = value, up, true, ""
	switch {
	case first:
		return ""
	case step < 0: // also while it stood still: what was stamped before is of the future now
		return fmt.Sprintf("%s was set back by %.3f s", c.name, -step.Seconds())
	case known && step > c.ahead:
		return fmt.Sprintf("%s went ahead by %.3f s at once", c.name, step.Seconds())
	}
	return ""
}

// Look notices at up that the clock stands still. It returns how the time broke, or "".
func (c *Clock) Look(up time.Duration) (broke string) {
	if c.fault == "" && up-c.moved > c.still {
		c.fault = fmt.Sprintf("%s stands still: %s has not advanced for %.3f s", c.name, c.source, c.still.Seconds())
		return c.fault
	}
	return ""
}

// Lose makes the time unknown until another value comes than the last.
func (c *Clock) Lose(why string) {
	c.fault = why + ", and " + c.nothing + " since"
}

// Now returns the time, or the last known one.
func (c *Clock) Now() time.Time { return c.now }

// Fault returns why the time is not known, or "".
func (c *Clock) Fault() string { return c.fault }
