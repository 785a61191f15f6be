package pairproof

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Rounding: the bounds of a box of no width, and of a box's corners, held against
// the chain in numbers of 300 bits.

// exactlyPlaced is where a point of a link is in the root link; joints' own frames are
// not turned.
func exactlyPlaced(r *urdf.Robot, link int, x geom.Vec, position func(int) float64) exact.Vec {
	var c exact.Chain
	for k := range r.Joints {
		j := &r.Joints[k]
		c = append(c, exact.Joint{Parent: j.Parent, Kind: j.Type, XYZ: j.PosePC.P, Axis: j.Axis, Ctrl: []float64{position(k)}})
	}
	return c.Links(0)[link].Pose.Apply(exact.VecOf(x))
}

func TestSlackCoversRounding(t *testing.T) {
	worst := 0.0
	for i := range rounds(120) {
		d := newDice(61, uint64(i))
		far := math.Pow(10, d.In(0, 5))
		point := func() []urdf.Collision { return ball(geom.Translation(d.Vec(far)), 0x1p-60) }
		var hinges []robots.Hinge
		for k := range 1 + d.IntN(4) {
			h := robots.Hinge{Parent: k, Kind: urdf.Revolute, Origin: geom.Translation(d.Vec(far)), Axis: d.Unit(), Lo: -3, Hi: 3, Parts: point()}
			if d.IntN(4) == 0 {
				h.Kind = urdf.Prismatic
			}
			hinges = append(hinges, h)
		}
		robot := robots.Of(point(), hinges...)
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
		at := func(link int) exact.Vec {
			return exactlyPlaced(robot, link, robot.Links[link].Collisions[0].PoseLS.P, pos)
		}
		gap := exact.VecOf(n).Dot(at(0).Minus(at(len(hinges)))).Neg()
		over := exact.Of(bound).Minus(gap).Float() // with both slacks in bound
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
	robot := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ez, Lo: -1, Hi: 1, Parts: ball(robots.At(0, 2, 0), 1)}, robots.Hinge{Kind: urdf.Fixed, Parts: ball(robots.At(0, 0, 9), 1)})
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
		e.ErrP, e.ErrR, e.PoseFE = 0, 0, robots.At(0, 2, 0)
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

// holds reports whether a shape, an elbow if it is a mesh, holds a point: by what these shapes are.
func holds(s *shape.Shape, x geom.Vec) bool {
	h, across := s.Length/2, math.Hypot(x.X, x.Y)
	switch s.Kind {
	case shape.Box:
		return math.Abs(x.X) <= s.Size.X/2 && math.Abs(x.Y) <= s.Size.Y/2 && math.Abs(x.Z) <= s.Size.Z/2
	case shape.Sphere:
		return geom.Norm(x) <= s.Radius
	case shape.Cylinder:
		return across <= s.Radius && math.Abs(x.Z) <= h
	case shape.Capsule:
		return math.Hypot(across, math.Max(0, math.Abs(x.Z)-h)) <= s.Radius
	case shape.Cone: // with its tip above
		return math.Abs(x.Z) <= h && across <= s.Radius*(h-x.Z)/s.Length
	}
	return meshes.InElbow(x, 1)
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
		robot := robots.Of([]urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: sh}}, robots.Hinge{Kind: urdf.Fixed, Parts: ball(robots.At(9, 0, 0), 1)})
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
				if !holds(sh, y) {
					t.Fatalf("%v: %v is %g deep, but %v is outside", sh.Kind, x, depth, y)
				}
				least = math.Min(least, s.depthIn(y))
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
	robot := robots.Of(ball(robots.At(10, 0, 0), 1), robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: -1, Hi: 1, Parts: ball(robots.At(1, 0, 0), 0.5)})
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
