package spheres

import (
	"fmt"
	"io"
	"strings"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
)

// writeText prints a line for each link, and a summary.
func (s *Set) writeText(w io.Writer) error {
	var b strings.Builder
	width, spheres, worst := len("link"), 0, 0.0
	for i := range s.Links {
		c := &s.Links[i]
		width, spheres, worst = max(width, len(c.Link)), spheres+len(c.Spheres), max(worst, c.Excess[1])
	}
	fmt.Fprintf(&b, "%-*s  spheres  excess at most  found        mean excess          volume, times the link's\n", width, "link")
	for i := range s.Links {
		c := &s.Links[i]
		fmt.Fprintf(&b, "%-*s  %7d  %14s  %-11s  %-19s  %s", width, c.Link, len(c.Spheres), answer.Metres(c.Excess[1]), answer.Metres(c.Excess[0]), c.Mean.metres(), c.Ratio.plain())
		if c.Open > 0 {
			fmt.Fprintf(&b, "  (%s: a surface has no inside)", parts(c.Open))
		}
		fmt.Fprintln(&b)
	}
	what := "all of each link"
	if s.Covers == "surface" {
		what = "the surface of each link"
	}
	if s.Padding > 0 {
		what += ", grown by " + answer.Metres(s.Padding) + ","
	}
	fmt.Fprintf(&b, "%s: PROVED: %s is inside its spheres: %d for %d links, none protruding by more than %s (%.1f s)\n",
		s.Robot, what, spheres, len(s.Links), answer.Metres(worst), s.Compute)
	_, err := io.WriteString(w, b.String())
	return err
}

func parts(n int) string {
	if n == 1 {
		return "1 part of its meshes is not closed"
	}
	return fmt.Sprintf("%d parts of its meshes are not closed", n)
}

func (e *estimate) metres() string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%s +- %s", answer.Metres(e.Value), answer.Metres(e.Error))
}

func (e *estimate) plain() string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%.3g +- %.2g", e.Value, e.Error)
}
