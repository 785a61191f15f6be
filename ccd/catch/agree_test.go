package catch

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// scenes is how many random scenes a test looks at: FIRSTCONTACT_LONG times as many in
// campaigns.
func scenes(n int) int {
	if race.Enabled && !switches.Long.Set() {
		return n / 8
	}
	return switches.Long.Times(n, 10)
}

// agree holds two verdicts against each other. They disagree if one has a witness
// within the clearance at a time that the other proved free; a witness between the
// clearance and the tolerance beyond it is a tie.
func agree(q motion.Query, a, b *motion.Verdict) (err error, tie bool) {
	for _, v := range [...][2]*motion.Verdict{{a, b}, {b, a}} {
		has, proved := v[0], v[1]
		if has.Status != motion.Contact {
			continue
		}
		free := proved.ProvenUntil
		if proved.Status == motion.Free {
			free = has.TOC.Hi + 1
		}
		if has.TOC.Hi >= free-1e-12 {
			continue
		}
		if has.Contact.Distance <= q.Clearance {
			return fmt.Errorf("%v proved until %g, %v at %g with distance %g", proved.Status, proved.ProvenUntil, has.Status, has.TOC.Hi, has.Contact.Distance), false
		}
		tie = true
	}
	return nil, tie
}

// TestAgreesWithSpacetime holds the verdicts on random robots, worlds and motions
// against those of the default engine.
func TestAgreesWithSpacetime(t *testing.T) {
	const seed = 5
	n := scenes(400)
	count, ties, unlike := map[motion.Status]int{}, 0, 0
	for i := range n {
		d := newDice(seed, uint64(i))
		robot := d.robot()
		rooted := d.IntN(3) == 0
		padding := [...]float64{0, 0, 0.02}[d.IntN(3)]
		r := newRig(t, robot, d.world(robot), padding, rooted)
		m := d.motion(r.m.Tree, rooted)
		q := motion.Query{}
		if d.IntN(3) == 0 {
			q.Clearance = d.in(0, 0.1)
		}
		if d.IntN(3) == 0 {
			q.Question = motion.IsFree
		}
		b := r.bind(t, m)
		v, other := r.w.Check(context.Background(), b, q), r.other.Check(context.Background(), b, q)
		count[v.Status]++
		err, tie := agree(q, &v, &other)
		if tie {
			ties++
		}
		switch {
		case err != nil:
			t.Errorf("scene %d: %v", i, err)
		case v.Status == motion.Undecided && other.Status != motion.Undecided:
			t.Errorf("scene %d: undecided at %g: %s; the default engine: %v", i, v.ProvenUntil, v.Reason, other.Status)
		case v.Status == motion.Contact && v.Contact.Distance > q.Clearance+motion.DefaultTolerance:
			t.Errorf("scene %d: contact at a distance of %g (clearance %g)", i, v.Contact.Distance, q.Clearance)
		case q.Question == motion.FirstContact && v.Status == motion.Contact && v.TOC.Hi-v.TOC.Lo > motion.DefaultTimeTolerance:
			t.Errorf("scene %d: contact in %v, which is too long", i, v.TOC)
		}
		// A tie is an honest difference of a micrometre, and it is rare that much follows.
		if v.Status != other.Status || q.Question == motion.FirstContact && math.Abs(v.TOC.Hi-other.TOC.Hi) > 1e-3 {
			t.Logf("scene %d: %v at %g, the default engine %v at %g", i, v.Status, v.TOC.Hi, other.Status, other.TOC.Hi)
			unlike++
		}
	}
	t.Logf("%d scenes: %v, %d ties, %d of them with another status or time", n, count, ties, unlike)
	if unlike > n/400 {
		t.Errorf("%d of %d verdicts are unlike the default engine's", unlike, n)
	}
	if share := float64(count[motion.Contact]) / float64(n); share < 0.2 || share > 0.8 {
		t.Errorf("%.0f %% of the scenes collide: the test is one-sided", 100*share)
	}
}
