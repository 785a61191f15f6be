package motion_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Extrema worked out by hand.
func TestPeak(t *testing.T) {
	p := func(at, q, v float64) motion.Waypoint {
		return motion.Waypoint{Time: at, Positions: row(q), Velocities: row(v)}
	}
	// 4t - 4t²: at most 1 at half a second, from 4 rad/s to -4, -8 rad/s² throughout.
	hill := spline(t, oneJoint, p(0, 0, 4), p(1, 0, -4))
	// 3t² - 2t³ within two seconds, to 2: at most 1.5 rad/s half way, and 3 rad/s² at the start.
	step := spline(t, oneJoint, p(0, 0, 0), p(2, 2, 0))
	// The quintic from rest to rest within a second: 10t³ - 15t⁴ + 6t⁵. Its velocity is
	// 30t²(1-t)², 1.875 half way, its acceleration 60t(1-t)(1-2t), 10/sqrt(3) at (3-sqrt(3))/6.
	quintic := spline(t, oneJoint,
		motion.Waypoint{Positions: row(0), Velocities: row(0), Accelerations: row(0)},
		motion.Waypoint{Time: 1, Positions: row(1), Velocities: row(0), Accelerations: row(0)})
	line := spline(t, oneJoint, motion.Waypoint{Positions: row(0)}, motion.Waypoint{Time: 2, Positions: row(1)}, motion.Waypoint{Time: 3, Positions: row(-1)})
	for _, c := range []struct {
		name        string
		m           *motion.Motion
		derivative  int
		sign, above float64
		value, time float64
		piece       int
		none        bool
	}{
		{"highest", hill, 0, 1, 0, 1, 0.5, 0, false},
		{"not above", hill, 0, 1, 1, 0, 0, 0, true},
		{"lowest", hill, 0, -1, -1, 0, 0, 0, false},
		{"fastest", hill, 1, 1, 0, 4, 0, 0, false},
		{"fastest backwards", hill, 1, -1, 0, -4, 1, 0, false},
		{"slows down", hill, 2, -1, 0, -8, 0, 0, false},
		{"never speeds up", hill, 2, 1, 0, 0, 0, 0, true},
		{"velocity of a step", step, 1, 1, 0, 1.5, 1, 0, false},
		{"acceleration of a step", step, 2, 1, 0, 3, 0, 0, false},
		{"deceleration of a step", step, 2, -1, 0, -3, 2, 0, false},
		{"velocity of a quintic", quintic, 1, 1, 0, 1.875, 0.5, 0, false},
		{"acceleration of a quintic", quintic, 2, 1, 0, 10 / math.Sqrt(3), (3 - math.Sqrt(3)) / 6, 0, false},
		{"velocity of lines", line, 1, -1, 0, -2, 2, 1, false},
		{"acceleration of lines", line, 2, 1, 0, 0, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := c.m.Peak(0, c.derivative, c.sign, c.above)
			if found == c.none {
				t.Fatalf("found %t: %+v", found, got)
			}
			if math.Abs(got.Value-c.value) > 1e-12 || math.Abs(got.Time-c.time) > 1e-7 || got.Piece != c.piece {
				t.Errorf("%+v, want %g at %g s on %d", got, c.value, c.time, c.piece)
			}
		})
	}
}

// No sample is beyond the peak, and the peak is reached.
func TestPeakOfRandomSplines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var points []motion.Waypoint
		x := rapid.Float64Range(-3, 3)
		kind := rapid.IntRange(0, 2).Draw(t, "kind")
		for i := range rapid.IntRange(2, 4).Draw(t, "points") {
			p := motion.Waypoint{Time: float64(i) * 0.7, Positions: row(x.Draw(t, "q"))}
			if kind > 0 {
				p.Velocities = row(x.Draw(t, "v"))
			}
			if kind > 1 {
				p.Accelerations = row(x.Draw(t, "a"))
			}
			points = append(points, p)
		}
		m := spline(t, oneJoint, points...)
		for _, sign := range []float64{1, -1} {
			peak, found := m.Peak(0, 0, sign, math.Inf(-1))
			if !found || math.Abs(m.At(peak.Time)[0]-peak.Value) > 1e-9 {
				t.Fatalf("peak %+v of sign %g, where the joint is at %g", peak, sign, m.At(peak.Time)[0])
			}
			for k := range 2001 {
				at := m.Duration() * float64(k) / 2000
				if y := m.At(at)[0]; sign*y > sign*peak.Value+1e-12 {
					t.Fatalf("%g at %g s is beyond the peak %+v", y, at, peak)
				}
			}
		}
	})
}
