package pairproof

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Rounding: the bounds of a box of no width, and of a box's corners, held against
// the chain in numbers of 300 bits.

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }

func plus(a, b *big.Float) *big.Float  { return exactly(0).Add(a, b) }
func times(a, b *big.Float) *big.Float { return exactly(0).Mul(a, b) }

// bigVec is a vector in numbers of 300 bits.
type bigVec [3]*big.Float

func bigOf(v geom.Vec) bigVec { return bigVec{exactly(v.X), exactly(v.Y), exactly(v.Z)} }

func (a bigVec) plus(b bigVec) bigVec {
	return bigVec{plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])}
}

func (a bigVec) scale(k *big.Float) bigVec {
	return bigVec{times(a[0], k), times(a[1], k), times(a[2], k)}
}

func (a bigVec) dot(b bigVec) *big.Float {
	return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))
}

func (a bigVec) cross(b bigVec) (c bigVec) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = exactly(0).Sub(times(a[j], b[k]), times(a[k], b[j]))
	}
	return c
}

// bigSinCos sums the series, for angles of a few turns.
func bigSinCos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = exactly(0), exactly(0)
	term := exactly(1)
	for k := range 200 {
		to := cos
		if k%2 == 1 {
			to = sin
		}
		if k%4 < 2 {
			to.Add(to, term)
		} else {
			to.Sub(to, term)
		}
		term = exactly(0).Quo(times(term, x), exactly(float64(k+1)))
	}
	return sin, cos
}

// bigTurned is v turned about an axis, which is made a unit vector first.
func bigTurned(v, axis bigVec, angle *big.Float) bigVec {
	axis = axis.scale(exactly(0).Quo(exactly(1), exactly(0).Sqrt(axis.dot(axis))))
	s, c := bigSinCos(angle)
	along := times(axis.dot(v), exactly(0).Sub(exactly(1), c))
	return v.scale(c).plus(axis.cross(v).scale(s)).plus(axis.scale(along))
}

// bigPlaced is where a point of a link is in the root link; joints' own frames are
// not turned.
func bigPlaced(r *urdf.Robot, link int, x bigVec, position func(int) *big.Float) bigVec {
	for k := r.Links[link].ParentJoint; k >= 0; k = r.Links[link].ParentJoint {
		j := &r.Joints[k]
		if j.Type == urdf.Prismatic {
			x = x.plus(bigOf(j.Axis).scale(position(k)))
		} else {
			x = bigTurned(x, bigOf(j.Axis), position(k))
		}
		x = x.plus(bigOf(j.PosePC.P))
		link = j.Parent
	}
	return x
}

func TestSlackCoversRounding(t *testing.T) {
	worst := 0.0
	for i := range rounds(120) {
		d := newDice(61, uint64(i))
		far := math.Pow(10, d.In(0, 5))
		point := func() []urdf.Collision { return ball(geom.Translation(d.Vec(far)), 0x1p-60) }
		var hinges []hinge
		for k := range 1 + d.IntN(4) {
			h := hinge{parent: k, kind: urdf.Revolute, origin: geom.Translation(d.Vec(far)), axis: d.Unit(), lo: -3, hi: 3, parts: point()}
			if d.IntN(4) == 0 {
				h.kind = urdf.Prismatic
			}
			hinges = append(hinges, h)
		}
		robot := robotOf(point(), hinges...)
		g := newRig(t, robot, 0, len(hinges), Options{})
		b := g.box(d, []float64{0, 0, 1e-9}[d.IntN(3)])
		n := d.Unit()
		l, s := g.sides(&b, d.IntN(2))
		bound := gapInBox(n, &l.side, &s.side)
		q := make([]float64, len(b.c))
		for v := range q {
			q[v] = b.c[v] + math.Copysign(b.d[v], d.In(-1, 1))
		}
		pos := g.positions(q)
		at := func(link int) bigVec {
			return bigPlaced(robot, link, bigOf(robot.Links[link].Collisions[0].PoseLS.P), func(k int) *big.Float { return exactly(pos(k)) })
		}
		gap := exactly(0).Sub(bigOf(n).dot(at(len(hinges))), bigOf(n).dot(at(0)))
		over, _ := exactly(0).Sub(exactly(bound), gap).Float64() // with both slacks in bound
		slack := l.slack + s.slack
		if over > 0 {
			t.Fatalf("chain %d: the bound is %g too much, with slack %g", i, over, slack)
		}
		if b.d[0] == 0 {
			worst = math.Max(worst, math.Abs(over+slack)/slack)
		}
	}
	t.Logf("errors up to %.3g of the slack", worst)
	if worst < 1e-5 || worst > 1 {
		t.Error("no chain came near its slack, or one beyond: the campaign tests nothing")
	}
}

// Every term of the slack, alone.
func TestSlackHasEveryTerm(t *testing.T) {
	robot := robotOf(nil, hinge{kind: urdf.Prismatic, axis: ez, lo: -1, hi: 1, parts: ball(at(0, 2, 0), 1)}, hinge{kind: urdf.Fixed, parts: ball(at(0, 0, 9), 1)})
	const rho, joints = 3, 4
	const p, x = 2 + rho, 5 + 2 + rho
	for _, c := range []struct {
		name string
		set  func(g *rig)
		want float64
	}{
		{"position, of the point and of the origins", func(g *rig) { g.st.ErrP[1] = 1 }, 1 + 2*joints},
		{"rotation, of the point and of the axes", func(g *rig) { g.st.ErrR[1] = 1 }, p + 10*joints*x},
		{"the element's position", func(g *rig) { g.m.Elements[0].ErrP = 1 }, 1},
		{"the element's rotation", func(g *rig) { g.m.Elements[0].ErrR = 1 }, rho},
		{"arithmetic", func(*rig) {}, (160*p + 80*x + 256*joints*x) * u},
	} {
		g := newRig(t, robot, 1, 2, Options{})
		e := &g.m.Elements[0]
		e.ErrP, e.ErrR, e.PoseFE = 0, 0, at(0, 2, 0)
		g.st.ErrP[1], g.st.ErrR[1], g.st.Far[1] = 0, 0, 5
		c.set(g)
		if got := slackOf(g.st, e, joints, rho); !(got >= 2*c.want*(1-1e-9)) {
			t.Errorf("%s: slack %g, want %g", c.name, got, 2*c.want)
		}
	}
}

// Points that stay inside by just so much, and not by less.
func TestAnchorsWander(t *testing.T) {
	o := geom.Vec{}
	slide := joint{prismatic: true, delta: 0.25, axis: ez}
	turn := joint{axis: ez, delta: math.Pi, chord: 2}
	for _, c := range []struct {
		name string
		x    geom.Vec
		path []joint
		want float64
	}{
		{"nothing moves", geom.Vec{X: 1}, nil, 0},
		{"on the axis", geom.Vec{Z: 7}, []joint{turn}, 0},
		{"beside it", geom.Vec{X: 0.5}, []joint{turn}, 1},
		{"a slide", o, []joint{slide}, 0.25},
		{"a slide away from the axis of a turn", o, []joint{slide, turn}, 0.75},
		{"a turn, then a slide", geom.Vec{X: 0.5}, []joint{turn, slide}, 1.25},
		{"a turn on a turn", geom.Vec{X: 0.5}, []joint{turn, turn}, 1 + 3},
	} {
		if got := wander(c.x, c.path); !(got >= c.want && got <= c.want*(1+1e-9)) {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
		if staysInside(c.x, c.want, c.path, 1e-9) || !staysInside(c.x, c.want+1e-6, c.path, 1e-9) {
			t.Errorf("%s: the depth does not count as it should", c.name)
		}
	}
	if !staysInside(o, 0.5, nil, 0.4) || staysInside(o, 0.5, nil, 0.6) || staysInside(o, math.NaN(), nil, 0) {
		t.Error("depth and slack do not count as they should")
	}
}

// The ball of depthIn is in the shape: points a little nearer than that are, in
// every direction, and where it is said to be outside, no claim is made.
func TestDepthIn(t *testing.T) {
	found := 0
	for i := range rounds(300) {
		d := newDice(62, uint64(i))
		sh := d.shape(1)
		if m := sh.Mesh; m != nil && i%2 == 0 { // with both sides
			both := &mesh.Mesh{Vertices: m.Vertices, Triangles: slices.Clone(m.Triangles)}
			for _, k := range m.Triangles {
				both.Triangles = append(both.Triangles, [3]int32{k[0], k[2], k[1]})
			}
			sh = &shape.Shape{Kind: shape.Mesh, Mesh: both}
		}
		robot := robotOf([]urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: sh}}, hinge{kind: urdf.Fixed, parts: ball(at(9, 0, 0), 1)})
		g := newRig(t, robot, 0, 1, Options{})
		s := g.solid(0)
		if s == nil {
			t.Fatalf("%v encloses nothing", sh.Kind)
		}
		for range 40 {
			x := d.Vec(0.8)
			depth := s.depthIn(x)
			if depth <= 0 {
				continue
			}
			found++
			least := math.Inf(1)
			for range 60 {
				y := r3.Add(x, r3.Scale(depth*0.999, d.Unit()))
				in := s.depthIn(y)
				if sh.Kind == shape.Mesh && !inElbow(y, 1) {
					in = -1
				}
				least = math.Min(least, in)
				if in < 0 {
					t.Fatalf("%v: %v is %g deep, but %v is outside", sh.Kind, x, depth, y)
				}
			}
			if least > depth {
				t.Fatalf("%v: nothing near %v is less deep", sh.Kind, x)
			}
		}
	}
	if found < 500 {
		t.Errorf("%d points inside: the campaign tests little", found)
	}
}

// Slack, radii and clearance of either side count in full.
func TestWhatMustBeExceeded(t *testing.T) {
	robot := robotOf(ball(at(10, 0, 0), 1), hinge{kind: urdf.Revolute, axis: ez, lo: -1, hi: 1, parts: ball(at(1, 0, 0), 0.5)})
	g := newRig(t, robot, 0, 1, Options{})
	b := g.root()
	l, r := g.sides(&b, 0)
	n := geom.Vec{X: -1}
	before := gapInBox(n, &l.side, &r.side)
	if apartInBox(n, &l.side, &r.side, before*(1+1e-12)) || !apartInBox(n, &l.side, &r.side, before*(1-1e-12)) {
		t.Error("the clearance does not count in full")
	}
	for name, x := range map[string]*limb{"left": l, "right": r} {
		x.slack += 0.25
		if got := gapInBox(n, &l.side, &r.side); math.Abs(before-0.25-got) > 1e-12 {
			t.Errorf("%s: slack takes %g, not 0.25", name, before-got)
		}
		x.slack -= 0.25
		x.moved += 0.25
		if far := 9 - l.moved - r.moved - 1.5; apartBallsInBox(l, r, 1.5, far+1e-9) || !apartBallsInBox(l, r, 1.5, far-1e-9) {
			t.Errorf("%s: balls that move do not count in full", name)
		}
		x.slack += 0.25
		if far := 9 - l.moved - r.moved - 1.75; apartBallsInBox(l, r, 1.5, far+1e-9) || !apartBallsInBox(l, r, 1.5, far-1e-9) {
			t.Errorf("%s: the slack of balls does not count in full", name)
		}
		x.slack -= 0.25
		x.moved -= 0.25
	}
}

// inElbow tells whether a point is in elbow(size), in closed form.
func inElbow(x geom.Vec, size float64) bool {
	thin := size / 5
	arm := func(along, across float64) bool { return along >= 0 && along <= size && across >= 0 && across <= thin }
	return math.Abs(x.Z) <= thin/2 && (arm(x.X, x.Y) || arm(x.Y, x.X))
}
