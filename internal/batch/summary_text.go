package batch

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Statuses are all statuses in the order of summaries.
var Statuses = [...]string{"free", "contact", "clearance", "undecided", Invalid, SetAside}

// below is the largest part of 1/steps that is not above x: what is printed of a bound is to be one.
func below(x, steps float64) float64 {
	n := math.Round(x * steps)
	if n/steps > x {
		n--
	}
	return n / steps
}

// Write prints the summary.
func (s *Summary) Write(w io.Writer) error {
	var b strings.Builder
	var counts []string
	for _, status := range Statuses {
		if n := s.Count[status]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, status))
		}
	}
	fmt.Fprintf(&b, "%d motions: %s; %.4g %% free; exit status %d\n", s.Motions, strings.Join(counts, ", "), 100*below(s.Share, 1e4), s.ExitStatus)
	s.writeWorst(&b)
	s.writeEpisodes(&b)
	s.writeNumbers(&b)
	s.writeRemarks(&b, "rests on", s.Premises)
	s.writeRemarks(&b, "warnings", s.Warnings)
	if s.MoreRemarks {
		fmt.Fprintf(&b, "more sorts of premises or warnings than %d, of which %s lists the first: %s has all\n", maxRemarks, SummaryName, TableName)
	}
	if n := len(s.Ignored); n > 0 {
		fmt.Fprintf(&b, "not read, no motions by their names: %d files (%s first)\n", n, s.Ignored[0])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// brief is a motion's name without the folder of its file.
func brief(motion string) string {
	file, part, found := strings.Cut(motion, "#")
	if file = filepath.Base(file); found {
		return file + "#" + part
	}
	return file
}

func (s *Summary) writeWorst(b *strings.Builder) {
	for i, v := range s.Worst {
		if i == 0 {
			b.WriteString("worst:\n")
		}
		fmt.Fprintf(b, "    %-10s %s", strings.ToUpper(v.Status), oneline.Text(brief(v.Motion), 80))
		if v.Time != nil {
			fmt.Fprintf(b, ": %s and %s at %.6f s", v.Pair[0], v.Pair[1], -below(-*v.Time, 1e6))
		} else if v.Clearance != nil && v.Pair != nil {
			fmt.Fprintf(b, ": %s and %s, no closer than %.2f mm", v.Pair[0], v.Pair[1], 1e3*below(*v.Clearance, 1e5))
		}
		if v.Message != "" {
			fmt.Fprintf(b, ": %s", oneline.Text(v.Message, 200))
		}
		b.WriteByte('\n')
	}
}

// shownEpisodes are those whose times are printed, and barCells how many characters a whole one is.
const (
	shownEpisodes = 20
	barCells      = 40
)

// writeEpisodes prints until when the first episodes are proved.
func (s *Summary) writeEpisodes(b *strings.Builder) {
	for i, e := range s.Episodes[:min(len(s.Episodes), shownEpisodes)] {
		if i == 0 {
			b.WriteString("episodes, = as far as they are proved:\n")
		}
		fmt.Fprintf(b, "    %6d  |%s| %s\n", e.Episode, e.bar(), e.Status)
	}
	if n := int64(len(s.Episodes)) + s.Omitted - shownEpisodes; n > 0 {
		fmt.Fprintf(b, "            and %d more in %s\n", n, SummaryName)
	}
}

// bar is an episode's time: = is proved, X is where that ends.
func (e *Episode) bar() string {
	cells := 0
	switch {
	case e.Status == "free":
		return strings.Repeat("=", barCells)
	case e.ProvenUntil > 0 && e.Duration > 0:
		cells = min(int(barCells*e.ProvenUntil/e.Duration), barCells-1)
	case e.Status == Invalid || e.Status == SetAside:
		return strings.Repeat(" ", barCells)
	}
	return strings.Repeat("=", cells) + "X" + strings.Repeat(".", barCells-1-cells)
}

// writeNumbers prints the pairs and the smallest distances.
func (s *Summary) writeNumbers(b *strings.Builder) {
	for i, h := range s.Pairs[:min(len(s.Pairs), shownPairs)] {
		if i == 0 {
			b.WriteString("pairs that touch or come too close first:\n")
		}
		fmt.Fprintf(b, "    %6d  %s and %s (%s)\n", h.Motions, h.A, h.B, oneline.Text(brief(h.First), 60))
	}
	for i, bin := range s.Histogram {
		if i == 0 {
			b.WriteString("smallest distances, proved:\n")
		}
		if bin.Motions > 0 {
			fmt.Fprintf(b, "    %6d  from %g mm\n", bin.Motions, 1e3*bin.From)
		}
	}
}

// writeRemarks prints the most frequent of a list, and how many pairs are left out.
func (s *Summary) writeRemarks(b *strings.Builder, title string, list []Remark) {
	shown := slices.DeleteFunc(slices.Clone(list), func(r Remark) bool { return strings.HasPrefix(r.Text, string(premise.LeftOut)) })
	if n := len(list) - len(shown); n > 0 {
		shown = append([]Remark{{Text: fmt.Sprintf("%d pairs of bodies that are left out, which %s lists", n, SummaryName), Motions: s.Motions}}, shown...)
	}
	for i, r := range shown[:min(len(shown), shownPairs)] {
		if i == 0 {
			fmt.Fprintf(b, "%s:\n", title)
		}
		fmt.Fprintf(b, "    %6d  %s\n", r.Motions, oneline.Text(r.Text, 200))
	}
}
