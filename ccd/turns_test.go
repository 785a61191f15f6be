package ccd

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// wantContactByAll asks every method for the first contact, which is between early
// and toc.
func wantContactByAll(t *testing.T, c *Checker, m *motion.Motion, toc, early float64) {
	t.Helper()
	for _, by := range everyMethod {
		v, err := c.Check(context.Background(), m, motion.Query{Method: by})
		if err != nil {
			t.Fatal(by, err)
		}
		if v.Status != motion.Contact || v.TOC.Lo > toc || v.TOC.Hi < toc-early {
			t.Errorf("%v: %v in [%g, %g] (%s), want a contact at %g", by, v.Status, v.TOC.Lo, v.TOC.Hi, v.Reason, toc)
		}
	}
}

func wantFreeByAll(t *testing.T, c *Checker, m *motion.Motion) {
	t.Helper()
	for _, by := range everyMethod {
		v, err := c.Check(context.Background(), m, motion.Query{Method: by})
		if err != nil {
			t.Fatal(by, err)
		}
		if v.Status != motion.Free {
			t.Errorf("%v: %v in [%g, %g] (%s), want free", by, v.Status, v.TOC.Lo, v.TOC.Hi, v.Reason)
		}
	}
}

func path(t *testing.T, joints []string, waypoints ...[]float64) *motion.Motion {
	t.Helper()
	m, err := motion.Path(joints, waypoints, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// screw is a continuous joint and a nut on it, along x.
func screw(kind urdf.JointType, axis geom.Vec, m *urdf.Mimic, at geom.Pose) *urdf.Robot {
	return chainOf(
		chainJoint{name: "s", kind: urdf.Continuous, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}},
		chainJoint{name: "n", kind: kind, origin: geom.IdentityPose(), axis: axis, shape: ball(0.05), at: at, mimic: m},
	)
}

// A continuous joint takes no short way where a joint that follows it would be
// somewhere else for it: at the waypoint the nut is where the numbers put it.
func TestShortWayKeepsWhatFollows(t *testing.T) {
	// The nut goes to 0.5; the short way would take it to -0.128.
	nut := screw(urdf.Prismatic, geom.Vec{X: 1}, &urdf.Mimic{Multiplier: 0.1}, geom.IdentityPose())
	c := newChecker(t, nut, worldOf(object("post", ball(0.05), pose(0.5, 0, 0))))
	wantContactByAll(t, c, path(t, []string{"s"}, []float64{0}, []float64{5}), 0.8, 1e-5)
	wantContactByAll(t, c, path(t, []string{"s", "n"}, []float64{0, 0}, []float64{5, 0.5}), 0.8, 1e-5)

	behind := newChecker(t, nut, worldOf(object("post", ball(0.05), pose(-0.13, 0, 0))))
	wantFreeByAll(t, behind, path(t, []string{"s"}, []float64{0}, []float64{5}))

	// A gear of a quarter: at 4 the follower is at 1 rad, about an axis across.
	gear := screw(urdf.Revolute, geom.Vec{X: 1}, &urdf.Mimic{Multiplier: 0.25}, pose(0, 1, 0))
	// Both turn about x: the ball is at s + s/4 = 5 rad in the end.
	c = newChecker(t, gear, worldOf(object("post", ball(0.05), pose(0, math.Cos(4.9), math.Sin(4.9)))))
	toc := (4.9 - 2*math.Asin(0.05)) / 5
	wantContactByAll(t, c, path(t, []string{"s"}, []float64{0}, []float64{4}), toc, 1e-5)

	// A gear of two comes back after a turn: the short way is taken, s + 2 s from 0 to
	// 3 (4 - 2 pi).
	twice := screw(urdf.Revolute, geom.Vec{X: 1}, &urdf.Mimic{Multiplier: 2}, pose(0, 1, 0))
	c = newChecker(t, twice, worldOf(object("post", ball(0.05), pose(0, math.Cos(-5), math.Sin(-5)))))
	wantContactByAll(t, c, path(t, []string{"s"}, []float64{0}, []float64{4}), (5-2*math.Asin(0.05))/(3*(2*math.Pi-4)), 1e-5)
}

// Half a turn goes in the direction of the numbers, as planners have it.
func TestHalfATurnGoesDirectly(t *testing.T) {
	wheel := chainOf(chainJoint{name: "w", kind: urdf.Continuous, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(0.05), at: pose(1, 0, 0)})
	above := newChecker(t, wheel, worldOf(object("post", ball(0.05), pose(0, 1, 0))))
	below := newChecker(t, wheel, worldOf(object("post", ball(0.05), pose(0, -1, 0))))
	toc := 0.5 - 2*math.Asin(0.05)/math.Pi
	joint := []string{"w"}
	wantContactByAll(t, above, path(t, joint, []float64{0}, []float64{math.Pi}), toc, 1e-5)
	wantFreeByAll(t, below, path(t, joint, []float64{0}, []float64{math.Pi}))
	wantContactByAll(t, above, path(t, joint, []float64{math.Pi}, []float64{0}), toc, 1e-5)
	wantContactByAll(t, below, path(t, joint, []float64{0}, []float64{-math.Pi}), toc, 1e-5)
	wantFreeByAll(t, above, path(t, joint, []float64{0}, []float64{-math.Pi}))
}

// A drum that is told the angle of its encoder, 20 ways of 2.5 rad, drives a slide on
// a turret: the slide is where the numbers put it, and the bounds know how far it
// gets.
func TestReachOfWhatADrumDrives(t *testing.T) {
	crane := chainOf(
		chainJoint{name: "drum", kind: urdf.Continuous, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}},
		chainJoint{name: "turret", kind: urdf.Revolute, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}},
		chainJoint{name: "slide", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: ball(0.05), at: geom.IdentityPose(), mimic: &urdf.Mimic{Multiplier: 0.1, Offset: 1}},
	)
	crane.Joints[1].Limit = urdf.Limit{Bounded: true, Lower: -4, Upper: 4}
	var way [][]float64
	for i := range 21 {
		way = append(way, []float64{math.Remainder(2.5*float64(i), 2*math.Pi), 0})
	}
	drum := way[20][0]
	way = append(way, []float64{drum, 3})
	r := 1 + 0.1*drum
	at := drum + 1
	c := newChecker(t, crane, worldOf(object("post", ball(0.001), pose(r*math.Cos(at), r*math.Sin(at), 0))))
	m := path(t, []string{"drum", "turret"}, way...)
	end, err := c.Distance(context.Background(), map[string]float64{"drum": drum, "turret": 1}, motion.DistanceQuery{})
	if err != nil || end.Pairs[0].Distance != 0 {
		t.Fatalf("the slide should touch the post at a configuration on the way: %v, %v", end.Pairs, err)
	}
	wantContactByAll(t, c, m, 20+(1-2*math.Asin(0.0255/r))/3, 1e-4)
}
