//go:build linux

package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// claim is a state as the observer received it.
type claim struct {
	received  int64 // by the observer's clock
	published int64 // the source time that DDS gave it when the node wrote it
	level     uint8
	stamp     int64
	joint     int // whose carriage is closest; -1: it does not tell
	q         float64
	reason    string
}

// says reports whether the claim is one of FREE, WARN and STOP: nothing touches.
func (c *claim) says() bool { return c.level >= 1 && c.level <= 3 }

// pause is a time for which a process was stopped; end is 0 while it lasts.
type pause struct{ begin, end int64 }

// judge holds what the node says against what was written.
//
// A state is published when the node writes it, and DDS notes that time in it, in the
// node's process but not in its code: the source time. Age counts there. Between the
// node's decision and that time lies the call that writes; as this program's publishers
// make the same call on the same machine, the longest that any of them took within 0.3 s
// of the state is what is allowed for it. Between publication and reception
// a message is on its way: nothing of that is the node's, and it is reported apart.
type judge struct {
	timeout time.Duration
	ledger  *ledger

	mu     sync.Mutex
	queue  []*claim
	pauses []pause       // of the node
	rested time.Duration // their sum
	touch  int64         // since when the wall of the live world is touched; 0: there is none

	levels   [5]int
	judged   int
	stale    int // rest on data older than the timeout
	against  int // contradicted by a publisher within the timeout
	baseless int // rest on what nobody wrote
	inFlight int // decided before a pause of the node, and sent after it

	takenBack int // sent late, and taken back at once
	graver    int // graver than the fresh data that they rest on, by older data
	oldest    time.Duration
	transit   time.Duration  // the longest from publication to reception
	excuses   map[string]int // why states were UNKNOWN, without the figures
	examples  []string
	events    []event // what was done to the node last
}

// settle is how long the judge waits for publishers to tell what they wrote.
const settle = 3 * time.Second

// keep is how long what was written is remembered: a state that rests on older data
// rests on data that nobody wrote.
const keep = 20 * time.Second

func (j *judge) hear(c *claim) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queue = append(j.queue, c)
}

// paused notes that the node is stopped; the result notes that it goes on.
func (j *judge) paused() (resumed func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := len(j.pauses)
	j.pauses = append(j.pauses, pause{begin: time.Now().UnixNano()})
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.pauses[i].end = time.Now().UnixNano()
		j.rested += time.Duration(j.pauses[i].end - j.pauses[i].begin)
	}
}

// wall notes that the node knows the wall of the live world: from now on nothing is free.
func (j *judge) wall() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.touch = time.Now().UnixNano()
}

// work judges all claims that came before a time.
func (j *judge) work(until time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for n < len(j.queue) && j.queue[n].received < until.UnixNano() {
		var next *claim
		if n+1 < len(j.queue) {
			next = j.queue[n+1]
		}
		j.one(j.queue[n], next)
		n++
	}
	j.queue = slices.Clone(j.queue[n:])
}

// one judges a claim; next is the one that the node made after it, nil if there is none.
func (j *judge) one(c, next *claim) {
	j.ledger.mu.Lock()
	defer j.ledger.mu.Unlock()
	j.levels[min(c.level, 4)]++
	j.transit = max(j.transit, time.Duration(c.received-c.published))
	if c.level == 0 {
		j.excuse(c.reason)
	}
	if !c.says() {
		return
	}
	j.judged++
	if j.touch != 0 && c.published > j.touch {
		j.against++
		j.tell(c, "the wall is touched")
		return
	}
	base, own, fault := j.base(c)
	age := time.Duration(c.published - base)
	call, took := j.ledger.slowest(c.published, 300*time.Millisecond)
	if age > j.timeout+call {
		switch {
		case j.raised(c, call):
			j.graver++
			return
		case j.flew(c, base):
			j.inFlight++
			return
		case takenBack(c, next, call):
			j.takenBack++
			return
		}
		j.oldest = max(j.oldest, age)
		j.stale++
		j.tell(c, fmt.Sprintf("rests on data %.1f ms old", ms(age)))
		return
	}
	j.oldest = max(j.oldest, age)
	if fault != "" {
		j.baseless++
		j.tell(c, fault)
		return
	}
	if j.denied(c) {
		j.against++
		j.tell(c, "the message that it rests on is in contact")
		return
	}
	if s := j.contradicted(c, took, own); s != nil {
		if j.flew(c, base) {
			j.inFlight++
			return
		}
		j.against++
		j.tell(c, fmt.Sprintf("publisher %d was in contact, %.1f ms before, and said nothing else since", s.publisher, ms(time.Duration(c.published-s.before))))
	}
}

// base is the time from which the age of a claim counts, as far as it can be told, whose
// messages it rests on, and what cannot be told.
func (j *judge) base(c *claim) (at int64, own []int, fault string) {
	at = c.published
	if c.joint < 0 {
		fault = "it names no carriage"
	} else if s := j.ledger.resting(c.joint, c.q, c.published); s != nil {
		at, own = min(at, s.oldest()), append(own, s.publisher)
	} else {
		fault = fmt.Sprintf("nobody wrote the position %.8f of joint %d", c.q, c.joint)
	}
	if c.stamp == 0 {
		return at, own, "it has no stamp"
	}
	at = min(at, c.stamp)
	if s := j.ledger.stamped(c.stamp); s != nil {
		return min(at, s.oldest()), append(own, s.publisher), fault
	}
	return at, own, fmt.Sprintf("nobody wrote its stamp, of %.1f ms before", ms(time.Duration(c.published-c.stamp)))
}

// flew tells whether a claim was decided before a pause of the node and sent after it:
// it is the first after the pause, and what it rests on was fresh when the pause began.
// A process can be stopped between its last look at the clock and the call that
// writes, and nothing in it can help that: so one such claim a pause is counted apart.
func (j *judge) flew(c *claim, base int64) bool {
	for i := range j.pauses {
		p := &j.pauses[i]
		if p.begin == 0 || p.end == 0 || c.published < p.begin || base > p.begin || p.begin-base > int64(j.timeout) {
			continue
		}
		if time.Duration(c.published-p.end) < 20*time.Millisecond {
			p.begin = 0 // no second one
			return true
		}
	}
	return false
}

var figures = regexp.MustCompile(`[0-9a-f]{24}\.[0-9a-f]{8}|[0-9]+(\.[0-9]+)?`)

// excuse counts why a state was UNKNOWN.
func (j *judge) excuse(reason string) {
	const most = 1000
	reason = figures.ReplaceAllString(reason, "#")
	if j.excuses == nil {
		j.excuses = map[string]int{}
	}
	if _, known := j.excuses[reason]; known || len(j.excuses) < most {
		j.excuses[reason]++
	}
}

// commonest are the most frequent reasons for UNKNOWN.
func (j *judge) commonest(most int) (lines []string) {
	reasons := slices.SortedFunc(maps.Keys(j.excuses), func(a, b string) int {
		return cmp.Or(j.excuses[b]-j.excuses[a], strings.Compare(a, b))
	})
	for _, reason := range reasons[:min(most, len(reasons))] {
		lines = append(lines, fmt.Sprintf("%d unknown: %s", j.excuses[reason], reason))
	}
	return lines
}

// takenBack tells whether the node said UNKNOWN at once after a claim: it saw that the call
// took it beyond the timeout.
func takenBack(c, next *claim, call time.Duration) bool {
	const atOnce = 5 * time.Millisecond
	return next != nil && next.level == 0 && time.Duration(next.published-c.published) <= atOnce+call
}

// raised tells whether a claim is graver than what its stamp says, which is fresh: older
// data made it so, and without them it would say less.
func (j *judge) raised(c *claim, call time.Duration) bool {
	s := j.ledger.stamped(c.stamp)
	if s == nil || time.Duration(c.published-min(c.stamp, s.oldest())) > j.timeout+call {
		return false
	}
	q := max(s.q[0], s.q[1]) // NaN where it does not tell of both
	return !math.IsNaN(q) && levelAt(q) < c.level
}

// contradicted returns a sample that the claim should have heeded: of a publisher that
// said contact, within the timeout and long enough before for the node to have heard and
// judged it, and nothing else about that joint since. A publisher that has just come counts
// half a timeout after the witness first heard it, as each reader has to discover it for
// itself; and of its messages those count that the witness heard, as others may be lost.
//
// The publishers that the claim rests on do not contradict it: that they have moved on
// since is what its age says.
func (j *judge) contradicted(c *claim, took time.Duration, own []int) *sample {
	heard := c.published - int64(j.timeout/2+took)
	for p, samples := range j.ledger.all {
		if first := j.ledger.heard[p]; slices.Contains(own, p) || first == 0 || c.published-first < int64(j.timeout/2) {
			continue
		}
		for joint := range 2 {
			if s := j.inContact(samples, joint, heard, c.published); s != nil {
				return s
			}
		}
	}
	return nil
}

// denied tells whether a claim that one message alone decides says the contrary of it. It is
// asked only where there is one publisher.
func (j *judge) denied(c *claim) bool {
	if len(j.ledger.all) != 1 {
		return false
	}
	s := j.ledger.stamped(c.stamp)
	return s != nil && s == j.ledger.resting(c.joint, c.q, c.published) && !s.odd && max(s.q[0], s.q[1]) >= contactAt
}

// inContact returns the last sample about a joint that was heard by then, if it and all
// after it, up to now, are in contact.
func (j *judge) inContact(samples []*sample, joint int, heard, now int64) *sample {
	for _, s := range slices.Backward(samples) {
		if s.before >= now || s.odd || math.IsNaN(s.q[joint]) {
			continue
		}
		if s.q[joint] < contactAt {
			return nil
		}
		if s.after == 0 || s.source == 0 || s.after > heard {
			continue
		}
		if now-s.oldest() > int64(j.timeout) || !j.inTime(s) {
			return nil
		}
		return s
	}
	return nil
}

// inTime tells whether a node must take the sample's stamp for a time of its own: not near
// the bounds beyond which it refuses it.
func (j *judge) inTime(s *sample) bool {
	off := time.Duration(s.stamp - s.before)
	return s.stamp == 0 || off.Abs() <= j.timeout*97/100
}

func (j *judge) tell(c *claim, what string) {
	const most = 5
	if j.wrong() > most {
		return
	}
	const before = int64(2 * time.Second)
	for _, e := range j.events {
		if e.at > c.published-before && e.at < c.published {
			j.examples = append(j.examples, "  "+e.what)
		}
	}
	j.examples = append(j.examples, fmt.Sprintf("level %d published %s: %s (%s)", c.level, clock(c.published), what, c.reason))
}

// clock writes a time as examples and events have it.
func clock(at int64) string { return time.Unix(0, at).UTC().Format("15:04:05.000000") }

// event is something that was done to the node.
type event struct {
	at   int64
	what string
}

// happened notes what is done, for the examples.
func (j *judge) happened(what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	const most = 200
	j.events = append(j.events, event{time.Now().UnixNano(), what})
	j.events = j.events[max(0, len(j.events)-most):]
}

// wrong counts the states that were not true.
func (j *judge) wrong() int { return j.stale + j.against + j.baseless }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
