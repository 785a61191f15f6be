package jointstates

import (
	"fmt"
	"iter"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Rival holds a publisher's measurements of joints that others own. They may be right, so its
// configuration, completed by the owners' positions of the joints that it does not measure, is
// judged beside theirs, and the worst level counts.
type Rival struct {
	GUID   ros.GUID
	joints []Measurement // joints that it measures and others own
	heard  time.Time     // when its last message that names such a joint was received
	fault  string        // why its configuration is unknown, or ""

	waiting []*Sample // to be judged
	broken  bool      // the motion to its next sample is unknown

	// Set and used by the goroutine that judges.
	Last  *Sample
	State *fcmsgs.CollisionState // of Last; nil if unknown
}

// contest records that the publisher measures joints that others own.
func (t *Tracker) contest(p *publisher, now time.Time) *Rival {
	t.disputed = now
	if p.rival == nil {
		p.rival = &Rival{GUID: p.guid, joints: make([]Measurement, len(t.joints)), broken: true, fault: "no measurement of it has arrived yet"}
		t.tellRival(p, now)
	}
	p.rival.heard = now
	return p.rival
}

// Rivals returns the publishers that contest joints at now.
func (t *Tracker) Rivals(now time.Time) (all []*Rival) {
	for _, p := range t.contesting(now) {
		all = append(all, p.rival)
	}
	return all
}

// EachOfRivals calls look with all configurations of rivals that are kept.
func (t *Tracker) EachOfRivals(look func(*Sample)) {
	for _, p := range t.publishers {
		if p.rival == nil {
			continue
		}
		if p.rival.Last != nil {
			look(p.rival.Last)
		}
		for _, s := range p.rival.waiting {
			look(s)
		}
	}
}

// contesting returns the publishers that contest joints at now, and forgets that others did.
func (t *Tracker) contesting(now time.Time) (contesting []*publisher) {
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

// InDispute reports whether within the timeout publishers contradicted each other or
// themselves, or joints passed from one to another.
func (t *Tracker) InDispute(now time.Time) bool {
	return t.recently(t.disputed, now)
}

// follow queues the configuration of a rival to be judged.
func (t *Tracker) follow(r *Rival, now time.Time) {
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
	s.First, r.broken = r.broken, false
	r.waiting = append(r.waiting, s)
}

// followAll queues the configurations of those rivals that an owner's message has changed,
// except of one that has been followed already. The owner may be a rival itself, of other
// joints than the message names.
func (t *Tracker) followAll(followed *Rival, now time.Time) {
	if !t.InDispute(now) {
		return
	}
	for _, p := range t.contesting(now) {
		if p.rival != followed && p.rival.ofPart(now, t.timeout) {
			t.follow(p.rival, now)
		}
	}
}

// ofPart reports whether the rival measures some of the joints, but not all.
func (r *Rival) ofPart(now time.Time, timeout time.Duration) bool {
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
func (t *Tracker) combined(measured []Measurement, now time.Time) (s *Sample, missing []string) {
	s = &Sample{Position: make([]float64, len(t.joints)), World: t.World}
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
func (t *Tracker) suspect(p *publisher, positions []float64, at Measurement, now time.Time, why string) {
	t.disputed = now
	measured := make([]Measurement, len(t.joints))
	if p != nil && p.rival != nil {
		copy(measured, p.rival.joints)
	}
	for j := range measured {
		measured[j].refused = false
	}
	for i, j := range t.named {
		if j >= 0 {
			measured[j] = at
			measured[j].Position = positions[i]
		}
	}
	if s, _ := t.combined(measured, now); s != nil {
		s.Aside = why
		t.suspects = append(t.suspects, s)
	}
}

// Turn is what is to be judged of a rival.
type Turn struct {
	Of      *Rival
	Waiting []*Sample
	Again   bool // they were judged before, in another world
}

// Turns returns the pending configurations of rivals.
func (t *Tracker) Turns(now time.Time) (turns []Turn) {
	if !t.InDispute(now) {
		return nil
	}
	for _, p := range t.contesting(now) {
		if len(p.rival.waiting) > 0 {
			turns = append(turns, Turn{Of: p.rival, Waiting: p.rival.waiting})
			p.rival.waiting = nil
		}
	}
	return turns
}

// acquit forgets the rival record of a publisher that now owns all joints that it measures.
// Its pending configurations are still judged.
func (t *Tracker) acquit(p *publisher) {
	for _, s := range p.rival.waiting {
		s.Aside = "measured by a publisher before the joints passed to it"
		t.suspects = append(t.suspects, s)
	}
	p.rival = nil
}

// Agreed returns the joints that are known and measured by one publisher only, by name. Answers to
// questions rest on such joints alone.
func (t *Tracker) Agreed(now time.Time) iter.Seq2[string, *Measurement] {
	return func(yield func(string, *Measurement) bool) {
		for j := range t.joints {
			if t.isAgreed(j, now) && !yield(t.names[j], &t.joints[j]) {
				return
			}
		}
	}
}

func (t *Tracker) isAgreed(j int, now time.Time) bool {
	if t.InDispute(now) {
		contesting := t.contesting(now)
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

// Skip records that a measured configuration was not judged.
func (t *Tracker) Skip(now time.Time) { t.skipped = now }

// TakeSuspects returns the configurations that are to be judged, each alone, since it was called last.
func (t *Tracker) TakeSuspects() []*Sample {
	suspects := t.suspects
	t.suspects = nil
	return suspects
}

// recently reports whether something happened within the timeout. The zero time means never.
func (t *Tracker) recently(at, now time.Time) bool {
	return !at.IsZero() && now.Sub(at) <= t.timeout
}

// WhyDoubtful says why no level better than UNKNOWN is possible at now, whatever the owners of
// the joints measure, or returns "".
func (t *Tracker) WhyDoubtful(now time.Time) string {
	if why := t.whyAwaiting(now); why != "" {
		return why
	}
	if !t.InDispute(now) {
		return ""
	}
	if t.recently(t.lossy, now) && t.several(now) {
		return "many joint states are lost in transport: those of another publisher may be among them"
	}
	contesting := t.contesting(now)
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
