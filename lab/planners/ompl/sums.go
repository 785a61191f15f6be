package main

import (
	"slices"
)

// fcl05 is the checker that others are compared with.
const fcl05 = "0.05"

// checkers in the order of the tables.
var checkers = []string{"proof", "default", fcl05, "0.01"}

// checkerName is how the page calls a checker.
func checkerName(c string) string {
	switch c {
	case "proof":
		return "proofs"
	case "default":
		return "FCL, OMPL's default"
	}
	return "FCL, " + c + " rad"
}

// planner is one of OMPL's, and how it is run.
type planner struct {
	name    string  // OMPL's
	anytime bool    // goes on until its time is over
	patient float64 // in what multiple of the time that RRTConnect has
}

var planners = []planner{{name: "RRTConnect", patient: 1}, {name: "KPIECE1", patient: 3}, {name: "PRMstar", anytime: true}, {name: "BITstar", anytime: true}}

// sum is what the runs of one planner with one checker came to.
type sum struct {
	runs, solved   int
	times          []float64 // s of planning, one a run
	plan, simplify float64   // s, of those that were solved
	length, short  float64   // rad, likewise
	asked, again   tally
	found, final   worth
	compared, base float64 // s of planning and simplifying, of this checker and of fcl05, where both solved
	comparedRuns   int
}

// worth counts paths in collision, by dense samples and by proof, those of them that OMPL noticed, and those not decided.
type worth struct{ sampled, proved, noticed, undecided int }

func (w *worth) add(j *judged) {
	if j.Hits > 0 {
		w.sampled++
	}
	switch j.Proof {
	case "contact":
		w.proved++
	case "undecided":
		w.undecided++
	}
}

func (t *tally) add(u *tally) {
	t.Free, t.Hit, t.Known, t.States = t.Free+u.Free, t.Hit+u.Hit, t.Known+u.Known, t.States+u.States
	t.FreeTime, t.HitTime = t.FreeTime+u.FreeTime, t.HitTime+u.HitTime
	t.FreeLength, t.HitLength = t.FreeLength+u.FreeLength, t.HitLength+u.HitLength
	t.FreeStates, t.HitStates = t.FreeStates+u.FreeStates, t.HitStates+u.HitStates
	t.FreeStateTime, t.HitStateTime = t.FreeStateTime+u.FreeStateTime, t.HitStateTime+u.HitStateTime
}

// sumOf adds up the runs of a planner with a checker that keep says.
func sumOf(runs []run, planner, checker string, keep func(*run) bool) (s sum) {
	type key struct {
		problem string
		seed    int
	}
	base := map[key]*run{}
	for i := range runs {
		if r := &runs[i]; r.Planner == planner && r.Checker == fcl05 && r.Solved {
			base[key{r.Problem, r.Seed}] = r
		}
	}
	for i := range runs {
		r := &runs[i]
		if r.Planner != planner || r.Checker != checker || r.Touches || !keep(r) {
			continue
		}
		s.runs++
		s.times = append(s.times, r.Plan)
		s.asked.add(&r.Asked)
		if !r.Solved {
			continue
		}
		s.solved++
		s.plan, s.simplify, s.length, s.short = s.plan+r.Plan, s.simplify+r.Simplify, s.length+r.Length, s.short+r.Short
		s.again.add(&r.Again)
		s.found.add(&r.Found)
		s.final.add(&r.Final)
		if !r.Kept && r.Final.Proof == "contact" {
			s.final.noticed++
		}
		if b := base[key{r.Problem, r.Seed}]; b != nil {
			s.comparedRuns++
			s.compared += r.Plan + r.Simplify
			s.base += b.Plan + b.Simplify
		}
	}
	slices.Sort(s.times)
	return s
}

// median planning time (s); runs that found nothing count with the time that they had.
func (s *sum) median() float64 { return s.times[len(s.times)/2] }

func (s *sum) mean() float64 {
	all := 0.0
	for _, t := range s.times {
		all += t
	}
	return all / float64(len(s.times))
}
