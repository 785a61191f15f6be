package rules_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// The step never reaches the time at which the bound of the gap is zero, in exact
// arithmetic, and falls short of it by rounding only.
func TestSafeStepIsSafeAndLong(t *testing.T) {
	for i := range switches.Long.Times(20000, 50) {
		d := ruletest.NewDice(61, uint64(i))
		gap, accel := d.Spread(1e-9, 1), d.Spread(1e-6, 1e3)*float64(d.IntN(4))
		closing := d.Spread(1e-9, 1e2) * float64(d.IntN(3)-1)
		step := rules.SafeStep(gap, closing, accel)
		if math.IsInf(step, 1) {
			if closing > 0 || accel > 0 && closing >= 0 {
				t.Fatalf("no end for a gap of %g that closes at %g and bends by %g", gap, closing, accel)
			}
			continue
		}
		left := func(s exact.Num) exact.Num { // gap - closing s - accel s²/2
			bend := exact.Of(accel).Times(s).Times(s).Over(exact.Of(2))
			return exact.Of(gap).Minus(exact.Of(closing).Times(s)).Minus(bend)
		}
		if left(exact.Of(step)).Sign() < 0 {
			t.Fatalf("gap %g, closing %g, accel %g: nothing is left after %g", gap, closing, accel, step)
		}
		if left(exact.Of(step*(1+1e-14))).Sign() > 0 {
			t.Fatalf("gap %g, closing %g, accel %g: %g is not all there is", gap, closing, accel, step)
		}
	}
	for _, bad := range []float64{0, -1, math.NaN()} {
		if s := rules.SafeStep(bad, 1, 1); s != 0 {
			t.Errorf("a step of %g from a gap of %g", s, bad)
		}
	}
	if s := rules.SafeStep(1, math.NaN(), 1); s == s && s > 0 && !math.IsInf(s, 1) {
		t.Errorf("a step of %g at no rate", s)
	}
}

// No point of two sides closes in faster than the closing rate, and the fastest as
// fast.
func TestClosingRateIsOfTheFastestPoint(t *testing.T) {
	for i := range switches.Long.Times(300, 50) {
		d := ruletest.NewDice(62, uint64(i))
		draw := func() (rules.Side, []geom.Vec) {
			points := []geom.Vec{d.Vec(1), d.Vec(1), d.Vec(1)}
			core := &convex.Core{Kind: convex.Triangle, Vertices: points, Radius: d.In(0, 0.3)}
			s := rules.Side{Core: core, Pose: d.Pose(2)}
			s.Vel.Lin, s.Vel.Ang = d.Vec(3), d.Vec(3)
			return s, points
		}
		a, inA := draw()
		b, inB := draw()
		n := d.Unit()
		fastestOf := func(s *rules.Side, points []geom.Vec, n geom.Vec) float64 {
			// On a vertex' ball the point along n x Ang is the fastest.
			out := math.Inf(-1)
			m, _ := geom.Unit(r3.Cross(n, s.Vel.Ang))
			for _, p := range points {
				x := r3.Add(s.Pose.Apply(p), r3.Scale(s.Core.Radius, m))
				out = max(out, r3.Dot(n, s.Vel.At(x)))
			}
			return out
		}
		want := fastestOf(&a, inA, n) + fastestOf(&b, inB, r3.Scale(-1, n))
		if got := rules.ClosingRate(n, &a, &b); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Fatalf("sides %d: rate %g, the fastest points close at %g", i, got, want)
		}
	}
}
