package jointstates

import (
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Notice is a log line about publishers. The receiving goroutine queues it and another one
// writes it, because looking up a publisher's name takes time.
type Notice struct {
	Level ros.Level
	Text  func(name func(ros.GUID) string) string
}

// noticePeriod is the minimum time between two notices of a kind: publishers may come and go
// at any rate.
const noticePeriod = time.Second

// notices are log lines that wait to be written.
type notices struct {
	waiting []Notice
	last    map[string]time.Time // when the last of each kind was noted
	dropped int
}

// note queues a notice, unless one of its kind was queued within the period.
func (n *notices) note(kind string, level ros.Level, now time.Time, text func(name func(ros.GUID) string) string) {
	if n.last == nil {
		n.last = map[string]time.Time{}
	}
	if since := now.Sub(n.last[kind]); since >= 0 && since < noticePeriod || len(n.waiting) == limit.PublisherNotices {
		n.dropped++
		return
	}
	n.last[kind] = now
	n.waiting = append(n.waiting, Notice{level, text})
}

// take returns the waiting notices, and how many were dropped for lack of room.
func (n *notices) take() (waiting []Notice, dropped int) {
	waiting, dropped = n.waiting, n.dropped
	n.waiting, n.dropped = nil, 0
	return waiting, dropped
}

// TakeNotices returns the log lines that wait, and how many were dropped for lack of room.
func (t *Tracker) TakeNotices() (waiting []Notice, dropped int) { return t.notices.take() }

// tellRival queues a notice about a publisher that measures joints of another.
func (t *Tracker) tellRival(p *publisher, now time.Time) {
	var contested []string
	owner := ros.GUID{}
	for _, j := range t.named {
		if j >= 0 && t.owner[j] != p {
			contested = append(contested, t.names[j])
			owner = t.owner[j].guid
		}
	}
	t.notices.note("rival", ros.LevelError, now, func(name func(ros.GUID) string) string {
		return fmt.Sprintf("%s publishes %s, which %s publishes: both are judged and the worst level counts. Stop one of them",
			name(p.guid), oneline.Few(contested), name(owner))
	})
}

// tellHandover queues a notice about joints that pass from one publisher to another.
func (t *Tracker) tellHandover(from, to *publisher, now time.Time) {
	why := fmt.Sprintf("silent for more than %g s", t.timeout.Seconds())
	if from.gone {
		why = "gone"
	}
	joints := oneline.Few(t.passed)
	t.notices.note("handover", ros.LevelInfo, now, func(name func(ros.GUID) string) string {
		return fmt.Sprintf("%s is %s: %s measures %s from now on", name(from.guid), why, name(to.guid), joints)
	})
}

// tellStranger queues a notice about a second publisher on an exclusive topic.
func (t *Tracker) tellStranger(guid ros.GUID, now time.Time) {
	owner := t.owner[0].guid
	t.notices.note("stranger", ros.LevelError, now, func(name func(ros.GUID) string) string {
		return fmt.Sprintf("%s publishes joint states besides %s, and joint_states.exclusive is true: stop one of them", name(guid), name(owner))
	})
}

// tellCrowd queues a notice about a publisher beyond the maximum number.
func (t *Tracker) tellCrowd(guid ros.GUID, now time.Time) {
	t.notices.note("crowd", ros.LevelError, now, func(name func(ros.GUID) string) string {
		return fmt.Sprintf("%s is one of more than %d publishers of joints that others publish: the state is UNKNOWN unless there is contact",
			name(guid), limit.RivalPublishers)
	})
}

// tellClock queues a notice about a publisher whose clock is off, or is correct again.
func (t *Tracker) tellClock(p *publisher, now time.Time) {
	d, known := p.clock.offset()
	off := d.Abs() > t.timeout/ClockBound
	if !known || off == p.clock.told {
		return
	}
	p.clock.told = off
	t.notices.note("clock", ros.LevelWarn, now, func(name func(ros.GUID) string) string {
		switch {
		case !off:
			return fmt.Sprintf("%s: the clocks are synchronized again", name(p.guid))
		case d < 0:
			return fmt.Sprintf("%s stamps its joint states in the future: its clock is ahead by at least %.3f s", name(p.guid), -d.Seconds())
		}
		return fmt.Sprintf("%s stamps its joint states at least %.3f s before they arrive: its clock is behind, or the transport is slow", name(p.guid), d.Seconds())
	})
}

// Conflicts lists the publishers that contest joints at now, for the state.
func (t *Tracker) Conflicts(now time.Time) (out []string) {
	for _, p := range t.contesting(now) {
		var joints []string
		for j := range p.rival.joints {
			if t.owner[j] != p && p.rival.joints[j].known {
				joints = append(joints, t.names[j])
			}
		}
		out = append(out, strings.TrimSuffix(t.NameOf(p.guid)+": "+oneline.Few(joints), ": "))
	}
	for _, guid := range t.strangers {
		out = append(out, t.NameOf(guid))
	}
	return out
}
