package verdict

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
)

// painter colours a status on a terminal.
type painter func(status string) string

// PainterFor returns a painter for w, which paints nothing unless w is a terminal.
func PainterFor(w io.Writer) painter {
	if !cli.TakesColours(w) {
		return func(status string) string { return status }
	}
	return func(status string) string {
		if c := cli.Colours[strings.TrimSpace(status)]; c != 0 {
			return fmt.Sprintf("\x1b[%dm%s\x1b[0m", c, status)
		}
		return status
	}
}

// WriteLine prints the result on one line: status, motion (in a column of the given width),
// when, and what.
func (r *Result) WriteLine(w io.Writer, paint painter, width int) error {
	name := oneline.Text(r.Motion, maxLine)
	if n := width - utf8.RuneCountInString(name); n > 0 {
		name += strings.Repeat(" ", n)
	}
	_, err := fmt.Fprintf(w, "%s  %s  %s\n", paint(fmt.Sprintf("%-9s", strings.ToUpper(r.Status))), name, strings.Join(r.brief(), "; "))
	return err
}

// brief says when and what, in a few parts.
func (r *Result) brief() []string {
	var parts []string
	scopes := r.scopes()
	switch r.Status {
	case "free":
		parts = append(parts, r.proved())
	case "contact":
		if scopes != nil {
			break // they say it
		}
		parts = append(parts, fmt.Sprintf("at %s of %.6g s, %s: %s, %s", answer.By(r.TOC[1]), r.Duration, r.Scope, r.Pair[0], r.Pair[1]))
	case "clearance":
		parts = append(parts, fmt.Sprintf("at %s of %.6g s, %s: %s, %s no farther than %s apart", answer.By(r.TOC[1]), r.Duration, r.Scope, r.Pair[0], r.Pair[1], answer.AtMost(r.Clearance)))
	case "undecided":
		parts = append(parts, r.Undecided())
	default:
		return []string{oneline.Text(r.Message, maxLine)}
	}
	if n := len(r.Contacts); n > 1 {
		parts = append(parts, fmt.Sprintf("%d pairs %s then", n, r.meet()))
	}
	for _, s := range scopes {
		if s.ScopeResult != nil {
			parts = append(parts, s.brief())
		}
	}
	if c := r.MinClearance; c != nil {
		var b strings.Builder
		c.write(&b)
		parts = append(parts, b.String())
	}
	return append(parts, r.unchecked()...)
}
