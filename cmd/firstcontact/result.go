package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// result is the answer for one motion as --json prints it; the keys are stable.
type result struct {
	Motion       string        `json:"motion"`
	Status       string        `json:"status"` // free, contact, clearance, undecided, invalid
	Message      string        `json:"message,omitempty"`
	Start        float64       `json:"start"` // of the checked part; nothing is known before it
	Duration     float64       `json:"duration"`
	ProvenUntil  float64       `json:"proven_until"`
	TOC          *[2]float64   `json:"toc,omitempty"`
	Segment      *int          `json:"segment,omitempty"`
	Scope        string        `json:"scope,omitempty"` // self, world
	Pair         *[2]string    `json:"pair,omitempty"`
	Witness      *witness      `json:"witness,omitempty"`
	MinClearance *minClearance `json:"min_clearance,omitempty"`

	// With --each-scope: each scope by itself; absent where it has no pair to check.
	Self  *scopeResult `json:"self,omitempty"`
	World *scopeResult `json:"world,omitempty"`
	// With --contacts: the pairs that touch at the end of TOC, and whether there are or may be more.
	Contacts     []contact `json:"contacts,omitempty"`
	MoreContacts bool      `json:"more_contacts,omitempty"`

	Clearance float64 `json:"clearance"`

	Method        string             `json:"method,omitempty"`
	Interpolation string             `json:"interpolation,omitempty"` // jtc, linear
	Tube          map[string]float64 `json:"tube,omitempty"`          // rad or m, by joint

	AssumedPairs int               `json:"assumed_pairs"`
	ProvenPairs  int               `json:"proven_pairs"` // left out because they are proved never to touch
	OpenMeshes   []string          `json:"open_meshes,omitempty"`
	BeyondLimits []string          `json:"beyond_limits,omitempty"`
	Held         []string          `json:"held_joints,omitempty"`
	Premises     []premise.Premise `json:"premises"`              // premises of the answer
	Certificate  string            `json:"certificate,omitempty"` // the file with its proof
	Profile      string            `json:"profile,omitempty"`     // the file with its distances over time
	Notes        []string          `json:"notes,omitempty"`
	Compute      float64           `json:"compute_s"`
	Work         map[string]int    `json:"work"`

	features string // names of the touching features
	all      bool   // print all premises
}

type witness struct {
	A        [3]float64 `json:"a"`
	B        [3]float64 `json:"b"`
	Normal   [3]float64 `json:"normal"`
	Distance float64    `json:"distance"`
	Features *[2]string `json:"features,omitempty"` // of a and of b, if one is known
}

func newWitness(w *motion.Witness) *witness {
	out := &witness{A: triple(w.PointA), B: triple(w.PointB), Normal: triple(w.Normal), Distance: w.Distance}
	if w.Features() != "" {
		out.Features = &[2]string{w.FeatureA.String(), w.FeatureB.String()}
	}
	return out
}

// minClearance has no time and no pair, and null as its upper bound, if it is beyond.
type minClearance struct {
	Lower   float64    `json:"lower"`
	Upper   *float64   `json:"upper"`
	Time    *float64   `json:"time,omitempty"`
	Pair    *[2]string `json:"pair,omitempty"`
	Stopped bool       `json:"stopped,omitempty"` // the pair is closer than its minimum, which ended the check
	Beyond  bool       `json:"beyond,omitempty"`  // all pairs are beyond their maximum
}

// write prints the smallest distance.
func (c *minClearance) write(b *strings.Builder) {
	switch {
	case c.Beyond:
		fmt.Fprintf(b, "closest: all pairs are farther apart than %s throughout, and beyond their range", metres(c.Lower))
	case c.Stopped:
		fmt.Fprintf(b, "stopped: %s and %s are no more than %s apart at %.4f s, closer than their range; others may be closer", c.Pair[0], c.Pair[1], metres(*c.Upper), *c.Time)
	default:
		fmt.Fprintf(b, "closest: %s and %s, between %s and %s apart, at %.4f s", c.Pair[0], c.Pair[1], metres(c.Lower), metres(*c.Upper), *c.Time)
	}
}

// newResult converts a verdict. touch, if not nil, is the verdict at clearance 0 of a motion
// that violates the clearance.
func newResult(id string, m *motion.Motion, q motion.Query, v motion.Verdict, touch *motion.Verdict) result {
	shown, status := v, v.Status.String()
	if touch != nil {
		status = "clearance"
		if touch.Status == motion.Contact {
			shown, status = *touch, "contact"
		}
	}
	r := result{
		Motion: id, Method: q.Method.Resolve().String(), Status: status, Message: shown.Reason, Start: m.Pieces[0].Start, Duration: m.Duration(), ProvenUntil: shown.ProvenUntil,
		Clearance: q.Clearance, Tube: q.Tube, AssumedPairs: v.AssumedPairs, ProvenPairs: shown.ProvenPairs, OpenMeshes: v.OpenMeshes,
		BeyondLimits: v.BeyondLimits, Held: v.Held, Premises: v.Premises, Compute: v.Compute.Seconds(),
		Work: map[string]int{"intervals": v.Work.Intervals, "proofs": v.Work.Proofs, "distances": v.Work.Distances},
	}
	if r.Premises == nil {
		r.Premises = []premise.Premise{} // an empty list in JSON, not null
	}
	if touch != nil {
		r.Compute += touch.Compute.Seconds()
	}
	if touch != nil && touch.Status == motion.Undecided {
		r.Message = "whether it touches is undecided: " + touch.Reason
	}
	if shown.Status == motion.Contact {
		r.TOC = &[2]float64{shown.TOC.Lo, shown.TOC.Hi}
		r.Segment = &shown.Piece
		r.Scope = scopeOf(shown.Contact.Pair)
		r.Pair = namesOf(shown.Contact.Pair)
		w := &shown.Contact
		r.Witness = newWitness(w)
		r.features = w.Features()
	}
	r.MinClearance = newMinClearance(&v.MinClearance)
	r.addScopes(&v, touch)
	r.addContacts(&shown)
	return r
}

// invalid is the result of a motion that cannot be checked.
func invalid(id string, err error) result {
	return result{Motion: id, Status: "invalid", Message: err.Error(), Work: map[string]int{}}
}

func scopeOf(p motion.Pair) string {
	if p.World() {
		return "world"
	}
	return "self"
}

func namesOf(p motion.Pair) *[2]string { return &[2]string{p.A.Name, p.B.Name} }

func triple(v geom.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// exit returns the exit status of the result.
func (r *result) exit() int {
	switch r.Status {
	case "free":
		return exitFree
	case "contact":
		return exitContact
	case "clearance":
		return exitClearance
	case "invalid":
		return exitBadInput
	}
	return exitUndecided
}

// writeJSON prints the result as one line.
func (r *result) writeJSON(w io.Writer) error {
	return json.NewEncoder(w).Encode(r)
}

// limit is the distance that the proof before the contact is about.
func (r *result) limit() float64 {
	if r.Status == "clearance" {
		return r.Clearance
	}
	return 0
}

// metres formats a length with a suitable unit.
func metres(x float64) string {
	switch a := math.Abs(x); {
	case math.IsInf(x, 0):
		return "infinitely far"
	case a >= 1:
		return fmt.Sprintf("%.3f m", x)
	case a >= 1e-3 || x == 0:
		return fmt.Sprintf("%.2f mm", 1e3*x)
	}
	return fmt.Sprintf("%.3g um", 1e6*x)
}
