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
	for _, m := range r.methods {
		f, c := r.columnsOf(m, free), r.columnsOf(m, contact)
		missed, wrong, unsure := r.counts(m)
		absent := strconv.Itoa(missed)
		if isStatic(m) {
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
	fmt.Fprintln(out, "\nratios within a round, of medians where nothing else is said: median over rounds (least to largest), wanted at most")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := range goals {
		g := &goals[i]
		fmt.Fprintf(w, "%s\n", g.name)
		for _, r := range all {
			x, most := r.ratio(g), g.most
			met := "met"
			if !(x.Median <= most) { // NaN is not met
				met = "NOT MET"
			}
			fmt.Fprintf(w, "  %s\t%.3f\t(%.3f to %.3f)\t<= %g\t%s\n", r.set, x.Median, x.Least, x.Largest, most, met)
		}
	}
	w.Flush()
}

// columns of the tables for lab/docs/measurements.md.
var (
	freeColumns    = []string{fclCoarse, obbCoarse, fclFine, obbFine, bulletCoarse, gjkCoarse, ourFree, ourFreeAll, ourTOC, fclStatic, obbStatic, ourStatic, ourStaticAll}
	contactColumns = []string{fclCoarse, obbCoarse, fclFine, obbFine, bulletCoarse, gjkCoarse, ourFree, fclTOC, obbTOC, ourTOC, fclStatic, obbStatic, ourStatic, ourStaticAll}
	heads          = map[string]string{
		fclCoarse: "FCL 0.05 rad", obbCoarse: "FCL, OBB trees 0.05", fclFine: "FCL 0.01", obbFine: "FCL, OBB trees 0.01", fclTOC: "FCL, first contact at 0.01", obbTOC: "the same, OBB trees",
		bulletCoarse: "Bullet 0.05", gjkCoarse: "Bullet without EPA 0.05", ourFree: "`free`", ourTOC: "`toc`",
		fclStatic: "FCL, static check of the start", obbStatic: "the same, OBB trees", ourStatic: "`static`", ourFreeAll: "`free-all`", ourStaticAll: "`static-all`",
	}
)

// writeMarkdown prints what lab/docs/measurements.md has: free segments, segments in
// contact, and the ratios with what is wanted of them.
func writeMarkdown(out io.Writer, all []*outcome) {
	fmt.Fprint(out, "\nFree segments: median, mean; what is called in contact\n\n")
	writeColumns(out, all, free, freeColumns)
	fmt.Fprint(out, "\nSegments in contact: median, mean; what is missed\n\n")
	writeColumns(out, all, contact, contactColumns)
	fmt.Fprint(out, "\n| set |")
	for i := range goals {
		fmt.Fprintf(out, " %s |", goals[i].head)
	}
	fmt.Fprint(out, "\n"+strings.Repeat("|---", 1+len(goals))+"|\n")
	for _, r := range all {
		fmt.Fprintf(out, "| %s |", r.set)
		for i := range goals {
			x, most := r.ratio(&goals[i]).Median, goals[i].most
			switch {
			case math.IsNaN(x):
				fmt.Fprint(out, " - |")
			case x <= most:
				fmt.Fprintf(out, " %.2f (wanted %g) |", x, most)
			default:
				fmt.Fprintf(out, " **%.2f** (wanted %g) |", x, most)
			}
		}
		fmt.Fprintln(out)
	}
}

// writeColumns prints the times of methods for the segments of which a status is true.
func writeColumns(out io.Writer, all []*outcome, status string, methods []string) {
	fmt.Fprint(out, "| set | n |")
	for _, m := range methods {
		fmt.Fprintf(out, " %s |", heads[m])
	}
	fmt.Fprint(out, "\n"+strings.Repeat("|---", 2+len(methods))+"|\n")
	for _, r := range all {
		fmt.Fprintf(out, "| %s | %d |", r.set, len(r.times(0, ourTOC, status)))
		for _, m := range methods {
			x := r.columnsOf(m, status)
			fmt.Fprintf(out, " %s, %s", us(x.Median), us(x.Mean))
			missed, wrong, _ := r.counts(m)
			switch {
			case isStatic(m): // it is asked about the start alone
			case status == contact && missed > 0:
				fmt.Fprintf(out, "; misses %d", missed)
			case status == free && wrong > 0:
				fmt.Fprintf(out, "; %d false", wrong)
			}
			fmt.Fprint(out, " |")
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
	Clock   string      `json:"clock"`     // that was read
	Clocks  [2]float64  `json:"clocks_us"` // what that takes, subtracted from times, ours and the peers'
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
		Rounds: o.rounds, Reps: o.reps, Clock: o.clock, Clocks: [2]float64{o.clocks.ours, o.clocks.theirs},
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
		for _, m := range r.methods {
			s.Methods = append(s.Methods, r.methodRecord(m))
		}
		for i := range goals {
			g := &goals[i]
			x := r.ratio(g)
			s.Ratios[g.key] = ratioRecord{number(x.Median), number(x.Least), number(x.Largest), g.most}
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
