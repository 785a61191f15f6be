package node

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// rival holds a publisher's measurements of joints that others own. They may be right, so its
// configuration, completed by the owners' positions of the joints that it does not measure, is
// judged beside theirs, and the worst level counts.
type rival struct {
	guid   ros.GUID
	joints []measurement // joints that it measures and others own
	heard  time.Time     // when its last message that names such a joint was received
	fault  string        // why its configuration is unknown, or ""

	waiting []*sample // to be judged
	broken  bool      // the motion to its next sample is unknown

	// Used by the judging goroutine only.
	last  *sample
	state *fcmsgs.CollisionState // of last; nil if unknown
}

// contest records that the publisher measures joints that others own.
func (t *tracker) contest(p *publisher, now time.Time) *rival {
	t.disputed = now
	if p.rival == nil {
		p.rival = &rival{guid: p.guid, joints: make([]measurement, len(t.joints)), broken: true, fault: "no measurement of it has arrived yet"}
		t.tellRival(p, now)
	}
	p.rival.heard = now
	return p.rival
}

// rivals returns the publishers that contest joints at now, and forgets those that have
// stopped.
func (t *tracker) rivals(now time.Time) (contesting []*publisher) {
	if t.disputed.IsZero() {
		return nil
	}
	for _, p := range t.publishers {
		switch {
		case p.rival == nil:
		case now.Sub(p.rival.heard) > t.timeout:
			p.rival = nil
		default:
			contesting = append(contesting, p)
		}
	}
	return contesting
}

// inDispute reports whether within the timeout publishers contradicted each other or
// themselves, or joints passed from one to another.
func (t *tracker) inDispute(now time.Time) bool {
	return t.recently(t.disputed, now)
}

// follow queues the configuration of a rival to be judged.
func (t *tracker) follow(r *rival, now time.Time) {
	s, missing := t.combined(r.joints, now)
	if s == nil {
		if r.broken = true; r.fault == "" {
			r.fault = "no fresh measurement of " + oneline.Few(missing)
		}
		return
	}
	r.fault = ""
	if len(r.waiting) == limit.RivalConfigurations {
		r.waiting, r.broken = nil, true
		t.skipped = now
	}
	s.first, r.broken = r.broken, false
	r.waiting = append(r.waiting, s)
}

// followAll queues the configurations of those rivals that an owner's message has changed,
// except of one that has been followed already. The owner may be a rival itself, of other
// joints than the message names.
func (t *tracker) followAll(followed *rival, now time.Time) {
	if !t.inDispute(now) {
		return
	}
	for _, p := range t.rivals(now) {
		if p.rival != followed && p.rival.ofPart(now, t.timeout) {
			t.follow(p.rival, now)
		}
	}
}

// ofPart reports whether the rival measures some of the joints, but not all.
func (r *rival) ofPart(now time.Time, timeout time.Duration) bool {
	n := 0
	for i := range r.joints {
		if r.joints[i].fresh(now, timeout) {
			n++
		}
	}
	return n > 0 && n < len(r.joints)
}

// combined returns the configuration of these measurements, completed by the owners' where
// there is no fresh one. It is nil if some joint has neither, or was refused recently.
func (t *tracker) combined(measured []measurement, now time.Time) (s *sample, missing []string) {
	s = &sample{position: make([]float64, len(t.joints)), world: t.world}
	for i := range t.joints {
		j := &measured[i]
		if !j.fresh(now, t.timeout) && !(j.refused && !j.stale(now, t.timeout)) {
			j = &t.joints[i]
		}
		if !j.fresh(now, t.timeout) {
			missing = append(missing, t.names[i])
			continue
		}
		s.add(i, j)
	}
	if missing != nil {
		return nil, missing
	}
	return s, nil
}

// suspect queues the configuration that the message completes to be judged alone: it may be
// true although no chain is built on it.
func (t *tracker) suspect(p *publisher, positions []float64, at measurement, now time.Time, why string) {
	t.disputed = now
	measured := make([]measurement, len(t.joints))
	if p != nil && p.rival != nil {
		copy(measured, p.rival.joints)
	}
	for j := range measured {
		measured[j].refused = false
	}
	for i, j := range t.named {
		if j >= 0 {
			measured[j] = at
			measured[j].position = positions[i]
		}
	}
	if s, _ := t.combined(measured, now); s != nil {
		s.aside = why
		t.suspects = append(t.suspects, s)
	}
}

// acquit forgets the rival record of a publisher that now owns all joints that it measures.
// Its pending configurations are still judged.
func (t *tracker) acquit(p *publisher) {
	for _, s := range p.rival.waiting {
		s.aside = "measured by a publisher before the joints passed to it"
		t.suspects = append(t.suspects, s)
	}
	p.rival = nil
}

// agreed reports whether a joint is known and measured by one publisher only. Answers to
// questions rest on such joints alone.
func (t *tracker) agreed(j int, now time.Time) bool {
	if t.inDispute(now) {
		contesting := t.rivals(now)
		if len(contesting) == limit.RivalPublishers {
			return false // there may be more publishers
		}
		for _, p := range contesting {
			if t.owner[j] != p && (p.rival.joints[j].known || p.rival.fault != "") {
				return false
			}
		}
	}
	return t.joints[j].fresh(now, t.timeout)
}

// recently reports whether something happened within the timeout. The zero time means never.
func (t *tracker) recently(at, now time.Time) bool {
	return !at.IsZero() && now.Sub(at) <= t.timeout
}

// whyDoubtful says why no level better than UNKNOWN is possible at now, whatever the owners of
// the joints measure, or returns "".
func (t *tracker) whyDoubtful(now time.Time) string {
	if why := t.whyAwaiting(now); why != "" {
		return why
	}
	if !t.inDispute(now) {
		return ""
	}
	if t.recently(t.lossy, now) && t.several(now) {
		return "many joint states are lost in transport: those of another publisher may be among them"
	}
	contesting := t.rivals(now)
	if len(contesting) > 1 {
		return fmt.Sprintf("%d publishers measure joints that others own: combinations of their measurements are not judged", len(contesting))
	}
	for _, p := range contesting {
		if p.rival.fault != "" {
			return fmt.Sprintf("publisher %s, which measures joints that another publisher owns: %s", p.guid, p.rival.fault)
		}
	}
	if t.recently(t.skipped, now) {
		return "configurations of publishers that contradict each other have not been judged"
	}
	return ""
}
