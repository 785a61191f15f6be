package node

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// tracker merges joint states into configurations. A message may hold any part
// of the joints; each joint keeps the time of its own measurement, and one publisher
// owns it: what others say of it is judged beside (rivals.go). Of a message
// with a fault nothing is used, and what its publisher said of the joints that it names
// is unknown until it measures them again. It is not safe for concurrent use.
type tracker struct {
	names     []string       // the joints that have a position of their own
	index     map[string]int // by name; noPosition for the robot's other joints
	timeout   time.Duration
	exclusive bool          // one publisher owns all joints
	joints    []measurement // as their owners measure them
	owner     []*publisher  // of each joint; nil before it is first named

	publishers []*publisher // owners, and a bounded number of others
	latest     *publisher   // found last
	suspects   []*sample    // to be judged, each on its own; taken after each message
	disputed   time.Time    // when publishers last contradicted each other or themselves
	lost       time.Time    // when what was known was last lost; zero if never
	skipped    time.Time    // when something that somebody measured was last dropped unjudged
	losses     losses
	lossy      time.Time // when many messages were lost last
	present    int       // publishers that the transport knows, when it was last asked
	notices    notices
	strangers  []ros.GUID          // publishers on an exclusive topic besides the owner, that name no joint
	toldOf     ros.GUID            // the stranger told of last
	nodes      map[ros.GUID]string // names of publishers' nodes

	fault  string   // of the latest faulty message, until all joints are known again
	named  []int    // scratch: the joint that each entry of a message names
	listed []bool   // scratch: the joints that a message has named so far
	passed []string // scratch: the joints that a message takes over

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
	refused  bool // since oldest, because its publisher sent a fault
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

// hear takes a message that came at now; a source time of zero is not known. It returns
// the configuration of the owners where the message changes it and it is complete, and
// whether the chain of these configurations is broken: how the robot comes from the last
// one to the next is then not known.
func (t *tracker) hear(m *sensormsgs.JointState, from ros.MessageInfo, now time.Time) (s *sample, broken bool) {
	if t.resolve(m) == 0 || len(m.Position) == 0 {
		return nil, false // nothing is measured here that the robot is made of
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
	owns, broken := t.take(p, m.Position, at, now)
	if contested {
		t.follow(p.rival, now)
	}
	if !owns {
		return nil, false
	}
	t.followOthers(p, now)
	if len(t.missing(now)) > 0 {
		return nil, broken
	}
	t.fault = ""
	return t.sample(), broken
}

// dated is when the message was measured, without a position. The stamp is zero where
// neither the message nor the transport tells.
func dated(m *sensormsgs.JointState, source, now time.Time) measurement {
	stamp := m.Header.Stamp.Time()
	if m.Header.Stamp == (builtininterfaces.Time{}) {
		// A publisher without a clock. When it wrote, and not when this callback runs,
		// is when it measured at the latest: a message may have waited.
		stamp = source
	}
	if source.IsZero() {
		source = now // the writer does not tell: DDS leaves it to it
	}
	return measurement{stamp: stamp, source: source, oldest: born(now, stamp, source), known: true}
}

// overhear takes a message of a rival for which there is no room. As long as there is none
// the others make the state UNKNOWN.
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

// measured is what the publisher said last of a joint: as its owner, or as a rival.
func (t *tracker) measured(p *publisher, j int) *measurement {
	if t.owner[j] == p {
		return &t.joints[j]
	}
	return &p.rival.joints[j]
}

// discredit forgets what the publisher said of the joints that a faulty message names. It
// reports whether it owns any of them.
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

// forget forgets all that the publisher said. It reports whether it owns any joint.
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

// unconnected tells why the message does not follow on what is known of its publisher,
// or "".
func (t *tracker) unconnected(p *publisher, stamp time.Time, anew, passed bool) string {
	switch {
	case anew:
		return fmt.Sprintf("the messages of publisher %s are numbered anew", p.guid)
	case passed:
		return fmt.Sprintf("publisher %s measures %s in place of another", p.guid, some(t.passed))
	}
	// A clock was set back, or a log starts again: all that was known belongs to another
	// time.
	return t.runsBack(p, stamp)
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
	if stamp.IsZero() {
		return "a joint state has neither a stamp nor a source time: nothing tells how old it is"
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

// runsBack tells of a joint that its publisher now dates before what it said of it last, or "".
func (t *tracker) runsBack(p *publisher, stamp time.Time) string {
	for _, j := range t.named {
		if j < 0 {
			continue
		}
		known := t.measured(p, j)
		if back := known.stamp.Sub(stamp); known.known && back > 0 {
			return fmt.Sprintf("time runs backwards: joint %s is stamped %.6f s before the state that is known of it", t.names[j], back.Seconds())
		}
	}
	return ""
}

// take notes the measurements of a message. It reports whether its publisher owns any of
// the joints, and whether the way to their positions is unknown: of a joint that was
// silent for too long nobody knows what it did in the meantime.
func (t *tracker) take(p *publisher, positions []float64, at measurement, now time.Time) (owns, broken bool) {
	var before time.Time
	stale := false
	for i, j := range t.named {
		if j < 0 {
			continue
		}
		known := t.measured(p, j)
		if known.oldest != before { // as a rule all joints of a message are as old as each other
			before = known.oldest
			stale = known.stale(now, t.timeout)
		}
		pause := known.known && stale
		if t.owner[j] == p {
			owns, broken = true, broken || pause
		} else {
			p.rival.broken = p.rival.broken || pause
		}
		at.position = positions[i]
		*known = at
	}
	return owns, broken
}

// stale tells whether the measurement is too old by any clock.
func (j *measurement) stale(now time.Time, timeout time.Duration) bool {
	return age(now, j.oldest) > timeout
}

// lose forgets what was measured so far, and why.
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

// fresh tells whether there is a measurement that counts.
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

// complete tells whether every joint has a fresh measurement. As a rule they are all as
// old as each other, and one age tells.
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

// sample is the configuration, of at least one joint, that the owners now know.
func (t *tracker) sample() *sample {
	s := &sample{position: make([]float64, len(t.joints))}
	for i := range t.joints {
		s.add(i, &t.joints[i])
	}
	return s
}

// add notes the position of a joint; joints are added from 0 on.
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
