package bisect

import (
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// disagreement tells whether one of two verdicts has a witness within the clearance at
// a time that the other proved free. A distance in (clearance, clearance + tolerance]
// may be called either way: a tie.
func disagreement(a, b *motion.Verdict, q *motion.Query) (bad, tie bool) {
	for _, p := range [2][2]*motion.Verdict{{a, b}, {b, a}} {
		x, y := p[0], p[1]
		if x.Status != motion.Contact {
			continue
		}
		free := y.Status == motion.Free || x.TOC.Hi < y.ProvenUntil
		switch {
		case free && x.Contact.Distance <= q.Clearance:
			bad = true
		case free:
			tie = true
		}
	}
	return bad, tie
}

// Verdicts of both engines agree on random robots of all kinds of joints in random
// worlds of all kinds of shapes.
func TestAgreesWithSpacetime(t *testing.T) {
	count, ties, none := map[motion.Status]int{}, 0, 0
	for i := range rounds(120) {
		r, q := random(t, 11, uint64(i))
		if len(r.m.Pairs) == 0 {
			none++
			continue
		}
		q.Question = [...]motion.Question{motion.FirstContact, motion.IsFree}[i%2]
		q.Budget = 2 * time.Second
		r.w.Options = Options{Order: Order(i / 2 % 3), Cover: Cover(i / 6 % 3), NoNever: i%5 == 0, Refined: i%4 >= 2}
		got := r.check(q)
		first := q
		first.Question = motion.FirstContact // says most: nothing was touched before, something is then
		want := r.spacetime(first)
		count[got.Status]++
		bad, tie := disagreement(&got, &want, &q)
		if bad {
			t.Fatalf("case %d: %+v\nspacetime: %+v\n%+v", i, got, want, q)
		}
		if tie {
			ties++
		}
		if got.Status == motion.Undecided {
			t.Logf("case %d undecided until %g: %s; spacetime %v; %+v", i, got.ProvenUntil, got.Reason, want.Status, r.w.Stats())
		}
		if got.Status == motion.Contact && q.Question == motion.FirstContact && got.TOC.Hi-got.TOC.Lo > q.TimeTolerance {
			t.Errorf("case %d: contact within %+v", i, got.TOC)
		}
	}
	t.Logf("%v, %d ties, %d without pairs", count, ties, none)
}
