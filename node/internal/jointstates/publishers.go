package jointstates

import (
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// publisher is one writer of joint states, identified by its GUID: a restarted program is
// another publisher.
type publisher struct {
	guid     ros.GUID
	heard    time.Time // when its last message that names a joint was received
	sequence uint64    // of that message; 0 if the transport does not report it
	gone     bool      // the transport has reported its loss since
	owned    int       // number of joints
	rival    *Rival    // its measurements of joints that others own, while there are any
	clock    clock
	awaited  bool // heard before the state was lost, and not since
}

// silent reports whether the publisher has lost its joints: it was not heard for the timeout,
// or the transport has lost it.
func (p *publisher) silent(now time.Time, timeout time.Duration) bool {
	return p.gone || now.Sub(p.heard) > timeout
}

// count records the sequence number of a message. It returns how many messages before it are
// missing, and whether the number went back, as for a writer that was recreated with the same
// GUID.
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

// await marks the publishers that were active when the state was lost, at now. One of them may
// measure a contact that no remaining measurement shows.
func (t *Tracker) await(publishers []*publisher, now time.Time) {
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
		t.disputed = now // until all are heard it is unknown whether they agree
	}
}

// Succeed awaits the publishers that another tracker, which may be nil, has heard: their
// measurements of that tracker's joints are lost.
func (t *Tracker) Succeed(other *Tracker, now time.Time) {
	if other == nil {
		return
	}
	for _, p := range other.publishers {
		t.publishers = append(t.publishers, &publisher{guid: p.guid, heard: p.heard, gone: p.gone})
	}
	t.await(t.publishers, now)
}

// whyAwaiting says which publisher has not been heard since the state was lost, or returns "".
// After the timeout its earlier measurements have expired anyway.
func (t *Tracker) whyAwaiting(now time.Time) string {
	if !t.recently(t.lost, now) {
		return ""
	}
	for _, p := range t.publishers {
		if p.awaited {
			return fmt.Sprintf("publisher %s has not been heard since the joints' positions were discarded", p.guid)
		}
	}
	return ""
}

// number counts a message of the publisher, and reports whether its numbering restarted.
func (t *Tracker) number(p *publisher, sequence uint64, now time.Time) (anew bool) {
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

// several reports whether there is more than one publisher, heard or not.
func (t *Tracker) several(now time.Time) bool {
	n := 0
	for _, p := range t.publishers {
		if !p.silent(now, t.timeout) {
			n++
		}
	}
	return max(n, t.present) > 1
}

// publisher returns the record of a writer, and creates it if needed. It returns nil if there
// are too many rivals. The number of owners is bounded by that of the joints.
func (t *Tracker) publisher(guid ros.GUID, now time.Time) *publisher {
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

// claim makes the publisher the owner of those joints of the message that have no owner, or
// only a silent one. An exclusive topic has one owner of all joints. It reports whether a
// joint passed from one owner to another.
func (t *Tracker) claim(p *publisher, now time.Time) (passed bool) {
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
	if t.Exclusive {
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
	t.disputed = now // the former owner's measurements count too for the timeout
	t.tellHandover(from, p, now)
	return true
}

// leaves reports whether an owner has lost its joints. While many messages are lost its
// silence proves nothing.
func (t *Tracker) leaves(o *publisher, now time.Time) bool {
	return o.gone || o.silent(now, t.timeout) && !t.recently(t.lossy, now)
}

// contested reports whether the message names a joint that another publisher owns.
func (t *Tracker) contested(p *publisher) bool {
	for _, j := range t.named {
		if j >= 0 && t.owner[j] != p {
			return true
		}
	}
	return false
}

// Matched takes the list of writers from the transport. Joints whose owner is not among them
// pass to the next publisher that measures them. On an exclusive topic every publisher other
// than the owner counts, whatever it publishes.
func (t *Tracker) Matched(writers []ros.GUID, now time.Time) {
	present := make(map[ros.GUID]bool, len(writers))
	for _, guid := range writers {
		present[guid] = true
	}
	for _, p := range t.publishers {
		p.gone = p.gone || !present[p.guid] && !p.guid.IsZero()
	}
	t.present = len(writers)
	t.strangers = t.strangers[:0]
	if !t.Exclusive || t.owner[0] == nil {
		return
	}
	for _, guid := range writers {
		if guid != t.owner[0].guid && !t.Knows(guid) && len(t.strangers) < limit.RivalPublishers {
			t.strangers = append(t.strangers, guid)
		}
	}
	if len(t.strangers) > 0 && t.strangers[0] != t.toldOf {
		t.toldOf = t.strangers[0]
		t.tellStranger(t.toldOf, now)
	}
}

// WantsMatches reports whether it matters now which publishers exist.
func (t *Tracker) WantsMatches(now time.Time) bool {
	return t.Exclusive || t.InDispute(now) || t.recently(t.lossy, now)
}

// SetNodes takes the names of publishers' nodes.
func (t *Tracker) SetNodes(nodes map[ros.GUID]string) { t.nodes = nodes }

// Knows reports whether there is a record of the publisher.
func (t *Tracker) Knows(guid ros.GUID) bool {
	return slices.Contains(t.strangers, guid) || slices.ContainsFunc(t.publishers, func(p *publisher) bool { return p.guid == guid })
}

// NameOf returns the publisher's GUID, and its node if that is known.
func (t *Tracker) NameOf(guid ros.GUID) string {
	if node := t.nodes[guid]; node != "" {
		return node + " (" + guid.String() + ")"
	}
	return "publisher " + guid.String()
}
