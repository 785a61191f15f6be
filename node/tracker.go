package node

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

// tracker merges joint states into configurations. A message may hold any part
// of the joints; each joint keeps the time of its own measurement. Of a message
// with a fault nothing is used, and the joints that it names are unknown until
// they are measured again. It is not safe for concurrent use.
type tracker struct {
	names   []string       // the joints that have a position of their own
	index   map[string]int // by name; noPosition for the robot's other joints
	timeout time.Duration
	joints  []measurement

	fault  string // of the latest faulty message, until all joints are known again
	named  []int  // scratch: the joint that each entry of a message names
	listed []bool // scratch: the joints that a message has named so far

	unknownNames map[string]bool
	untold       []string
}

// measurement is what is known of one joint.
type measurement struct {
	position float64
	stamp    time.Time // on the publisher's clock; the source time where it gives none
	source   time.Time // when it was written, on the writer's clock; of receipt where that is not known
	oldest   time.Time // of the stamp, the source time and when it was received
	known    bool
}

// What a name in a joint state may be besides the index of a joint.
const (
	noPosition = -1 // a joint of the robot without a position of its own
	notOurs    = -2 // no joint of the robot
)

// sample is a complete configuration.
type sample struct {
	position []float64
	stamp    time.Time // of the oldest joint
	source   time.Time // the oldest of the joints' source times
	oldest   time.Time // of all that is known of any joint's time: its age counts from here
	received time.Time // with the message that completed it
	first    bool      // the way here from the sample before is not known
	aside    string    // why it is judged alone and not as part of the robot's chain; "" for the chain
}

// newTracker tracks the joints; others names joints of the robot that may appear
// and have no position of their own (mimic, fixed, floating).
func newTracker(joints, others []string, timeout time.Duration) *tracker {
	t := &tracker{
		names: joints, index: make(map[string]int, len(joints)+len(others)), timeout: timeout,
		joints: make([]measurement, len(joints)), listed: make([]bool, len(joints)),
		unknownNames: map[string]bool{},
	}
	for _, name := range others {
		t.index[name] = noPosition
	}
	for i, name := range joints {
		t.index[name] = i
	}
	return t
}

// update takes a message that was written at the source time, on the writer's clock,
// and came at now; a source time of zero is not known. It returns the configuration where
// one is complete, and whether the chain of configurations is broken: how the
// robot comes from the last one to the next is then not known.
func (t *tracker) update(m *sensormsgs.JointState, source, now time.Time) (s *sample, broken bool) {
	if t.resolve(m) == 0 || len(m.Position) == 0 {
		return nil, false // nothing is measured here that the robot is made of
	}
	if source.IsZero() {
		source = now // the transport does not tell
	}
	stamp := m.Header.Stamp.Time()
	if m.Header.Stamp == (builtininterfaces.Time{}) {
		// A publisher without a clock. When it wrote, and not when this callback runs,
		// is when it measured at the latest: a message may have waited.
		stamp = source
	}
	if fault := t.faultOf(m, stamp, source, now); fault != "" {
		t.fault = fault
		for _, j := range t.named {
			if j >= 0 {
				t.joints[j].known = false
			}
		}
		return nil, true
	}
	if fault := t.runsBack(stamp); fault != "" {
		// A clock was set back, or a log starts again: all that was known belongs
		// to another time.
		t.lose(fault)
		return nil, true
	}
	broken = t.take(m, measurement{stamp: stamp, source: source, oldest: earliest(stamp, source, now), known: true}, now)
	if len(t.missing(now)) > 0 {
		return nil, broken
	}
	t.fault = ""
	return t.sample(), broken
}

func earliest(times ...time.Time) time.Time { return slices.MinFunc(times, time.Time.Compare) }

// resolve notes what each name of the message is and counts the joints.
func (t *tracker) resolve(m *sensormsgs.JointState) (joints int) {
	t.named = t.named[:0]
	for _, name := range m.Name {
		j, ok := t.index[name]
		switch {
		case !ok:
			j = notOurs
			t.noteUnknown(name)
		case j >= 0:
			joints++
		}
		t.named = append(t.named, j)
	}
	return joints
}

// faultOf tells what makes the message unusable, or "".
func (t *tracker) faultOf(m *sensormsgs.JointState, stamp, source, now time.Time) string {
	if len(m.Position) != len(m.Name) {
		return fmt.Sprintf("a joint state has %d names but %d positions", len(m.Name), len(m.Position))
	}
	clear(t.listed)
	for i, j := range t.named {
		if j < 0 {
			continue
		}
		switch x := m.Position[i]; {
		case math.IsNaN(x) || math.IsInf(x, 0):
			return fmt.Sprintf("a joint state gives joint %s the position %g", m.Name[i], x)
		case math.Abs(x) > motion.MaxPosition:
			return fmt.Sprintf("a joint state gives joint %s the position %g, beyond %g rad or m: check the unit", m.Name[i], x, float64(motion.MaxPosition))
		}
		if t.listed[j] {
			return fmt.Sprintf("a joint state names joint %s twice", m.Name[i])
		}
		t.listed[j] = true
	}
	if fault := t.outOfTime("written", now.Sub(source)); fault != "" {
		return fault
	}
	return t.outOfTime("stamped", now.Sub(stamp))
}

// outOfTime tells of a time that is too far from now, or "".
func (t *tracker) outOfTime(what string, age time.Duration) string {
	switch {
	case age > t.timeout:
		return fmt.Sprintf("a joint state is %s %.3f s in the past: it is stale, or the clocks are not in step", what, age.Seconds())
	case age < -t.timeout:
		return fmt.Sprintf("a joint state is %s %.3f s in the future: the clocks are not in step", what, -age.Seconds())
	}
	return ""
}

// runsBack tells of a joint that is now dated before what is known of it, or "".
func (t *tracker) runsBack(stamp time.Time) string {
	for _, j := range t.named {
		if j < 0 || !t.joints[j].known {
			continue
		}
		if back := t.joints[j].stamp.Sub(stamp); back > 0 {
			return fmt.Sprintf("time runs backwards: joint %s is stamped %.6f s before the state that is known of it", t.names[j], back.Seconds())
		}
	}
	return ""
}

// take notes the measurements of a message. It reports whether the way to them
// is unknown: of a joint that was silent for too long nobody knows what it did in
// the meantime.
func (t *tracker) take(m *sensormsgs.JointState, at measurement, now time.Time) (broken bool) {
	for i, j := range t.named {
		if j < 0 {
			continue
		}
		broken = broken || t.joints[j].known && t.joints[j].stale(now, t.timeout)
		at.position = m.Position[i]
		t.joints[j] = at
	}
	return broken
}

// stale tells whether the measurement is too old by any clock.
func (j *measurement) stale(now time.Time, timeout time.Duration) bool {
	return now.Sub(j.oldest) > timeout
}

// lose forgets what was measured so far, and why.
func (t *tracker) lose(why string) {
	t.fault = why
	for j := range t.joints {
		t.joints[j].known = false
	}
}

// missing lists the joints without a measurement, or with a stale one.
func (t *tracker) missing(now time.Time) []string {
	var out []string
	for i := range t.joints {
		if !t.joints[i].known || t.joints[i].stale(now, t.timeout) {
			out = append(out, t.names[i])
		}
	}
	return out
}

// sample is the configuration, of at least one joint, that is now known.
func (t *tracker) sample() *sample {
	first := &t.joints[0]
	s := &sample{position: make([]float64, len(t.joints)), stamp: first.stamp, source: first.source, oldest: first.oldest}
	for i := range t.joints {
		j := &t.joints[i]
		s.position[i] = j.position
		s.stamp, s.source, s.oldest = earliest(s.stamp, j.stamp), earliest(s.source, j.source), earliest(s.oldest, j.oldest)
	}
	return s
}

// whyUnknown tells what keeps the configuration at now from being known, or "".
func (t *tracker) whyUnknown(now time.Time) (reason string, missing []string) {
	missing = t.missing(now)
	if len(missing) == 0 {
		return "", nil
	}
	reason = "no fresh measurement of " + some(missing)
	if t.fault != "" {
		reason = t.fault + "; " + reason
	}
	return reason, missing
}

// some lists names, but not more than people read.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func (t *tracker) noteUnknown(name string) {
	if len(t.unknownNames) < limit.UnknownNames && !t.unknownNames[name] {
		t.unknownNames[name] = true
		t.untold = append(t.untold, name)
	}
}

// unknown lists, once each, names of messages that no joint bears.
func (t *tracker) unknown() []string {
	out := t.untold
	t.untold = nil
	return out
}
