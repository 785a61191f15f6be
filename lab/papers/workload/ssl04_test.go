package workload

import (
	"fmt"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// In the bad cases the arm comes as close to the world as the set's name says, by a
// little more, and no closer.
func TestGrazingClearance(t *testing.T) {
	for _, name := range names() {
		if !strings.HasPrefix(name, "ssl04-bad") {
			continue
		}
		w := inSmall(t, name)
		if len(w.Sets) != 4 {
			t.Errorf("%s: %d sets", name, len(w.Sets))
		}
		for _, s := range w.Sets {
			var clearance float64
			if _, err := fmt.Sscanf(s.Name, "clearance %g", &clearance); err != nil {
				t.Fatal(err)
			}
			v, err := check(w, s.Motions[0], motion.Query{Question: motion.MinClearance, ClearanceTolerance: 1e-7, NoSelf: true})
			if err != nil {
				t.Fatal(err)
			}
			d := v.MinClearance.At.Distance
			if !v.MinClearance.Known || d < clearance || d > 1.01*clearance {
				t.Errorf("%s at %s comes as close as %g", name, s.Name, d)
			}
		}
	}
}

// The sets of random segments have what their names say, and planners are asked for
// ways that are not straight.
func TestRandomSegments(t *testing.T) {
	for _, name := range names() {
		w := inSmall(t, name)
		for _, set := range []string{"colliding", "free"} {
			for _, m := range w.Set(set) {
				v, err := check(w, m, motion.Query{Question: motion.IsFree})
				if err != nil || (v.Status == motion.Free) != (set == "free") {
					t.Errorf("%s: %v %v", m.ID, v.Status, err)
				}
			}
		}
		for _, p := range w.Problems {
			m, err := motion.Between(w.Joints, p.Start, p.Goal, 1)
			if err != nil {
				t.Fatal(err)
			}
			m.KeepTurns = true
			v, err := check(w, m, motion.Query{})
			if err != nil || v.Status != motion.Contact || v.TOC.Hi == 0 {
				t.Errorf("%s: the straight way of problem %s: %v %v", name, p.Name, v.Status, err)
			}
			end, err := motion.Path(w.Joints, [][]float64{p.Goal}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := check(w, end, motion.Query{}); err != nil || v.Status != motion.Free {
				t.Errorf("%s: the goal of problem %s is %v %v", name, p.Name, v.Status, err)
			}
		}
		if strings.HasPrefix(name, "ssl04") && w.Sets[0].Name != "clearance 0.1" && len(w.Configurations) != small.Motions {
			t.Errorf("%s: %d configurations", name, len(w.Configurations))
		}
	}
}
