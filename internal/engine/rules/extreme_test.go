package rules_test

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// No rule proves anything of what overflows, and nothing false of numbers of any size.
func TestBallRuleOfExtremeNumbers(t *testing.T) {
	proved, finite := 0, 0
	for i := range switches.Long.Times(40000, 50) {
		d := ruletest.NewDice(95, uint64(i))
		x0, x1 := d.ExtremeVec(), d.ExtremeVec()
		h, accel, far := math.Abs(d.Extreme()), math.Abs(d.Extreme()), math.Abs(d.Extreme())
		if h = math.Min(h, 1); d.IntN(2) == 0 {
			h = d.Float64()
		}
		radii, clearance := math.Abs(d.Extreme()), math.Abs(d.Extreme())*float64(d.IntN(2))
		// What distanceToSegment says that slack covers.
		slack := 64*u*(ruletest.Norm1(x0)+h*ruletest.Norm1(x1)) + 0x1p-500
		fast := ruletest.ApartBalls(x0, x1, h, accel, far, radii, clearance, slack)
		if !ruletest.IsNumber(x0.X, x0.Y, x0.Z, x1.X, x1.Y, x1.Z, h, accel, far, radii, clearance) {
			// An infinite bound on one of both sides leaves the other.
			if fast && !ruletest.IsNumber(x0.X, x0.Y, x0.Z, radii, clearance) {
				t.Fatalf("case %d: proved of x0 %v, radii %g, clearance %g", i, x0, radii, clearance)
			}
			continue
		}
		finite++
		if fast {
			proved++
			if room := ruletest.RoomBalls(x0, x1, h, accel, far, radii, clearance); room.Sign() <= 0 {
				t.Fatalf("case %d: proved of x0 %v, x1 %v, h %g, A %g, M %g, radii %g, clearance %g: %v to spare", i, x0, x1, h, accel, far, radii, clearance, room)
			}
		}
	}
	if t.Logf("%d of %d proved", proved, finite); proved < 100 {
		t.Error("a poor test")
	}
}

func TestHalfSpaceRulesOfExtremeNumbers(t *testing.T) {
	proved := 0
	for i := range switches.Long.Times(40000, 50) {
		d := ruletest.NewDice(96, uint64(i))
		a, b, n := d.ExtremeSide(), d.ExtremeSide(), d.Unit()
		h := d.Float64()
		clearance := math.Abs(d.Extreme()) * float64(d.IntN(2))
		size := ruletest.SizeOf(a, h) + ruletest.SizeOf(b, h)
		slack := 64*u*size + 0x1p-500
		for _, by := range []float64{
			ruletest.PartedBy(n, a, b, h, clearance, slack), ruletest.PartedBy(n, a, b, 0, clearance, slack),
			rules.PartedAtEnds(n, a, b, h, rules.Line{Before: clearance, After: clearance}, slack),
		} {
			if !(by > 0) {
				continue
			}
			if proved++; !ruletest.IsNumber(size, clearance, by) {
				t.Fatalf("case %d: parted by %g, clearance %g, numbers of %g", i, by, clearance, size)
			}
		}
		if by := ruletest.PartedBy(n, a, b, h, clearance, slack); by > 0 && ruletest.RoomHalfSpace(n, a, b, h, 0, clearance).Sign() <= 0 {
			t.Fatalf("case %d: parted by %g, clearance %g, numbers of %g", i, by, clearance, size)
		}
		least := d.Extreme()
		reach := rules.ReachOver(n, a, h)
		if rules.Beyond(least, reach, rules.Margin{Clearance: clearance, Slack: slack}) && !ruletest.IsNumber(least, reach, clearance) {
			t.Fatalf("case %d: %g is beyond %g", i, least, reach)
		}
		a.Vel, b.Vel = kin.Twist{}, kin.Twist{}
		if size = ruletest.SizeOf(a, 0) + ruletest.SizeOf(b, 0); !ruletest.IsNumber(size) {
			continue
		}
		if g := convex.Gap(a.Core, &a.Pose, b.Core, &b.Pose, n); g > 0 && (math.IsInf(g, 0) || ruletest.RoomHalfSpace(n, a, b, 0, 0, 0).Sign() <= 0) {
			t.Fatalf("case %d: a gap of %g, numbers of %g", i, g, size)
		}
	}
	if t.Logf("%d proved", proved); proved < 100 {
		t.Error("a poor test")
	}
}

// What cannot be computed is swept everywhere.
func TestSweptBoxOfWhatIsNotANumber(t *testing.T) {
	unit := bvh.Outward(geom.Box{Min: geom.Vec{X: -1, Y: -1, Z: -1}, Max: geom.Vec{X: 1, Y: 1, Z: 1}})
	meets := func(center, v geom.Vec, h, accel, far, radius float64) bool {
		box := bvh.Outward(ruletest.SweptBox(center, v, geom.Vec{}, h, accel, accel, far, radius))
		return unit.Meets(&box)
	}
	away := geom.Vec{X: 9}
	if meets(away, ex, 1, 1, 9, 1) {
		t.Fatal("a box far away meets what it should not")
	}
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		for k, met := range []bool{
			meets(geom.Vec{X: 9, Y: x}, ex, 1, 1, 9, 1),
			meets(away, geom.Vec{Z: math.NaN()}, 1, 1, 9, 1),
			meets(away, geom.Vec{X: x}, 1, x, x, 1),
			meets(away, ex, math.NaN(), 1, 9, 1),
			meets(away, ex, 1, math.NaN(), 9, 1),
			meets(away, ex, 1, 1, math.NaN(), 1),
			meets(away, ex, 1, 1, 9, x),
		} {
			if !met {
				t.Errorf("number %d with %g in it: the box meets nothing", k, x)
			}
		}
	}
}
