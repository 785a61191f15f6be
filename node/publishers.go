package node

import (
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// publisher is one writer of joint states. A GUID is one publisher: a program that is
// started again is another.
type publisher struct {
	guid     ros.GUID
	heard    time.Time // when a message of it that names a joint was received last
	sequence uint64    // of that message; 0 where the transport does not tell
	gone     bool      // the transport has lost it since
	owned    int       // joints
	rival    *rival    // what it says of joints that others own, while it does
	clock    clock
	awaited  bool // it spoke before what was known was lost, and has not since
}

// silent tells whether the publisher has lost its joints: nothing was heard of it for
// the timeout, or the transport has lost it.
func (p *publisher) silent(now time.Time, timeout time.Duration) bool {
	return p.gone || now.Sub(p.heard) > timeout
}

// count notes the number of a message. It returns how many messages before it did not
// come, and whether it counts from an earlier one, as a writer does that was made again
// under the same GUID.
func (p *publisher) count(sequence uint64) (missed uint64, anew bool) {
	before := p.sequence
	p.sequence = sequence
	if sequence == 0 || before == 0 {
		return 0, false
	}
	if sequence <= before {
		return 0, true
	}
	return sequence - before - 1, false
}

// await notes which publishers spoke of late when what was known was lost, at now. One of
// them may measure a contact that nothing known speaks of any more.
func (t *tracker) await(publishers []*publisher, now time.Time) {
	var latest time.Time
	for _, p := range publishers {
		if p.heard.After(latest) {
			latest = p.heard
		}
	}
	t.lost = now
	awaited := 0
	for _, p := range publishers {
		if p.awaited = !p.gone && latest.Sub(p.heard) <= t.timeout; p.awaited {
			awaited++
		}
	}
	if awaited > 1 {
		t.disputed = now // until all are heard nobody knows whether they agree
	}
}

// succeed awaits the publishers that another tracker, which may be nil, has heard: what they
// said of that tracker's joints is lost.
func (t *tracker) succeed(other *tracker, now time.Time) {
	if other == nil {
		return
	}
	for _, p := range other.publishers {
		t.publishers = append(t.publishers, &publisher{guid: p.guid, heard: p.heard, gone: p.gone})
	}
	t.await(t.publishers, now)
}

// whyAwaiting tells which publisher has still to be heard since what was known was lost,
// or "". After the timeout nothing that it said before counts.
func (t *tracker) whyAwaiting(now time.Time) string {
	if !t.recently(t.lost, now) {
		return ""
	}
	for _, p := range t.publishers {
		if p.awaited {
			return fmt.Sprintf("publisher %s has not been heard since what was known of the joints was lost", p.guid)
		}
	}
	return ""
}

// number counts a message of the publisher, and tells whether it is numbered anew.
func (t *tracker) number(p *publisher, sequence uint64, now time.Time) (anew bool) {
	missed, anew := p.count(sequence)
	if !t.losses.add(missed, now, t.timeout) {
		return anew
	}
	t.lossy = now
	if t.several(now) {
		t.disputed = now
	}
	return anew
}

// several tells whether there is more than one publisher, heard or not.
func (t *tracker) several(now time.Time) bool {
	n := 0
	for _, p := range t.publishers {
		if !p.silent(now, t.timeout) {
			n++
		}
	}
	return max(n, t.present) > 1
}

// publisher finds the record of a writer, or makes one. It returns nil where too many
// rivals are there already. Owners are never too many: each has a joint.
func (t *tracker) publisher(guid ros.GUID, now time.Time) *publisher {
	if t.latest != nil && t.latest.guid == guid {
		return t.latest
	}
	others, oldest := 0, -1
	for i, p := range t.publishers {
		if p.guid == guid {
			t.latest = p
			return p
		}
		if p.owned > 0 {
			continue
		}
		others++
		if p.silent(now, t.timeout) && (oldest < 0 || p.heard.Before(t.publishers[oldest].heard)) {
			oldest = i
		}
	}
	p := &publisher{guid: guid, heard: now}
	switch {
	case others < limit.RivalPublishers:
		t.publishers = append(t.publishers, p)
	case oldest >= 0:
		t.publishers[oldest] = p
	default:
		return nil
	}
	t.latest = p
	return p
}

// claim makes the publisher the owner of those joints of the message that nobody owns:
// nobody yet, or somebody who is silent. An exclusive topic has one owner of all joints.
// It reports whether a joint passed from one owner to another.
func (t *tracker) claim(p *publisher, now time.Time) (passed bool) {
	t.passed = t.passed[:0]
	var from *publisher
	take := func(j int) {
		o := t.owner[j]
		if o == p || o != nil && !t.leaves(o, now) {
			return
		}
		t.owner[j] = p
		p.owned++
		if p.rival != nil {
			p.rival.joints[j].known = false
		}
		if o != nil {
			o.owned--
			from = o
			t.joints[j].known = false
			t.passed = append(t.passed, t.names[j])
		}
	}
	if t.exclusive {
		for j := range t.owner {
			take(j)
		}
	} else {
		for _, j := range t.named {
			if j >= 0 {
				take(j)
			}
		}
	}
	if from == nil {
		return false
	}
	t.disputed = now // for the timeout what the former owner measured counts too
	t.tellHandover(from, p, now)
	return true
}

// leaves tells whether an owner has lost its joints. While many messages are lost its
// silence means nothing.
func (t *tracker) leaves(o *publisher, now time.Time) bool {
	return o.gone || o.silent(now, t.timeout) && !t.recently(t.lossy, now)
}

// contested tells whether the message names a joint that another publisher owns.
func (t *tracker) contested(p *publisher) bool {
	for _, j := range t.named {
		if j >= 0 && t.owner[j] != p {
			return true
		}
	}
	return false
}

// matched notes which writers the transport has. The joints of publishers that it has not
// pass to whoever measures them next. A topic that is exclusive has no other publishers
// than the owner, whatever they publish.
func (t *tracker) matched(writers []ros.GUID, now time.Time) {
	present := make(map[ros.GUID]bool, len(writers))
	for _, guid := range writers {
		present[guid] = true
	}
	for _, p := range t.publishers {
		p.gone = p.gone || !present[p.guid] && !p.guid.IsZero()
	}
	t.present = len(writers)
	t.strangers = t.strangers[:0]
	if !t.exclusive || t.owner[0] == nil {
		return
	}
	for _, guid := range writers {
		if guid != t.owner[0].guid && !t.knows(guid) && len(t.strangers) < limit.RivalPublishers {
			t.strangers = append(t.strangers, guid)
		}
	}
	if len(t.strangers) > 0 && t.strangers[0] != t.toldOf {
		t.toldOf = t.strangers[0]
		t.tellStranger(t.toldOf, now)
	}
}

// knows tells whether the publisher is one of those that are remembered.
func (t *tracker) knows(guid ros.GUID) bool {
	return slices.Contains(t.strangers, guid) || slices.ContainsFunc(t.publishers, func(p *publisher) bool { return p.guid == guid })
}

// nameOf is the publisher's GUID, and its node where that is known.
func (t *tracker) nameOf(guid ros.GUID) string {
	if node := t.nodes[guid]; node != "" {
		return node + " (" + guid.String() + ")"
	}
	return "publisher " + guid.String()
}
