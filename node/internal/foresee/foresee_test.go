package foresee

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Two joints that brake for different times: positions by the formulas of constant velocity and
// constant deceleration.
func TestBrake(t *testing.T) {
	d := chance.New(31, 7)
	for range 500 {
		s := Situation{Joints: []string{"a", "b"}, Position: []float64{d.In(-3, 3), d.In(-3, 3)}, Velocity: []float64{d.In(-2, 2), d.In(-2, 2)}}
		if d.IntN(4) == 0 {
			s.Velocity[d.IntN(2)] = 0
		}
		reaction, rate := d.In(0, 0.5), []float64{d.In(0.1, 5), d.In(0.1, 5)}
		if d.IntN(3) == 0 {
			reaction = 0
		}
		m, err := s.Brake(reaction, rate)
		if err != nil {
			t.Fatal(err)
		}
		longest := 0.0
		for i, v := range s.Velocity {
			longest = max(longest, math.Abs(v)/rate[i])
		}
		if want := reaction + longest; longest > 0 && math.Abs(m.Duration()-want) > 1e-9 {
			t.Fatalf("a stop of %g s, want %g", m.Duration(), want)
		}
		for range 20 {
			at := d.In(0, m.Duration())
			for i, x := range m.At(at) {
				v, braking := s.Velocity[i], max(0, min(at-reaction, math.Abs(s.Velocity[i])/rate[i]))
				want := s.Position[i] + v*min(at, reaction) + v*braking - math.Copysign(rate[i], v)*braking*braking/2
				if math.Abs(x-want) > 1e-9 {
					t.Fatalf("joint %d is at %g after %g s, want %g", i, x, at, want)
				}
			}
		}
	}
}

// Joints that come to stand at almost the same time: what lies between is shorter than numbers at
// that time can tell.
func TestBrakeOfAlmostEqualJoints(t *testing.T) {
	v := 0.002
	s := Situation{Joints: []string{"a", "b", "c"}, Position: []float64{1, 2, 3}, Velocity: []float64{v, math.Nextafter(v, 1), 5e-324}}
	m, err := s.Brake(0.006, []float64{20, 20, 20})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Duration(), 0.006+v/20; math.Abs(got-want) > 1e-15 {
		t.Errorf("the robot stands after %g s, want %g", got, want)
	}
}

func TestDrift(t *testing.T) {
	s := Situation{Joints: []string{"a"}, Position: []float64{3}, Velocity: []float64{2}}
	m, err := s.Drift(0.5)
	if err != nil {
		t.Fatal(err)
	}
	if x := m.At(0.25)[0]; x != 3.5 || m.Duration() != 0.5 || !m.KeepTurns {
		t.Errorf("at %g after half of %g s", x, m.Duration())
	}
	for _, span := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := s.Drift(span); err == nil {
			t.Errorf("a look-ahead of %g s", span)
		}
	}
	if _, err := s.Brake(0, []float64{0}); err == nil {
		t.Error("a joint without brake stops")
	}
	s.Velocity[0] = math.NaN()
	if _, err := s.Drift(1); err == nil {
		t.Error("a velocity that is not known")
	}
}

// A point on an arm of length 2 that turns at 3 rad/s moves at 6 m/s across it.
func TestClosingSpeed(t *testing.T) {
	s := Situation{Joints: []string{"turn", "slide"}, Position: []float64{0.5, 0}, Velocity: []float64{3, -1}}
	poses := func(q map[string]float64) (map[string]geom.Pose, error) {
		return map[string]geom.Pose{
			"arm":  {R: geom.AxisAngle(geom.Vec{Z: 1}, q["turn"])},
			"cart": geom.Translation(geom.Vec{X: q["slide"]}),
		}, nil
	}
	sin, cos := math.Sincos(0.5)
	across := geom.Vec{X: -sin, Y: cos}
	tip := Point{"arm", geom.Vec{X: 2 * cos, Y: 2 * sin}}
	for _, c := range []struct {
		a, b   Point
		normal geom.Vec
		want   float64
	}{
		{tip, Point{}, across, 6},
		{Point{}, tip, across, -6},
		{tip, Point{}, geom.Vec{X: cos, Y: sin}, 0},
		{tip, Point{"cart", geom.Vec{}}, geom.Vec{X: 1}, -6*sin + 1},
	} {
		got, err := s.ClosingSpeed(c.a, c.b, c.normal, poses)
		if err != nil || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%+v: %g (%v), want %g", c, got, err, c.want)
		}
	}
}

// A robot that follows a way and then brakes: positions by the way's polynomials, and by the formula
// of constant deceleration.
func TestFollow(t *testing.T) {
	d := chance.New(31, 8)
	for range 500 {
		way, err := motion.Spline([]string{"a", "b"}, []motion.Waypoint{
			{Positions: []float64{d.In(-1, 1), d.In(-1, 1)}, Velocities: []float64{d.In(-1, 1), d.In(-1, 1)}},
			{Time: d.In(0.1, 1), Positions: []float64{d.In(-1, 1), d.In(-1, 1)}, Velocities: []float64{d.In(-1, 1), d.In(-1, 1)}},
			{Time: d.In(1.1, 2), Positions: []float64{d.In(-1, 1), d.In(-1, 1)}, Velocities: []float64{0, 0}},
		})
		if err != nil {
			t.Fatal(err)
		}
		from, reaction, rate := d.In(0, way.Duration()), d.In(0, 0.5), []float64{d.In(0.1, 5), d.In(0.1, 5)}
		if d.IntN(3) == 0 {
			reaction = 0
		}
		if d.IntN(3) == 0 && from > 0.01 {
			if _, way, err = way.Split(from); err != nil {
				t.Fatal(err)
			}
		}
		m, err := Follow(way, from, reaction, rate)
		if err != nil {
			t.Fatal(err)
		}
		reaction = min(reaction, way.Duration()-from)
		const h = 1e-6
		for i := range way.Joints {
			x := way.At(from + reaction)[i]
			v := (way.At(from + reaction)[i] - way.At(from + reaction - h)[i]) / h
			if from+reaction-h < way.Pieces[0].Start {
				v = (way.At(from + reaction + h)[i] - x) / h
			}
			if from+reaction >= way.Duration() {
				v = 0
			}
			for range 20 {
				at := d.In(0, m.Duration())
				want := way.At(from + at)[i]
				if at > reaction {
					s := min(at-reaction, math.Abs(v)/rate[i])
					want = x + v*s - math.Copysign(rate[i], v)*s*s/2
				}
				if got := m.At(at)[i]; math.Abs(got-want) > 1e-3 {
					t.Fatalf("joint %d is at %g after %g s (reaction %g s), want %g", i, got, at, reaction, want)
				}
			}
		}
	}
	way, err := motion.Between([]string{"a"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Follow(way, 0, -1, []float64{1}); err == nil {
		t.Error("a reaction time below zero")
	}
	if _, err := Follow(way, 0, 1, nil); err == nil {
		t.Error("no deceleration")
	}
}
