package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What a slip comes to.
const (
	refused   = "error"
	undecided = "UNDECIDED"
	contact   = "CONTACT"
	told      = "FREE, and said"
	unknown   = "FREE, cannot be known"
	silent    = "FREE, silent"
)

var verdicts = []string{refused, undecided, contact, told, unknown, silent}

// outcome is what one slip in one base came to.
type outcome struct {
	slip    slip
	base    string
	verdict string
	detail  string // the error, the gaps, or what is said besides
}

// campaign makes the slips that are wanted in the bases where they can be made, and tells
// each outcome.
func campaign(binary, shared string, wanted func(base, slip string) bool, tell func(outcome)) ([]outcome, error) {
	binary, err := filepath.Abs(binary)
	if err == nil {
		shared, err = filepath.Abs(shared)
	}
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "slips-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	c := &command{binary: binary, folder: folder}
	all, err := bases(c, shared)
	if err != nil {
		return nil, err
	}
	var found []outcome
	for _, s := range slips() {
		for _, b := range all {
			if !wanted(b.name, s.name) {
				continue
			}
			in := b.in.clone()
			if !s.make(in) {
				continue
			}
			got, err := c.ask(in)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", b.name, s.name, err)
			}
			o := judge(s, b, got)
			found = append(found, o)
			tell(o)
		}
	}
	return found, nil
}

// judge says what an answer is worth.
func judge(s slip, b base, got *answer) outcome {
	o := outcome{slip: s, base: b.name}
	news := strings.Join(got.new(b.said), "; ")
	switch got.status {
	case "invalid":
		o.verdict, o.detail = refused, got.message
	case "undecided":
		o.verdict, o.detail = undecided, got.message
	case "contact":
		o.verdict, o.detail = contact, news
	default:
		o.detail = news
		switch {
		case s.cannot != "":
			o.verdict = unknown
		case news != "":
			o.verdict = told
		default:
			o.verdict = silent
		}
	}
	return o
}

// writeLines writes a line for each outcome.
func writeLines(w io.Writer, outcomes []outcome) {
	for _, o := range outcomes {
		fmt.Fprintf(w, "%-22s %-18s %-45s %s\n", o.verdict, o.base, o.slip.name, short(o.detail, 200))
	}
	fmt.Fprintln(w)
	for _, v := range verdicts {
		fmt.Fprintf(w, "%5d %s\n", count(outcomes, v), v)
	}
}

func short(s string, most int) string {
	if len(s) > most {
		return s[:most] + " ..."
	}
	return s
}

func count(outcomes []outcome, verdict string) int {
	n := 0
	for _, o := range outcomes {
		if o.verdict == verdict {
			n++
		}
	}
	return n
}

// writePage writes the page of the lab's documentation.
func writePage(w io.Writer, outcomes []outcome) {
	io.WriteString(w, intro)
	var names []string
	for _, o := range outcomes {
		if !slices.Contains(names, o.slip.name) {
			names = append(names, o.slip.name)
		}
	}
	fmt.Fprintf(w, "\n%d slips, %d mutated inputs:\n\n| outcome | inputs |\n|---|---|\n", len(names), len(outcomes))
	for _, v := range verdicts {
		fmt.Fprintf(w, "| %s | %d |\n", v, count(outcomes, v))
	}
	fmt.Fprintf(w, "\n## Each slip\n\n| slip | kind | %s | an answer |\n|---|---|%s---|\n", strings.Join(verdicts, " | "), strings.Repeat("---|", len(verdicts)))
	for _, name := range names {
		var of []outcome
		for _, o := range outcomes {
			if o.slip.name == name {
				of = append(of, o)
			}
		}
		fmt.Fprintf(w, "| %s | %s |", name, of[0].slip.kind)
		for _, v := range verdicts {
			if n := count(of, v); n > 0 {
				fmt.Fprintf(w, " %d |", n)
			} else {
				io.WriteString(w, " |")
			}
		}
		fmt.Fprintf(w, " %s |\n", example(of))
	}
	io.WriteString(w, "\n## What cannot be known\n\n| slip | why |\n|---|---|\n")
	for _, s := range slips() {
		if s.cannot != "" && slices.Contains(names, s.name) {
			fmt.Fprintf(w, "| %s | %s |\n", s.name, s.cannot)
		}
	}
}

// example is what was said of a slip, where something was.
func example(of []outcome) string {
	for _, o := range of {
		if o.detail != "" {
			return o.base + ": " + strings.ReplaceAll(short(o.detail, 160), "|", `\|`)
		}
	}
	return ""
}

const intro = `# Slips

What ` + "`firstcontact check`" + ` says where a file is not what its user thinks: units, joints, frames, stamps, meshes, columns, pairs. Each row is a
slip, made in real inputs whose answer is CONTACT: eleven questions about eight real robots among obstacles (MotionBenchMaker,
motion capture, meshes). The command answers as a user would run it. *FREE, silent* is a proof about something else than was asked without a
word about it; it must not be. *FREE, and said* counts only what the object of ` + "`--json`" + ` says and does not say without the slip: a warning,
a held joint, a joint beyond its limits, a premise. *CONTACT* may be another contact than without the slip. Where the files are right in
themselves, nobody can know; the last table says why.

    make slips PAGE=lab/docs/slips.md
`
