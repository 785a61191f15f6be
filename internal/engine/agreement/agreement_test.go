package agreement_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func free() motion.Verdict { return motion.Verdict{Status: motion.Free, ProvenUntil: 1} }

func contact(lo, hi, distance float64) motion.Verdict {
	return motion.Verdict{
		Status: motion.Contact, TOC: motion.Interval{Lo: lo, Hi: hi}, ProvenUntil: lo,
		Contact: motion.Witness{Time: hi, Distance: distance},
	}
}

// The judge itself is judged: it must see what is wrong, and nothing else.
func TestJudge(t *testing.T) {
	undecided := motion.Verdict{Status: motion.Undecided, ProvenUntil: 0.5}
	for _, c := range []struct {
		name                         string
		clearance                    float64
		a, b                         motion.Verdict
		disagree, ties, broken, open int
	}{
		{"both free", 0, free(), free(), 0, 0, 0, 0},
		{"one free, one contact", 0, free(), contact(0.2, 0.2, 0), 1, 0, 0, 0},
		{"within the tolerance", 0, free(), contact(0.2, 0.2, 5e-7), 0, 1, 0, 0},
		{"at the very end", 0, free(), contact(1, 1, 0), 1, 0, 0, 0},
		{"nearer than the clearance", 0.1, free(), contact(0.2, 0.2, 0.05), 1, 0, 0, 0},
		{"the same contact", 0, contact(0.2, 0.2000001, 0), contact(0.2, 0.2000002, 0), 0, 0, 0, 0},
		{"one later", 0, contact(0.4, 0.4, 0), contact(0.2, 0.2, 0), 1, 0, 0, 0},
		{"one later by a graze", 0, contact(0.4, 0.4, 0), contact(0.2, 0.2, 1e-7), 0, 1, 0, 0},
		{"contact after what was proved", 0, undecided, contact(0.6, 0.6, 0), 0, 0, 0, 1},
		{"contact in what was proved", 0, undecided, contact(0.4, 0.4, 0), 1, 0, 0, 1},
		{"too far", 0, contact(0.4, 0.4, 1e-3), contact(0.4, 0.4, 0), 0, 0, 1, 0},
		{"too long", 0, contact(0.3, 0.4, 0), contact(0.4, 0.4, 0), 0, 0, 1, 0},
	} {
		var tally agreement.Tally
		q := motion.Query{Clearance: c.clearance}
		wrong := tally.Add(&q, []agreement.Answer{{Method: motion.Spacetime, Verdict: c.a}, {Method: motion.Catch, Verdict: c.b}})
		if tally.Disagreements != c.disagree || tally.Ties != c.ties || tally.Broken != c.broken ||
			tally.Undecided[motion.Spacetime] != c.open || len(wrong) != c.disagree+c.broken {
			t.Errorf("%s: %v, %q", c.name, &tally, wrong)
		}
	}
}
