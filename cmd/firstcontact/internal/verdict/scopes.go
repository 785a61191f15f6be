package verdict

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// ScopeResult is the answer for one scope; its keys mean what those of the whole answer mean.
type ScopeResult struct {
	// free, contact, clearance or undecided.
	Status string `json:"status" jsonschema:"enum=free,enum=contact,enum=clearance,enum=undecided"`
	// Why it is undecided.
	Message string `json:"message,omitempty"`
	// s: the scope is proved free before this time.
	ProvenUntil float64 `json:"proven_until"`
	// s: the time of the scope's first contact.
	TOC *[2]float64 `json:"toc,omitempty"`
	// The piece of the motion that it is in, from 0.
	Segment *int `json:"segment,omitempty"`
	// The two bodies.
	Pair *[2]string `json:"pair,omitempty"`
	// A point of each.
	Witness *answer.Witness `json:"witness,omitempty"`
	// The smallest distance, if it is asked for.
	MinClearance *MinClearance `json:"min_clearance,omitempty"`

	features string
}

// Contact is one pair that touches at the time of contact.
type Contact struct {
	// Whether the pair is of the robot itself or of robot and world.
	Scope string `json:"scope" jsonschema:"enum=self,enum=world"`
	// The two bodies.
	Pair [2]string `json:"pair"`
	// A point of each.
	Witness *answer.Witness `json:"witness"`

	features string
}

// CompleteFeatures completes the features of all that a yes or no reports; v may be nil.
func CompleteFeatures(c *ccd.Checker, v *motion.Verdict) {
	if v == nil {
		return
	}
	c.CompleteFeatures(&v.Contact)
	for _, s := range [...]*motion.ScopeVerdict{v.Self, v.World} {
		if s != nil && s.Status == motion.Contact {
			c.CompleteFeatures(&s.Contact)
		}
	}
}

// NewMinClearance returns bounds of the smallest distance for JSON, nil if they are not known.
func NewMinClearance(c *motion.Clearance) *MinClearance {
	if !c.Known {
		return nil
	}
	if c.Beyond {
		return &MinClearance{Lower: c.Bounds.Lo, Beyond: true}
	}
	return &MinClearance{Lower: c.Bounds.Lo, Upper: &c.Bounds.Hi, Time: &c.At.Time, Pair: answer.NamesOf(c.At.Pair), Stopped: c.Stopped}
}

// addScopes adds each scope's answer. touch is as in New.
func (r *Result) addScopes(v, touch *motion.Verdict) {
	var self, world *motion.ScopeVerdict
	if touch != nil {
		self, world = touch.Self, touch.World
	}
	r.Self, r.World = newScope(v.Self, self), newScope(v.World, world)
}

// newScope converts the answer for one scope; touch, if not nil, is that at clearance 0.
func newScope(v, touch *motion.ScopeVerdict) *ScopeResult {
	if v == nil {
		return nil
	}
	shown, status, message := v, v.Status.String(), v.Reason
	switch {
	case touch == nil || v.Status == motion.Free:
	case touch.Status == motion.Contact:
		shown, status, message = touch, "contact", ""
	case v.Status == motion.Contact:
		status = "clearance"
		if touch.Status == motion.Undecided {
			message = "whether it touches is undecided: " + touch.Reason
		}
	}
	r := &ScopeResult{Status: status, Message: message, ProvenUntil: shown.ProvenUntil, MinClearance: NewMinClearance(&v.MinClearance)}
	if shown.Status == motion.Contact {
		r.TOC, r.Segment, r.Pair = &[2]float64{shown.TOC.Lo, shown.TOC.Hi}, &shown.Piece, answer.NamesOf(shown.Contact.Pair)
		r.Witness, r.features = answer.NewWitness(&shown.Contact), shown.Contact.Features()
	}
	return r
}

// addContacts adds the list of what touches.
func (r *Result) addContacts(v *motion.Verdict) {
	r.MoreContacts = v.MoreContacts
	for i := range v.Contacts {
		w := &v.Contacts[i]
		r.Contacts = append(r.Contacts, Contact{answer.ScopeOf(w.Pair), *answer.NamesOf(w.Pair), answer.NewWitness(w), w.Features()})
	}
}

// writeContacts prints the pairs that touch besides the first.
func (r *Result) writeContacts(b *strings.Builder) {
	for i := range r.Contacts {
		c := &r.Contacts[i]
		if i == 0 {
			continue // it is told as the first contact
		}
		fmt.Fprintf(b, "\n    also %s: %s and %s at that time, %s apart", c.Scope, c.Pair[0], c.Pair[1], answer.AtMost(c.Witness.Distance))
		if c.features != "" {
			fmt.Fprintf(b, ", %s", c.features)
		}
	}
}

// namedScope is the answer for a scope; nil if it has no pair to check.
type namedScope struct {
	name string
	*ScopeResult
}

// scopes returns each scope's answer, if they were asked for.
func (r *Result) scopes() []namedScope {
	if r.Self == nil && r.World == nil {
		return nil
	}
	return []namedScope{{"self", r.Self}, {"world", r.World}}
}

// brief is the answer in a few words.
func (s namedScope) brief() string {
	switch s.Status {
	case "contact", "clearance":
		return fmt.Sprintf("%s: %s at %s, %s, %s", s.name, strings.ToUpper(s.Status), answer.By(s.TOC[1]), s.Pair[0], s.Pair[1])
	case "free":
		return s.name + ": FREE"
	}
	return fmt.Sprintf("%s: UNDECIDED, proved free until %s", s.name, answer.Until(s.ProvenUntil))
}

// writeScopes prints each scope's answer.
func (r *Result) writeScopes(b *strings.Builder) {
	for _, s := range r.scopes() {
		if s.ScopeResult == nil {
			fmt.Fprintf(b, "\n    %s: no pair to check", s.name)
			continue
		}
		fmt.Fprintf(b, "\n    %s: ", s.name)
		s.write(b, r)
	}
}

func (s *ScopeResult) write(b *strings.Builder, of *Result) {
	switch s.Status {
	case "contact", "clearance":
		fmt.Fprintf(b, "%s, %s and %s at %s (segment %d), not before %s", strings.ToUpper(s.Status), s.Pair[0], s.Pair[1], answer.By(s.TOC[1]), *s.Segment, answer.Until(s.TOC[0]))
		if s.features != "" {
			fmt.Fprintf(b, ", %s", s.features)
		}
		if s.Message != "" {
			fmt.Fprintf(b, "; %s", s.Message)
		}
	case "free":
		fmt.Fprintf(b, "FREE, proved for all of %.6g s", of.Duration)
	default:
		fmt.Fprintf(b, "UNDECIDED, proved free until %s: %s", answer.Until(s.ProvenUntil), s.Message)
	}
	if c := s.MinClearance; c != nil {
		b.WriteString(", ")
		c.write(b)
	}
}
