package ccd

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A check that was asked before allocates nothing, whatever its answer; only the
// features of a contact of meshes are looked up in slices of their own.
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
