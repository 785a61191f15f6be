package jtc_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
)

// controller is a twin of the controller for one joint with velocities in its state: it samples
// powers of time, as the controller does, and knows nothing of control points.
type controller struct {
	start  float64 // s: when the trajectory's time 0 is
	before state
	since  float64 // s: when before was
	points []motion.Waypoint
}

type state struct{ p, v float64 }

// power returns position and velocity of the spline between two states, u seconds after the
// first.
func power(a, b state, T, u float64, cubic bool) state {
	if !cubic {
		return state{a.p + (b.p-a.p)/T*u, (b.p - a.p) / T}
	}
	c2 := (-3*a.p + 3*b.p - 2*a.v*T - b.v*T) / (T * T)
	c3 := (2*a.p - 2*b.p + a.v*T + b.v*T) / (T * T * T)
	return state{a.p + a.v*u + c2*u*u + c3*u*u*u, a.v + 2*c2*u + 3*c3*u*u}
}

// sample is what the controller commands at time t.
func (c *controller) sample(t float64) state {
	n := len(c.points)
	of := func(i int) state { return state{p: c.points[i].Positions[0], v: first(c.points[i].Velocities)} }
	cubic := func(i int) bool { return len(c.points[i].Velocities) > 0 }
	if t < c.since {
		return state{p: c.before.p}
	}
	if t < c.start+c.points[0].Time {
		T := c.start + c.points[0].Time - c.since
		return power(c.before, of(0), T, t-c.since, cubic(0))
	}
	for i := range n - 1 {
		t0, t1 := c.start+c.points[i].Time, c.start+c.points[i+1].Time
		if t >= t0 && t < t1 {
			return power(of(i), of(i+1), t1-t0, t-t0, cubic(i) && cubic(i+1))
		}
	}
	return state{p: of(n - 1).p}
}

func first(row []float64) float64 {
	if len(row) == 0 {
		return 0
	}
	return row[0]
}

// drawPoints draws the points of one joint, with velocities in all or in none.
func drawPoints(t *rapid.T, label string) []motion.Waypoint {
	n := rapid.IntRange(1, 4).Draw(t, label+" points")
	cubic := rapid.Bool().Draw(t, label+" velocities")
	at := 0.0
	var points []motion.Waypoint
	for range n {
		at += rapid.Float64Range(0.1, 2).Draw(t, "dt")
		p := motion.Waypoint{Time: at, Positions: []float64{rapid.Float64Range(-2, 2).Draw(t, "p")}}
		if cubic {
			p.Velocities = []float64{rapid.Float64Range(-2, 2).Draw(t, "v")}
		}
		points = append(points, p)
	}
	return points
}

// A command replaces a running trajectory. Whenever the controller takes it over, before the
// handover ends, however far the robot lags behind, and whenever the controller began the first, it commands
// nothing outside the tube of the plan.
func TestReplacementStaysInTheTube(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := drawPoints(t, "first")
		began := seconds(rapid.Float64Range(0, 3).Draw(t, "began")).Seconds()
		settings, _ := jtc.ForDistribution("jazzy")
		settings.FromCommanded = rapid.Bool().Draw(t, "from commanded")
		old, err := settings.Plan(jtc.Command{Joints: a, Points: first}, jtc.Situation{Now: now.Add(-seconds(began)), Measured: at(row(0), row(0))})
		if err != nil {
			t.Fatal(err)
		}
		old.Sooner = seconds(rapid.Float64Range(0, 0.2).Draw(t, "sooner"))
		old.Later = seconds(rapid.Float64Range(0, 0.2).Draw(t, "later"))
		shift := rapid.Float64Range(-old.Sooner.Seconds(), old.Later.Seconds()).Draw(t, "shift")
		runs := &controller{start: shift - began, since: shift - began, points: first}
		lag := state{p: rapid.Float64Range(-0.1, 0.1).Draw(t, "lag"), v: rapid.Float64Range(-0.3, 0.3).Draw(t, "lag of velocity")}
		if settings.FromCommanded || old.Over(now) {
			lag = state{}
		}
		here := runs.sample(0)
		handover := seconds(rapid.Float64Range(0, 0.3).Draw(t, "handover")).Seconds()
		second := drawPoints(t, "second")
		c := jtc.Command{Joints: a, Points: second}
		if rapid.Bool().Draw(t, "stamped") {
			c.Stamp = now.Add(time.Duration(rapid.Float64Range(-0.05, 1).Draw(t, "stamp") * 1e9))
		}
		p, err := settings.Plan(c, jtc.Situation{
			Now: now, Handover: seconds(handover), Measured: at(row(here.p+lag.p), row(here.v+lag.v)), Running: old,
		})
		if err != nil {
			t.Skip(err)
		}
		if len(p.Motion.Gaps) > 0 {
			t.Skip("a gap")
		}
		// The controller, some time later.
		late := rapid.Float64Range(0, 1).Draw(t, "late") * handover
		from := runs.sample(late)
		new := &controller{start: late, since: late, points: second, before: state{from.p + lag.p, from.v + lag.v}}
		if !c.Stamp.IsZero() {
			new.start = c.Stamp.Sub(now).Seconds()
		}
		T := new.start + second[0].Time - late
		planned := new.start + second[0].Time // of the way to the first point
		if c.Stamp.IsZero() {
			planned = second[0].Time
		}
		for k := range 50 {
			s := float64(k) / 50
			got, want := new.sample(late+s*T).p, p.Motion.At(s * planned)[0]
			if d := math.Abs(got - want); d > p.Tube["a"]+1e-9 {
				t.Fatalf("after %g of the way the controller commands %g, the plan says %g within %g", s, got, want, p.Tube["a"])
			}
		}
		// And the rest of the trajectory.
		for k := range 50 {
			u := float64(k) / 50 * (second[len(second)-1].Time - second[0].Time)
			got, want := new.sample(new.start+second[0].Time+u).p, p.Motion.At(planned + u)[0]
			if d := math.Abs(got - want); d > 1e-9 && k > 0 {
				t.Fatalf("%g s after the first point the controller commands %g, the plan says %g", u, got, want)
			}
		}
	})
}
