// Package verdict says what a check of a motion has found: as JSON, as text with all details, on one line,
// in words for reports and pictures, and of many motions as totals.
package verdict

import (
	"fmt"
	"io"
	"strings"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Result is the answer for one motion.
type Result struct {
	answer.Head
	// The motion's name in its file, otherwise the file's name.
	Motion string `json:"motion"`
	// free, contact, clearance (closer than the clearance, but no contact), undecided, or invalid (the
	// motion could not be read or checked).
	Status string `json:"status" jsonschema:"enum=free,enum=contact,enum=clearance,enum=undecided,enum=invalid"`
	// Why it is undecided or invalid.
	Message string `json:"message,omitempty"`
	// s: start of the checked part; nothing is known before it.
	Start float64 `json:"start"`
	// s: the end of the motion, from time 0.
	Duration float64 `json:"duration"`
	// s: the motion is proved free before this time.
	ProvenUntil float64 `json:"proven_until"`
	// s: the time of first contact: nothing touches before the first number (0 if nothing is proved), and
	// something does at the second.
	TOC *[2]float64 `json:"toc,omitempty"`
	// The piece of the motion that the contact is in, from 0.
	Segment *int `json:"segment,omitempty"`
	// Whether the pair is of the robot itself or of robot and world.
	Scope string `json:"scope,omitempty" jsonschema:"enum=self,enum=world"`
	// The two bodies in contact: links or objects.
	Pair *[2]string `json:"pair,omitempty"`
	// A point of each of the two.
	Witness *answer.Witness `json:"witness,omitempty"`
	// The smallest distance of a free motion, if it is asked for.
	MinClearance *MinClearance `json:"min_clearance,omitempty"`

	// With --each-scope: the answer for the robot with itself. Absent if there is no pair to check.
	Self *ScopeResult `json:"self,omitempty"`
	// With --each-scope: the answer for the robot with the world. Absent if there is no pair to check.
	World *ScopeResult `json:"world,omitempty"`
	// With --contacts: the pairs that touch at the end of toc.
	Contacts []Contact `json:"contacts,omitempty"`
	// With --contacts: more pairs may touch then.
	MoreContacts bool `json:"more_contacts,omitempty"`

	// The robot was not checked against itself (--no-self).
	NoSelf bool `json:"no_self,omitempty"`
	// The robot was not checked against the world (--no-world).
	NoWorld bool `json:"no_world,omitempty"`
	// m: the robot's links were checked so much thicker than they are (--padding).
	Padding float64 `json:"padding,omitempty"`

	// m: every pair must stay farther apart.
	Clearance float64 `json:"clearance"`
	// How exact the answer is.
	Tolerances Tolerances `json:"tolerances"`
	// The algorithm.
	Method string `json:"method,omitempty"`
	// How the points of the motion are connected: jtc or linear.
	Interpolation string `json:"interpolation,omitempty"`
	// rad or m, by joint: how far joints may deviate from the motion.
	Tube map[string]float64 `json:"tube,omitempty"`

	// What the answer is about.
	Inputs input.Inputs `json:"inputs"`
	// What is probably not what was meant.
	Warnings []answer.Warning `json:"warnings"`
	// Number of pairs of bodies that are left out as allowed.
	AssumedPairs int `json:"assumed_pairs"`
	// Number of pairs that are left out because they are proved never to touch.
	ProvenPairs int `json:"proven_pairs"`
	// Bodies with a mesh that is not closed, which is checked as a surface.
	OpenMeshes []string `json:"open_meshes,omitempty"`
	// Joints that leave their limits, and are checked as given.
	BeyondLimits []string `json:"beyond_limits,omitempty"`
	// Where the motion exceeds limits of the URDF: the largest excess of each. The status does not depend on it.
	LimitExcesses []LimitExcess `json:"limit_excesses,omitempty"`
	// Joints that the motion does not name; premises say where they are held.
	Held []string `json:"held_joints,omitempty"`
	// What the answer rests on.
	Premises []premise.Premise `json:"premises"`
	// The file with the proof.
	Certificate string `json:"certificate,omitempty"`
	// The file with the distances over time.
	Profile string `json:"profile,omitempty"`
	// The file with a picture of robot and obstacles.
	Picture string `json:"picture,omitempty"`
	// The file with a shaded picture of the answer.
	PNG string `json:"png,omitempty"`
	// The file with a recording of the motion and the verdict.
	Recording string `json:"recording,omitempty"`
	// What else is to be said.
	Notes []string `json:"notes,omitempty"`
	// s: computing time, summed over all threads.
	Compute float64 `json:"compute_s"`
	// Steps of the search: intervals, proofs, distances.
	Work map[string]int `json:"work"`

	features string // names of the touching features
	All      bool   `json:"-"` // print all premises
}

// MinClearance bounds the smallest distance over a motion.
type MinClearance struct {
	// m: nothing comes closer.
	Lower float64 `json:"lower"`
	// m: the pair comes this close; null if all pairs stay beyond their range.
	Upper *float64 `json:"upper" jsonschema:"nullable"`
	// s: when it does.
	Time *float64 `json:"time,omitempty"`
	// The pair.
	Pair *[2]string `json:"pair,omitempty"`
	// The pair is closer than its range, which ended the check.
	Stopped bool `json:"stopped,omitempty"`
	// All pairs stay beyond their range.
	Beyond bool `json:"beyond,omitempty"`
}

// write prints the smallest distance.
func (c *MinClearance) write(b *strings.Builder) {
	switch {
	case c.Beyond:
		fmt.Fprintf(b, "closest: all pairs are farther apart than %s throughout, and beyond their range", answer.AtLeast(c.Lower))
	case c.Stopped:
		fmt.Fprintf(b, "stopped: %s and %s are no more than %s apart at %.4f s, closer than their range; others may be closer", c.Pair[0], c.Pair[1], answer.AtMost(*c.Upper), *c.Time)
	default:
		fmt.Fprintf(b, "closest: %s and %s, between %s and %s apart, at %.4f s", c.Pair[0], c.Pair[1], answer.AtLeast(c.Lower), answer.AtMost(*c.Upper), *c.Time)
	}
}

// New converts a verdict. touch, if not nil, is the verdict at clearance 0 of a motion
// that violates the clearance.
func New(id string, m *motion.Motion, q motion.Query, v motion.Verdict, touch *motion.Verdict) Result {
	shown, status := v, v.Status.String()
	if touch != nil {
		status = "clearance"
		if touch.Status == motion.Contact {
			shown, status = *touch, "contact"
		}
	}
	r := Result{
		Head: answer.HeadOf("check"), Motion: id, Method: q.Method.Resolve().String(), Status: status, Message: shown.Reason, Start: m.Pieces[0].Start, Duration: m.Duration(), ProvenUntil: shown.ProvenUntil,
		NoSelf: q.NoSelf, NoWorld: q.NoWorld, Clearance: q.Clearance, Tolerances: TolerancesOf(q), Tube: q.Tube, Warnings: []answer.Warning{}, AssumedPairs: v.AssumedPairs, ProvenPairs: shown.ProvenPairs, OpenMeshes: v.OpenMeshes,
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
		r.Scope = answer.ScopeOf(shown.Contact.Pair)
		r.Pair = answer.NamesOf(shown.Contact.Pair)
		w := &shown.Contact
		r.Witness = answer.NewWitness(w)
		r.features = w.Features()
	}
	r.MinClearance = NewMinClearance(&v.MinClearance)
	r.addScopes(&v, touch)
	r.addContacts(&shown)
	return r
}

// Invalid is the result of a motion that cannot be checked.
func Invalid(id string, err error) Result {
	return Result{
		Head: answer.HeadOf("check"), Motion: id, Status: "invalid", Message: err.Error(),
		Warnings: []answer.Warning{}, Premises: []premise.Premise{}, Work: map[string]int{},
	}
}

// exit returns the exit status of the result.
func (r *Result) exit() int {
	switch r.Status {
	case "free":
		return cli.ExitFree
	case "contact":
		return cli.ExitContact
	case "clearance":
		return cli.ExitClearance
	case "invalid":
		return cli.ExitBadInput
	}
	return cli.ExitUndecided
}

// WriteJSON prints the result as one line.
func (r *Result) WriteJSON(w io.Writer) error {
	return answer.Encode(w, r)
}

// limit is the distance that the proof before the contact is about.
func (r *Result) limit() float64 {
	if r.Status == "clearance" {
		return r.Clearance
	}
	return 0
}
