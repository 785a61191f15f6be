package place_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
)

// What lanes say of the steps of an interval, against the twin at any time of the steps. The
// intervals are such that what is asked for is farthest out, or closest, in the middle of a step.

// axes are the directions of the sides of a box.
var axes = [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}}

// end returns how far a sweep reaches along one of axes in a step.
func end(s *lanes.Sweep, axis, step int) float64 {
	if axis < 3 {
		return float64(s.Hi[axis][step])
	}
	return -float64(s.Lo[axis-3][step])
}

// demand draws a clearance and an error of the world, large ones now and then, so that a sum
// without them falls short.
func (tr *laneTrial) demand() (clearance, err float64) {
	d := tr.d
	clearance = d.Spread(1e-3, 1) * float64(d.IntN(2))
	tr.model.World.Err = 1e-15
	if d.IntN(3) == 0 {
		tr.model.World.Err = d.Spread(1e-5, 0.1)
	}
	return clearance, tr.model.World.Err
}

// wantSlack fails where an element's slack is less than what the errors of its frame make of its
// points.
func (tr *laneTrial) wantSlack(t *testing.T, element int) {
	t.Helper()
	e := &tr.model.Elements[element]
	rot, pos, _ := tr.lanes.ErrOf(e.Frame)
	points, _ := e.Outline()
	for _, p := range points {
		if slack := tr.lanes.SlackOf(element); slack < pos+rot*geom.Norm(p) {
			t.Errorf("element %d: slack %g, but a point errs by %g", element, slack, pos+rot*geom.Norm(p))
		}
	}
}

func TestSweepsHoldWhatMoves(t *testing.T) {
	used, checked := 0.0, 0
	laneTrials(t, 61, 480, func(tr *laneTrial) {
		for i := range tr.model.Elements {
			if _, ok := tr.lanes.Row(i); !ok {
				continue
			}
			axis := tr.d.IntN(len(axes))
			peak, step, aimed := tr.aim(func(s float64) float64 { return tr.highest(axes[axis], i, s) })
			clearance, err := tr.demand()
			tr.lay(clearance)
			tr.wantSlack(t, i)
			if tr.lanes.Times[0] != tr.lo || tr.lanes.Times[lanes.Steps] != tr.hi {
				t.Fatalf("times from %g to %g, asked for %g to %g", tr.lanes.Times[0], tr.lanes.Times[lanes.Steps], tr.lo, tr.hi)
			}
			check := func(axis, step int, s float64) {
				checked++
				top := tr.highest(axes[axis], i, s)
				if reach := end(tr.lanes.Sweep(i), axis, step); !(top+clearance+err <= reach+tr.rounded*(1+math.Abs(top))) {
					t.Errorf("element %d, axis %d, step %d of [%g, %g]: %g at %g, clearance %g and error %g, are beyond the sweep by %g",
						i, axis, step, tr.lo, tr.hi, top, s, clearance, err, top+clearance+err-reach)
				}
			}
			check(axis, step, peak)
			for _, step := range []int{step, tr.d.IntN(lanes.Steps)} {
				for _, s := range tr.inStep(step) {
					check(axis, step, s)
					check(tr.d.IntN(len(axes)), step, s)
				}
			}
			for k := range lanes.Times { // the last lane is for the last time alone
				check(axis, k, tr.lanes.Times[k])
			}
			if bend := tr.lanes.BendFrom(i, 0); aimed && bend > 1e-6 {
				a, b := tr.highest(axes[axis], i, tr.lanes.Times[step]), tr.highest(axes[axis], i, tr.lanes.Times[step+1])
				used = math.Max(used, (tr.highest(axes[axis], i, peak)-math.Max(a, b))/bend)
			}
		}
	})
	if t.Logf("%d checked, up to %.3g of the bend used", checked, used); used < 0.8 {
		t.Error("a poor test")
	}
}

// outward is a direction against which an element accelerates at some time: that of a peak.
func (tr *laneTrial) outward(element int) geom.Vec {
	s, h := tr.d.In(0.1, 0.9), 1e-3
	at := func(s float64) geom.Vec {
		return tr.pose(tr.linkOf(element), tr.when(s)).Apply(tr.solids[element][0].Points[0])
	}
	n, ok := geom.Unit(r3.Sub(r3.Scale(2, at(s)), r3.Add(at(s-h), at(s+h))))
	if !ok {
		return tr.d.Unit()
	}
	return n
}

func TestPlanesHoldWhatMoves(t *testing.T) {
	used, beyond, not := 0.0, 0, 0
	laneTrials(t, 62, 480, func(tr *laneTrial) {
		for i := range tr.model.Elements {
			if _, ok := tr.lanes.Row(i); !ok {
				continue
			}
			n := tr.d.Unit()
			switch tr.d.IntN(4) {
			case 0:
				n = tr.d.Axis()
			case 1, 2:
				n = tr.outward(i)
			}
			peak, step, aimed := tr.aim(func(s float64) float64 { return tr.highest(n, i, s) })
			clearance, err := tr.demand()
			tr.lay(tr.d.Float64()) // that of the sweeps
			var p lanes.HalfSpace
			tr.lanes.Plane(i, n, clearance, &p)
			normal := geom.Vec{X: float64(p.N[0]), Y: float64(p.N[1]), Z: float64(p.N[2])}
			if size := geom.Norm(normal); size > 1 || geom.Norm(r3.Sub(normal, n)) > 1e-6 {
				t.Errorf("along %v of length 1 %+g, asked for %v", normal, size-1, n)
			}
			check := func(step int, s float64) {
				top := tr.highest(normal, i, s)
				least := top + clearance*geom.Norm(normal) + err - tr.rounded*(1+math.Abs(top))
				if p.Beyond(least)>>step&1 == 1 {
					t.Errorf("element %d, along %v, step %d of [%g, %g]: %g at %g is said to be beyond", i, n, step, tr.lo, tr.hi, least, s)
				}
				if far := top + tr.d.Spread(1e-4, 10); p.Beyond(far)>>step&1 == 1 {
					beyond++
				} else {
					not++
				}
			}
			check(step, peak)
			for _, step := range []int{step, tr.d.IntN(lanes.Steps)} {
				for _, s := range tr.inStep(step) {
					check(step, s)
				}
			}
			if bend := tr.lanes.BendFrom(i, 0); aimed && bend > 1e-6 {
				a, b := tr.highest(n, i, tr.lanes.Times[step]), tr.highest(n, i, tr.lanes.Times[step+1])
				used = math.Max(used, (tr.highest(n, i, peak)-math.Max(a, b))/bend)
			}
		}
	})
	if t.Logf("%d beyond, %d not, up to %.3g of the bend used", beyond, not, used); used < 0.8 || beyond < 500 || not < 500 {
		t.Error("a poor test")
	}
}

// pairs returns some pairs of elements and of groups, no more than n.
func (tr *laneTrial) pairs(n int) (some []int32) {
	all := len(tr.model.Pairs) + len(tr.model.GroupPairs)
	if all <= n {
		n = all
	}
	for i := range n {
		some = append(some, int32((i*all+tr.d.IntN(all))/n))
	}
	return some
}

// ownPairs is pairs without those of the world.
func (tr *laneTrial) ownPairs(n int) []int32 {
	return slices.DeleteFunc(tr.pairs(n), func(i int32) bool { return tr.at.PairOf(i).World })
}

// wantParted fails where Parted says otherwise than the gap along the direction at the times, which
// it knows to within its errors: of round shapes and groups it takes more than is there.
func (tr *laneTrial) wantParted(t *testing.T, q *model.Pair, n geom.Vec, time int, along func(s float64) float64) {
	t.Helper()
	bend := tr.lanes.BendFrom(q.A, q.Parting) + tr.lanes.BendFrom(q.B, q.Parting)
	var far float64
	sharp := true
	for _, i := range []int{q.A, q.B} {
		e := &tr.model.Elements[i]
		_, _, away := tr.lanes.ErrOf(e.Frame)
		far += away + geom.Norm(e.PoseFE.P) + geom.Norm(e.Center) + e.Radius
		sharp = sharp && e.Members == nil && e.Core.Kind != convex.Cylinder && e.Core.Kind != convex.Cone
	}
	depth := float64(len(tr.model.Tree.Frames))
	unknown := 1e-5 * depth * (1 + far)
	step := tr.d.IntN(lanes.Steps)
	least := math.Min(along(tr.lanes.Times[step]), along(tr.lanes.Times[step+1]))
	if clearance := least - bend - unknown; sharp && clearance >= 0 && tr.lanes.Parted(q, n, time, clearance)>>step&1 == 0 {
		t.Errorf("elements %d and %d, step %d of [%g, %g]: %g apart, but not parted by %g with bend %g", q.A, q.B, step, tr.lo, tr.hi, least, clearance, bend)
	}
	if clearance := least + unknown; clearance >= 0 && tr.lanes.Parted(q, n, time, clearance)>>step&1 == 1 {
		t.Errorf("elements %d and %d, step %d of [%g, %g]: %g apart, but parted by %g", q.A, q.B, step, tr.lo, tr.hi, least, clearance)
	}
}

func TestPartedStepsStayApart(t *testing.T) {
	used, parted, not := 0.0, 0, 0
	laneTrials(t, 63, 480, func(tr *laneTrial) {
		for _, i := range tr.ownPairs(6) {
			q := tr.at.PairOf(i)
			base := twin.Parting(tr.Robot, tr.linkOf(q.A), tr.linkOf(q.B))
			peak, step, aimed := tr.aim(func(s float64) float64 { d, _ := tr.apart(q.A, q.B, s); return -d })
			tr.demand() // the world's error is none of Parted's
			tr.lay(tr.d.Float64())
			least, n := tr.apart(q.A, q.B, peak)
			if least == 0 {
				n = tr.d.Unit()
			}
			// The direction is fixed in the base, and given as it is at one of the times.
			time := tr.d.IntN(lanes.Times)
			there := tr.pose(base, tr.when(peak)).R.ApplyInv(n)
			n = tr.pose(base, tr.when(tr.lanes.Times[time])).R.Apply(there)
			bend := tr.lanes.BendFrom(q.A, q.Parting) + tr.lanes.BendFrom(q.B, q.Parting)
			margin := bend + tr.lanes.SlackOf(q.A) + tr.lanes.SlackOf(q.B)
			along := func(s float64) float64 {
				d := tr.pose(base, tr.when(s)).R.Apply(there)
				return -tr.highest(d, q.A, s) - tr.highest(r3.Scale(-1, d), q.B, s)
			}
			tr.wantParted(t, q, n, time, along)
			try := func(clearance float64) {
				if !(clearance >= 0) {
					return
				}
				steps := tr.lanes.Parted(q, n, time, clearance)
				for k := range lanes.Steps {
					if steps>>k&1 == 0 {
						not++
						continue
					}
					parted++
					times := tr.inStep(k)
					if k == step {
						times = append(times, peak)
					}
					for _, s := range times {
						if d, _ := tr.apart(q.A, q.B, s); !(d > clearance-tr.rounded*(1+geom.Norm(tr.model.Elements[q.A].PoseFE.P))) {
							t.Errorf("pair %d, step %d of [%g, %g]: said to be %g apart, but at %g it is %g (%g less, bend %g)", i, k, tr.lo, tr.hi, clearance, s, d, clearance-d, bend)
						}
					}
				}
			}
			for _, clearance := range []float64{
				least + 1e-9, least + 1e-8, least - tr.d.Float64()*margin, least - margin, least - 2*margin,
				least * tr.d.Float64(), 0, least + tr.d.Float64()*bend, tr.d.Float64(),
			} {
				try(clearance)
			}
			if aimed && bend > 1e-6 && least > 0 {
				a, b := along(tr.lanes.Times[step]), along(tr.lanes.Times[step+1])
				used = math.Max(used, (math.Min(a, b)-least)/bend)
			}
		}
	})
	if t.Logf("%d parted, %d not, up to %.3g of the bend used", parted, not, used); used < 0.8 || parted < 2000 || not < 2000 {
		t.Error("a poor test")
	}
}

// Steps in which boxes are apart are those in which the elements are, by the clearance.
func TestApartStepsStayApart(t *testing.T) {
	apart, not := 0, 0
	laneTrials(t, 64, 160, func(tr *laneTrial) {
		for _, i := range tr.pairs(4) {
			q := tr.at.PairOf(i)
			a, okA := tr.lanes.Row(q.A)
			b, okB := tr.lanes.Row(q.B)
			if !okA || !okB {
				continue
			}
			tr.aim(func(s float64) float64 { d, _ := tr.apart(q.A, q.B, s); return -d })
			clearance := tr.d.Spread(1e-3, 0.3) * float64(tr.d.IntN(2))
			tr.lay(clearance)
			var steps [2]uint8
			tr.lanes.Apart([][2]int32{{a, b}, {0, 0}}, steps[:])
			if steps[1] != 0 {
				t.Error("an element is apart from itself")
			}
			for k := range lanes.Steps {
				if steps[0]>>k&1 == 0 {
					not++
					continue
				}
				apart++
				for _, s := range tr.inStep(k) {
					if d, _ := tr.apart(q.A, q.B, s); !(d > clearance) {
						t.Errorf("pair %d, step %d of [%g, %g]: said to be %g apart, but at %g it is %g", i, k, tr.lo, tr.hi, clearance, s, d)
					}
				}
			}
		}
	})
	if t.Logf("%d apart, %d not", apart, not); apart < 100 || not < 50 {
		t.Error("a poor test")
	}
}

// Poses and middles are about where elements are, of those of the world too.
func TestLanesAreWhereElementsAre(t *testing.T) {
	laneTrials(t, 65, 60, func(tr *laneTrial) {
		tr.any()
		tr.lay(0)
		time := tr.d.IntN(lanes.Times)
		s := tr.lanes.Times[time]
		tr.at.Place(s, s, s)
		for i := range tr.model.Elements {
			e := &tr.model.Elements[i]
			want := tr.at.Element(i).Pose
			got, near := tr.lanes.Pose(i, time), 1e-9+2*tr.lanes.SlackOf(i)
			if off := geom.Norm(r3.Sub(got.Apply(e.Center), want.Apply(e.Center))); off > near {
				t.Errorf("element %d is off by %g", i, off)
			}
			step := min(time, lanes.Steps-1)
			far := geom.Norm(r3.Sub(tr.lanes.Middle(i, step), want.Apply(e.Center)))
			a, b := tr.lanes.Times[step], tr.lanes.Times[step+1]
			moved := geom.Norm(r3.Sub(tr.lanes.Pose(i, step).Apply(e.Center), tr.lanes.Pose(i, step+1).Apply(e.Center)))
			if far > 2*e.Radius+moved+near {
				t.Errorf("element %d: its middle from %g to %g is off by %g", i, a, b, far)
			}
		}
	})
}
