package ccd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A slide that goes to 4t - 4t² within a second, and one that follows it at -3 times that, less
// 0.5.
func TestExcesses(t *testing.T) {
	robot := chainOf(
		chainJoint{name: "slide", kind: urdf.Prismatic, axis: geom.Vec{Y: 1}, origin: geom.IdentityPose(), shape: ball(0.1), at: geom.IdentityPose()},
		chainJoint{name: "follower", kind: urdf.Prismatic, axis: geom.Vec{Y: 1}, origin: geom.Translation(geom.Vec{Y: 3}), shape: ball(0.1), at: geom.IdentityPose()},
		chainJoint{name: "wheel", kind: urdf.Continuous, axis: geom.Vec{Y: 1}, origin: geom.IdentityPose(), shape: ball(0.1), at: geom.IdentityPose()},
	)
	robot.Joints[0].Limit = urdf.Limit{Bounded: true, Lower: -1, Upper: 0.75, Velocity: 3}
	robot.Joints[1].Limit = urdf.Limit{Bounded: true, Lower: -3, Upper: 3, Velocity: 12}
	robot.Joints[1].Mimic = &urdf.Mimic{Joint: 0, Multiplier: -3, Offset: -0.5}
	robot.Joints[2].Limit = urdf.Limit{Velocity: 1}
	c := newChecker(t, robot, nil)
	points := []motion.Waypoint{
		{Positions: []float64{0, 3.1}, Velocities: []float64{4, 0}},
		{Time: 1, Positions: []float64{0, -3.1}, Velocities: []float64{-4, 0}},
	}
	m, err := motion.Spline([]string{"slide", "wheel"}, points)
	if err != nil {
		t.Fatal(err)
	}
	m.KeepTurns = true
	got, err := c.Excesses(m, map[string]float64{"slide": 7, "follower": 24})
	if err != nil {
		t.Fatal(err)
	}
	peak := func(value, time float64) motion.Peak { return motion.Peak{Value: value, Time: time} }
	want := []Excess{
		{"slide", PositionLimit, 0.75, peak(1, 0.5)},
		{"slide", VelocityLimit, 3, peak(4, 0)},
		{"slide", AccelerationLimit, 7, peak(-8, 0)},
		{"follower", PositionLimit, -3, peak(-3.5, 0.5)}, // 12 m/s is its limit, 24 m/s² its acceleration
		{"wheel", VelocityLimit, 1, peak(-9.3, 0.5)},     // 1.5 times 6.2 rad, as it keeps its turns
	}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-7)); d != "" {
		t.Error(d)
	}
	// A wheel that takes the short way between rows of a table turns by 0.08 rad.
	short, err := motion.Path([]string{"wheel"}, [][]float64{{3.1}, {-3.1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Excesses(short, nil); err != nil || len(got) > 0 {
		t.Errorf("the short way: %+v, %v", got, err)
	}
	if _, err := c.Excesses(&motion.Motion{}, nil); err == nil {
		t.Error("no motion: no error")
	}
}
