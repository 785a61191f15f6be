package spacetime

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// roomAtEnds is by how much the half-space rule holds for a clearance that is a line,
// in exact numbers.
func roomAtEnds(n geom.Vec, a, b *rules.Side, h, accel, before, after float64) num {
	e, back := exactVec(n), exactVec(r3.Scale(-1, n))
	radii := exactly(a.Core.Radius).plus(exactly(b.Core.Radius))
	at := func(tau, clearance float64) num {
		reach := exactReach(e, a, exactly(tau)).plus(exactReach(back, b, exactly(tau)))
		return exactly(0).minus(reach).minus(radii.plus(exactly(clearance)).times(e.norm()))
	}
	return at(h, after).min(at(-h, before)).minus(exactly(accel).times(exactly(h)).times(exactly(h)).times(exactly(0.5)))
}

func TestLineRuleAgainstItsTwin(t *testing.T) {
	var near verdicts
	for i := range rounds(1200) {
		d := newDice(84, uint64(i))
		a, b, n := d.side(), d.side(), d.Unit()
		h := d.Spread(1e-6, 1)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		before, after := d.Spread(1e-4, 1), d.Spread(1e-4, 1)
		slack := own(a, h) + own(b, h)
		for range 2 {
			room := roomAtEnds(n, a, b, h, accel, before, after).float()
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.offset(slack, 1)*float64(i%2)-room, n))
		}
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.offset(slack, geom.Norm(b.Pose.P)), n))
		slack = own(a, h) + own(b, h)
		room := roomAtEnds(n, a, b, h, accel, before, after)
		fast := apartAtEnds(n, a, b, h, accel, before, after, slack)
		if near.note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.float())
		}
		if !fast && room.exceeds(exactly(2.01*slack+1e-15*(accel*h*h+before+after))) {
			t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.float(), slack)
		}
	}
	near.want(t)
}

// Against what stands still the same rule is reachBelow: one side's reach, with the
// larger clearance added.
func TestReachBelowAgainstItsTwin(t *testing.T) {
	var near verdicts
	for i := range rounds(1200) {
		d := newDice(85, uint64(i))
		a, n := d.side(), d.Unit()
		b := &rules.Side{Core: d.core(d.Spread(1e-3, 10)), Pose: d.Pose(d.Spread(1e-3, 1e3))}
		h := d.Spread(1e-6, 1)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		before, after := d.Spread(1e-4, 1), d.Spread(1e-4, 1)
		for range 2 {
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(-roomAtEnds(n, a, b, h, accel, before, after).float(), n))
		}
		slack := own(a, h) + own(b, 0)
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.offset(slack, geom.Norm(b.Pose.P)), n))
		slack = own(a, h) + own(b, 0)
		room := roomAtEnds(n, a, b, h, accel, before, after)
		least := -rules.ReachOver(r3.Scale(-1, n), b, 0)
		reach := rules.ReachBelow(n, a, h, rules.Line{Before: before, After: after}) + rules.Bent(accel, h)
		fast := rules.Beyond(least, reach, rules.Margin{Clearance: math.Max(before, after), Slack: slack})
		if near.note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.float())
		}
	}
	near.want(t)
}

// Two points keep below their line.
func TestPointsKeepBelowTheirLine(t *testing.T) {
	tight := 0
	for i := range rounds(300) {
		d := newDice(86, uint64(i))
		r := d.inRoom(t)
		if r == nil {
			continue
		}
		r.bind(t, d.pieceMotion(r.robot))
		h := d.Spread(1e-3, 0.5)
		c := d.In(h, 1-h)
		r.place(0, c, c-h, c+h)
		pair := int32(d.IntN(len(r.model.Pairs)))
		q, p := &r.model.Pairs[pair], r.w.at.Pair(pair)
		onA, onB := r.model.Elements[q.A].Center, r.model.Elements[q.B].Center
		l := r.w.lineOf(&engine.PairTouch{Pair: pair, Touch: engine.Touch{A: p.A.Pose.Apply(onA), B: p.B.Pose.Apply(onB)}})
		for k := range 21 {
			x := float64(k)/10 - 1
			r.place(0, c+x*h, c+x*h, c+x*h)
			p := r.w.at.Pair(pair)
			apart := geom.Norm(r3.Sub(p.B.Pose.Apply(onB), p.A.Pose.Apply(onA)))
			if above := apart - (l.Before*(1-x)+l.After*(1+x))/2; above > 1e-12 {
				t.Errorf("room %d: %g above the line at %g", i, above, x)
			} else if above > -1e-3 {
				tight++
			}
		}
	}
	if tight < 300 {
		t.Errorf("only %d within a millimetre", tight)
	}
}

// What a sweep knows is of one line of clearance: another one of the same height
// but another slope, at the same time, starts anew.
func TestSweepIsOfOneLine(t *testing.T) {
	slide := hinge{kind: urdf.Prismatic, axis: ex, parts: made(at(0, 0, 0), ball(0.1))}
	r := newRig(t, robotOf(nil, slide), worldOf(object("wall", box(2, 3, 3), at(2, 0, 0))), 0, move([]float64{0, 0.5}))
	r.place(0, 0.5, 0, 1)
	element := slices.IndexFunc(r.model.Against, func(row []int32) bool { return row != nil })
	reach := func(rise float64) float64 {
		r.w.clearance, r.w.rise = 0.2, rise
		sw := r.w.sweepOf(element, volume.Whole)
		if sw.count > 0 {
			return sw.planes[0].reach
		}
		return r.w.plane(sw, ex).reach
	}
	steep, level := reach(-0.15), reach(-0.01)
	if !(level > steep+0.1) {
		t.Errorf("reach %g below a line that falls by 1 cm, %g by 15 cm: the half-space is that of the other line", level, steep)
	}
}

// What bends is known of one interval: the next one, of the same pair, starts anew.
func TestRatesBelongToTheirInterval(t *testing.T) {
	bead := func(x float64) hinge {
		return hinge{kind: urdf.Prismatic, origin: at(x, 0, 0), axis: ex, parts: made(at(0, 0, 0), ball(0.1))}
	}
	r := newRig(t, robotOf(nil, bead(0), bead(1)), nil, 0, move(cube(1), []float64{0}))
	bends := func(w *Worker) [3]float64 {
		p, q := wholePair(w), w.at.PairOf(0)
		return [3]float64{w.at.PairBendAlong(0, p, ex), w.at.PointsAccel(0, p, geom.Vec{}, ex), w.at.CenterAccel(q.A) + w.at.CenterAccel(q.B)}
	}
	r.place(0, 0.75, 0.7, 0.8)
	first := bends(r.w)
	r.place(0, 0.5, 0.45, 0.55)
	if second := bends(r.w); !(second[0] < first[0]/2 && second[1] < first[1]/2 && second[2] < first[2]/2) {
		t.Errorf("bends %v where the slide is at rest, %v where it is not", second, first)
	}
}
