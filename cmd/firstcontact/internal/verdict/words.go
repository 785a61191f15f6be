package verdict

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Tell puts the answer into words: what is proved, what that rests on, what is not covered.
func (r *Result) Tell(page *show.Motion) {
	page.Status, page.Headline = r.Status, r.headline()
	if r.Status == "invalid" {
		return
	}
	for _, s := range slices.Concat(r.findings(), r.Limits(), r.ofCurve(page), r.ofPremises()) {
		text := AsSentence(s.Text)
		switch s.Kind {
		case proved:
			page.Proved = append(page.Proved, text)
		case Open:
			page.Open = append(page.Open, text)
		case rests:
			page.Rests = append(page.Rests, text)
		}
	}
	page.Warnings = r.warningsInWords()
	for _, note := range r.Notes {
		page.Notes = append(page.Notes, AsSentence(note))
	}
}

// AsSentence makes a sentence of a statement.
func AsSentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// headline is the answer in a sentence.
func (r *Result) headline() string {
	return strings.Join(append([]string{r.answer()}, r.unchecked()...), "; ") + "."
}

func (r *Result) answer() string {
	where := func() string {
		text := fmt.Sprintf("%s of %.6g s, %s: %s and %s", answer.By(r.TOC[1]), r.Duration, r.Scope, r.Pair[0], r.Pair[1])
		if !r.isFirst() {
			text += ", which may not be the first time"
		}
		return text
	}
	switch {
	case r.Status == "free":
		return "Proved free " + r.proved()
	case r.Status == "contact" && len(r.Tube) > 0:
		return "May touch within the tube from " + where()
	case r.Status == "contact" && !r.isFirst():
		return "In contact at " + where()
	case r.Status == "contact":
		return "First contact at " + where()
	case r.Status == "clearance" && len(r.Tube) > 0:
		return fmt.Sprintf("May be closer within the tube than the wanted %s from %s", answer.Metres(r.Clearance), where())
	case r.Status == "clearance":
		return fmt.Sprintf("Closer than the wanted %s from %s", answer.Metres(r.Clearance), where())
	case r.Status == "undecided":
		return "Undecided, which is never to be treated as free: " + r.Undecided()
	}
	return strings.TrimSuffix(oneline.Text(r.Message, maxLine), ".")
}

// isFirst reports whether the time of contact is that of the first one, as it is not with --yes-no.
func (r *Result) isFirst() bool { return r.TOC[1]-r.TOC[0] <= r.Tolerances.Time }

// findings lists what is proved, or was found.
func (r *Result) findings() (out []Statement) {
	add := func(kind Kind, format string, args ...any) {
		out = append(out, Statement{kind, fmt.Sprintf(format, args...)})
	}
	switch {
	case r.Status == "free" && r.Clearance > 0:
		add(proved, "every pair that was checked stays farther than %s apart, for every point of the bodies and at every time, between samples too", answer.AtLeast(r.Clearance))
	case r.Status == "free":
		add(proved, "no pair that was checked touches, for every point of the bodies and at every time, between samples too")
	case r.TOC != nil && r.TOC[0] > r.Start && r.limit() > 0:
		add(proved, "no pair that was checked is closer than %s before %s", answer.AtLeast(r.limit()), answer.Until(r.TOC[0]))
	case r.TOC != nil && r.TOC[0] > r.Start:
		add(proved, "no pair that was checked touches before %s", answer.Until(r.TOC[0]))
	case r.Status == "undecided" && r.ProvenUntil > r.Start:
		add(proved, "no pair that was checked touches before %s", answer.Until(r.ProvenUntil))
		add(Open, "nothing is known about the time after %s", answer.Until(r.ProvenUntil))
	}
	if r.Witness != nil {
		add(proved, "at %s a point of %s and one of %s are %s apart: the witness", answer.By(r.TOC[1]), r.Pair[0], r.Pair[1], answer.AtMost(r.Witness.Distance))
	}
	for i := range r.Contacts {
		if i > 0 {
			c := &r.Contacts[i]
			add(proved, "at that time %s and %s %s, too: they are %s apart", c.Pair[0], c.Pair[1], r.meet(), answer.AtMost(c.Witness.Distance))
		}
	}
	if c := r.MinClearance; c != nil {
		var b strings.Builder
		c.write(&b)
		add(proved, "%s", b.String())
	}
	for _, s := range r.scopes() {
		switch {
		case s.ScopeResult == nil:
			add(Open, "%s: no pair to check", s.name)
		case s.Status == "undecided" || s.Message != "":
			add(Open, "%s: %s", s.brief(), oneline.Text(s.Message, maxLine))
		default:
			add(proved, "%s", s.brief())
		}
	}
	if r.Status == "undecided" && r.Message != "" {
		add(Open, "%s", oneline.Text(r.Message, maxLine))
	}
	return out
}

// ofCurve tells what the curve of clearance and the bounds of pairs say.
func (r *Result) ofCurve(page *show.Motion) (out []Statement) {
	if page.Profile == nil {
		return nil
	}
	of := ""
	if len(r.Tube) > 0 {
		of = " of the motion itself, without its tube,"
		out = append(out, Statement{Open, "the curve of clearance and the bounds of pairs are of the motion itself, without its tube: within the tube bodies may come closer"})
	}
	but := ""
	if slices.ContainsFunc(r.Premises, func(p premise.Premise) bool { return p.Open() }) {
		but = ". What is not covered is in neither"
	}
	out = append(out, Statement{proved, "the lower edge of the curve of clearance" + of + " is proved at every time. The upper edge was measured between points of the bodies" + but})
	if reason := page.Profile.Reason; reason != "" {
		out = append(out, Statement{Open, "the curve of clearance is cut short: " + reason})
	}
	return out
}

// ofPremises lists what the answer rests on, and what it does not cover.
func (r *Result) ofPremises() (out []Statement) {
	add := func(kind Kind, format string, args ...any) {
		out = append(out, Statement{kind, fmt.Sprintf(format, args...)})
	}
	if r.AssumedPairs > 0 {
		add(rests, "%d pairs of bodies are left out as allowed to touch, which is assumed", r.AssumedPairs)
	}
	if r.ProvenPairs > 0 {
		add(rests, "%d pairs of links are left out because they are proved never to touch", r.ProvenPairs)
	}
	if len(r.OpenMeshes) > 0 {
		add(rests, "meshes that are not closed are checked as surfaces without an inside: %s", strings.Join(r.OpenMeshes, ", "))
	}
	var pairs []Statement // of which there may be hundreds, so they come last
	var bare, held []string
	for i := range r.Premises {
		p := &r.Premises[i]
		switch {
		case p.Open() && r.Message != p.Why():
			add(Open, "%s", oneline.Text(p.Why(), maxLine))
		case p.Open(): // the answer says it
		case p.Kind == premise.Surface && len(p.Names) == 1 && slices.Contains(r.OpenMeshes, p.Names[0]): // said above
		case p.Accepted:
			add(rests, "accepted: %s", oneline.Text(p.String(), maxLine))
		case p.Kind == premise.NoGeometry && len(p.Names) == 1:
			bare = append(bare, p.Names[0])
		case p.Kind == premise.Held && len(p.Names) == 1 && strings.HasPrefix(p.Detail, "the motion does not name it"):
			held = append(held, fmt.Sprintf("%s %.4g", p.Names[0], p.Value))
		case p.Kind == premise.LeftOut && len(p.Names) == 2:
			pairs = append(pairs, Statement{rests, oneline.Text(fmt.Sprintf("not checked: %s with %s (%s)", p.Names[0], p.Names[1], p.Detail), maxLine)})
		default:
			add(rests, "%s", oneline.Text(inWords(p), maxLine))
		}
	}
	if len(held) > 0 {
		add(rests, "joints are held, because the motion does not name them: %s", strings.Join(held, ", "))
	}
	if len(bare) > 0 {
		add(rests, "links without collision geometry cannot touch anything: %s", strings.Join(bare, ", "))
	}
	return append(out, pairs...)
}

// inWords puts a premise into words.
func inWords(p *premise.Premise) string {
	if len(p.Names) > 0 && p.Detail != "" {
		return fmt.Sprintf("about %s: %s", strings.Join(p.Names, ", "), p.Detail) // a name is never the first word, which becomes upper case
	}
	return p.String()
}

// warningsInWords lists what is probably not what was meant.
func (r *Result) warningsInWords() (out []string) {
	for _, line := range r.warningRemarks() {
		out = append(out, strings.TrimPrefix(line, "warning: "))
	}
	for _, b := range r.BeyondLimits {
		out = append(out, "Beyond its limits, and checked as given: "+b)
	}
	if fast := tooFast(r.LimitExcesses); fast != "" {
		out = append(out, "Faster than its limit (rad/s or m/s): "+fast)
	}
	return out
}
