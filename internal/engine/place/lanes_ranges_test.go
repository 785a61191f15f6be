package place_test

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
)

// rangeOfSteps compares the range over some steps with those of each: it holds them, and is no wider than they are together, or,
// where a variable moves evenly on one interval, than they and those between them.
func rangeOfSteps(t *testing.T, l *place.Lanes, d chance.Dice, dof int, each *[lanes.Steps][2]float64, between bool) {
	t.Helper()
	const rounding = 1e-14
	steps := uint8(1 + d.IntN(lanes.All))
	lo, hi := math.Inf(1), math.Inf(-1)
	for k, r := range each {
		if steps>>k&1 != 0 || between && steps>>k != 0 && steps<<(7-k) != 0 {
			lo, hi = min(lo, r[0]), max(hi, r[1])
		}
	}
	scale := 1 + math.Abs(lo) + math.Abs(hi)
	if from, to := l.Range(dof, steps); !(math.Abs(from-lo) <= rounding*scale && math.Abs(to-hi) <= rounding*scale) {
		t.Errorf("variable %d, steps %07b of %v: %g to %g, not %g to %g", dof, steps, *each, from, to, lo, hi)
	}
}

// Ranges hold where variables are in each step, wherever the robot was placed since, and are hardly larger.
func TestRangesHoldVariables(t *testing.T) {
	tried, wide, used := 0, 0.0, 0.0
	laneTrials(t, 68, 240, func(tr *laneTrial) {
		tr.lo = tr.d.In(0, 0.9)
		tr.hi = min(1, tr.lo+tr.d.Spread(1e-3, 1))
		tr.lay(0)
		elsewhere := tr.d.Float64()
		tr.at.Place(elsewhere, elsewhere, elsewhere)
		for dof := range tr.model.Tree.Dofs {
			ctrl := tr.course.AppendCtrl(nil, dof, tr.piece)
			at := func(s float64) float64 { return twin.Bernstein(ctrl, s) }
			var r [lanes.Steps][2]float64
			tr.lanes.Ranges(dof, &r)
			rangeOfSteps(t, tr.lanes, tr.d.Dice, dof, &r, len(ctrl) <= 2)
			for k, own := range r {
				from, to := tr.lanes.Times[k], tr.lanes.Times[k+1]
				ends := [2]float64{min(at(from), at(to)), max(at(from), at(to))}
				least, most := ends[0], ends[1]
				for _, part := range []float64{0, 0.5, 1, tr.d.Float64()} {
					q := at(from + (to-from)*part)
					least, most = min(least, q), max(most, q)
					tried++
					if !(own[0] <= q && q <= own[1]) {
						t.Errorf("variable %d, step %d: %.17g is not in %.17g", dof, k, q, own)
					}
				}
				if bow := ends[0] - own[0]; bow > 1e-6 {
					used = max(used, (ends[0]-least)/bow, (most-ends[1])/bow)
				} else {
					wide = max(wide, (own[1]-own[0]-(ends[1]-ends[0]))/(1+math.Abs(own[0])))
				}
			}
		}
	})
	t.Logf("%d positions, up to %.3g of the bow used; else ranges are up to %.2g wider", tried, used, wide)
	if tried < 10000 || used < 0.9 || wide > 1e-5 {
		t.Error("a poor test")
	}
}

// So do those of motions that share the lanes.
func TestSharedRangesHoldVariables(t *testing.T) {
	var tried [3]int // at rest, of two motions, of pieces
	sharedTrials(t, 69, 240, func(s *sharedTrial) {
		if !s.share(0) {
			t.Fatal("too large")
		}
		kind := 1
		if s.rest {
			kind = 0
		}
		if s.pieces > 0 {
			kind = 2
		}
		for dof := range s.model.Tree.Dofs {
			var r [lanes.Steps][2]float64
			s.lanes.Ranges(dof, &r)
			rangeOfSteps(t, s.lanes, s.d.Dice, dof, &r, false)
			s.each(func(step int, at float64) {
				tried[kind]++
				q := twin.Bernstein(s.course.AppendCtrl(nil, dof, s.piece), at)
				if own := r[step]; !(own[0] <= q && q <= own[1]) {
					t.Errorf("variable %d, step %d of motions of kind %d: %.17g at %g is not in %.17g", dof, step, kind, q, at, own)
				}
			})
		}
	})
	if t.Log(tried); min(tried[0], tried[1], tried[2]) < 1000 {
		t.Error("a poor test")
	}
}
