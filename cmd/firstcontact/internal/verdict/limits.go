package verdict

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
)

// Statement is something that an answer says, without a capital letter and a full stop. Text,
// reports and captions of pictures print the same statements.
type Statement struct {
	Kind Kind   // what it is about
	Text string // in words
}

// Kind is what a statement is about.
type Kind int

const (
	proved Kind = iota // or found
	Open               // not covered
	rests              // what the answer rests on
)

// Limits lists what the question left out, and what the answer leaves open, besides premises.
func (r *Result) Limits() (out []Statement) {
	add := func(kind Kind, format string, args ...any) {
		out = append(out, Statement{kind, fmt.Sprintf(format, args...)})
	}
	if r.Status == "invalid" {
		return nil
	}
	for _, text := range r.unchecked() {
		add(Open, "%s", text)
	}
	if r.Status == "clearance" && r.Message != "" { // the answer says it of others
		add(Open, "%s", oneline.Text(r.Message, maxLine))
	}
	if r.MoreContacts {
		add(Open, "more pairs may %s at that time: a larger --contacts lists more", r.meet())
	}
	switch {
	case len(r.Tube) > 0 && r.TOC != nil:
		add(rests, "where the joints are within their tube it may %s, but need not (rad or m): %s", r.meet(), widths(r.Tube))
	case len(r.Tube) > 0:
		add(rests, "wherever the joints are within their tube (rad or m): %s", widths(r.Tube))
	}
	if r.Padding != 0 {
		add(rests, "the robot's links are checked %s thicker than they are (--padding)", answer.Metres(r.Padding))
	}
	return out
}

// unchecked says what the question left out.
func (r *Result) unchecked() (out []string) {
	if r.Status == "invalid" {
		return nil
	}
	if r.NoSelf {
		out = append(out, "the robot with itself is not checked (--no-self)")
	}
	if r.NoWorld {
		out = append(out, "the robot with the world is not checked (--no-world)")
	}
	return out
}

// meet is what pairs do at the time of contact.
func (r *Result) meet() string {
	if r.Status == "clearance" {
		return "come as close as " + answer.Metres(r.Clearance)
	}
	return "touch"
}
