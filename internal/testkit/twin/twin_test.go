package twin_test

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The two twins, which share no formula but Rodrigues', place points alike.
func TestTwinsAgree(t *testing.T) {
	for i := range uint64(100) {
		d := robots.NewDice(1, i)
		r := d.Robot(robots.Plan{
			Joints: 1 + d.IntN(6), Kinds: []urdf.JointType{urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Fixed}, Odd: 6,
			Origin: func() geom.Pose { return geom.Pose{R: geom.Identity(), P: d.Vec(1)} },
			Parts:  func() []urdf.Collision { return nil },
		})
		m := twin.Moving{Robot: r, Motion: d.Motion(r, robots.Travel{Pieces: 1})}
		s, c := d.Float64(), d.Float64()
		at := func(s float64) []exact.Link {
			pos := m.Positions(0, s)
			var chain exact.Chain
			for k := range r.Joints {
				j := exact.Joint{Parent: r.Joints[k].Parent, Kind: r.Joints[k].Type, XYZ: r.Joints[k].PosePC.P, Axis: r.Joints[k].Axis}
				if j.Kind != urdf.Fixed {
					j.Ctrl = []float64{pos(k)}
				}
				chain = append(chain, j)
			}
			return chain.Links(0)
		}
		now, then := at(s), at(c)
		x := d.Vec(1)
		link := 1 + d.IntN(len(r.Joints))
		world := now[link].Pose.Apply(exact.VecOf(x))
		if off := world.Off(m.ToRoot(link, 0, s, x)).Float(); off > 1e-12 {
			t.Errorf("robot %d: link %d is off by %g", i, link, off)
		}
		base := d.IntN(len(r.Links))
		seen := then[base].Pose.Apply(now[base].Pose.ApplyInv(world))
		if off := seen.Off(m.Seen(link, base, 0, s, c, x)).Float(); off > 1e-11 {
			t.Errorf("robot %d: link %d seen from link %d is off by %g", i, link, base, off)
		}
		if off := seen.Off(m.Pose(link, base, 0, s, c).Apply(x)).Float(); off > 1e-11 {
			t.Errorf("robot %d: the pose of link %d seen from link %d is off by %g", i, link, base, off)
		}
		if turn := twin.Turn(d.Unit(), d.In(-9, 9)); math.Abs(geom.Norm(turn.Apply(x))-geom.Norm(x)) > 1e-14 {
			t.Errorf("robot %d: a turn changes a length", i)
		}
	}
}

func TestPartingLink(t *testing.T) {
	hinge := func(parent int) robots.Hinge {
		return robots.Hinge{Parent: parent, Kind: urdf.Revolute, Axis: geom.Vec{Z: 1}}
	}
	r := robots.Of(nil, hinge(0), hinge(1), hinge(1), hinge(3), hinge(0))
	for _, c := range [][3]int{{2, 4, 1}, {4, 2, 1}, {4, 5, 0}, {3, 4, 3}, {0, 4, 0}, {2, 2, 2}} {
		if got := twin.Parting(r, c[0], c[1]); got != c[2] {
			t.Errorf("links %d and %d part at %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// Points of a solid are in its shape, and the gap between two is that of their hulls.
func TestSolids(t *testing.T) {
	r := robots.Of(robots.Part(robots.At(0, 0, 0), robots.Box(1, 1, 1)), robots.Hinge{Kind: urdf.Prismatic, Axis: geom.Vec{X: 1}, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.25))})
	m := twin.Moving{Robot: r, Motion: robots.Move([]float64{1, 3})}
	a := twin.SolidOf(0, robots.At(0, 0, 0), robots.Box(1, 1, 1), 0.5)
	b := twin.SolidOf(1, robots.At(0, 0, 0), robots.Ball(0.25), 0)
	if gap := m.Gap(geom.Vec{X: 1}, &a, &b, 0, 0, 0.5, 0.5); math.Abs(gap-(2-0.25-1)) > 1e-15 {
		t.Errorf("gap %g", gap)
	}
	for i := range uint64(100) {
		d := robots.NewDice(2, i)
		s := d.Shape(1, robots.Cylinder, robots.Cone, robots.Capsule)
		solid := twin.SolidOf(0, geom.IdentityPose(), s, 0)
		for _, p := range solid.Points {
			if math.Abs(p.Z) > s.Length/2 || math.Hypot(p.X, p.Y) > s.Radius*(1+1e-15) {
				t.Errorf("%v is not in %+v", p, s)
			}
		}
		if top := m.Highest(geom.Vec{Z: 1}, &solid, 0, 0, 0, 0); top < s.Length/2 {
			t.Errorf("as high as %g, want %g", top, s.Length/2)
		}
	}
}
