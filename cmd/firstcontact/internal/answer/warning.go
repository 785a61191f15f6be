package answer

import (
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/plausible"
)

// Warning is something in the input that is probably not what was meant, or that was left out.
type Warning struct {
	// Its name, which does not change: robot or scene for what the reader of either says, otherwise that
	// of a finding of plausibility.
	Name string `json:"name"`
	// Links, joints or objects that it is about, the worst first.
	About []string `json:"about,omitempty"`
	// The file that it is about, if one is known.
	File string `json:"file,omitempty"`
	// What was measured.
	Value *float64 `json:"value,omitempty"`
	// The threshold that the value is beyond.
	Limit *float64 `json:"limit,omitempty"`
	// One sentence.
	Message string `json:"message"`
	// What to do about it.
	Remedy string `json:"remedy,omitempty"`
	// Whether it can hide a collision: then there is no free verdict unless it is accepted.
	Gap bool `json:"gap,omitempty"`
}

// Warnings turns findings into the warnings of an answer.
func Warnings(findings []plausible.Finding) []Warning {
	out := make([]Warning, len(findings))
	for i := range findings {
		f := &findings[i]
		out[i] = Warning{Name: f.Name, About: f.About, File: f.File, Value: &f.Value, Limit: &f.Limit, Message: f.Detail, Remedy: f.Remedy, Gap: f.Gap}
	}
	return out
}

// TellFindings writes a line for each finding that no verdict tells: those that are no gaps, or
// all where a command gives no verdicts.
func TellFindings(w io.Writer, findings []plausible.Finding, all bool) {
	for i := range findings {
		if f := &findings[i]; all || !f.Gap {
			fmt.Fprintf(w, "warning: %s\n", f)
		}
	}
}
