package bisect

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// The smallest distance over a free motion lies within bounds that the other engine's
// share.
func TestClosestApproach(t *testing.T) {
	known := 0
	for i := range uint64(rounds(60)) {
		r, q := random(t, 31, i)
		if len(r.m.Pairs) == 0 {
			continue
		}
		q.Question, q.ClearanceTolerance = motion.MinClearance, 1e-3
		got, want := r.check(q), r.spacetime(q)
		if got.Status != want.Status {
			if disagree(&q, &got, &want) {
				t.Fatalf("case %d: %+v, spacetime %+v", i, got, want)
			}
			continue
		}
		if got.Status != motion.Free {
			continue
		}
		g, w := got.MinClearance, want.MinClearance
		if g.Known != w.Known {
			t.Fatalf("case %d: %+v, spacetime %+v", i, g, w)
		}
		if !g.Known {
			continue
		}
		known++
		if g.Bounds.Lo > w.Bounds.Hi || g.Bounds.Hi < w.Bounds.Lo {
			t.Errorf("case %d: %+v, spacetime %+v", i, g.Bounds, w.Bounds)
		}
		if wide := g.Bounds.Hi - g.Bounds.Lo; wide > q.ClearanceTolerance || wide < 0 {
			t.Errorf("case %d: %+v is %g wide", i, g.Bounds, wide)
		}
		if g.Bounds.Lo < q.Clearance || math.Abs(g.At.Distance-g.Bounds.Hi) > 1e-9 {
			t.Errorf("case %d: clearance %g, %+v", i, q.Clearance, g)
		}
	}
	t.Logf("%d distances", known)
	if known < 10 && !race.Enabled {
		t.Error("too few motions are free")
	}
}
