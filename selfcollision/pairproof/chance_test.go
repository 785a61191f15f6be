package pairproof

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// rounds is n, or as many times n as the environment asks for.
func rounds(n int) int {
	return switches.Long.Times(n, 1)
}

// dice is a source of random robots; equal seeds give equal ones.
type dice struct{ robots.Dice }

func newDice(seed, i uint64) dice { return dice{robots.NewDice(seed, i)} }

// shape is one of every kind that a link may have, a third of them meshes and a third
// boxes, none of them small.
func (d dice) shape(size float64) *shape.Shape {
	r, l := d.In(0.2, 0.6)*size, d.In(0.5, 1.5)*size
	switch d.IntN(3) {
	case 0:
		return robots.Mesh(meshes.Elbow(size))
	case 1:
		side := func() float64 { return size * (1 + d.In(-1, 1)/3) }
		return robots.Box(side(), side(), side())
	}
	kind := [...]shape.Kind{shape.Sphere, shape.Cylinder, shape.Capsule, shape.Cone}[d.IntN(4)]
	return &shape.Shape{Kind: kind, Radius: r, Length: l}
}

// robot is a random tree of n joints with a shape on every link; some joints slide,
// some mimic another, some follow it the other way.
func (d dice) robot(n int, size, step float64) *urdf.Robot {
	one := func() []urdf.Collision { return robots.Part(d.Pose(step/3), d.shape(size)) }
	r := d.Robot(robots.Plan{
		Joints: n,
		Kinds:  []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Prismatic, urdf.Continuous},
		Branch: 4, Mimic: 5, Gear: 1.5, Odd: 15,
		Origin: func() geom.Pose { return d.Pose(step) },
		Axis:   d.Unit,
		Limit: func(t urdf.JointType) urdf.Limit {
			most := 2.5
			if t == urdf.Prismatic {
				most = 0.5
			}
			return urdf.Limit{Bounded: true, Lower: d.In(-most, 0), Upper: d.In(0, most)}
		},
		Parts: one, Base: one,
	})
	for i := range r.Joints {
		if d.IntN(3) == 0 { // on the spot, so that the two overlap whatever the joint does
			r.Joints[i].PosePC, r.Links[i+1].Collisions = d.Pose(0.02), ball(d.Pose(0.02), size)
		}
	}
	return r
}

// placed returns where the point x of a link is in the root link, for positions of the
// joints, by the twin.
func placed(r *urdf.Robot, link int, x geom.Vec, position func(joint int) float64) geom.Vec {
	return twin.Lift(r, link, r.Root, x, position)
}

// positions tells every joint's position for positions of the pair's variables, the
// others at rest.
func (p *problem) positions(q []float64) func(joint int) float64 {
	state := p.state(q)
	return func(k int) float64 {
		j, lead := &p.robot.Joints[k], k
		if j.Mimic != nil {
			lead = j.Mimic.Joint
		}
		d := p.m.Tree.DofIndex(p.robot.Joints[lead].Name)
		if d < 0 {
			return 0
		}
		if j.Mimic != nil {
			return j.Mimic.Multiplier*state[d] + j.Mimic.Offset
		}
		return state[d]
	}
}

// rig is one pair of a random robot with scratch for it.
type rig struct {
	*scratch
	p *Pair
}

// newRig takes up one pair of a robot.
func newRig(t testing.TB, r *urdf.Robot, a, b int, opt Options) *rig {
	t.Helper()
	opt.Only = map[[2]int]bool{{a, b}: true}
	ps := problemsOf(t, r, opt)
	if len(ps) != 1 {
		t.Fatalf("%d pairs", len(ps))
	}
	return rigOf(ps[0])
}

func problemsOf(t testing.TB, r *urdf.Robot, opt Options) []*problem {
	t.Helper()
	rep, err := emptyReport(r, opt)
	if err != nil {
		t.Fatal(err)
	}
	sub, err := newSubject(t.Context(), r, rep, opt)
	if err != nil {
		t.Fatal(err)
	}
	return sub.problems()
}

// rigOf takes up a pair.
func rigOf(p *problem) *rig {
	s := newScratch(p.subject)
	s.stop = func() bool { return false }
	out := p.report()
	s.begin(p, &out)
	return &rig{s, &out}
}

// box is a random part of the joint box.
func (g *rig) box(d dice, most float64) cell {
	b := cell{share: 1}
	for i := range g.vars {
		lo, hi := d.In(g.lo[i], g.hi[i]), d.In(g.lo[i], g.hi[i])
		lo, hi = math.Min(lo, hi), math.Max(lo, hi)
		c, h := (lo+hi)/2, math.Min((hi-lo)/2, most)
		b.c, b.d = append(b.c, c), append(b.d, h)
	}
	return b
}

// sample is a random configuration of a box: inside, on a face, at a corner.
func (b *cell) sample(d dice) []float64 {
	q := make([]float64, len(b.c))
	kind := d.IntN(3)
	for i := range q {
		x := d.In(-1, 1)
		if kind == 0 || kind == 1 && d.IntN(2) == 0 {
			x = math.Copysign(1, x)
		}
		q[i] = b.c[i] + x*b.d[i]
	}
	return q
}
