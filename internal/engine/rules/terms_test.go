package rules_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
)

var ex = geom.Vec{X: 1}

// What a rule cannot compute it does not grant.
func TestRulesRefuseWhatIsNotANumber(t *testing.T) {
	point := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{{}}}
	bad := []float64{math.NaN(), math.Inf(1)}
	far := rules.Side{Core: &point, Pose: geom.Translation(geom.Vec{X: 5})}
	near := rules.Side{Core: &point, Pose: geom.Translation(geom.Vec{X: 0})}
	if !ruletest.ApartHalfSpace(ex, &near, &far, 1, 1, 0, 0) || !ruletest.ApartStill(ex, &near, &far, 1, 0, 0) || !ruletest.ApartBalls(geom.Vec{X: -5}, ex, 1, 1, 1, 1, 0, 0) {
		t.Fatal("the rules refuse what is far apart")
	}
	spoil := func(s rules.Side, set func(*rules.Side)) *rules.Side { set(&s); return &s }
	for _, x := range bad {
		for k, yes := range []bool{
			ruletest.ApartHalfSpace(geom.Vec{X: x}, &near, &far, 1, 1, 0, 0),
			ruletest.ApartHalfSpace(geom.Vec{X: 1, Y: x}, &near, &far, 1, 1, 0, 0),
			ruletest.ApartHalfSpace(ex, &near, &far, x, 1, 0, 0),
			ruletest.ApartHalfSpace(ex, &near, &far, 1, x, 0, 0),
			ruletest.ApartHalfSpace(ex, &near, &far, 1, 1, x, 0),
			ruletest.ApartHalfSpace(ex, &near, &far, 1, 1, 0, x),
			ruletest.ApartHalfSpace(ex, spoil(near, func(s *rules.Side) { s.Pose.P.X = x }), &far, 1, 1, 0, 0),
			ruletest.ApartHalfSpace(ex, spoil(near, func(s *rules.Side) { s.Pose.R.XX = math.NaN() }), &far, 1, 1, 0, 0),
			ruletest.ApartHalfSpace(ex, spoil(near, func(s *rules.Side) { s.Vel.Lin.X = x }), &far, 1, 1, 0, 0),
			ruletest.ApartHalfSpace(ex, spoil(near, func(s *rules.Side) { s.Vel.Ang.Z = math.NaN() }), &far, 1, 1, 0, 0),
			ruletest.ApartHalfSpace(ex, spoil(near, func(s *rules.Side) { s.Core = &convex.Core{Kind: convex.Point, Vertices: point.Vertices, Radius: x} }), &far, 1, 1, 0, 0),
			ruletest.ApartHalfSpace(ex, spoil(near, func(s *rules.Side) { s.Core = &convex.Core{Kind: 99} }), &far, 1, 1, 0, 0),
			ruletest.ApartStill(geom.Vec{X: x}, &near, &far, 1, 0, 0),
			ruletest.ApartStill(ex, &near, &far, x, 0, 0),
			ruletest.ApartStill(ex, &near, &far, 1, x, 0),
			ruletest.ApartStill(ex, &near, &far, 1, 0, x),
			ruletest.ApartBalls(geom.Vec{X: math.NaN()}, ex, 1, 1, 1, 1, 0, 0),
			ruletest.ApartBalls(geom.Vec{X: -5}, geom.Vec{X: math.NaN()}, 1, 1, 9, 1, 0, 0),
			ruletest.ApartBalls(geom.Vec{X: -5}, ex, math.NaN(), 1, 9, 1, 0, 0),
			ruletest.ApartBalls(geom.Vec{X: -5}, ex, 1, x, 9, 1, 0, 0),
			ruletest.ApartBalls(geom.Vec{X: -5}, ex, 1, 9, x, 1, 0, 0),
			ruletest.ApartBalls(geom.Vec{X: -5}, ex, 1, 1, 1, x, 0, 0),
			ruletest.ApartBalls(geom.Vec{X: -5}, ex, 1, 1, 1, 1, x, 0),
			ruletest.ApartBalls(geom.Vec{X: -5}, ex, 1, 1, 1, 1, 0, x),
		} {
			if yes {
				t.Errorf("number %d with %g in it is granted", k, x)
			}
		}
	}
}

// A clearance, radii and slack are taken from the gap, each once.
func TestRulesTakeOffEveryTerm(t *testing.T) {
	core := func(r float64) *convex.Core {
		return &convex.Core{Kind: convex.Point, Vertices: []geom.Vec{{}}, Radius: r}
	}
	// Each term alone uses up the gap of 1, but for a part in a million.
	for _, c := range []struct {
		name                         string
		ra, rb, clearance, slack     float64
		accel, far, h, speedA, speed float64
	}{
		{name: "radius of A", ra: 1},
		{name: "radius of B", rb: 1},
		{name: "clearance", clearance: 1},
		{name: "slack", slack: 1},
		{name: "acceleration", accel: 2, h: 1},
		{name: "acceleration of a long time", accel: 0.02, h: 10},
		{name: "speed of A", speedA: 1, h: 1},
		{name: "speed of A backwards", speedA: -1, h: 1},
		{name: "speed of B", speed: 1, h: 1},
		{name: "displacement", far: 1},
	} {
		for _, k := range []float64{1 - 1e-6, 1 + 1e-6} {
			a := &rules.Side{Core: core(k * c.ra), Pose: geom.Translation(geom.Vec{X: 0})}
			b := &rules.Side{Core: core(k * c.rb), Pose: geom.Translation(geom.Vec{X: 1})}
			a.Vel.Lin, b.Vel.Lin = geom.Vec{X: k * c.speedA}, geom.Vec{X: k * c.speed}
			want := k < 1
			slack := k*c.slack + 1e-12 // a point that is hit is found no nearer than rounding
			x0, x1 := r3.Sub(a.Pose.P, b.Pose.P), r3.Sub(a.Vel.Lin, b.Vel.Lin)
			if c.far == 0 {
				if got := ruletest.ApartHalfSpace(ex, a, b, c.h, k*c.accel, k*c.clearance, slack); got != want {
					t.Errorf("half-space, %s times %g: %v", c.name, k, got)
				}
				if got := ruletest.ApartBalls(x0, x1, c.h, k*c.accel, 9, k*(c.ra+c.rb), k*c.clearance, slack); got != want {
					t.Errorf("balls, %s times %g: %v", c.name, k, got)
				}
			}
			if c.h == 0 {
				if got := ruletest.ApartStill(ex, a, b, k*c.far, k*c.clearance, slack); got != want {
					t.Errorf("displacement, %s times %g: %v", c.name, k, got)
				}
				if got := ruletest.ApartBalls(x0, x1, 9, 9, k*c.far, k*(c.ra+c.rb), k*c.clearance, slack); got != want {
					t.Errorf("balls by displacement, %s times %g: %v", c.name, k, got)
				}
			}
		}
	}
}
