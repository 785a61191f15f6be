package verdict

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// maxLine bounds text from outside, such as a message, within a line of output, in bytes.
const maxLine = 2000

// WriteText prints the result as text with all details: its first line is the answer.
func (r *Result) WriteText(w io.Writer, paint painter) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", oneline.Text(r.Motion, maxLine), paint(strings.ToUpper(r.Status)))
	r.writeStatus(&b)
	r.writeContacts(&b)
	r.writeScopes(&b)
	if c := r.MinClearance; c != nil {
		b.WriteString("\n    ")
		c.write(&b)
	}
	for _, remark := range r.remarks() {
		fmt.Fprintf(&b, "\n    %s", remark)
	}
	if r.Status != "invalid" {
		r.writeMethod(&b)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// writeStatus writes what the status says: when, which pair and where.
func (r *Result) writeStatus(b *strings.Builder) {
	switch r.Status {
	case "contact", "clearance":
		fmt.Fprintf(b, " %s: %s and %s at %s of %.6g s (segment %d)", r.Scope, r.Pair[0], r.Pair[1], answer.By(r.TOC[1]), r.Duration, *r.Segment)
		fmt.Fprintf(b, "\n    %s", r.Before())
		fmt.Fprintf(b, "\n    witness (%.4f %.4f %.4f) and (%.4f %.4f %.4f) m, %s apart", r.Witness.A[0], r.Witness.A[1], r.Witness.A[2],
			r.Witness.B[0], r.Witness.B[1], r.Witness.B[2], answer.AtMost(r.Witness.Distance))
		if r.features != "" {
			fmt.Fprintf(b, "\n    %s", r.features)
		}
	case "free":
		fmt.Fprintf(b, ", proved %s", r.proved())
	case "undecided":
		fmt.Fprintf(b, ", %s", r.Undecided())
	default:
		fmt.Fprintf(b, ": %s", oneline.Text(r.Message, maxLine))
	}
}

// proved says what is proved of a free motion.
func (r *Result) proved() string {
	text := fmt.Sprintf("for all of %.6g s", r.Duration)
	if r.Start > 0 {
		text = fmt.Sprintf("from %.6g s to %.6g s", r.Start, r.Duration)
	}
	if r.Clearance > 0 {
		text += ", farther than " + answer.AtLeast(r.Clearance) + " apart throughout"
	}
	return text
}

// Undecided says how much is proved of an undecided motion, and why no more.
func (r *Result) Undecided() string {
	why := oneline.Text(r.Message, maxLine)
	if r.ProvenUntil <= r.Start {
		return fmt.Sprintf("nothing proved of %.6g s: %s", r.Duration, why)
	}
	return fmt.Sprintf("proved free until %s of %.6g s: %s", answer.Until(r.ProvenUntil), r.Duration, why)
}

// Before says what is proved about the time before a contact.
func (r *Result) Before() string {
	switch {
	case r.TOC[1] <= r.Start:
		return "it begins like that"
	case r.TOC[0] <= r.Start:
		return "nothing is proved about the time before"
	case r.limit() > 0:
		return fmt.Sprintf("proved: nothing closer than %s before %s", answer.AtLeast(r.limit()), answer.Until(r.TOC[0]))
	}
	return fmt.Sprintf("proved: nothing touches before %s", answer.Until(r.TOC[0]))
}

// remarks says what the answer rests on and does not cover, and which files go with it, each
// in one line.
func (r *Result) remarks() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, s := range r.Limits() {
		switch s.Kind {
		case Open:
			add("not covered: %s", s.Text)
		case rests:
			add("%s", s.Text)
		}
	}
	if r.Certificate != "" {
		add("its proof is in %s: 'firstcontact verify' checks it", r.Certificate)
	}
	if r.Profile != "" {
		add("its distances over time are in %s", r.Profile)
	}
	if r.Recording != "" {
		add("its recording is %s", r.Recording)
	}
	if r.Picture != "" {
		add("its picture is %s", r.Picture)
	}
	if r.PNG != "" {
		add("its picture is %s", r.PNG)
	}
	if held := r.held(); held != "" {
		add("held, because the motion does not name them: %s", held)
	}
	if len(r.BeyondLimits) > 0 {
		add("beyond its limits, checked as given: %s", strings.Join(r.BeyondLimits, ", "))
	}
	if fast := tooFast(r.LimitExcesses); fast != "" {
		add("faster than its limit (rad/s or m/s): %s", fast)
	}
	if len(r.OpenMeshes) > 0 {
		add("meshes that are not closed, checked as surfaces without an inside: %s", answer.Some(r.OpenMeshes))
	}
	out = append(out, r.premiseRemarks()...)
	out = append(out, r.warningRemarks()...)
	for _, note := range r.Notes {
		add("note: %s", oneline.Text(note, maxLine))
	}
	return out
}

// held lists the held joints with their positions.
func (r *Result) held() string {
	var items []string
	for i := range r.Premises {
		p := &r.Premises[i]
		if p.Kind == premise.Held && len(p.Names) > 0 {
			items = append(items, fmt.Sprintf("%s %.4g", oneline.Text(p.Names[0], maxLine), p.Value))
		}
	}
	return answer.Counted(items)
}

// premiseRemarks lists the premises that have no line of their own: the gaps, and unless all
// are asked for only those of the rest that are about the motion itself.
func (r *Result) premiseRemarks() (out []string) {
	for i := range r.Premises {
		p := &r.Premises[i]
		switch {
		case p.Open() && r.Message != p.Why():
			out = append(out, "not covered: "+oneline.Text(p.Why(), maxLine))
		case p.Open(): // the answer says it
		case p.Accepted:
			out = append(out, "accepted: "+oneline.Text(p.String(), maxLine))
		case r.All || telling[p.Kind]:
			out = append(out, "rests on: "+oneline.Text(p.String(), maxLine))
		}
	}
	return out
}

// telling are the premises that are always printed: they are few, and about the motion itself.
var telling = map[premise.Kind]bool{premise.Turned: true, premise.HalfTurn: true, premise.Seam: true, premise.Ambiguous: true, premise.BetweenSamples: true}

// writeMethod writes how the answer was computed.
func (r *Result) writeMethod(b *strings.Builder) {
	fmt.Fprintf(b, "\n    %.3g ms", 1e3*r.Compute)
	if r.Method != "" && r.Method != motion.Spacetime.String() {
		fmt.Fprintf(b, ", method %s", r.Method)
	}
	if r.Interpolation != "" {
		fmt.Fprintf(b, ", interpolation %s", r.Interpolation)
	}
	if r.AssumedPairs > 0 {
		fmt.Fprintf(b, ", %d pairs of bodies assumed", r.AssumedPairs)
	}
	if r.ProvenPairs > 0 {
		fmt.Fprintf(b, ", %d proved never to touch", r.ProvenPairs)
	}
}

// widths prints a tube.
func widths(tube map[string]float64) string {
	if all := slices.Compact(slices.Sorted(maps.Values(tube))); len(all) == 1 && len(tube) > 1 {
		return fmt.Sprintf("%g around %d joints", all[0], len(tube))
	}
	items := make([]string, 0, len(tube))
	for _, joint := range slices.Sorted(maps.Keys(tube)) {
		items = append(items, fmt.Sprintf("%s %g", joint, tube[joint]))
	}
	return strings.Join(items, ", ")
}

// warningRemarks are the warnings of the answer, except the gaps, which are premises.
func (r *Result) warningRemarks() []string {
	var out []string
	for i := range r.Warnings {
		if w := &r.Warnings[i]; !w.Gap {
			text := fmt.Sprintf("warning: %s: %s", w.Name, w.Message)
			if w.Remedy != "" {
				text += "; " + w.Remedy
			}
			out = append(out, text)
		}
	}
	return out
}
