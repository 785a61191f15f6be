package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
)

// partTrial is a part of an element: its points, in the element and in its link.
type partTrial struct {
	core convex.Core
	link int
	in   []geom.Vec
}

// part returns a part of an element: a few points within it, grown.
func (tr *laneTrial) part(element int) partTrial {
	e := &tr.model.Elements[element]
	s := tr.d.Float64()
	tr.at.Place(s, s, s)
	p := partTrial{core: convex.Core{Kind: convex.Hull}, link: tr.linkOf(element)}
	inLink := tr.pose(p.link, tr.when(s)).Inv().Mul(tr.at.Element(element).Pose)
	for range 1 + tr.d.IntN(12) {
		x := r3.Add(e.Center, tr.d.Vec(e.Radius*tr.d.Float64()))
		p.core.Vertices, p.in = append(p.core.Vertices, x), append(p.in, inLink.Apply(x))
	}
	// What is grown stays within the element's ball, whose motion is bounded.
	room := math.Inf(1)
	for _, x := range p.core.Vertices {
		room = math.Min(room, e.Radius-geom.Norm(r3.Sub(x, e.Center)))
	}
	if tr.d.IntN(2) == 0 {
		p.core.Radius = math.Max(0, room) * tr.d.Float64()
	}
	return p
}

func (tr *laneTrial) newPart(element int, p *partTrial) place.Part {
	points, radius := tr.model.Elements[element].OutlineOf(&p.core)
	return tr.lanes.NewPart(element, points, radius)
}

// highestOf is the largest n.x over a part at a time.
func (tr *laneTrial) highestOf(n geom.Vec, p *partTrial, s float64) float64 {
	pose, top := tr.pose(p.link, tr.when(s)), math.Inf(-1)
	for _, x := range p.in {
		top = math.Max(top, r3.Dot(n, pose.Apply(x)))
	}
	return top + p.core.Radius
}

// Steps in which a plane parts parts of two elements are those in which they are apart along its normal, and none
// is left out that has room for the bend.
func TestPartsThatArePartedStayApart(t *testing.T) {
	used, parted, not := 0.0, 0, 0
	laneTrials(t, 83, 480, func(tr *laneTrial) {
		for _, i := range tr.pairs(4) {
			q := tr.at.PairOf(i)
			base := twin.Parting(tr.Robot, tr.linkOf(q.A), tr.linkOf(q.B))
			a, b := tr.part(q.A), tr.part(q.B)
			// The direction is fixed in the base, and given as it is at one of the times.
			s := tr.d.Float64()
			n := tr.d.Unit()
			if d, ok := geom.Unit(r3.Sub(tr.pose(b.link, tr.when(s)).Apply(b.in[0]), tr.pose(a.link, tr.when(s)).Apply(a.in[0]))); ok {
				n = d
			}
			there := tr.pose(base, tr.when(s)).R.ApplyInv(n)
			gap := func(s float64) float64 {
				d := tr.pose(base, tr.when(s)).R.Apply(there)
				return -tr.highestOf(d, &a, s) - tr.highestOf(r3.Scale(-1, d), &b, s)
			}
			peak, step, aimed := tr.aim(func(s float64) float64 { return -gap(s) })
			tr.demand()
			tr.lay(tr.d.Float64())
			time := tr.d.IntN(lanes.Times)
			normal, ok := tr.lanes.Normal(q, tr.pose(base, tr.when(tr.lanes.Times[time])).R.Apply(there), time)
			if !ok {
				t.Fatal("no normal")
			}
			partA, partB := tr.newPart(q.A, &a), tr.newPart(q.B, &b)
			bend, far, unknown := tr.boundsOf(q)
			least := gap(peak)
			slackA, turnA := tr.lanes.ErrsOf(q.A, &partA, q.Base)
			slackB, turnB := tr.lanes.ErrsOf(q.B, &partB, q.Base)
			errs := slackA + slackB + turnA + turnB
			for k := range lanes.Steps { // those are bounds, of which chance uses up a small part
				ends := math.Min(gap(tr.lanes.Times[k]), gap(tr.lanes.Times[k+1]))
				if clearance := ends - bend - 0.9*errs; clearance >= 0 && tr.lanes.PartsParted(q, &partA, &partB, &normal, clearance)>>k&1 == 1 {
					t.Errorf("pair %d, step %d: %g apart at its ends, bend %g, errors %g, parted by %g", i, k, ends, bend, errs, clearance)
				}
			}
			for _, clearance := range []float64{least + 1e-9, least - tr.d.Float64()*bend, least - bend - unknown, least * tr.d.Float64(), 0, least + tr.d.Float64()*bend} {
				if clearance < 0 {
					continue
				}
				steps := tr.lanes.PartsParted(q, &partA, &partB, &normal, clearance)
				for k := range lanes.Steps {
					ends := math.Min(gap(tr.lanes.Times[k]), gap(tr.lanes.Times[k+1]))
					if steps>>k&1 == 0 {
						if not++; ends-bend-unknown > clearance {
							t.Errorf("pair %d, step %d: %g apart at its ends, bend %g, but not parted by %g", i, k, ends, bend, clearance)
						}
						continue
					}
					parted++
					times := tr.inStep(k)
					if k == step {
						times = append(times, peak)
					}
					for _, s := range times {
						if d := gap(s); !(d > clearance-tr.rounded*(1+far)) {
							t.Errorf("pair %d, step %d of [%g, %g]: said to be %g apart, but at %g it is %g (bend %g)", i, k, tr.lo, tr.hi, clearance, s, d, bend)
						}
					}
				}
			}
			if aimed && bend > 1e-6 && least > 0 {
				used = math.Max(used, (math.Min(gap(tr.lanes.Times[step]), gap(tr.lanes.Times[step+1]))-least)/bend)
			}
		}
	})
	if t.Logf("%d parted, %d not, up to %.3g of the bend used", parted, not, used); used < 0.5 || parted < 2000 || not < 2000 {
		t.Error("a poor test")
	}
}

// A point that weights make of a part is where the element is.
func TestPointsOfPartsAreWhereElementsAre(t *testing.T) {
	laneTrials(t, 87, 200, func(tr *laneTrial) {
		for _, i := range tr.pairs(2) {
			q := tr.at.PairOf(i)
			p := tr.part(q.A)
			for len(p.core.Vertices) < 3 {
				p.core.Vertices = append(p.core.Vertices, p.core.Vertices[0])
			}
			p.core.Vertices = p.core.Vertices[:3]
			part := tr.newPart(q.A, &p)
			tr.lo, tr.hi = 0, 1
			tr.lay(0)
			w := [3]float64{tr.d.Float64(), tr.d.Float64(), tr.d.Float64()}
			sum := w[0] + w[1] + w[2]
			var x geom.Vec
			for j := range w {
				w[j] /= sum
				x = r3.Add(x, r3.Scale(w[j], p.core.Vertices[j]))
			}
			for k := range lanes.Times {
				at, want := tr.lanes.At(q.A, &part, &w, k), tr.lanes.Pose(q.A, k).Apply(x)
				e := &tr.model.Elements[q.A]
				size := geom.Norm(e.PoseFE.P) + geom.Norm(e.Center) + e.Radius
				if err := geom.Norm(r3.Sub(at, want)); !(err <= 0x1p-23*size+1e-12) {
					t.Errorf("element %d, time %d: %v, but the element has it at %v (off by %g)", q.A, k, at, want, err)
				}
			}
		}
	})
}

// By how much a pair's points depart from their chords is that of the interval, of the piece and of the motion: of what the robot
// was placed on last.
func TestBendOfPairIsOfTheInterval(t *testing.T) {
	changed := 0
	laneTrials(t, 89, 100, func(tr *laneTrial) {
		for _, i := range tr.pairs(2) {
			q, before := tr.at.PairOf(i), math.NaN()
			for range 4 {
				if tr.d.IntN(2) == 0 {
					tr.load(t, tr.d.IntN(len(tr.Motion.Pieces)))
				}
				tr.lo = 0.8 * tr.d.Float64()
				tr.hi = tr.lo + 0.01 + 0.19*tr.d.Float64()
				tr.lay(0)
				bend, want := tr.lanes.BendOfPair(q), tr.lanes.BendFrom(q.A, q.Parting)+tr.lanes.BendFrom(q.B, q.Parting)
				if bend != want {
					t.Errorf("pair %d on [%g, %g]: a bend of %g, but it is %g", i, tr.lo, tr.hi, bend, want)
				}
				if bend != before {
					changed++
				}
				before = bend
			}
		}
	})
	if changed < 500 {
		t.Errorf("the bend changed %d times: a poor test", changed)
	}
}
