package rules_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// What the rules are made of, each part alone and from both sides: it may not be less
// than its twin, nor more by more than its rounding.

// between fails where got is not in [want - below, want + above].
func between(t *testing.T, i int, what string, got float64, want exact.Num, below, above float64) {
	t.Helper()
	off := exact.Of(got).Minus(want).Float()
	if !(off >= -below && off <= above) {
		t.Fatalf("case %d: %s is %g, which is %g more than it should be", i, what, got, off)
	}
}

// points are some of a core's: all corners of a hull or a box, some of a rim.
func points(c *convex.Core) []geom.Vec {
	switch c.Kind {
	case convex.Box:
		var out []geom.Vec
		for k := range 8 {
			sign := func(bit int) float64 { return float64(2*(k>>bit&1) - 1) }
			out = append(out, r3.Add(c.Center, geom.Vec{X: sign(0) * c.Half.X, Y: sign(1) * c.Half.Y, Z: sign(2) * c.Half.Z}))
		}
		return out
	case convex.Cylinder, convex.Cone:
		out := []geom.Vec{{Z: c.HalfLength}}
		for k := range 256 {
			y, x := math.Sincos(2 * math.Pi * float64(k) / 256)
			out = append(out, geom.Vec{X: c.CoreRadius * x, Y: c.CoreRadius * y, Z: -c.HalfLength})
			if c.Kind == convex.Cylinder {
				out = append(out, geom.Vec{X: c.CoreRadius * x, Y: c.CoreRadius * y, Z: c.HalfLength})
			}
		}
		return out
	}
	return c.Vertices
}

// The largest acceleration along n is that of the core's most accelerated point.
func TestBendIsOfTheMostAcceleratedPoint(t *testing.T) {
	for i := range switches.Long.Times(1500, 50) {
		d := ruletest.NewDice(71, uint64(i))
		s, n := d.Side(), d.Unit()
		s.Rate = kin.Twist{Lin: d.Vec(d.Spread(1e-3, 1e3)), Ang: d.Vec(d.Spread(1e-3, 1e3))}
		lin, ang := exact.VecOf(s.Vel.Lin), exact.VecOf(s.Vel.Ang)
		along := func(x geom.Vec) exact.Num {
			w := exact.RotOf(s.Pose.R).Apply(exact.VecOf(x)).Plus(exact.VecOf(s.Pose.P))
			a := exact.VecOf(s.Rate.Lin).Plus(exact.VecOf(s.Rate.Ang).Cross(w)).Plus(ang.Cross(lin.Plus(ang.Cross(w))))
			return exact.VecOf(n).Dot(a)
		}
		most := exact.Of(math.Inf(-1))
		for _, x := range points(s.Core) {
			most = most.Max(along(x))
		}
		x, w := geom.Norm(s.Pose.P)+s.Core.Extent(), geom.Norm(s.Vel.Ang)
		size := geom.Norm(s.Rate.Lin) + geom.Norm(s.Rate.Ang)*x + w*(geom.Norm(s.Vel.Lin)+w*x)
		loose := 64 * u * size
		if s.Core.Kind == convex.Cylinder || s.Core.Kind == convex.Cone {
			// The farthest point of a rim is between two of those that are tried.
			loose += 1e-4 * s.Core.CoreRadius * (geom.Norm(s.Rate.Ang) + 2*w*w)
		}
		between(t, i, "the acceleration", rules.BendAlong(n, s), most, 64*u*size, loose)
	}
}

// Bounds of what departs from a straight line are those of Taylor's theorem.
func TestBends(t *testing.T) {
	for i := range switches.Long.Times(5000, 50) {
		d := ruletest.NewDice(72, uint64(i))
		h, jerk := d.Spread(1e-9, 10), d.Spread(1e-6, 1e6)*float64(d.IntN(3))
		bend := d.Spread(1e-6, 1e6) * float64(d.IntN(3)-1)
		third := exact.Of(jerk).Times(exact.Of(h)).Over(exact.Of(3))
		want := exact.Of(bend).Max(exact.Of(0)).Plus(third)
		got := rules.BendOver(bend, jerk, h)
		between(t, i, "the bend", got, want, 0, 16*u*want.Float())
		half := exact.Of(got).Times(exact.Of(h)).Times(exact.Of(h)).Over(exact.Of(2))
		between(t, i, "the way off the line", rules.Bent(got, h), half, 0, 16*u*half.Float())
	}
}

// The line lies above the distance of two points whose difference moves as it may, and
// touches it at both ends where they move straight.
func TestLineIsAboveTheDistance(t *testing.T) {
	for i := range switches.Long.Times(3000, 50) {
		d := ruletest.NewDice(73, uint64(i))
		p := rules.Points{
			X0: d.Vec(d.Spread(1e-3, 1e3)), X1: d.Vec(d.Spread(1e-3, 1e3)), H: d.Spread(1e-6, 10),
			Accel: d.Spread(1e-3, 1e3) * float64(d.IntN(2)), Slack: d.Spread(1e-6, 1) * float64(d.IntN(2)),
		}
		l := p.AboveDistance()
		at := func(s float64) exact.Num {
			return exact.VecOf(p.X0).Plus(exact.VecOf(p.X1).Scaled(exact.Of(s))).Norm()
		}
		more := exact.Of(p.Accel).Times(exact.Of(p.H)).Times(exact.Of(p.H)).Over(exact.Of(2)).Plus(exact.Of(p.Slack))
		loose := 64 * u * (geom.Norm(p.X0) + p.H*geom.Norm(p.X1) + more.Float())
		// The rounding of X0 + s X1 itself is in slack.
		between(t, i, "the line before", l.Before, at(-p.H).Plus(more), loose/8, loose)
		between(t, i, "the line after", l.After, at(p.H).Plus(more), loose/8, loose)
		for range 5 {
			x := d.In(-1, 1)
			line := (l.Before*(1-x) + l.After*(1+x)) / 2
			if below := at(x * p.H).Plus(more).Minus(exact.Of(line)).Float(); below > loose {
				t.Fatalf("case %d: the distance is %g above the line at %g", i, below, x)
			}
		}
	}
}

// Reaches are those of the end that reaches farther.
func TestReaches(t *testing.T) {
	for i := range switches.Long.Times(2000, 50) {
		d := ruletest.NewDice(74, uint64(i))
		s, n := d.Side(), d.Unit()
		h := [...]float64{0, d.Spread(1e-6, 1), d.Spread(1, 10)}[d.IntN(3)]
		before, after := d.Spread(1e-4, 1), d.Spread(1e-4, 1)
		e := exact.VecOf(n)
		at := func(tau float64) exact.Num { return ruletest.Reach(e, s, exact.Of(tau)) }
		radius := exact.Of(s.Core.Radius)
		rounding := ruletest.Own(s, h)
		between(t, i, "the reach", rules.ReachOver(n, s, h), at(h).Max(at(-h)).Plus(radius), rounding, rounding)
		// With the larger clearance added it is n.x + line.
		most := exact.Of(before).Max(exact.Of(after))
		line := at(h).Plus(exact.Of(after)).Max(at(-h).Plus(exact.Of(before))).Minus(most).Plus(radius)
		rounding += 16 * u * most.Float()
		between(t, i, "the reach below a line", rules.ReachBelow(n, s, h, rules.Line{Before: before, After: after}), line, rounding, rounding)
	}
}

// A box of what is no number, or infinite, is all of space, whichever number it is.
func TestSweptBoxOfEachNumber(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for k := range 3 {
			c := [3]float64{1, 2, 3}
			c[k] = bad
			v := [3]float64{1, 1, 1}
			v[k] = bad
			b := rules.Bounds{H: 1, Accel: 1, Jerk: 1, Far: math.Inf(1)}
			center, vel := geom.Vec{X: c[0], Y: c[1], Z: c[2]}, geom.Vec{X: v[0], Y: v[1], Z: v[2]}
			for what, box := range map[string]geom.Box{
				"centre":   rules.SweptBox(center, geom.Vec{}, geom.Vec{}, b, 1),
				"velocity": rules.SweptBox(geom.Vec{}, vel, geom.Vec{}, b, 1),
			} {
				inf := math.Inf(1)
				if box.Min != (geom.Vec{X: -inf, Y: -inf, Z: -inf}) || box.Max != (geom.Vec{X: inf, Y: inf, Z: inf}) {
					t.Errorf("%g in coordinate %d of the %s: %v", bad, k, what, box)
				}
			}
		}
	}
}

// Where there is no gap there is no step, even if the sides part.
func TestNoStepWithoutAGap(t *testing.T) {
	for _, gap := range []float64{0, math.Copysign(0, -1), -1e-300, math.Inf(-1)} {
		for _, closing := range []float64{-1, 0, 1} {
			if s := rules.SafeStep(gap, closing, 1); s != 0 {
				t.Errorf("a step of %g from a gap of %g that closes at %g", s, gap, closing)
			}
		}
	}
}
