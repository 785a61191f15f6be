package pairproof

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// rounds is n, or as many times n as the environment asks for.
func rounds(n int) int {
	return switches.Long.Times(n, 1)
}

// dice is a source of random robots; equal seeds give equal ones.
type dice struct{ chance.Dice }

func newDice(seed, i uint64) dice { return dice{chance.New(seed, i)} }

// shape is one of every kind that a link may have.
func (d dice) shape(size float64) *shape.Shape {
	s := &shape.Shape{Kind: shape.Kind(d.IntN(6)), Size: r3.Add(d.Vec(size/3), geom.Vec{X: size, Y: size, Z: size}), Radius: d.In(0.2, 0.6) * size, Length: d.In(0.5, 1.5) * size}
	switch d.IntN(3) {
	case 0:
		s.Kind, s.Mesh = shape.Mesh, elbow(size)
	case 1:
		s.Kind = shape.Box
	default:
		s.Kind = [...]shape.Kind{shape.Sphere, shape.Cylinder, shape.Capsule, shape.Cone}[d.IntN(4)]
	}
	return s
}

// elbow is a closed mesh that is not convex: an L whose arms are as long as size.
func elbow(size float64) *mesh.Mesh {
	thin := size / 5
	outline := []geom.Vec{{}, {X: size}, {X: size, Y: thin}, {X: thin, Y: thin}, {X: thin, Y: size}, {Y: size}}
	m := &mesh.Mesh{}
	for _, z := range []float64{-thin / 2, thin / 2} {
		for _, p := range outline {
			m.Vertices = append(m.Vertices, geom.Vec{X: p.X, Y: p.Y, Z: z})
		}
	}
	for _, c := range [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{c[0], c[2], c[1]}, [3]int32{c[0] + 6, c[1] + 6, c[2] + 6})
	}
	for i := range int32(6) {
		j := (i + 1) % 6
		m.Triangles = append(m.Triangles, [3]int32{i, j, j + 6}, [3]int32{i, j + 6, i + 6})
	}
	return m
}

// robot is a random tree of n joints with a shape on every link; some joints slide,
// some mimic another, some follow it the other way.
func (d dice) robot(n int, size, step float64) *urdf.Robot {
	one := func() []urdf.Collision {
		return []urdf.Collision{{PoseLS: d.Pose(step / 3), Shape: d.shape(size)}}
	}
	var hinges []hinge
	for i := range n {
		h := hinge{kind: urdf.Revolute, origin: d.Pose(step), axis: d.Unit(), parent: i, parts: one()}
		if d.IntN(4) == 0 {
			h.parent = d.IntN(i + 1)
		}
		if d.IntN(3) == 0 { // on the spot, so that the two overlap whatever the joint does
			h.origin, h.parts = d.Pose(0.02), ball(d.Pose(0.02), size)
		}
		switch d.IntN(6) {
		case 0:
			h.kind, h.lo, h.hi = urdf.Prismatic, d.In(-0.5, 0), d.In(0, 0.5)
		case 1:
			h.kind = urdf.Continuous
		default:
			h.lo, h.hi = d.In(-2.5, 0), d.In(0, 2.5)
		}
		if i > 0 && d.IntN(5) == 0 && hinges[i-1].mimics == 0 {
			h.mimics, h.mult, h.offset = i, d.In(-1.5, 1.5), d.In(-1, 1)
		}
		hinges = append(hinges, h)
	}
	return robotOf(one(), hinges...)
}

// turned is v turned about the unit axis by an angle, by Rodrigues' formula.
func turned(v, axis geom.Vec, angle float64) geom.Vec {
	s, c := math.Sincos(angle)
	return r3.Add(r3.Add(r3.Scale(c, v), r3.Scale(s, r3.Cross(axis, v))), r3.Scale((1-c)*r3.Dot(axis, v), axis))
}

// placed returns where the point x of a link is in the root link, for a state of
// the robot's variables by joint: a second implementation of the chain.
func placed(r *urdf.Robot, link int, x geom.Vec, position func(joint int) float64) geom.Vec {
	for {
		k := r.Links[link].ParentJoint
		if k < 0 {
			return x
		}
		j := &r.Joints[k]
		q := position(k)
		switch j.Type {
		case urdf.Prismatic:
			x = r3.Add(x, r3.Scale(q, j.Axis))
		case urdf.Revolute, urdf.Continuous:
			x = turned(x, j.Axis, q)
		}
		x = j.PosePC.Apply(x)
		link = j.Parent
	}
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
	sub, err := newSubject(r, rep, opt)
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
