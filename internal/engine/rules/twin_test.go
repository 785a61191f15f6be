package rules_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

func TestHalfSpaceRuleAgainstItsTwin(t *testing.T) {
	var near ruletest.Verdicts
	for i := range switches.Long.Times(1200, 50) {
		d := ruletest.NewDice(21, uint64(i))
		a, b, n := d.Side(), d.Side(), d.Unit()
		h := d.Spread(1e-6, 1)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		clearance := [...]float64{0, d.Spread(1e-4, 1)}[d.IntN(2)]
		slack := ruletest.Own(a, h) + ruletest.Own(b, h)
		// Move b along n to where the exact twin has next to no room left.
		for range 2 {
			room := ruletest.RoomHalfSpace(n, a, b, h, accel, clearance).Float()
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.Offset(slack, 1)*float64(i%2)-room, n))
		}
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.Offset(slack, geom.Norm(b.Pose.P)), n))
		slack = ruletest.Own(a, h) + ruletest.Own(b, h)
		room := ruletest.RoomHalfSpace(n, a, b, h, accel, clearance)
		fast := ruletest.ApartHalfSpace(n, a, b, h, accel, clearance, slack)
		if near.Note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.Float())
		}
		if !fast && room.Exceeds(exact.Of(2.01*slack+1e-15*accel*h*h)) {
			t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.Float(), slack)
		}
	}
	near.Want(t)
}

func TestDisplacementRuleAgainstItsTwin(t *testing.T) {
	var near ruletest.Verdicts
	for i := range switches.Long.Times(900, 50) {
		d := ruletest.NewDice(22, uint64(i))
		a, b, n := d.Side(), d.Side(), d.Unit()
		far := [...]float64{0, d.Spread(1e-6, 10)}[d.IntN(2)]
		clearance := [...]float64{0, d.Spread(1e-4, 1)}[d.IntN(2)]
		slack := ruletest.Own(a, 0) + ruletest.Own(b, 0)
		for range 2 {
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(-ruletest.RoomStill(n, a, b, far, clearance).Float(), n))
		}
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.Offset(slack, geom.Norm(b.Pose.P)), n))
		slack = ruletest.Own(a, 0) + ruletest.Own(b, 0)
		room := ruletest.RoomStill(n, a, b, far, clearance)
		if near.Note(ruletest.ApartStill(n, a, b, far, clearance, slack), room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.Float())
		}
	}
	near.Want(t)
}

func TestBallRuleAgainstItsTwin(t *testing.T) {
	var near ruletest.Verdicts
	for i := range switches.Long.Times(8000, 50) {
		d := ruletest.NewDice(23, uint64(i))
		x0, x1 := d.Vec(d.Spread(1e-3, 1e3)), d.Vec(d.Spread(1e-6, 1e3))
		switch d.IntN(5) {
		case 0: // almost a hit
			x1 = r3.Add(r3.Scale(d.Spread(1e-3, 1e3), x0), d.Vec(d.Spread(1e-12, 1e-3)))
		case 1:
			x1 = geom.Vec{}
		case 2: // speeds whose squares are lost
			x1 = r3.Scale(1e-160, x1)
		}
		h := d.Spread(1e-6, 10)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		far := d.Spread(1e-6, 1e3)
		clearance := [...]float64{0, d.Spread(1e-4, 1)}[d.IntN(2)]
		// What distanceToSegment says it may err by.
		slack := 32 * u * geom.Norm(x0)
		radii := ruletest.RoomBalls(x0, x1, h, accel, far, 0, clearance).Float() + d.Offset(slack, geom.Norm(x0))
		if radii < 0 {
			continue
		}
		room := ruletest.RoomBalls(x0, x1, h, accel, far, radii, clearance)
		fast := ruletest.ApartBalls(x0, x1, h, accel, far, radii, clearance, slack)
		if near.Note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare, |x0| %g", i, room.Float(), geom.Norm(x0))
		}
		if size := radii + clearance + math.Max(far, accel*h*h) + geom.Norm(x0); !fast && room.Exceeds(exact.Of(3*slack+64*u*size)) {
			t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.Float(), slack)
		}
	}
	near.Want(t)
}

// The distance to the segment alone, where rounding is all there is.
func TestDistanceToSegmentAgainstItsTwin(t *testing.T) {
	worst := 0.0
	for i := range switches.Long.Times(8000, 50) {
		d := ruletest.NewDice(24, uint64(i))
		x0 := d.Vec(d.Spread(1e-3, 1e3))
		x1 := r3.Add(r3.Scale(d.Spread(1e-6, 1e6)*float64(1-2*d.IntN(2)), x0), d.Vec(d.Spread(1e-12, 1)))
		h := d.Spread(1e-6, 1e3)
		exact := ruletest.RoomBalls(x0, x1, h, 0, 1e300, 0, 0).Float()
		over := (rules.DistanceToSegment(x0, x1, h) - exact) / (u * geom.Norm(x0))
		worst = math.Max(worst, over)
		if over > 32 {
			t.Fatalf("case %d: %g units of |x0| above the distance %g", i, over, exact)
		}
	}
	t.Logf("at most %.2g units of |x0| above the distance", worst)
}

func TestLineRuleAgainstItsTwin(t *testing.T) {
	var near ruletest.Verdicts
	for i := range switches.Long.Times(1200, 50) {
		d := ruletest.NewDice(84, uint64(i))
		a, b, n := d.Side(), d.Side(), d.Unit()
		h := d.Spread(1e-6, 1)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		before, after := d.Spread(1e-4, 1), d.Spread(1e-4, 1)
		slack := ruletest.Own(a, h) + ruletest.Own(b, h)
		for range 2 {
			room := ruletest.RoomAtEnds(n, a, b, h, accel, before, after).Float()
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.Offset(slack, 1)*float64(i%2)-room, n))
		}
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.Offset(slack, geom.Norm(b.Pose.P)), n))
		slack = ruletest.Own(a, h) + ruletest.Own(b, h)
		room := ruletest.RoomAtEnds(n, a, b, h, accel, before, after)
		fast := ruletest.ApartAtEnds(n, a, b, h, accel, before, after, slack)
		if near.Note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.Float())
		}
		if !fast && room.Exceeds(exact.Of(2.01*slack+1e-15*(accel*h*h+before+after))) {
			t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.Float(), slack)
		}
	}
	near.Want(t)
}

// Against what stands still the same rule is reachBelow: one side's reach, with the
// larger clearance added.
func TestReachBelowAgainstItsTwin(t *testing.T) {
	var near ruletest.Verdicts
	for i := range switches.Long.Times(1200, 50) {
		d := ruletest.NewDice(85, uint64(i))
		a, n := d.Side(), d.Unit()
		b := &rules.Side{Core: d.Core(d.Spread(1e-3, 10)), Pose: d.Pose(d.Spread(1e-3, 1e3))}
		h := d.Spread(1e-6, 1)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		before, after := d.Spread(1e-4, 1), d.Spread(1e-4, 1)
		for range 2 {
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(-ruletest.RoomAtEnds(n, a, b, h, accel, before, after).Float(), n))
		}
		slack := ruletest.Own(a, h) + ruletest.Own(b, 0)
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.Offset(slack, geom.Norm(b.Pose.P)), n))
		slack = ruletest.Own(a, h) + ruletest.Own(b, 0)
		room := ruletest.RoomAtEnds(n, a, b, h, accel, before, after)
		least := -rules.ReachOver(r3.Scale(-1, n), b, 0)
		reach := rules.ReachBelow(n, a, h, rules.Line{Before: before, After: after}) + rules.Bent(accel, h)
		fast := rules.Beyond(least, reach, rules.Margin{Clearance: math.Max(before, after), Slack: slack})
		if near.Note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.Float())
		}
	}
	near.Want(t)
}

// exactBend is bendOver of what is not negative.
func exactBend(bend exact.Num, jerk, h float64) exact.Num {
	return bend.Plus(exact.Of(jerk).Times(exact.Of(h)).Over(exact.Of(3)))
}

// sweptSide is how far a sweep reaches along +-x in exact numbers.
func sweptSide(sign, center, v, bend, h, accel, jerk, far, radius float64) exact.Num {
	curve := exact.Of(accel).Min(exactBend(exact.Of(bend).Abs(), jerk, h)).Times(exact.Of(h)).Times(exact.Of(h)).Times(exact.Of(0.5))
	way := exact.Of(h).Times(exact.Of(v).Abs()).Plus(curve)
	return exact.Of(sign).Times(exact.Of(center)).Plus(way.Min(exact.Of(far))).Plus(exact.Of(radius))
}

func TestSweptBoxAgainstItsTwin(t *testing.T) {
	var near ruletest.Verdicts
	for i := range switches.Long.Times(4000, 50) {
		d := ruletest.NewDice(31, uint64(i))
		center, v := d.Vec(d.Spread(1e-3, 1e3)), d.Vec(d.Spread(1e-4, 1e3))
		h := d.Spread(1e-4, 1)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		bend, jerk := d.Vec(d.Spread(1e-4, 1e3)), [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		way := h*geom.Norm(v) + accel*h*h/2
		far := way * [...]float64{d.In(0, 1), 9}[d.IntN(2)]
		radius := d.Spread(1e-4, 1)
		size := geom.Norm(center) + way + radius
		slack := 8 * u * size // as slackOf, of which it is a part, allows for
		got := ruletest.SweptBox(center, v, bend, h, accel, jerk, far, radius+slack)
		lo, hi := [3]float64{got.Min.X, got.Min.Y, got.Min.Z}, [3]float64{got.Max.X, got.Max.Y, got.Max.Z}
		c, w := [3]float64{center.X, center.Y, center.Z}, [3]float64{v.X, v.Y, v.Z}
		b := [3]float64{bend.X, bend.Y, bend.Z}
		for k := range 3 {
			for _, sign := range []float64{-1, 1} {
				reach := sweptSide(sign, c[k], w[k], b[k], h, accel, jerk, far, radius)
				side := hi[k]
				if sign < 0 {
					side = -lo[k]
				}
				// A wall, a little before or behind what is swept.
				wall := reach.Float() + d.Offset(slack, size)
				room := exact.Of(wall).Minus(reach)
				if near.Note(wall > side, room) {
					t.Fatalf("case %d, axis %d: the box leaves out %g", i, k, -room.Float())
				}
				if !(wall > side) && room.Exceeds(exact.Of(3*slack+64*u*size)) {
					t.Errorf("case %d, axis %d: %g too large", i, k, room.Float())
				}
			}
		}
	}
	near.Want(t)
}
