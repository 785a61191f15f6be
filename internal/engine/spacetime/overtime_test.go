package spacetime

import (
	"fmt"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// waving is a wrist, or one before hollow objects, or an arm of other shapes between such, and a motion of it.
func (d dice) waving(t testing.TB) *rig {
	robot, world := d.wrist(), robots.World()
	if d.IntN(3) > 0 {
		for k := range 1 + d.IntN(3) {
			o := robots.Object(fmt.Sprint("o", k), d.hollow(), d.Pose(0.6))
			o.Padding = [...]float64{0, 0.01}[d.IntN(2)]
			world.Objects = append(world.Objects, o)
		}
	}
	if d.IntN(3) == 0 {
		hinge := robots.Hinge{Kind: urdf.Revolute, Axis: d.Unit(), Origin: d.Pose(0.2), Parts: robots.Part(d.Pose(0.1), d.shape(d.Spread(0.05, 0.3)))}
		slide := robots.Hinge{Kind: urdf.Prismatic, Axis: d.Unit(), Parent: 1, Parts: robots.Part(d.Pose(0.3), d.hollow())}
		robot = robots.Of(nil, hinge, slide)
	}
	var ctrl [][]float64
	size := d.Spread(0.003, 2)
	for range len(robot.Joints) {
		q := d.In(-1.5, 1.5)
		if d.IntN(2) == 0 {
			ctrl = append(ctrl, []float64{q, q + d.In(-size, size)})
		} else {
			ctrl = append(ctrl, []float64{q, q + d.In(-size, size), q + d.In(-size, size), q + d.In(-size, size)})
		}
	}
	return newRig(t, robot, world, 0, robots.Move(ctrl...))
}

// The distance over time of hollow links and objects is within its bounds. It is searched on steps, whose bounds are
// joined where that keeps them close enough.
func TestProfilesOnSteps(t *testing.T) {
	var rows, spans, touching, world, self int
	for i := range rounds(100) {
		d := newDice(93, uint64(i))
		r := d.waving(t)
		if len(r.model.Pairs) == 0 {
			continue
		}
		if v := r.check(motion.Query{Question: motion.IsFree}); v.Status != motion.Free && d.IntN(6) > 0 {
			continue
		}
		q := motion.ProfileQuery{Tolerance: []float64{0, 3e-4, 3e-3, 2e-2}[d.IntN(4)]}
		r.w.stepped.placed = [2]float64{}
		p := r.profile(t, q)
		if p.Reason != "" {
			t.Fatalf("motion %d: %s", i, p.Reason)
		}
		r.holdProfile(t, fmt.Sprint("motion ", i), q, &p)
		if again := r.profile(t, q); len(again.Spans) != len(p.Spans) || again.Work != p.Work || again.Spans[len(p.Spans)/2] != p.Spans[len(p.Spans)/2] {
			t.Errorf("motion %d: asked again %d spans, %+v, at first %d, %+v", i, len(again.Spans), again.Work, len(p.Spans), p.Work)
		}
		if r.w.stepped.placed != [2]float64{} {
			rows++
		}
		if l := r.w.stepped.lanes; l != nil && l.Less != [lanes.Times]float64{} {
			t.Fatalf("motion %d: the next question asks for less than its clearance: %v", i, l.Less)
		}
		for k := range p.Spans {
			switch s := &p.Spans[k]; {
			case s.Lower == [2]float64{}:
				touching++
			case s.At.Pair.World():
				world++
			default:
				self++
			}
		}
		spans += len(p.Spans)
	}
	if t.Logf("%d on steps, %d spans; %d touching, %d close to the world, %d to itself", rows, spans, touching, world, self); rows < 30 || spans < 300 || touching < 30 || world < 100 || self < 100 {
		t.Error("a poor test")
	}
}

// What gets inside a solid within a step, and out of it, is at distance 0 in between: what was proved of later steps holds of surfaces
// alone.
func TestProfileOfWhatGetsInsideInAStep(t *testing.T) {
	inside, apart := 0, 0
	for i := range rounds(40) {
		d := newDice(94, uint64(i))
		solid := robots.Mesh(meshes.Elbow(1))
		slide := robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Origin: robots.At(0, d.In(0.2, 0.8), d.In(-0.09, 0.09)), Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.01))}
		r := newRig(t, robots.Of(nil, slide), robots.World(robots.Object("L", solid, robots.At(0, 0, 0))), 0, robots.Move([]float64{-d.In(0.5, 3), d.In(1.5, 4)}))
		p := r.profile(t, motion.ProfileQuery{})
		r.holdProfile(t, fmt.Sprint("slide ", i), motion.ProfileQuery{}, &p)
		for k := range p.Spans {
			if s := &p.Spans[k]; s.At.Distance == 0 {
				inside++
			} else if s.Lower[0] > 0 {
				apart++
			}
		}
	}
	if t.Logf("%d spans inside, %d apart", inside, apart); inside < 20 || apart < 20 {
		t.Error("a poor test")
	}
}
