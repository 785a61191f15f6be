package jointstates

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

// Tracker merges joint states into configurations. A message may hold any subset of the
// joints. Each joint keeps the time of its own measurement and has one publisher as owner;
// measurements by others are judged separately (rivals.go). A faulty message is not used, and
// its publisher's measurements of the joints that it names are unknown until the publisher
// measures them again. A Tracker is not safe for concurrent use.
type Tracker struct {
	Exclusive bool   // one publisher owns all joints; set it before the first message
	World     uint64 // the number of the world that is in use; set it before each message

	names   []string       // the independent joints
	index   map[string]int // by name; noPosition for the robot's other joints
	timeout time.Duration
	joints  []Measurement // as their owners measure them
	owner   []*publisher  // of each joint; nil before a message names it

	publishers []*publisher // owners, and a bounded number of others
	latest     *publisher   // the publisher looked up last
	suspects   []*Sample    // to be judged, each alone; taken after each message
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

	fault  string   // of the latest faulty message, until all joints are known again
	named  []int    // scratch: the joint that each entry of a message names
	listed []bool   // scratch: the joints that a message has named so far
	passed []string // scratch: the joints that a message takes over

	unknownNames map[string]bool
	untold       []string
}

// Measurement is the last measurement of one joint.
type Measurement struct {
	Position float64
	Velocity float64   // NaN if it was not measured
	drift    float64   // mean velocity since the measurement before; NaN if there is none
	Stamp    time.Time // on the publisher's clock; the source time where it gives none
	source   time.Time // when it was written, on the writer's clock; time of receipt if that is unknown
	oldest   time.Time // of the stamp, the source time and when it was received
	known    bool
	refused  bool // since oldest, because its publisher sent a faulty message
}

var nan = math.NaN()

// Drift is the mean velocity since the measurement before; NaN if there is none, or if its time or that
// of this one is not known.
func (j *Measurement) Drift() float64 { return j.drift }

// Results of looking up a joint state's name, besides the index of a joint.
const (
	noPosition = -1 // a joint of the robot that is not independent
	notOurs    = -2 // no joint of the robot
)

// Sample is a complete configuration, of the joints in the tracker's order (rad or m). The caller sets when it was
// received, and what it notes of judging it.
type Sample struct {
	Position []float64
	Velocity []float64 // measured, or the mean since the measurement before; NaN where neither is known, nil if it is of no use
	Stamp    time.Time // of the oldest joint
	Source   time.Time // the oldest of the joints' source times
	Oldest   time.Time // the earliest of all times of any joint: its age counts from here
	Received time.Time // with the message that completed it
	Came     time.Time // the same by the wall clock
	First    bool      // the motion from the previous sample is unknown
	World    uint64    // that was in use then, by its number
	Given    uint64    // changes of the world that were given by then
	Counted  bool      // the motion to it is judged again, and was counted before
	Aside    string    // why it is judged alone and not as part of the chain; "" for the chain
}

// NewTracker tracks the joints. others names joints of the robot that may appear in messages
// and are not independent (mimic, fixed, floating).
func NewTracker(joints, others []string, timeout time.Duration) *Tracker {
	t := &Tracker{
		names: joints, index: make(map[string]int, len(joints)+len(others)), timeout: timeout,
		joints: make([]Measurement, len(joints)), owner: make([]*publisher, len(joints)), listed: make([]bool, len(joints)),
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

// Hear takes a message received at now. A source time of zero means unknown. It returns the
// owners' configuration if the message changes and completes it, and whether the chain of
// these configurations is broken: the motion from the last one to the next is then unknown.
func (t *Tracker) Hear(m *sensormsgs.JointState, from ros.MessageInfo, now time.Time) (s *Sample, broken bool) {
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
	if fault := t.faultOf(m, at.Stamp, at.source, now); fault != "" {
		return nil, t.discredit(p, fault, now)
	}
	if why := t.unconnected(p, at.Stamp, anew, passed); why != "" {
		t.suspect(p, m.Position, at, now, why)
		return nil, t.forget(p, why, now)
	}
	owns, broken := t.take(p, m, at, now)
	var followed *Rival
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
func dated(m *sensormsgs.JointState, source, now time.Time) Measurement {
	stamp := m.Header.Stamp.Time()
	if m.Header.Stamp == (builtininterfaces.Time{}) {
		// A publisher without a clock. The source time, not the time of this callback, is the
		// latest time of measurement: a message may have waited.
		stamp = source
	}
	if source.IsZero() {
		source = now // the writer gives no source time, which DDS allows
	}
	return Measurement{Stamp: stamp, source: source, oldest: born(now, stamp, source), known: true}
}

// overhear takes a message of a rival beyond the maximum number. While there are too many the
// state is UNKNOWN.
func (t *Tracker) overhear(m *sensormsgs.JointState, writer ros.GUID, at Measurement, now time.Time) {
	t.disputed = now
	t.tellCrowd(writer, now)
	if t.faultOf(m, at.Stamp, at.source, now) == "" {
		t.suspect(nil, m.Position, at, now, "measured by a publisher besides too many others")
	}
}

func (t *Tracker) watchClock(p *publisher, m *sensormsgs.JointState, source, now time.Time) {
	var stamp time.Time
	if m.Header.Stamp != (builtininterfaces.Time{}) {
		stamp = m.Header.Stamp.Time()
	}
	p.clock.note(stamp, source, now)
	t.tellClock(p, now)
}

// measured is the publisher's last measurement of a joint, as its owner or as a rival.
func (t *Tracker) measured(p *publisher, j int) *Measurement {
	if t.owner[j] == p {
		return &t.joints[j]
	}
	return &p.rival.joints[j]
}

// discredit discards the publisher's measurements of the joints that a faulty message names.
// It reports whether the publisher owns any of them.
func (t *Tracker) discredit(p *publisher, fault string, now time.Time) (owns bool) {
	for _, j := range t.named {
		if j >= 0 {
			*t.measured(p, j) = Measurement{refused: true, oldest: now}
			owns = owns || t.owner[j] == p
		}
	}
	t.blame(p, fault, owns)
	return owns
}

// forget discards all measurements of the publisher. It reports whether it owns any joint.
func (t *Tracker) forget(p *publisher, why string, now time.Time) (owns bool) {
	for j := range t.joints {
		switch {
		case t.owner[j] == p:
			t.joints[j].known, owns = false, true
		case p.rival != nil && p.rival.joints[j].known:
			p.rival.joints[j] = Measurement{refused: true, oldest: now}
		}
	}
	t.blame(p, why, owns)
	return owns
}

func (t *Tracker) blame(p *publisher, fault string, owns bool) {
	if owns {
		t.fault = fault
	}
	if p.rival != nil {
		p.rival.fault, p.rival.broken = fault, true
	}
}

// unconnected says why the message does not continue the publisher's earlier ones, or returns
// "".
func (t *Tracker) unconnected(p *publisher, stamp time.Time, anew, passed bool) string {
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

// resolve looks up each name of the message and counts the joints.
func (t *Tracker) resolve(m *sensormsgs.JointState) (joints int) {
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

// Concerns reports whether a message measures a joint of the robot.
func (t *Tracker) Concerns(m *sensormsgs.JointState) bool {
	return len(m.Position) > 0 && slices.ContainsFunc(m.Name, func(name string) bool {
		j, ok := t.index[name]
		return ok && j >= 0
	})
}

// faultOf says what makes the message unusable, or returns "".
func (t *Tracker) faultOf(m *sensormsgs.JointState, stamp, source, now time.Time) string {
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
func (t *Tracker) outOfTime(what string, age time.Duration) string {
	switch {
	case age > t.timeout:
		return fmt.Sprintf("a joint state is %s %.3f s in the past: it is stale, or the clocks are not synchronized", what, age.Seconds())
	case age < -t.timeout:
		return fmt.Sprintf("a joint state is %s %.3f s in the future: the clocks are not synchronized", what, -age.Seconds())
	}
	return ""
}

// runsBack reports a joint that its publisher stamps earlier than before, or returns "".
func (t *Tracker) runsBack(p *publisher, stamp time.Time) string {
	for _, j := range t.named {
		if j < 0 {
			continue
		}
		known := t.measured(p, j)
		if back := known.Stamp.Sub(stamp); known.known && back > 0 {
			return fmt.Sprintf("time runs backwards: joint %s is stamped %.6f s before its previous measurement", t.names[j], back.Seconds())
		}
	}
	return ""
}

// take records the measurements of a message. It reports whether its publisher owns any of the
// joints, and whether the motion to their positions is unknown, because one of them was silent
// for too long.
func (t *Tracker) take(p *publisher, m *sensormsgs.JointState, at Measurement, now time.Time) (owns, broken bool) {
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
		at.Position, at.Velocity, at.drift = m.Position[i], velocityOf(m, i), nan
		if !pause {
			at.drift = known.driftTo(&at)
		}
		*known = at
	}
	return owns, broken
}

// driftTo returns the mean velocity from a measurement to the next of the same joint: other
// joints may be measured at other times. NaN if it is not known.
func (j *Measurement) driftTo(next *Measurement) float64 {
	dt := next.Stamp.Sub(j.Stamp).Seconds()
	switch {
	case !j.known || dt < 0 || dt == 0 && next.Position != j.Position:
		return nan
	case dt == 0: // the same measurement again
		return j.drift
	}
	return (next.Position - j.Position) / dt
}

// velocityOf returns the velocity of a joint of the message, NaN if it gives none.
func velocityOf(m *sensormsgs.JointState, i int) float64 {
	if len(m.Velocity) != len(m.Name) || math.IsInf(m.Velocity[i], 0) {
		return nan
	}
	return m.Velocity[i]
}

// stale reports whether the measurement is too old by any clock.
func (j *Measurement) stale(now time.Time, timeout time.Duration) bool {
	return Age(now, j.oldest) > timeout
}

// Lose discards all measurements, and records why.
func (t *Tracker) Lose(why string, now time.Time) {
	t.fault, t.suspects = why, nil
	t.await(t.publishers, now)
	for j := range t.joints {
		t.joints[j].known = false
	}
	for _, p := range t.publishers {
		if p.rival != nil {
			*p.rival = Rival{GUID: p.guid, joints: make([]Measurement, len(t.joints)), heard: p.rival.heard, fault: why, broken: true}
		}
	}
}

// Rewind forgets that anything happened after now, where time has gone back: it would seem to have
// just happened until the time comes again.
func (t *Tracker) Rewind(now time.Time) {
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
func (j *Measurement) fresh(now time.Time, timeout time.Duration) bool {
	return j.known && !j.stale(now, timeout)
}

// missing lists the joints without a measurement, or with a stale one.
func (t *Tracker) missing(now time.Time) []string {
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
func (t *Tracker) complete(now time.Time) bool {
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
func (t *Tracker) sample() *Sample {
	n := len(t.joints)
	both := make([]float64, 2*n)
	s := &Sample{Position: both[:n:n], Velocity: both[n:], World: t.World}
	for i := range t.joints {
		s.add(i, &t.joints[i])
		if s.Velocity[i] = t.joints[i].Velocity; math.IsNaN(s.Velocity[i]) {
			s.Velocity[i] = t.joints[i].drift
		}
	}
	return s
}

// add appends the position of a joint. Joints are added from 0 on.
func (s *Sample) add(i int, j *Measurement) {
	s.Position[i] = j.Position
	if i == 0 {
		s.Stamp, s.Source, s.Oldest = j.Stamp, j.source, j.oldest
		return
	}
	if j.Stamp.Before(s.Stamp) {
		s.Stamp = j.Stamp
	}
	if j.source.Before(s.Source) {
		s.Source = j.source
	}
	if j.oldest.Before(s.Oldest) {
		s.Oldest = j.oldest
	}
}

// WhyUnknown says why the configuration is unknown at now, or returns "".
func (t *Tracker) WhyUnknown(now time.Time) (reason string, missing []string) {
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

func (t *Tracker) noteUnknown(name string) {
	if len(t.unknownNames) < limit.UnknownNames && !t.unknownNames[name] {
		t.unknownNames[name] = true
		t.untold = append(t.untold, name)
	}
}

// Unknown lists names of messages that belong to no joint, once each.
func (t *Tracker) Unknown() []string {
	out := t.untold
	t.untold = nil
	return out
}
