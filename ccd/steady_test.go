package ccd

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A check that was asked before allocates nothing, whatever its answer.
func TestSteadyChecksAllocateNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector empties the pool of scratch at random")
	}
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	for _, end := range []float64{0.2, 1.5} {
		m, err := motion.Between([]string{"x"}, []float64{0}, []float64{end}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, question := range []motion.Question{motion.IsFree, motion.FirstContact, motion.MinClearance} {
			q := motion.Query{Question: question}
			var v motion.Verdict
			n := testing.AllocsPerRun(100, func() {
				if v, err = c.Check(context.Background(), m, q); err != nil {
					t.Fatal(err)
				}
			})
			if want := map[bool]motion.Status{true: motion.Free, false: motion.Contact}[end < 0.5]; v.Status != want {
				t.Fatalf("question %d: %v, want %v", question, v.Status, want)
			}
			// A collection may empty the pool of scratch once.
			if n >= 1 {
				t.Errorf("question %d, %v: %g allocations a check", question, v.Status, n)
			}
		}
	}
}

// Nor does telling the feature of a mesh that touches.
func TestFeaturesDoNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector empties the pool of scratch at random")
	}
	var spike []geom.Vec // a cone of eight sides, its tip first
	var triangles [][3]int32
	spike = append(spike, geom.Vec{X: -0.2}, geom.Vec{X: 0.2})
	for k := range int32(8) {
		y, z := math.Sincos(float64(k) * math.Pi / 4)
		spike = append(spike, geom.Vec{X: 0.2, Y: y, Z: z})
		triangles = append(triangles, [3]int32{0, 2 + (k+1)%8, 2 + k}, [3]int32{1, 2 + k, 2 + (k+1)%8})
	}
	c := newChecker(t, slider(), worldOf(object("spike", meshOf(triangles, spike...), pose(0.8, 0, 0))))
	m, err := motion.Between([]string{"x"}, []float64{0}, []float64{1.5}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var v motion.Verdict
	n := testing.AllocsPerRun(50, func() {
		if v, err = c.Check(context.Background(), m, motion.Query{Question: motion.FirstContact}); err != nil {
			t.Fatal(err)
		}
	})
	if kind := v.Contact.FeatureB.Kind; kind != motion.Vertex {
		t.Fatalf("%v touches, not a vertex", kind)
	}
	if n >= 1 {
		t.Errorf("%g allocations a check", n)
	}
}

// Nor do questions with distance ranges.
func TestRangesDoNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector empties the pool of scratch at random")
	}
	c, m := sinking(t)
	near := motion.DistanceRange{Min: 0.1, Max: 0.5}
	for _, r := range []motion.DistanceRanges{
		{Max: 0.1},
		{Min: 0.5},
		{Min: 0.1, Max: 0.5},
		{WorldRange: &near},
		{Ranges: []motion.PairRange{{A: "lift_link", B: "table", DistanceRange: near}}},
	} {
		q := motion.Query{Question: motion.MinClearance, Range: r}
		n := testing.AllocsPerRun(50, func() {
			if v, err := c.Check(context.Background(), m, q); err != nil || !v.MinClearance.Known {
				t.Fatal(v, err)
			}
		})
		if n >= 1 {
			t.Errorf("%+v: %g allocations a check", r, n)
		}
	}
}
