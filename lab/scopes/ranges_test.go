package scopes

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// ranges are distance ranges by the least distance d (m) of a motion.
var ranges = []struct {
	name string
	of   func(d float64) motion.DistanceRanges
	said func(c *motion.Clearance) bool // what the answer has to say
}{
	{"max = d/2", func(d float64) motion.DistanceRanges { return motion.DistanceRanges{Max: d / 2} }, func(c *motion.Clearance) bool { return c.Beyond }},
	{"max = 1 mm", func(float64) motion.DistanceRanges { return motion.DistanceRanges{Max: 0.001} }, func(c *motion.Clearance) bool { return c.Beyond }},
	{"min = 2d + 4 mm", func(d float64) motion.DistanceRanges { return motion.DistanceRanges{Min: 2*d + 0.004} }, func(c *motion.Clearance) bool { return c.Stopped }},
	{"min = 1.1d + 2 mm", func(d float64) motion.DistanceRanges { return motion.DistanceRanges{Min: 1.1*d + 0.002} }, func(c *motion.Clearance) bool { return c.Stopped }},
	{"from d/2 to 2d", func(d float64) motion.DistanceRanges { return motion.DistanceRanges{Min: d / 2, Max: 2 * d} }, func(c *motion.Clearance) bool { return c.Known }},
}

// TestRangesCost measures which part of the time a least distance takes within a range, of
// free motions that keep more than 4 mm: medians of ratios, both questions in turns.
// FIRSTCONTACT_LONG takes more segments.
func TestRangesCost(t *testing.T) {
	if _, err := os.Stat(filepath.Join(shared, sets[0].scene)); err != nil {
		t.Skip(err)
	}
	segments, reps := 12, 3
	if switches.Long.Set() {
		segments, reps = 60, 5
	}
	for _, set := range sets {
		s, err := corpus.Load(filepath.Join(shared, set.scene))
		if err != nil {
			t.Fatal(err)
		}
		c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
		if err != nil {
			t.Fatal(err)
		}
		motions, err := s.Segments(filepath.Join(shared, set.segments))
		if err != nil {
			t.Fatal(err)
		}
		part := make([][]float64, len(ranges))
		for i := 0; i < len(motions) && len(part[0]) < segments; i += max(1, len(motions)/(2*segments)) {
			plain := motion.Query{Question: motion.MinClearance}
			v, err := c.Check(context.Background(), motions[i], plain)
			if err != nil {
				t.Fatal(err)
			}
			d := v.MinClearance.Bounds.Hi
			if v.Status != motion.Free || !v.MinClearance.Known || d < 0.004 {
				continue
			}
			for k, r := range ranges {
				within := plain
				within.Range = r.of(d)
				all, ranged, answer := inTurns(t, c, motions[i], plain, within, reps)
				if part[k] = append(part[k], ranged/all); !r.said(&answer.MinClearance) {
					t.Errorf("%s, motion %d, %s: %v, %+v, where the least distance is %g m", set.name, i, r.name, answer.Status, answer.MinClearance, d)
				}
			}
		}
		for k, r := range ranges {
			slices.Sort(part[k])
			n := len(part[k])
			if n == 0 {
				t.Fatalf("%s: no free motions", set.name)
			}
			t.Logf("%-11s %-17s %3d motions: %.2f of the time (quartiles %.2f to %.2f)", set.name, r.name, n, part[k][n/2], part[k][n/4], part[k][3*n/4])
			if switches.Long.Set() && part[k][n/2] > 1.15 { // a busy machine is no fault
				t.Errorf("%s, %s: takes %.2f of the time without a range", set.name, r.name, part[k][n/2])
			}
		}
	}
}

// inTurns returns the least times (us) of two questions, and the answer to the second.
func inTurns(t *testing.T, c *ccd.Checker, m *motion.Motion, plain, within motion.Query, reps int) (all, ranged float64, answer motion.Verdict) {
	t.Helper()
	all, ranged = math.Inf(1), math.Inf(1)
	for r := range reps + 1 { // the first is to warm up
		for _, ask := range []struct {
			q  motion.Query
			us *float64
		}{{plain, &all}, {within, &ranged}} {
			begin := time.Now()
			v, err := c.Check(context.Background(), m, ask.q)
			took := float64(time.Since(begin).Nanoseconds()) / 1e3
			if err != nil {
				t.Fatal(err)
			}
			if r > 0 {
				*ask.us = min(*ask.us, took)
			}
			answer = v
		}
	}
	return all, ranged, answer
}
