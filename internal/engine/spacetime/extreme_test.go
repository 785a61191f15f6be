package spacetime

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Whatever the size of a motion's numbers, it is not free where it passes through an
// obstacle, at a time that is known, nor is anything there at a distance.
func TestNothingIsProvedOfExtremeMotions(t *testing.T) {
	for i := range rounds(watched(200)) {
		d := newDice(97, uint64(i))
		size := math.Pow(10, d.In(0, 308))
		if d.IntN(3) == 0 {
			size = math.Pow(10, d.In(150, 160))
		}
		kind := [...]urdf.JointType{urdf.Prismatic, urdf.Prismatic, urdf.Revolute}[d.IntN(3)]
		arm := robots.Hinge{Kind: kind, Axis: ez, Parts: robots.Part(robots.At(1, 0, 0), robots.Ball(0.1))}
		twin := robots.Hinge{Kind: kind, Axis: ez, Parts: robots.Part(robots.At(1, 0, 0.05), robots.Ball(0.1)), Mimics: 1, Mult: [...]float64{1, -1, 1e6}[d.IntN(3)]}
		robot := robots.Of(nil, arm)
		if d.IntN(2) == 0 {
			robot = robots.Of(nil, arm, twin)
		}
		r := newRig(t, robot, robots.World(robots.Object("ball", robots.Ball(0.1), robots.At(1, 0, 0))), 0, robots.Move([]float64{-1, 1}))
		r.bindAnySize(t, robots.Move([]float64{-size, size}))
		budget := 20 * time.Millisecond
		for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
			v := r.check(motion.Query{Question: question, Budget: budget})
			if v.Status == motion.Free || v.ProvenUntil > 0.5+1e-9 {
				t.Errorf("motion %d: %v from %g to %g, question %v: %v, free until %g", i, kind, -size, size, question, v.Status, v.ProvenUntil)
			}
		}
		p, err := r.w.Profile(context.Background(), r.bound, motion.ProfileQuery{Tolerance: 0.01, Budget: budget})
		if b := p.Bounds(0.5); err == nil && !(b.Lo <= 1e-6) {
			t.Errorf("motion %d: %v from %g to %g: at least %g apart", i, kind, -size, size, b.Lo)
		}
		r.holdDistance(t, size)
	}
}

// holdDistance holds the distance at an extreme configuration against that of a ball on
// a slide; of an arm it is at most 2.
func (r *rig) holdDistance(t *testing.T, size float64) {
	t.Helper()
	out, err := r.w.Distances(context.Background(), []float64{size}, motion.DistanceQuery{NoSelf: true})
	if err != nil {
		return
	}
	most := 2.0
	if r.Robot.Joints[0].Type == urdf.Prismatic {
		most = math.Max(0, size-0.2)
	}
	if b := out.World; !(b.Lo <= most) || !(b.Hi >= b.Lo) || len(out.Pairs) != 1 || math.IsInf(out.Pairs[0].Bounds.Hi, 0) {
		t.Errorf("%v at %g: a distance in %v, %d pairs", r.Robot.Joints[0].Type, size, b, len(out.Pairs))
	}
	pairs := r.w.Touching([]float64{size})
	for _, p := range pairs {
		if size > 10 && r.Robot.Joints[0].Type == urdf.Prismatic && r.model.Bodies[p[1]].Kind == motion.WorldObject {
			t.Errorf("at %g bodies %v touch", size, p)
		}
	}
}
