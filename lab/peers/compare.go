package main

import (
	"fmt"
	"math"
	"slices"
)

// The verdicts.
const (
	free      = "free"
	contact   = "contact"
	undecided = "undecided"
)

// answer is what a method said of a segment, and how long it took (us).
type answer struct {
	status string
	us     float64
}

// columns hold the answers of a round by method, in the order of segments.
type columns map[string][]answer

func (c columns) add(method string, a answer) { c[method] = append(c[method], a) }

// outcome is a set's rounds.
type outcome struct {
	set     string
	methods []string // those that run
	rounds  []columns
}

// methods lists peers and ours, as tables show them.
func methods() []string { return slices.Concat(fclMethods, staticMethods, bulletMethods, ourMethods) }

// check holds the rounds against each other: every method told of every
// segment, in the first round at least, and said the same each time.
func (r *outcome) check() error {
	first := r.rounds[0]
	n := len(first[ourTOC])
	for i, round := range r.rounds {
		for _, m := range r.methods {
			if len(round[m]) != n && (i == 0 || round[m] != nil) {
				return fmt.Errorf("round %d: %s told of %d segments, %s of %d", i+1, m, len(round[m]), ourTOC, n)
			}
			for k := range round[m] {
				if a, b := first[m][k].status, round[m][k].status; a != b {
					return fmt.Errorf("segment %d: %s says %s in round 1 and %s in round %d", k, m, a, b, i+1)
				}
			}
		}
	}
	return nil
}

// truth is what is true of segment k: what our first contact says, which is
// proved, and held against FCL by the tests beside this file.
func (r *outcome) truth(k int) string { return r.rounds[0][ourTOC][k].status }

// freeStart stands for a status: that a segment begins free, whatever becomes of it.
const freeStart = "free at the start"

// is says whether a status is true of segment k.
func (r *outcome) is(k int, status string) bool {
	if status == freeStart {
		return r.startsFree(k)
	}
	return r.truth(k) == status
}

func (r *outcome) startsFree(k int) bool { return r.rounds[0][ourStatic][k].status == free }

// refuted lists the segments, and the starts of segments, that we call free and FCL
// finds in contact: its triangles meet where it says so, which no proof survives.
// (Bullet's margins may make contacts up.)
func (r *outcome) refuted() []string {
	var found []string
	for _, m := range fclMethods {
		for k, a := range r.rounds[0][m] {
			if r.truth(k) == free && a.status == contact {
				found = append(found, fmt.Sprintf("%s: segment %d (from 0) is called free, but %s finds a contact", r.set, k, m))
			}
		}
	}
	for _, m := range staticMethods {
		for k, a := range r.rounds[0][m] {
			if (r.truth(k) == free || r.startsFree(k)) && a.status == contact {
				found = append(found, fmt.Sprintf("%s: the start of segment %d (from 0) is called free, but %s finds a contact", r.set, k, m))
			}
		}
	}
	return found
}

// times returns the times of a method in a round for the segments of which a
// status is true, sorted.
func (r *outcome) times(round int, method, status string) []float64 {
	var us []float64
	for k, a := range r.rounds[round][method] {
		if r.is(k, status) {
			us = append(us, a.us)
		}
	}
	slices.Sort(us)
	return us
}

// counts returns how many contacts a method missed, how many it made up, and how
// many segments it did not decide.
func (r *outcome) counts(method string) (missed, wrong, unsure int) {
	for k, a := range r.rounds[0][method] {
		truth := r.truth(k)
		switch {
		case a.status == undecided:
			unsure++
		case truth == contact && a.status == free:
			missed++
		case truth == free && a.status == contact:
			wrong++
		}
	}
	return missed, wrong, unsure
}

// quantile is the element at the part p of a sorted list, as the harness takes
// it; NaN of an empty one.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

func mean(us []float64) float64 {
	sum := 0.0
	for _, x := range us {
		sum += x
	}
	return sum / float64(len(us))
}

// overRounds is the median of what f makes of the rounds in which a method ran.
func (r *outcome) overRounds(method string, f func(round int) float64) spread {
	var x []float64
	for i := range r.rounds {
		if r.rounds[i][method] != nil {
			x = append(x, f(i))
		}
	}
	slices.Sort(x)
	return spread{quantile(x, 0.5), x[0], x[len(x)-1]}
}

// spread is a median over rounds, with the least and the largest.
type spread struct{ Median, Least, Largest float64 }

// ratio compares a method of ours with the fastest of some peers' on the segments of
// which a status is true, by a statistic of each round's times.
func (r *outcome) ratio(g *goal) spread {
	return r.overRounds(g.over[0], func(i int) float64 {
		least := math.Inf(1)
		for _, m := range g.over {
			if us := r.times(i, m, g.status); len(us) > 0 {
				least = min(least, g.of(us))
			}
		}
		return g.of(r.times(i, g.ours, g.status)) / least
	})
}

// goal is a ratio that is wanted.
type goal struct {
	name   string
	key    string // in the JSON
	head   string // of its column in the table
	ours   string
	over   []string // of these the fastest
	status string
	of     func(sorted []float64) float64
	most   float64
}

func median(sorted []float64) float64 { return quantile(sorted, 0.5) }

// coarse, fine and first are FCL's methods in both its forms.
var (
	coarse = []string{fclCoarse, obbCoarse}
	first  = []string{fclTOC, obbTOC}
)

var goals = []goal{
	{
		"a free segment proved / the faster FCL sampling it at 0.05 rad", "free_over_fcl_005", "free, `free` / faster FCL 0.05",
		ourFree, coarse, free, median, 0.1,
	},
	{
		"the same by means", "free_over_fcl_005_means", "by means",
		ourFree, coarse, free, mean, 0.1,
	},
	{
		"a contact found / the faster FCL finding one at 0.05 rad", "contact_over_fcl_005", "contact, `free` / faster FCL 0.05",
		ourFree, coarse, contact, median, 0.7,
	},
	{
		"the same by means", "contact_over_fcl_005_means", "by means",
		ourFree, coarse, contact, mean, 0.7,
	},
	{
		"a first contact / the faster FCL sampling for it at 0.01 rad", "toc_over_fcl_001", "`toc` / faster FCL's first contact",
		ourTOC, first, contact, median, 0.2,
	},
	{
		"the same by means", "toc_over_fcl_001_means", "by means",
		ourTOC, first, contact, mean, 0.2,
	},
	{
		"a segment found in contact / one static check", "contact_over_static", "`free` in contact / `static`",
		ourFree,
		[]string{ourStatic},
		contact, median, 2.5,
	},
	{
		"one static check / the faster FCL's", "static_over_fcl_static", "`static` / faster FCL's static check",
		ourStatic, staticMethods, freeStart, median, 0.25,
	},
	{
		"one of many free segments in a call / the faster FCL sampling it at 0.05 rad, by means", "free_all_over_fcl_005_means", "free, `free-all` / faster FCL 0.05, by means",
		ourFreeAll, coarse, free, mean, 0.1,
	},
	{
		"one of many static checks in a call / the faster FCL's, by means", "static_all_over_fcl_static_means", "`static-all` / faster FCL's static check, by means",
		ourStaticAll, staticMethods, freeStart, mean, 0.25,
	},
}
