package papers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Duel is a paper's method against the default engine on the same pieces of work.
type Duel struct {
	Row, Workload, Work string
	Method              string // the form that does best, by means and by medians
	comparison
	Differs string
}

// fewest is how many pieces of work a row needs to count: a row with one motion says
// nothing of a method.
const fewest = 10

// duel compares the default engine with the form of the paper's method that does best by
// means, and by the form that does best by medians. ok is false where the row has no
// duel: it compares forms of one method alone.
func (s *Sample) duel() (d Duel, ok bool) {
	ours := slices.IndexFunc(s.Series, func(t Times) bool { return t.Role == ofOurs })
	if ours < 0 {
		return d, false
	}
	var best, median *comparison
	var names [2]string
	for i := range s.Series {
		t := &s.Series[i]
		if t.Role != ofPaper {
			continue
		}
		r := s.compare(s.Series[ours].Method, t.Method, "")
		if r.n == 0 {
			continue
		}
		if best == nil || r.means < best.means {
			c := r
			best, names[0] = &c, t.Method
		}
		if median == nil || r.medians < median.medians {
			c := r
			median, names[1] = &c, t.Method
		}
	}
	if best == nil {
		return d, false
	}
	d = Duel{Row: s.Row, Workload: s.Workload, Work: s.Work, Method: names[0], comparison: *best, Differs: s.Differs}
	d.medians, d.low, d.middle, d.high = median.medians, median.low, median.middle, median.high
	d.trimmed = min(d.trimmed, median.trimmed)
	if names[1] != names[0] {
		d.Method += "; by medians " + names[1]
	}
	return d, true
}

// least is the ratio of the two that says less for the default engine.
func (d *Duel) least() float64 { return min(d.means, d.medians) }

// counting are the duels that count, one for each workload and kind of work: of rows that
// repeat it, or sweep a parameter, the one in which the paper's method does best. Rows
// with few pieces of work do not count.
func counting(samples []Sample) (of []Duel, left leftOut) {
	byWork := map[string]int{}
	for i := range samples {
		d, ok := samples[i].duel()
		if !ok {
			continue
		}
		if d.n < fewest {
			left.few++
			continue
		}
		key := d.Workload + "\x00" + d.Work
		at, seen := byWork[key]
		switch {
		case !seen:
			byWork[key] = len(of)
			of = append(of, d)
		case d.least() < of[at].least():
			of[at] = d
			left.repeated++
		default:
			left.repeated++
		}
	}
	return of, left
}

// leftOut counts the rows that are no duels.
type leftOut struct{ few, repeated int }

func (l *leftOut) add(o leftOut) { l.few, l.repeated = l.few+o.few, l.repeated+o.repeated }

// judged says in how many of the duels the default engine is faster, by how much, and
// names those where it is not. It is faster where it is by means and by medians, and
// beyond the noise.
func judged(of []Duel) string {
	faster := 0
	var means, medians []float64
	var slower []string
	for i := range of {
		d := &of[i]
		means, medians = append(means, d.means), append(medians, d.medians)
		if d.least() > noise {
			faster++
			continue
		}
		slower = append(slower, fmt.Sprintf("%s against %s (%s times its time by means, %s by medians, n = %d)", d.Row, d.Method, digits(d.means), digits(d.medians), d.n))
	}
	slices.Sort(means)
	slices.Sort(medians)
	s := fmt.Sprintf("the default engine is faster in %d of %d, by means and by medians (> %s). The other method takes, by means, %s times its time (quartiles %s to %s, all %s to %s); by medians %s (%s to %s, all %s to %s).",
		faster, len(of), digits(noise), digits(middle(means)), digits(quantile(means, 0.25)), digits(quantile(means, 0.75)), digits(means[0]), digits(means[len(means)-1]),
		digits(middle(medians)), digits(quantile(medians, 0.25)), digits(quantile(medians, 0.75)), digits(medians[0]), digits(medians[len(medians)-1]))
	if len(slower) > 0 {
		s += " **It is not faster on:** " + strings.Join(slower, "; ") + "."
	}
	return s
}

// duelTable has a line for each duel, with what differs from the paper's work.
func duelTable(of []Duel) *Table {
	t := &Table{Head: []string{"row", "workload", "n", "not decided in time", "the paper's method, in the form that does best", "times the default engine's time, by means", "without the largest of each", "by medians", "motion by motion: quartiles", "what differs"}}
	of = slices.SortedStableFunc(slices.Values(of), func(a, b Duel) int { return cmp.Compare(a.Workload, b.Workload) })
	for i := range of {
		d := &of[i]
		t.add(d.Row, d.Workload, d.n, d.late, d.Method, d.means, d.trimmed, d.medians, fmt.Sprintf("%s, %s, %s", digits(d.low), digits(d.middle), digits(d.high)), d.Differs)
	}
	return t
}

// timesTable has the times of all methods of an entry's rows, with quartiles; rows with
// few pieces of work have none.
func timesTable(samples []Sample) *Table {
	t := &Table{
		Title: "Times in µs of what all methods of a row decided in their time: mean; lower quartile, median, upper quartile; most",
		Head:  []string{"row", "n", "not decided in time", "times"},
	}
	for i := range samples {
		s := &samples[i]
		var cells, late []string
		n := 0
		for k := range s.Series {
			m := &s.Series[k]
			if m.Role == stage {
				continue
			}
			us, out := s.times(k)
			n = len(us)
			cells = append(cells, fmt.Sprintf("%s: %s; %s, %s, %s; %s", m.Method, digits(mean(us)), digits(quantile(us, 0.25)), digits(middle(us)), digits(quantile(us, 0.75)), digits(quantile(us, 1))))
			if out > 0 {
				late = append(late, fmt.Sprintf("%s %d", m.Method, out))
			}
		}
		if n >= fewest {
			t.add(s.Row, n, cmp.Or(strings.Join(late, ", "), "0"), strings.Join(cells, "<br>"))
		}
	}
	return t
}

// times are those of a method where all methods decided, rising, and how many it did not
// decide itself.
func (s *Sample) times(method int) (us []float64, late int) {
	for j := range s.Kinds {
		whole := true
		for k := range s.Series {
			if s.Series[k].Said[j] == 'u' {
				whole = false
			}
		}
		if s.Series[method].Said[j] == 'u' {
			late++
		}
		if whole {
			us = append(us, s.Series[method].Us[j])
		}
	}
	slices.Sort(us)
	return us, late
}
