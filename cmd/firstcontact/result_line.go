package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
)

// painter colours a status on a terminal.
type painter func(status string) string

// painterFor returns a painter for w, which paints nothing unless w is a terminal.
func painterFor(w io.Writer) painter {
	if !takesColours(w) {
		return func(status string) string { return status }
	}
	return func(status string) string {
		if c := colours[strings.TrimSpace(status)]; c != 0 {
			return fmt.Sprintf("\x1b[%dm%s\x1b[0m", c, status)
		}
		return status
	}
}

// writeLine prints the result on one line: status, motion (in a column of the given width),
// when, and what.
func (r *result) writeLine(w io.Writer, paint painter, width int) error {
	name := oneline.Text(r.Motion, maxLine)
	if n := width - utf8.RuneCountInString(name); n > 0 {
		name += strings.Repeat(" ", n)
	}
	_, err := fmt.Fprintf(w, "%s  %s  %s\n", paint(fmt.Sprintf("%-9s", strings.ToUpper(r.Status))), name, strings.Join(r.brief(), "; "))
	return err
}

// brief says when and what, in a few parts.
func (r *result) brief() []string {
	var parts []string
	scopes := r.scopes()
	switch r.Status {
	case "free":
		parts = append(parts, r.proved())
	case "contact":
		if scopes != nil {
			break // they say it
		}
		parts = append(parts, fmt.Sprintf("at %.6f s of %.6g s, %s: %s, %s", r.TOC[1], r.Duration, r.Scope, r.Pair[0], r.Pair[1]))
	case "clearance":
		parts = append(parts, fmt.Sprintf("at %.6f s of %.6g s, %s: %s, %s no farther than %s apart", r.TOC[1], r.Duration, r.Scope, r.Pair[0], r.Pair[1], metres(r.Clearance)))
	case "undecided":
		parts = append(parts, r.undecided())
	default:
		return []string{oneline.Text(r.Message, maxLine)}
	}
	if n := len(r.Contacts); n > 1 {
		parts = append(parts, fmt.Sprintf("%d pairs touch then", n))
	}
	for _, s := range scopes {
		if s.scopeResult != nil {
			parts = append(parts, s.brief())
		}
	}
	if c := r.MinClearance; c != nil {
		var b strings.Builder
		c.write(&b)
		parts = append(parts, b.String())
	}
	return parts
}

// totals is what many results add up to.
type totals struct {
	motions int
	count   map[string]int // by status
	worst   *result        // the first of the worst
	compute float64        // s
	assumed int            // pairs, the most of a motion
	remarks []*repeated
	index   map[string]*repeated
}

// repeated is a remark about some of the motions.
type repeated struct {
	text, first string // first: the motion that it is about first
	motions     int
}

func newTotals() *totals { return &totals{count: map[string]int{}, index: map[string]*repeated{}} }

// add counts a result.
func (t *totals) add(r *result) {
	t.motions++
	t.count[r.Status]++
	t.compute += r.Compute
	t.assumed = max(t.assumed, r.AssumedPairs)
	if t.worst == nil || worse(t.worst.exit(), r.exit()) != t.worst.exit() {
		t.worst = r
	}
	for _, text := range r.remarks() {
		if t.index[text] == nil {
			t.index[text] = &repeated{text: text, first: r.Motion}
			t.remarks = append(t.remarks, t.index[text])
		}
		t.index[text].motions++
	}
}

// statuses are the statuses of motions in the order of totals.
var statuses = [...]string{"free", "contact", "clearance", "undecided", "invalid"}

// write prints the totals: how many of each, the worst, and below what the answers rest on
// and do not cover.
func (t *totals) write(w io.Writer) error {
	var b strings.Builder
	var counts []string
	for _, s := range statuses {
		if n := t.count[s]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, s))
		}
	}
	fmt.Fprintf(&b, "%d motions: %s", t.motions, strings.Join(counts, ", "))
	if t.worst.exit() != exitFree {
		fmt.Fprintf(&b, "; worst: %s %s", strings.ToUpper(t.worst.Status), oneline.Text(t.worst.Motion, maxLine))
	}
	fmt.Fprintf(&b, "; exit status %d; %.3g s of computing time\n", t.worst.exit(), t.compute)
	t.writeRemarks(&b)
	if t.assumed > 0 {
		fmt.Fprintf(&b, "    %d pairs of bodies assumed to be allowed (--premises lists them)\n", t.assumed)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// maxRemarks is how many different remarks totals print.
const maxRemarks = 10

// writeRemarks prints the remarks that are about most motions.
func (t *totals) writeRemarks(b *strings.Builder) {
	most := slices.SortedStableFunc(slices.Values(t.remarks), func(a, b *repeated) int { return cmp.Compare(b.motions, a.motions) })
	for i, m := range most {
		if i == maxRemarks {
			fmt.Fprintf(b, "    %d more remarks: --details prints them with each motion\n", len(most)-i)
			return
		}
		whose := "all"
		switch {
		case m.motions == 1:
			whose = oneline.Text(m.first, maxLine)
		case m.motions < t.motions:
			whose = fmt.Sprintf("%d, %s first", m.motions, oneline.Text(m.first, maxLine))
		}
		fmt.Fprintf(b, "    %s (%s)\n", m.text, whose)
	}
}
