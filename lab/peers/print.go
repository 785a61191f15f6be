package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
)

// writeTable prints a set's methods: microseconds, the medians over rounds.
func (r *outcome) writeTable(out io.Writer) {
	count := map[string]int{}
	for k := range r.rounds[0][ourTOC] {
		count[r.truth(k)]++
	}
	fmt.Fprintf(out, "\n%s: %d segments, %d free, %d in contact, %d undecided; thread CPU microseconds, medians of %d rounds (Bullet: one)\n",
		r.set, len(r.rounds[0][ourTOC]), count[free], count[contact], count[undecided], len(r.rounds))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "method\tfree median\tp90\tmean\tcontact median\tp90\tmean\tmissed\tfalse\tundecided\t")
	for _, m := range methods() {
		f, c := r.columnsOf(m, free), r.columnsOf(m, contact)
		missed, wrong, unsure := r.counts(m)
		absent := strconv.Itoa(missed)
		if m == ourStatic {
			absent = "-" // it is asked about the start alone
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t\n", m, us(f.Median), us(f.P90), us(f.Mean), us(c.Median), us(c.P90), us(c.Mean), absent, wrong, unsure)
	}
	w.Flush()
}

// figures are microseconds.
type figures struct{ Median, P90, Mean float64 }

func (r *outcome) columnsOf(method, status string) figures {
	over := func(f func(sorted []float64) float64) float64 {
		return r.overRounds(method, func(i int) float64 { return f(r.times(i, method, status)) }).Median
	}
	return figures{
		over(func(s []float64) float64 { return quantile(s, 0.5) }),
		over(func(s []float64) float64 { return quantile(s, 0.9) }),
		over(mean),
	}
}

func us(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1f", x)
}

// writeRatios prints the goals: median over rounds, least to largest, and
// whether the median is as wanted.
func writeRatios(out io.Writer, all []*outcome) {
	fmt.Fprintln(out, "\nratios of medians within a round: median over rounds (least to largest), wanted at most")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, g := range goals {
		fmt.Fprintf(w, "%s\n", g.name)
		for _, r := range all {
			x, most := r.ratio(g.ours, g.over, g.status), g.most(r.set)
			met := "met"
			if !(x.Median <= most) { // NaN is not met
				met = "NOT MET"
			}
			fmt.Fprintf(w, "  %s\t%.3f\t(%.3f to %.3f)\t<= %.1f\t%s\n", r.set, x.Median, x.Least, x.Largest, most, met)
		}
	}
	w.Flush()
}

// writeMarkdown prints the medians and ratios as lab/docs/measurements.md has them.
func writeMarkdown(out io.Writer, all []*outcome) {
	fmt.Fprint(out, "\n| set | free, contact | FCL 0.05 rad | FCL 0.01 rad | FCL, first contact at 0.01 rad | Bullet 0.05 rad | `free` | `toc` | `static` |"+
		" `free` / FCL 0.05, free | `toc` / FCL's first contact, contact | `free` in contact / `static` |\n"+strings.Repeat("|---", 12)+"|\n")
	for _, r := range all {
		fmt.Fprintf(out, "| %s | %d, %d |", r.set, len(r.times(0, ourTOC, free)), len(r.times(0, ourTOC, contact)))
		for _, m := range []string{fclCoarse, fclFine, fclTOC, bulletCoarse, ourFree, ourTOC, ourStatic} {
			fmt.Fprintf(out, " %s / %s", us(r.columnsOf(m, free).Median), us(r.columnsOf(m, contact).Median))
			if missed, _, _ := r.counts(m); missed > 0 && m != ourStatic {
				fmt.Fprintf(out, ", misses %d", missed)
			}
			fmt.Fprint(out, " |")
		}
		for _, g := range goals {
			fmt.Fprintf(out, " %.2f |", r.ratio(g.ours, g.over, g.status).Median)
		}
		fmt.Fprintln(out)
	}
}

// record is what -json writes; the keys are stable. Numbers that are not there
// are null.
type record struct {
	Unit    string      `json:"unit"`
	Machine string      `json:"machine"`
	Go      string      `json:"go"`
	Rounds  int         `json:"rounds"`
	Reps    int         `json:"reps"`
	Sets    []setRecord `json:"sets"`

	Clearances []clearRecord `json:"clearances,omitempty"`
}

type setRecord struct {
	Set       string                 `json:"set"`
	Segments  int                    `json:"segments"`
	Free      int                    `json:"free"`
	Contact   int                    `json:"contact"`
	Undecided int                    `json:"undecided"`
	Methods   []methodRecord         `json:"methods"`
	Ratios    map[string]ratioRecord `json:"ratios"`
}

type methodRecord struct {
	Method        string   `json:"method"`
	FreeMedian    *float64 `json:"free_median_us"`
	FreeP90       *float64 `json:"free_p90_us"`
	FreeMean      *float64 `json:"free_mean_us"`
	ContactMedian *float64 `json:"contact_median_us"`
	ContactP90    *float64 `json:"contact_p90_us"`
	ContactMean   *float64 `json:"contact_mean_us"`
	Missed        int      `json:"missed"`
	False         int      `json:"false"`
	Undecided     int      `json:"undecided"`
}

type ratioRecord struct {
	Median  *float64 `json:"median"`
	Least   *float64 `json:"least"`
	Largest *float64 `json:"largest"`
	Wanted  float64  `json:"wanted_at_most"`
}

func newRecord(o *options, all []*outcome) record {
	rec := record{
		Unit: "us of thread CPU time", Machine: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Rounds: o.rounds, Reps: o.reps,
	}
	for _, r := range all {
		s := setRecord{Set: r.set, Segments: len(r.rounds[0][ourTOC]), Ratios: map[string]ratioRecord{}}
		for k := range s.Segments {
			switch r.truth(k) {
			case free:
				s.Free++
			case contact:
				s.Contact++
			default:
				s.Undecided++
			}
		}
		for _, m := range methods() {
			s.Methods = append(s.Methods, r.methodRecord(m))
		}
		for _, g := range goals {
			x := r.ratio(g.ours, g.over, g.status)
			s.Ratios[g.key] = ratioRecord{number(x.Median), number(x.Least), number(x.Largest), g.most(r.set)}
		}
		rec.Sets = append(rec.Sets, s)
	}
	return rec
}

func (r *outcome) methodRecord(m string) methodRecord {
	f, c := r.columnsOf(m, free), r.columnsOf(m, contact)
	missed, wrong, unsure := r.counts(m)
	return methodRecord{
		Method: m, FreeMedian: number(f.Median), FreeP90: number(f.P90), FreeMean: number(f.Mean),
		ContactMedian: number(c.Median), ContactP90: number(c.P90), ContactMean: number(c.Mean),
		Missed: missed, False: wrong, Undecided: unsure,
	}
}

// number returns a number for JSON, which has no NaN: null.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
