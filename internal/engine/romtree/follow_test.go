package romtree

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Bounds of a pair that are taken from one configuration to the next hold, whatever the steps, and
// spare many searches where these are small.
func TestBoundsFollow(t *testing.T) {
	ctx := context.Background()
	looks, afresh, small := 0, 0, 0
	for seed := range uint64(60) {
		d := diceOf(9100 + seed)
		robot := d.robot(drawn{joints: 4 + d.IntN(5), endless: seed%8 == 3})
		switch seed % 4 {
		case 0, 2:
			robot = d.inRing()
		case 1:
			robot = seesaw(d)
		}
		m := modelOf(t, robot, nil, []float64{0, 0.005}[d.IntN(2)], nil)
		box := LimitsBox(m.Tree, nil)
		truth, cold, w := distance.New(m), distance.New(m), distance.New(m)
		q := d.configuration(box)
		for range 40 {
			if seed%4 != 3 && d.IntN(6) == 0 {
				clear(q)
			}
			step := []float64{0.003, 0.003, 0.02, 0.3, 2}[d.IntN(5)]
			for k := range q {
				q[k] += d.In(-step, step)
			}
			truth.At(ctx, q, false)
			cold.At(ctx, q, false)
			w.At(ctx, q, true)
			for i := range int32(len(m.Pairs)) {
				is := truth.Look(i, 1e9, 0, 0)
				limit, before, coldBefore := 0.6*is.Upper, w.Looks(), cold.Looks()
				if d.IntN(2) == 0 {
					limit = is.Upper * []float64{d.In(0.5, 3), d.In(1, 1.02)}[d.IntN(2)]
				}
				got := w.Look(i, limit, 0, 0.01)
				cold.Look(i, limit, 0, 0.01)
				if seed%2 == 0 && limit < is.Upper && step < 0.01 {
					looks, afresh = looks+w.Looks()-before, afresh+cold.Looks()-coldBefore
				}
				if got.Lower > is.Upper+1e-9 {
					t.Fatalf("seed %d, pair %d at %v: at least %.12g m apart, but it is %.12g", seed, i, q, got.Lower, is.Upper)
				}
				if got.Lower < limit && got.Upper > limit && got.Lower < 0.99*is.Upper-1e-9 {
					t.Fatalf("seed %d, pair %d at %v: %.12g to %.12g m, which is neither beyond %.12g nor close to %.12g", seed, i, q, got.Lower, got.Upper, limit, is.Upper)
				}
			}
			if step < 0.01 {
				small++
			}
		}
	}
	t.Logf("%d small steps: %d searches, %d where nothing is remembered", small, looks, afresh)
	if small < 100 || 2*looks > afresh {
		t.Errorf("%d small steps: %d searches, %d where nothing is remembered", small, looks, afresh)
	}
}

// inRing is a robot whose second link moves inside the first, which is a ring: only its mesh tells that
// they are apart.
func (d dice) inRing() *urdf.Robot {
	part := func(m *mesh.Mesh) func() []urdf.Collision {
		return func() []urdf.Collision {
			s := &shape.Shape{Kind: shape.Mesh, Mesh: &shape.TriangleMesh{Vertices: m.Vertices, Triangles: m.Triangles}}
			return []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: s}}
		}
	}
	arm := d.In(0.05, 1)
	return d.Robot(robots.Plan{
		Joints: 1, Kinds: []urdf.JointType{urdf.Revolute}, Axis: d.axis,
		Origin: func() geom.Pose { return geom.Pose{R: geom.IdentityPose().R, P: geom.Vec{X: 0.05 - arm}} },
		Base:   part(meshes.Ring(0.2)),
		Parts:  part(meshes.At(geom.Vec{X: arm}, meshes.Block(geom.Vec{X: 0.03, Y: 0.03, Z: []float64{0.03, 0.2}[d.IntN(2)]}))),
	})
}

// seesaw is a bar that turns about its middle above a plate: its ends come closer as fast as its ball
// allows.
func seesaw(d dice) *urdf.Robot {
	part := func(s *shape.Shape) func() []urdf.Collision {
		return func() []urdf.Collision { return []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: s}} }
	}
	return d.Robot(robots.Plan{
		Joints: 1, Kinds: []urdf.JointType{urdf.Revolute}, Axis: func() geom.Vec { return geom.Vec{Y: 1} },
		Origin: func() geom.Pose { return geom.Pose{R: geom.IdentityPose().R, P: geom.Vec{Z: 0.2}} },
		Base:   part(robots.Box(2, 2, 0.01)),
		Parts:  part(robots.Box(0.3, 0.01, 0.01)),
	})
}
