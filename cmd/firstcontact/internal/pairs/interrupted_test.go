package pairs

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// A pair that an interrupt left undecided has not spent its budget, unless it had all of it.
func TestInterruptedPairs(t *testing.T) {
	s := &survey{cut: "it was interrupted"}
	pair := func(b int, meets pairproof.Meeting, why string) {
		p := pairproof.Pair{A: 0, B: b, Meets: meets}
		p.Why = why
		s.report.Pairs = append(s.report.Pairs, p)
	}
	pair(1, pairproof.Undecided, pairproof.BudgetSpent)
	pair(2, pairproof.Undecided, pairproof.BudgetSpent)
	pair(3, pairproof.Undecided, "a joint goes on without end")
	pair(4, pairproof.Never, "boxes")
	s.excuse(map[[2]int]int{{0, 1}: 2000, {0, 2}: 200_000, {0, 3}: 2000}, 200_000)
	for i, want := range []string{"it was interrupted", pairproof.BudgetSpent, "a joint goes on without end", "boxes"} {
		if got := s.report.Pairs[i].Why; got != want {
			t.Errorf("pair %d: %q, want %q", i, got, want)
		}
	}
}
