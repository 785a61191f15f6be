package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// benchReport holds the measurements and their comparison with the ground truth.
type benchReport struct {
	rows  []*row
	truth []motion.Status
	by    string // source of the ground truth
	unit  string // of times
	reps  int
}

// benchTimes are microseconds; NaN without measurements.
type benchTimes struct{ median, p90, mean float64 }

// benchWork is the mean number of steps of a check.
type benchWork struct {
	// Intervals of time examined.
	Intervals float64 `json:"intervals"`
	// Evaluations of a proof rule.
	Proofs float64 `json:"proofs"`
	// Searches for closest points.
	Distances float64 `json:"distances"`
}

// benchSummary summarizes a row.
type benchSummary struct {
	said                    [3]int // answers, by status
	missed, wrong           int
	free, contact           benchTimes
	freeWork, contactWork   benchWork
	freeChecks, touchChecks int
}

func (r *benchReport) summary(row *row) benchSummary {
	var s benchSummary
	times := map[motion.Status][]float64{}
	work := map[motion.Status]benchWork{}
	for i := range row.answers {
		a, truth := &row.answers[i], r.truth[i]
		said := a.verdict.Status
		s.said[said]++
		if truth == motion.Contact && said == motion.Free {
			s.missed++
		}
		if truth == motion.Free && said == motion.Contact {
			s.wrong++
		}
		times[truth] = append(times[truth], micros(a.time))
		work[truth] = work[truth].plus(a.verdict)
	}
	s.freeChecks, s.touchChecks = len(times[motion.Free]), len(times[motion.Contact])
	s.free, s.contact = timesOf(times[motion.Free]), timesOf(times[motion.Contact])
	s.freeWork, s.contactWork = work[motion.Free].over(s.freeChecks), work[motion.Contact].over(s.touchChecks)
	return s
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// timesOf computes median and p90 as the comparison harness does: the elements n/2 and 0.9 n
// of the sorted times.
func timesOf(us []float64) benchTimes {
	if len(us) == 0 {
		return benchTimes{math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(us)
	sum := 0.0
	for _, x := range us {
		sum += x
	}
	return benchTimes{us[len(us)/2], us[min(len(us)-1, len(us)*9/10)], sum / float64(len(us))}
}

func (w benchWork) plus(v motion.Verdict) benchWork {
	return benchWork{w.Intervals + float64(v.Work.Intervals), w.Proofs + float64(v.Work.Proofs), w.Distances + float64(v.Work.Distances)}
}

func (w benchWork) over(n int) benchWork {
	d := float64(max(n, 1))
	return benchWork{w.Intervals / d, w.Proofs / d, w.Distances / d}
}

// writeText prints the table, and with dump the segments.
func (r *benchReport) writeText(out io.Writer, dump bool) error {
	w := bufio.NewWriter(out)
	count := map[motion.Status]int{}
	for _, s := range r.truth {
		count[s]++
	}
	fmt.Fprintf(w, "segments %d: free %d contact %d undecided %d by %s; %s, least of %d, one core, collector off\n",
		len(r.truth), count[motion.Free], count[motion.Contact], count[motion.Undecided], r.by, r.unit, r.reps)
	fmt.Fprintf(w, "%-12s %9s %9s %9s | %9s %9s %9s | %6s %6s %6s | %7s | free: %9s %9s %9s | contact: %9s %9s %9s\n",
		"method", "free_med", "free_p90", "free_mean", "cont_med", "cont_p90", "cont_mean", "missed", "false", "undec", "allocs",
		"intervals", "proofs", "distances", "intervals", "proofs", "distances")
	for _, row := range r.rows {
		s := r.summary(row)
		fmt.Fprintf(w, "%-12s %9s %9s %9s | %9s %9s %9s | %6d %6d %6d | %7.1f |       %9.1f %9.1f %9.1f |          %9.1f %9.1f %9.1f\n",
			row.method.name, dash(s.free.median), dash(s.free.p90), dash(s.free.mean), dash(s.contact.median), dash(s.contact.p90), dash(s.contact.mean),
			s.missed, s.wrong, s.said[motion.Undecided], row.allocs,
			s.freeWork.Intervals, s.freeWork.Proofs, s.freeWork.Distances, s.contactWork.Intervals, s.contactWork.Proofs, s.contactWork.Distances)
	}
	if dump {
		r.dumpText(w)
	}
	return w.Flush()
}

// dash prints a time, or a dash if there is none.
func dash(us float64) string {
	if math.IsNaN(us) {
		return "-"
	}
	return fmt.Sprintf("%.1f", us)
}

// dumpText prints the lines in the format of the comparison harness.
func (r *benchReport) dumpText(w io.Writer) {
	for i, truth := range r.truth {
		fmt.Fprintf(w, "SEG %d truth %s", i, statusDigits[truth])
		for _, row := range r.rows {
			a := &row.answers[i]
			toc := 2.0
			if a.verdict.Status == motion.Contact {
				toc = a.verdict.TOC.Hi
			}
			fmt.Fprintf(w, " %s=%s@%.9f/%.2fus", row.method.name, statusDigits[a.verdict.Status], toc, micros(a.time))
		}
		fmt.Fprintln(w)
	}
}

// Result is what bench measured of a method.
type Result struct {
	answer.Head
	// The method.
	Method string `json:"method"`
	// Number of segments.
	Segments int `json:"segments"`
	// Number that the method says are free.
	Free int `json:"free"`
	// Number that it says are in contact.
	Contact int `json:"contact"`
	// Number that it does not decide.
	Undecided int `json:"undecided"`
	// Number that it says are free though the truth is contact.
	Missed int `json:"missed"`
	// Number that it says are in contact though the truth is free.
	False int `json:"false"`
	// us: median of the segments that are free in truth; null without one.
	FreeMedian *float64 `json:"free_median_us" jsonschema:"nullable"`
	// us: their 90th percentile.
	FreeP90 *float64 `json:"free_p90_us" jsonschema:"nullable"`
	// us: their mean.
	FreeMean *float64 `json:"free_mean_us" jsonschema:"nullable"`
	// us: median of the segments with contact in truth; null without one.
	ContactMedian *float64 `json:"contact_median_us" jsonschema:"nullable"`
	// us: their 90th percentile.
	ContactP90 *float64 `json:"contact_p90_us" jsonschema:"nullable"`
	// us: their mean.
	ContactMean *float64 `json:"contact_mean_us" jsonschema:"nullable"`
	// Allocations of memory for each segment.
	AllocsPerCheck float64 `json:"allocs_per_check"`
	// Mean steps of a segment that is free in truth.
	FreeWork benchWork `json:"free_work"`
	// Mean steps of a segment with contact in truth.
	ContactWork benchWork `json:"contact_work"`
	// What gives the truth: a method or a file.
	Truth string `json:"truth"`
	// Number of segments that are free in truth.
	FreeSegments int `json:"truth_free"`
	// Number of segments with contact in truth.
	ContactSegments int `json:"truth_contact"`
}

// Segment is a method's answer about a segment, with --dump.
type Segment struct {
	answer.Head
	// The method.
	Method string `json:"method"`
	// The segment, from 0.
	Segment int `json:"segment"`
	// free, contact or undecided.
	Status string `json:"status" jsonschema:"enum=free,enum=contact,enum=undecided"`
	// s: the time of contact; null without one.
	TOC *[2]float64 `json:"toc" jsonschema:"nullable"`
	// The bodies in contact; null without a contact.
	Pair *[2]string `json:"pair" jsonschema:"nullable"`
	// us: the time that it took.
	Micros float64 `json:"us"`
}

func (r *benchReport) writeJSON(out io.Writer, dump bool) error {
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	for _, row := range r.rows {
		if dump {
			for i := range row.answers {
				if err := enc.Encode(segmentObject(row, i)); err != nil {
					return err
				}
			}
		}
		if err := enc.Encode(r.object(row)); err != nil {
			return err
		}
	}
	return w.Flush()
}

func segmentObject(row *row, i int) Segment {
	a := &row.answers[i]
	s := Segment{Head: answer.HeadOf("bench-segment"), Method: row.method.name, Segment: i, Status: a.verdict.Status.String(), Micros: micros(a.time)}
	if a.verdict.Status == motion.Contact {
		s.TOC = &[2]float64{a.verdict.TOC.Lo, a.verdict.TOC.Hi}
		s.Pair = answer.NamesOf(a.verdict.Contact.Pair)
	}
	return s
}

func (r *benchReport) object(row *row) Result {
	s := r.summary(row)
	return Result{
		Head: answer.HeadOf("bench"), Method: row.method.name, Segments: len(row.answers),
		Free: s.said[motion.Free], Contact: s.said[motion.Contact], Undecided: s.said[motion.Undecided],
		Missed: s.missed, False: s.wrong,
		FreeMedian: finite(s.free.median), FreeP90: finite(s.free.p90), FreeMean: finite(s.free.mean),
		ContactMedian: finite(s.contact.median), ContactP90: finite(s.contact.p90), ContactMean: finite(s.contact.mean),
		AllocsPerCheck: row.allocs, FreeWork: s.freeWork, ContactWork: s.contactWork,
		Truth: r.by, FreeSegments: s.freeChecks, ContactSegments: s.touchChecks,
	}
}

// finite returns a number for JSON, or nil for NaN, which JSON lacks.
func finite(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}
