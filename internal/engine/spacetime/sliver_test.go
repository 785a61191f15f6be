package spacetime

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Bounds of motion hold for points of an element's ball, and the ball rule follows
// the centres of the hierarchy's balls: they must be in it.
func TestElementBallsHoldTheCentres(t *testing.T) {
	outliers := 0
	for i := range rounds(3000) {
		d := newDice(81, uint64(i))
		shape := robots.Mesh(meshes.Slivers(d.Dice.Dice.Dice, geom.Vec{X: 100}))
		if i%4 == 0 {
			shape = robots.Points(1e-3, shape.Mesh.Vertices...)
		}
		r := line(t, 0.1, robots.World(robots.Object("m", shape, robots.At(0, 0, 0))), 0, 1)
		e := &r.model.Elements[1]
		if e.Leaves == nil {
			continue
		}
		hull := 0.0 // what holds the points alone
		for _, p := range r.solidOf(1, 0).Points {
			hull = math.Max(hull, r3.Norm(r3.Sub(p, e.Center)))
		}
		for k := range e.Leaves.Tree.Nodes {
			center := e.Leaves.Tree.Nodes[k].Center
			out := exact.VecOf(center).Plus(exact.VecOf(e.Center).Scaled(exact.Of(-1))).Norm()
			if out.Exceeds(exact.Of(e.Radius)) {
				t.Fatalf("case %d: the ball about %v of radius %g leaves out the centre %v of node %d", i, e.Center, e.Radius, center, k)
			}
			if out.Exceeds(exact.Of(hull * (1 + 1e-9))) {
				outliers++
			}
		}
	}
	if outliers < 10 {
		t.Errorf("%d centres outside the hull of their points: the meshes test nothing", outliers)
	}
}

// The ball rule on such a mesh, turning about its own middle past a point.
func TestBallRuleOnSlivers(t *testing.T) {
	granting := 0
	for i := range rounds(watched(1500)) {
		d := newDice(82, uint64(i))
		m := meshes.Slivers(d.Dice.Dice.Dice, geom.Vec{X: 100})
		probe := line(t, 0.1, robots.World(robots.Object("m", robots.Mesh(m), robots.At(0, 0, 0))), 0, 1)
		e := &probe.model.Elements[1]
		if e.Leaves == nil {
			continue
		}
		// The node whose ball is farthest off.
		node, far := int32(0), geom.Vec{}
		for k := range e.Leaves.Tree.Nodes {
			if off := r3.Sub(e.Leaves.Tree.Nodes[k].Center, e.Center); r3.Norm(off) > r3.Norm(far) {
				node, far = int32(k), off
			}
		}
		for range 8 {
			spin := robots.Hinge{Kind: urdf.Revolute, Axis: d.Unit(), Parts: robots.Part(geom.Translation(r3.Scale(-1, e.Center)), robots.Mesh(m))}
			away, _ := geom.Unit(far) // on the other side of the mesh than the ball's middle
			beyond, _ := geom.Unit(r3.Sub(r3.Scale(0.7, d.Unit()), away))
			post := r3.Scale(r3.Norm(far)*d.In(0.5, 3)+e.Radius, beyond)
			turn := d.In(0.1, 1.2)
			r := newRig(t, robots.Of(nil, spin), robots.World(robots.Object("post", robots.Points(0, geom.Vec{}), geom.Translation(post))), 0, robots.Move([]float64{-turn, turn}))
			if got := r.ballRule(node, post); got >= 0 {
				granting++
				r.wantAway(t, i, node, post, got)
			}
		}
	}
	if granting < 200 {
		t.Errorf("the rule granted something in %d cases only", granting)
	}
}

// ballRule returns the clearance that the ball rule grants between a node of the
// first element and a point, over the whole motion.
func (r *rig) ballRule(node int32, post geom.Vec) float64 {
	r.place(0, 0.5, 0, 1)
	p := r.w.at.Pair(0)
	center, radius := volume.Ball(&r.model.Elements[0], node)
	at := p.A.Pose.Apply(center)
	return granted(func(clearance float64) bool {
		return ruletest.ApartBalls(r3.Sub(at, post), p.A.Vel.At(at), r.w.at.H, p.Accel, p.Far, radius, clearance, p.Slack)
	}, 1)
}

// wantAway holds what was granted against the node's vertices at sampled times.
func (r *rig) wantAway(t *testing.T, i int, node int32, post geom.Vec, granted float64) {
	t.Helper()
	body := restricted(r.solidOf(0, 0), &r.model.Elements[0], node)
	for k := range 51 {
		for _, x := range body.Points {
			if there := r3.Norm(r3.Sub(r.ToRoot(body.Link, 0, float64(k)/50, x), post)); there < granted-1e-9 {
				t.Fatalf("case %d: grants %g, but only %g is there", i, granted, there)
			}
		}
	}
}
