package node

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// tracker merges joint states into configurations. A message may hold any subset of the
// joints. Each joint keeps the time of its own measurement and has one publisher as owner;
// measurements by others are judged separately (rivals.go). A faulty message is not used, and
// its publisher's measurements of the joints that it names are unknown until the publisher
// measures them again. A tracker is not safe for concurrent use.
type tracker struct {
	names     []string       // the independent joints
	index     map[string]int // by name; noPosition for the robot's other joints
	timeout   time.Duration
	exclusive bool          // one publisher owns all joints
	joints    []measurement // as their owners measure them
	owner     []*publisher  // of each joint; nil before a message names it

	publishers []*publisher // owners, and a bounded number of others
	latest     *publisher   // the publisher looked up last
	suspects   []*sample    // to be judged, each alone; taken after each message
	disputed   time.Time    // when publishers last contradicted each other or themselves
	lost       time.Time    // when the measurements were last discarded; zero if never
	skipped    time.Time    // when a measurement was last dropped unjudged
	losses     losses
	lossy      time.Time // when many messages were last lost
	present    int       // number of publishers that the transport reported last
	notices    notices
	strangers  []ros.GUID          // publishers on an exclusive topic other than the owner, that name no joint
	toldOf     ros.GUID            // the stranger logged last
	nodes      map[ros.GUID]string // names of publishers' nodes

	world uint64 // that is in use; set before each message

	fault  string   // of the latest faulty message, until all joints are known again
	named  []int    // scratch: the joint that each entry of a message names
	listed []bool   // scratch: the joints that a message has named so far
	passed []string // scratch: the joints that a message takes over

	unknownNames map[string]bool
	untold       []string
}

// measurement is the last measurement of one joint.
type measurement struct {
	position float64
	velocity float64   // NaN if it was not measured
	drift    float64   // mean velocity since the measurement before; NaN if there is none
	stamp    time.Time // on the publisher's clock; the source time where it gives none
	source   time.Time // when it was written, on the writer's clock; time of receipt if that is unknown
	oldest   time.Time // of the stamp, the source time and when it was received
	known    bool
	refused  bool // since oldest, because its publisher sent a faulty message
}

// Results of looking up a joint state's name, besides the index of a joint.
const (
	noPosition = -1 // a joint of the robot that is not independent
	notOurs    = -2 // no joint of the robot
)

// sample is a complete configuration.
type sample struct {
	position []float64
	velocity []float64 // measured, or the drift; NaN where neither is known, nil if it is of no use
	stamp    time.Time // of the oldest joint
	source   time.Time // the oldest of the joints' source times
	oldest   time.Time // the earliest of all times of any joint: its age counts from here
	received time.Time // with the message that completed it
	came     time.Time // the same by the wall clock
	first    bool      // the motion from the previous sample is unknown
	world    uint64    // that was in use then, by its number
	given    uint64    // changes of the world that were given by then
	counted  bool      // the motion to it is judged again, and was counted before
	aside    string    // why it is judged alone and not as part of the chain; "" for the chain
}

// newTracker tracks the joints. others names joints of the robot that may appear in messages
// and are not independent (mimic, fixed, floating).
func newTracker(joints, others []string, timeout time.Duration) *tracker {
	t := &tracker{
		names: joints, index: make(map[string]int, len(joints)+len(others)), timeout: timeout,
		joints: make([]measurement, len(joints)), owner: make([]*publisher, len(joints)), listed: make([]bool, len(joints)),
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

// hear takes a message received at now. A source time of zero means unknown. It returns the
// owners' configuration if the message changes and completes it, and whether the chain of
// these configurations is broken: the motion from the last one to the next is then unknown.
func (t *tracker) hear(m *sensormsgs.JointState, from ros.MessageInfo, now time.Time) (s *sample, broken bool) {
	if t.resolve(m) == 0 || len(m.Position) == 0 {
		return nil, false // it names no joint of the robot
	}
	at := dated(m, from.SourceTime, now)
	p := t.publisher(from.Writer, now)
	if p == nil {
		t.overhear(m, from.Writer, at, now)
		return nil, false
	}
	t.watchClock(p, m, from.SourceTime, now)
	anew := t.number(p, from.Sequence, now)
	passed := t.claim(p, now)
	p.heard, p.gone, p.awaited = now, false, false
	contested := t.contested(p)
	switch {
	case contested:
		t.contest(p, now)
	case passed && p.rival != nil:
		t.acquit(p)
	}
	if fault := t.faultOf(m, at.stamp, at.source, now); fault != "" {
		return nil, t.discredit(p, fault, now)
	}
	if why := t.unconnected(p, at.stamp, anew, passed); why != "" {
		t.suspect(p, m.Position, at, now, why)
		return nil, t.forget(p, why, now)
	}
	owns, broken := t.take(p, m, at, now)
	var followed *rival
	if contested {
		followed = p.rival
		t.follow(followed, now)
	}
	if !owns {
		return nil, false
	}
	t.followAll(followed, now)
	if len(t.missing(now)) > 0 {
		return nil, broken
	}
	t.fault = ""
	return t.sample(), broken
}

// dated returns the times of the message as a measurement without a position. The stamp is
// zero if neither the message nor the transport reports a time.
func dated(m *sensormsgs.JointState, source, now time.Time) measurement {
	stamp := m.Header.Stamp.Time()
	if m.Header.Stamp == (builtininterfaces.Time{}) {
		// A publisher without a clock. The source time, not the time of this callback, is the
		// latest time of measurement: a message may have waited.
		stamp = source
	}
	if source.IsZero() {
		source = now // the writer gives no source time, which DDS allows
	}
	return measurement{stamp: stamp, source: source, oldest: born(now, stamp, source), known: true}
}

// overhear takes a message of a rival beyond the maximum number. While there are too many the
// state is UNKNOWN.
func (t *tracker) overhear(m *sensormsgs.JointState, writer ros.GUID, at measurement, now time.Time) {
	t.disputed = now
	t.tellCrowd(writer, now)
	if t.faultOf(m, at.stamp, at.source, now) == "" {
		t.suspect(nil, m.Position, at, now, "measured by a publisher besides too many others")
	}
}

func (t *tracker) watchClock(p *publisher, m *sensormsgs.JointState, source, now time.Time) {
	var stamp time.Time
	if m.Header.Stamp != (builtininterfaces.Time{}) {
		stamp = m.Header.Stamp.Time()
	}
	p.clock.note(stamp, source, now)
	t.tellClock(p, now)
}

// measured is the publisher's last measurement of a joint, as its owner or as a rival.
func (t *tracker) measured(p *publisher, j int) *measurement {
	if t.owner[j] == p {
		return &t.joints[j]
	}
	return &p.rival.joints[j]
}

// discredit discards the publisher's measurements of the joints that a faulty message names.
// It reports whether the publisher owns any of them.
func (t *tracker) discredit(p *publisher, fault string, now time.Time) (owns bool) {
	for _, j := range t.named {
		if j >= 0 {
			*t.measured(p, j) = measurement{refused: true, oldest: now}
			owns = owns || t.owner[j] == p
		}
	}
	t.blame(p, fault, owns)
	return owns
}

// forget discards all measurements of the publisher. It reports whether it owns any joint.
func (t *tracker) forget(p *publisher, why string, now time.Time) (owns bool) {
	for j := range t.joints {
		switch {
		case t.owner[j] == p:
			t.joints[j].known, owns = false, true
		case p.rival != nil && p.rival.joints[j].known:
			p.rival.joints[j] = measurement{refused: true, oldest: now}
		}
	}
	t.blame(p, why, owns)
	return owns
}

func (t *tracker) blame(p *publisher, fault string, owns bool) {
	if owns {
		t.fault = fault
	}
	if p.rival != nil {
		p.rival.fault, p.rival.broken = fault, true
	}
}

// unconnected says why the message does not continue the publisher's earlier ones, or returns
// "".
func (t *tracker) unconnected(p *publisher, stamp time.Time, anew, passed bool) string {
	switch {
	case anew:
		return fmt.Sprintf("the message numbers of publisher %s restarted", p.guid)
	case passed:
		return fmt.Sprintf("publisher %s measures %s in place of another", p.guid, oneline.Few(t.passed))
	}
	// A clock was set back, or a log was restarted: earlier measurements belong to another
	// time.
	return t.runsBack(p, stamp)
}

func earliest(times ...time.Time) time.Time { return slices.MinFunc(times, time.Time.Compare) }

// resolve looks up each name of the message and counts the joints.
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

// concerns reports whether a message measures a joint of the robot.
func (t *tracker) concerns(m *sensormsgs.JointState) bool {
	return len(m.Position) > 0 && slices.ContainsFunc(m.Name, func(name string) bool {
		j, ok := t.index[name]
		return ok && j >= 0
	})
}

// faultOf says what makes the message unusable, or returns "".
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
	if stamp.IsZero() {
		return "a joint state has neither a stamp nor a source time: its age is unknown"
	}
	if fault := t.outOfTime("written", now.Sub(source)); fault != "" {
		return fault
	}
	return t.outOfTime("stamped", now.Sub(stamp))
}

// outOfTime reports a time that is too far from now, or returns "".
func (t *tracker) outOfTime(what string, age time.Duration) string {
	switch {
	case age > t.timeout:
		return fmt.Sprintf("a joint state is %s %.3f s in the past: it is stale, or the clocks are not synchronized", what, age.Seconds())
	case age < -t.timeout:
		return fmt.Sprintf("a joint state is %s %.3f s in the future: the clocks are not synchronized", what, -age.Seconds())
	}
	return ""
}

// runsBack reports a joint that its publisher stamps earlier than before, or returns "".
func (t *tracker) runsBack(p *publisher, stamp time.Time) string {
	for _, j := range t.named {
		if j < 0 {
			continue
		}
		known := t.measured(p, j)
		if back := known.stamp.Sub(stamp); known.known && back > 0 {
			return fmt.Sprintf("time runs backwards: joint %s is stamped %.6f s before its previous measurement", t.names[j], back.Seconds())
		}
	}
	return ""
}

// take records the measurements of a message. It reports whether its publisher owns any of the
// joints, and whether the motion to their positions is unknown, because one of them was silent
// for too long.
func (t *tracker) take(p *publisher, m *sensormsgs.JointState, at measurement, now time.Time) (owns, broken bool) {
	var before time.Time
	stale := false
	for i, j := range t.named {
		if j < 0 {
			continue
		}
		known := t.measured(p, j)
		if known.oldest != before { // usually all joints of a message have the same age
			before = known.oldest
			stale = known.stale(now, t.timeout)
		}
		pause := known.known && stale
		if t.owner[j] == p {
			owns, broken = true, broken || pause
		} else {
			p.rival.broken = p.rival.broken || pause
		}
		at.position, at.velocity, at.drift = m.Position[i], velocityOf(m, i), nan
		if !pause {
			at.drift = known.driftTo(&at)
		}
		*known = at
	}
	return owns, broken
}

// driftTo returns the mean velocity from a measurement to the next of the same joint: other
// joints may be measured at other times. NaN if it is not known.
func (j *measurement) driftTo(next *measurement) float64 {
	dt := next.stamp.Sub(j.stamp).Seconds()
	switch {
	case !j.known || dt < 0 || dt == 0 && next.position != j.position:
		return nan
	case dt == 0: // the same measurement again
		return j.drift
	}
	return (next.position - j.position) / dt
}

// velocityOf returns the velocity of a joint of the message, NaN if it gives none.
func velocityOf(m *sensormsgs.JointState, i int) float64 {
	if len(m.Velocity) != len(m.Name) || math.IsInf(m.Velocity[i], 0) {
		return nan
	}
	return m.Velocity[i]
}

// stale reports whether the measurement is too old by any clock.
func (j *measurement) stale(now time.Time, timeout time.Duration) bool {
	return age(now, j.oldest) > timeout
}

// lose discards all measurements, and records why.
func (t *tracker) lose(why string, now time.Time) {
	t.fault, t.suspects = why, nil
	t.await(t.publishers, now)
	for j := range t.joints {
		t.joints[j].known = false
	}
	for _, p := range t.publishers {
		if p.rival != nil {
			*p.rival = rival{guid: p.guid, joints: make([]measurement, len(t.joints)), heard: p.rival.heard, fault: why, broken: true}
		}
	}
}

// rewind forgets that anything happened after now, where time has gone back: it would seem to have
// just happened until the time comes again.
func (t *tracker) rewind(now time.Time) {
	all := []*time.Time{&t.lost, &t.disputed, &t.skipped, &t.lossy}
	for _, p := range t.publishers {
		all = append(all, &p.heard)
		if p.rival != nil {
			all = append(all, &p.rival.heard)
		}
	}
	for _, at := range all {
		if at.After(now) {
			*at = now
		}
	}
}

// fresh reports whether there is a valid measurement.
func (j *measurement) fresh(now time.Time, timeout time.Duration) bool {
	return j.known && !j.stale(now, timeout)
}

// missing lists the joints without a measurement, or with a stale one.
func (t *tracker) missing(now time.Time) []string {
	if t.complete(now) {
		return nil
	}
	var out []string
	for i := range t.joints {
		if !t.joints[i].fresh(now, t.timeout) {
			out = append(out, t.names[i])
		}
	}
	return out
}

// complete reports whether every joint has a fresh measurement. Usually all have the same age,
// and one comparison suffices.
func (t *tracker) complete(now time.Time) bool {
	var before time.Time
	for i := range t.joints {
		j := &t.joints[i]
		if !j.known || (i == 0 || j.oldest != before) && j.stale(now, t.timeout) {
			return false
		}
		before = j.oldest
	}
	return true
}

// sample returns the owners' configuration. There is at least one joint.
func (t *tracker) sample() *sample {
	n := len(t.joints)
	both := make([]float64, 2*n)
	s := &sample{position: both[:n:n], velocity: both[n:], world: t.world}
	for i := range t.joints {
		s.add(i, &t.joints[i])
		if s.velocity[i] = t.joints[i].velocity; math.IsNaN(s.velocity[i]) {
			s.velocity[i] = t.joints[i].drift
		}
	}
	return s
}

// add appends the position of a joint. Joints are added from 0 on.
func (s *sample) add(i int, j *measurement) {
	s.position[i] = j.position
	if i == 0 {
		s.stamp, s.source, s.oldest = j.stamp, j.source, j.oldest
		return
	}
	if j.stamp.Before(s.stamp) {
		s.stamp = j.stamp
	}
	if j.source.Before(s.source) {
		s.source = j.source
	}
	if j.oldest.Before(s.oldest) {
		s.oldest = j.oldest
	}
}

// whyUnknown says why the configuration is unknown at now, or returns "".
func (t *tracker) whyUnknown(now time.Time) (reason string, missing []string) {
	missing = t.missing(now)
	if len(missing) == 0 {
		return "", nil
	}
	reason = "no fresh measurement of " + oneline.Few(missing)
	if t.fault != "" {
		reason = t.fault + "; " + reason
	}
	return reason, missing
}

func (t *tracker) noteUnknown(name string) {
	if len(t.unknownNames) < limit.UnknownNames && !t.unknownNames[name] {
		t.unknownNames[name] = true
		t.untold = append(t.untold, name)
	}
}

// unknown lists names of messages that belong to no joint, once each.
func (t *tracker) unknown() []string {
	out := t.untold
	t.untold = nil
	return out
}
