package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
)

// newFan returns a fan without planes, of the body of a frame.
func newFan(base int) (f place.Fan) {
	f.Clear(base)
	return f
}

// less draws by how much less than the clearance is asked for at each of the times, and returns what that is in between.
func (tr *laneTrial) less(most float64) (at func(step int, s float64) float64) {
	for k := range tr.lanes.Less {
		tr.lanes.Less[k] = most * tr.d.Float64() * float64(tr.d.IntN(2))
	}
	return func(step int, s float64) float64 {
		from, to := tr.lanes.Times[step], tr.lanes.Times[step+1]
		x := (s - from) / (to - from)
		return tr.lanes.Less[step]*(1-x) + tr.lanes.Less[step+1]*x
	}
}

// Steps in which planes of their own part parts of two elements are those in which they are apart along them, by less where
// less is asked for, and none is left out that has room for the bend. One plane for all steps does so, too.
func TestPartsThatFansPartStayApart(t *testing.T) {
	parted, not, nearly := 0, 0, 0
	laneTrials(t, 84, 480, func(tr *laneTrial) {
		for _, i := range tr.pairs(4) {
			q := tr.at.PairOf(i)
			base := twin.Parting(tr.Robot, tr.linkOf(q.A), tr.linkOf(q.B))
			a, b := tr.part(q.A), tr.part(q.B)
			tr.any()
			tr.demand()
			tr.lay(tr.d.Float64())
			var there [lanes.Steps]geom.Vec // the normals, in the base
			one := tr.d.IntN(3) == 0
			fan, elsewhere := newFan(q.Base), newFan(1-min(q.Base, 1))
			var normal place.Normal
			of := uint8(0)
			for k := range there {
				s := tr.lanes.Times[k]
				n, ok := geom.Unit(r3.Sub(tr.pose(b.link, tr.when(s)).Apply(b.in[0]), tr.pose(a.link, tr.when(s)).Apply(a.in[0])))
				if !ok || tr.d.IntN(4) == 0 {
					n = tr.d.Unit()
				}
				there[k] = tr.pose(base, tr.when(s)).R.ApplyInv(n)
				if one {
					there[k] = there[0]
				}
				m, ok := tr.lanes.Normal(q, tr.pose(base, tr.when(s)).R.Apply(there[k]), k)
				if !ok {
					t.Fatal("no normal")
				}
				if k == 0 {
					normal = m
				}
				tr.lanes.Set(&elsewhere, k, m)
				if tr.d.IntN(5) > 0 {
					tr.lanes.Set(&fan, k, m)
					of |= 1 << k
				}
			}
			gap := func(k int, s float64) float64 {
				d := tr.pose(base, tr.when(s)).R.Apply(there[k])
				return -tr.highestOf(d, &a, s) - tr.highestOf(r3.Scale(-1, d), &b, s)
			}
			partA, partB := tr.newPart(q.A, &a), tr.newPart(q.B, &b)
			bend, far, unknown := tr.boundsOf(q)
			some := uint8(tr.d.IntN(1 << lanes.Steps))
			step := tr.d.IntN(lanes.Steps)
			less := tr.less(tr.d.Spread(1e-3, 1))
			ends := func(k int) float64 {
				return math.Min(gap(k, tr.lanes.Times[k])+tr.lanes.Less[k], gap(k, tr.lanes.Times[k+1])+tr.lanes.Less[k+1])
			}
			for _, clearance := range []float64{ends(step) - bend - unknown, ends(step) - bend*tr.d.Float64(), ends(step) + unknown, tr.d.Float64()} {
				if clearance < 0 {
					continue
				}
				steps := tr.lanes.PartsPartedBy(q, &partA, &partB, &fan, some, clearance)
				if by := tr.lanes.PartsPartedBy(q, &partA, &partB, &elsewhere, some, clearance); by != 0 {
					t.Errorf("pair %d: %07b parted by planes of body %d, not of %d", i, by, 1-min(q.Base, 1), q.Base)
				}
				if steps&^(some&of) != 0 {
					t.Errorf("pair %d: %07b of %07b, with planes for %07b", i, steps, some, of)
				}
				if one {
					if all := tr.lanes.PartsParted(q, &partA, &partB, &normal, clearance); steps&^all != 0 || all&(some&of)&^steps != 0 {
						t.Errorf("pair %d: %07b with one plane, with equal ones %07b of %07b", i, all, steps, some&of)
					}
				}
				for k := range lanes.Steps {
					if steps>>k&1 == 0 {
						if not++; (some&of)>>k&1 == 1 && ends(k)-bend-unknown > clearance {
							t.Errorf("pair %d, step %d: %g apart at its ends, bend %g, but not parted by %g", i, k, ends(k), bend, clearance)
						}
						continue
					}
					parted++
					for _, s := range append(tr.inStep(k), tr.lanes.Times[k], tr.lanes.Times[k+1]) {
						d := gap(k, s) + less(k, s) - clearance
						if d < unknown {
							nearly++
						}
						if !(d > -tr.rounded*(1+far)) {
							t.Errorf("pair %d, step %d of [%g, %g]: said to be %g apart, less %g, but at %g it is %g (bend %g)", i, k, tr.lo, tr.hi, clearance, less(k, s), s, gap(k, s), bend)
						}
					}
				}
			}
		}
	})
	if t.Logf("%d parted, %d of them nearly not, %d not", parted, nearly, not); parted < 2000 || nearly < 300 || not < 2000 {
		t.Error("a poor test")
	}
}

// What a part of an element reaches along planes of their own in each step is beyond all that it sweeps, with the clearance
// that is asked for at each time, and by no more than the bend and the errors. So is one half-space.
func TestReachHoldsWhatMoves(t *testing.T) {
	tight, checked := 0, 0
	laneTrials(t, 85, 480, func(tr *laneTrial) {
		for element := range tr.model.Elements {
			if _, ok := tr.lanes.Row(element); !ok {
				continue
			}
			p := tr.part(element)
			tr.any()
			clearance, err := tr.demand()
			tr.lay(tr.d.Float64())
			less := tr.less(tr.d.Float64() * clearance)
			fan, single := newFan(0), tr.d.Unit()
			var half lanes.HalfSpace
			part := tr.newPart(element, &p)
			tr.lanes.PlaneOfPart(element, &part, single, clearance, &half)
			for k := range lanes.Steps {
				n, ok := place.ToNormal(tr.d.Unit())
				if !ok {
					t.Fatal("no normal")
				}
				tr.lanes.Set(&fan, k, n)
			}
			reach := tr.lanes.Reach(element, &part, &fan, clearance)
			bend, slack := tr.lanes.BendFrom(element, 0), tr.lanes.SlackOf(element)
			for k := range lanes.Steps {
				for _, of := range []struct {
					n     geom.Vec
					reach float64
				}{{fan.Towards(k), reach[k]}, {geom.Vec{X: float64(half.N[0]), Y: float64(half.N[1]), Z: float64(half.N[2])}, float64(half.Reach[k])}} {
					top := math.Inf(-1)
					for _, s := range append(tr.inStep(k), tr.lanes.Times[k], tr.lanes.Times[k+1]) {
						top = math.Max(top, tr.highestOf(of.n, &p, s)+(clearance-less(k, s))*geom.Norm(of.n)+err)
					}
					if checked++; !(of.reach > top-tr.rounded*(1+math.Abs(top))) {
						t.Errorf("element %d, step %d of [%g, %g]: reaches %g, but %g is swept", element, k, tr.lo, tr.hi, of.reach, top)
					}
					if of.reach < top+bend+2*slack+1e-5*(1+math.Abs(top))+err {
						tight++
					}
				}
			}
		}
	})
	if t.Logf("%d checked, %d tight", checked, tight); checked < 5000 || tight < checked/4 {
		t.Error("a poor test")
	}
}

// What a part reaches is kept for a fan as it is and for where the robot is: parts that were compared before are parted as new
// ones are.
func TestPartsAreKeptForAFan(t *testing.T) {
	seen := [2]int{}
	laneTrials(t, 86, 240, func(tr *laneTrial) {
		for _, i := range tr.pairs(2) {
			q := tr.at.PairOf(i)
			other := *q
			other.A, other.B = q.B, q.A
			tr.any()
			tr.lay(0)
			shapes := [2]partTrial{tr.part(q.A), tr.part(q.B)}
			kept := [2]place.Part{tr.newPart(q.A, &shapes[0]), tr.newPart(q.B, &shapes[1])}
			fans := [2]place.Fan{newFan(q.Base), newFan(q.Base)}
			for range 40 {
				fan := &fans[tr.d.IntN(2)]
				switch tr.d.IntN(4) {
				case 0:
					tr.any()
					tr.lay(0)
				case 1, 2:
					if n, ok := tr.lanes.Normal(q, tr.d.Unit(), 0); ok {
						tr.lanes.Set(fan, tr.d.IntN(lanes.Steps), n)
					}
				}
				fresh := [2]place.Part{tr.newPart(q.A, &shapes[0]), tr.newPart(q.B, &shapes[1])}
				got, want := tr.lanes.Reach(q.A, &kept[0], fan, 0), tr.lanes.Reach(q.A, &fresh[0], fan, 0)
				if got != want {
					t.Errorf("reaches %g, new %g", got, want)
				}
				pair, a, b := q, 0, 1
				if tr.d.IntN(2) == 0 {
					pair, a, b = &other, 1, 0
				}
				clearance := 2 * tr.d.Float64() * tr.d.Float64()
				parted := tr.lanes.PartsPartedBy(pair, &kept[a], &kept[b], fan, lanes.All, clearance)
				if again := tr.lanes.PartsPartedBy(pair, &fresh[a], &fresh[b], fan, lanes.All, clearance); parted != again {
					t.Errorf("parted in %07b, new parts in %07b", parted, again)
				}
				for k := range lanes.Steps {
					seen[parted>>k&1]++
				}
			}
		}
	})
	if seen[0] < 1000 || seen[1] < 1000 {
		t.Errorf("%d parted, %d not: a poor test", seen[1], seen[0])
	}
}
