package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/planners/lazyprm"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// row is what came of one problem and seed.
type row struct {
	name      string
	seed      uint64
	path      [][]float64 // nil where none was found
	why       string      // where none was found
	plan      lazyprm.Stats
	found     motion.Verdict // of the path as planned
	smoothing lazyprm.Smoothing
	smooth    *motion.Verdict // of the path as smoothed; nil where it was not
}

// table prints rows as they come, and sums at the end.
type table struct {
	out  io.Writer
	rows []row
}

const (
	heads = "%-32s %5s  %9s  %10s %6s %24s  %9s %15s  %s\n"
	cells = "%-32s %5d  %8.3fs  %10d %6d %24s  %8.3fs %15s  %s\n"
)

func (t *table) heads() {
	fmt.Fprintf(t.out, heads, "problem", "seed", "planning", "milestones", "paths", "segments (again, hit)", "smoothing", "length, rad", "path")
}

func (t *table) add(r row) error {
	t.rows = append(t.rows, r)
	s := &r.plan
	_, err := fmt.Fprintf(t.out, cells, r.name, r.seed, s.Time.Seconds(), s.Milestones, s.Paths,
		fmt.Sprintf("%d (%d, %d)", s.Edges, s.Again, s.Colliding), r.smoothing.Time.Seconds(), r.lengths(), r.words())
	return err
}

func (r *row) lengths() string {
	switch {
	case r.path == nil:
		return "-"
	case r.smooth == nil:
		return fmt.Sprintf("%.1f", lazyprm.Length(r.path))
	}
	return fmt.Sprintf("%.1f to %.1f", r.smoothing.Before, r.smoothing.After)
}

// words tell what the path is worth.
func (r *row) words() string {
	if r.path == nil {
		return "not found: " + r.why
	}
	out := verdict("", &r.found)
	if r.smooth != nil && r.smooth.Status != motion.Free {
		out += "; " + verdict("smoothed it ", r.smooth)
	}
	return out
}

func verdict(what string, v *motion.Verdict) string {
	switch v.Status {
	case motion.Free:
		return what + "proved free"
	case motion.Contact:
		return fmt.Sprintf("%scollides: %s and %s at %.4f s", what, v.Contact.Pair.A.Name, v.Contact.Pair.B.Name, v.TOC.Hi)
	}
	return what + "undecided: " + v.Reason
}

// collides reports whether the checker let a path pass that is in collision.
func (r *row) collides() bool {
	return r.path != nil && (r.found.Status == motion.Contact || r.smooth != nil && r.smooth.Status == motion.Contact)
}

func (t *table) sums() {
	var times []time.Duration
	found, planned, smoothed, again, edges := 0, 0, 0, 0, 0
	var cuts lazyprm.Smoothing
	for i := range t.rows {
		r := &t.rows[i]
		again, edges = again+r.plan.Again, edges+r.plan.Edges
		if r.path == nil {
			continue
		}
		found++
		did := &r.smoothing
		cuts.Time, cuts.Before, cuts.After = cuts.Time+did.Time, cuts.Before+did.Before, cuts.After+did.After
		cuts.Tried, cuts.Taken, cuts.Kept = cuts.Tried+did.Tried, cuts.Taken+did.Taken, cuts.Kept+did.Kept
		times = append(times, r.plan.Time)
		if r.found.Status == motion.Contact {
			planned++
		}
		if r.smooth != nil && r.smooth.Status == motion.Contact {
			smoothed++
		}
	}
	fmt.Fprintf(t.out, "\n%d of %d found; %d collide as planned, %d as smoothed", found, len(t.rows), planned, smoothed)
	if found > 0 {
		slices.Sort(times)
		fmt.Fprintf(t.out, "; planning took %.4f s in the median, %.4f s on average, %.3f s at most",
			times[found/2].Seconds(), sum(times).Seconds()/float64(found), times[found-1].Seconds())
	}
	if edges > 0 {
		fmt.Fprintf(t.out, "; of %d segments tested %.0f %% were met again in a later path", edges, 100*float64(again)/float64(edges))
	}
	if cuts.Tried > 0 {
		fmt.Fprintf(t.out, "; of %d shortcuts %d were taken, leaving %.0f %% of the length in %.3f s for each path, and %d tests went on from kept work",
			cuts.Tried, cuts.Taken, 100*cuts.After/cuts.Before, cuts.Time.Seconds()/float64(found), cuts.Kept)
	}
	fmt.Fprintln(t.out)
}

func (t *table) exit() int {
	code := exitFree
	for i := range t.rows {
		switch r := &t.rows[i]; {
		case r.collides():
			return exitCollides
		case r.path == nil || r.found.Status != motion.Free || r.smooth != nil && r.smooth.Status != motion.Free:
			code = exitUndecided
		}
	}
	return code
}

func sum(times []time.Duration) (all time.Duration) {
	for _, t := range times {
		all += t
	}
	return all
}
