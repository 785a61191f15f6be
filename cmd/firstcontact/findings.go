package main

import (
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/plausible"
)

// warningsOf turns findings into the warnings of an answer.
func warningsOf(findings []plausible.Finding) []warning {
	out := make([]warning, len(findings))
	for i := range findings {
		f := &findings[i]
		out[i] = warning{Name: f.Name, About: f.About, File: f.File, Value: &f.Value, Limit: &f.Limit, Message: f.Detail, Remedy: f.Remedy, Gap: f.Gap}
	}
	return out
}

// tellFindings writes a line for each finding that no verdict tells: those that are no gaps, or
// all where a command gives no verdicts.
func tellFindings(w io.Writer, findings []plausible.Finding, all bool) {
	for i := range findings {
		if f := &findings[i]; all || !f.Gap {
			fmt.Fprintf(w, "warning: %s\n", f)
		}
	}
}

// warningRemarks are the warnings of the answer, except the gaps, which are premises.
func (r *result) warningRemarks() []string {
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
