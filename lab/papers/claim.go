package papers

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Claim is what a paper shows with numbers, and whether it shows here. It is worked out
// of what was measured each time the page is written.
type Claim struct {
	Says  string // what the paper shows
	Paper string // its number, or notInText
	Value float64
	Unit  string
	Basis string // further figures that Value stands with: medians, how many, how many left out
	Want  string // what Value must be for the claim to show: "> 1.05"
	Null  float64
	Bound float64
	Holds bool
	// Missing says why there is no value, and Unlike in what the work here differs from
	// the paper's so much that the claim cannot be compared.
	Missing, Unlike string
}

const notInText = "not available in the text"

// The verdicts on a claim.
const (
	shows    = "yes"
	showsNot = "**no**"
	cannot   = "cannot be compared"
)

func (c *Claim) verdict() string {
	switch {
	case c.Missing != "" || c.Unlike != "":
		return cannot
	case c.Holds:
		return shows
	}
	return showsNot
}

// why stands beside the verdict: the threshold always, and what makes it none.
func (c *Claim) why() string {
	if c.Missing != "" {
		return c.Want + "; " + c.Missing
	}
	if c.Unlike != "" {
		return c.Want + "; here " + c.Unlike
	}
	return c.Want
}

func (c *Claim) ours() string {
	if c.Missing != "" {
		return "not measured"
	}
	out := strings.TrimSpace(digits(c.Value) + " " + c.Unit)
	if c.Basis != "" {
		out += " (" + c.Basis + ")"
	}
	return out
}

// effect is what a claim is about: a number, and the value that it has where there is no
// effect, beyond which the threshold must lie.
type effect struct {
	says, paper string
	value       float64
	unit        string
	null        float64 // a claim never holds of it
}

// moreThan claims that the value is more than bound, which is no less than the value
// without the effect.
func (e effect) moreThan(bound float64) Claim {
	return e.claim("> "+digits(bound), bound, e.value > bound)
}

// atMost claims that the value is no more than bound, which is less than the value
// without the effect.
func (e effect) atMost(bound float64) Claim {
	return e.claim("at most "+digits(bound), bound, e.value <= bound)
}

func (e effect) claim(want string, bound float64, holds bool) Claim {
	c := Claim{Says: e.says, Paper: e.paper, Value: e.value, Unit: e.unit, Want: want, Null: e.null, Bound: bound, Holds: holds}
	if math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
		c.Value, c.Holds, c.Missing = 0, false, "nothing of the kind came up"
	}
	return c
}

// basis puts further figures beside the value.
func (c Claim) basis(format string, args ...any) Claim {
	c.Basis = fmt.Sprintf(format, args...)
	return c
}

// unlike says that the work differs too much to be compared; an empty text changes nothing.
func (c Claim) unlike(how string) Claim {
	c.Unlike = how
	return c
}

// noise is by how much two runs of the same work may differ: a ratio of times counts
// only beyond it.
const noise = 1.05

// longer claims that b takes more than bound times what a takes, by means, by means
// without the largest time of each, and by medians: a claim that one of the three
// refutes does not show.
func longer(says, paper string, r comparison, bound float64) Claim {
	c := effect{says, paper, r.means, "times", 1}.moreThan(bound).basis("%s", r.told())
	c.Holds = c.Holds && r.trimmed > bound && r.medians > bound
	return c
}

// shorter claims that b takes at most bound times what a takes, by all three.
func shorter(says, paper string, r comparison, bound float64) Claim {
	c := effect{says, paper, r.means, "times", 1}.atMost(bound).basis("%s", r.told())
	c.Holds = c.Holds && r.trimmed <= bound && r.medians <= bound
	return c
}

// longerMean and the like are for several rows: the mean over them, with the same three.
func overRows(rows []comparison) comparison {
	var out comparison
	n := float64(len(rows))
	for _, r := range rows {
		out.n, out.late = out.n+r.n, out.late+r.late
		out.means, out.trimmed, out.medians = out.means+r.means/n, out.trimmed+r.trimmed/n, out.medians+r.medians/n
	}
	if len(rows) == 0 {
		out.means, out.trimmed, out.medians = math.NaN(), math.NaN(), math.NaN()
	}
	out.rows = len(rows)
	return out
}

// comparison is how long method b takes by how long a takes for the same pieces of work.
type comparison struct {
	n, late, rows           int     // pieces that count, and those that one of both did not decide in its time
	means, trimmed, medians float64 // ratios; trimmed is of means without the largest time of each
	low, middle, high       float64 // quartiles of the ratios piece by piece
}

func (r *comparison) told() string {
	s := fmt.Sprintf("without the largest time of each %s, by medians %s; n = %d", digits(r.trimmed), digits(r.medians), r.n)
	if r.rows > 1 {
		s = fmt.Sprintf("%s in %d rows", s, r.rows)
	}
	if r.late > 0 {
		s += fmt.Sprintf(", %d not decided in time and left out", r.late)
	}
	return s
}

// compare compares two methods on the pieces of the kinds (all if there are none) that
// both decided in their time: what took as long as it was allowed to is counted, never
// averaged.
func (s *Sample) compare(a, b, kinds string) comparison {
	var out comparison
	i, k := s.method(a), s.method(b)
	if i < 0 || k < 0 {
		out.means, out.trimmed, out.medians = math.NaN(), math.NaN(), math.NaN()
		return out
	}
	var of [2][]float64
	var each []float64
	for j := range s.Kinds {
		switch {
		case kinds != "" && !strings.Contains(kinds, s.Kinds[j:j+1]):
		case s.Series[i].Said[j] == 'u' || s.Series[k].Said[j] == 'u':
			out.late++
		default:
			of[0], of[1] = append(of[0], s.Series[i].Us[j]), append(of[1], s.Series[k].Us[j])
			each = append(each, s.Series[k].Us[j]/s.Series[i].Us[j])
		}
	}
	for i := range of {
		slices.Sort(of[i])
	}
	slices.Sort(each)
	out.n, out.rows = len(each), 1
	out.means = mean(of[1]) / mean(of[0])
	out.medians = middle(of[1]) / middle(of[0])
	out.trimmed = out.means
	if n := len(each); n > 1 {
		out.trimmed = mean(of[1][:n-1]) / mean(of[0][:n-1])
	}
	out.low, out.middle, out.high = quantile(each, 0.25), middle(each), quantile(each, 0.75)
	return out
}

// quantile is the element at the part p of a sorted list; NaN of an empty one.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

func middle(sorted []float64) float64 { return quantile(sorted, 0.5) }

// row is the sample of a row; an empty one where it was not measured.
func (r *Result) row(name string) *Sample {
	for i := range r.Samples {
		if r.Samples[i].Row == name {
			return &r.Samples[i]
		}
	}
	return &Sample{Row: name}
}

// number is a value that was measured; NaN where it was not.
func (r *Result) number(name string) float64 {
	if x, ok := r.Values[name]; ok {
		return x
	}
	return math.NaN()
}
