package pairproof

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A part holds the triangles of its node and the padding, its points hold its core,
// and its children hold all that it holds.
func TestPartsHoldTheirNodes(t *testing.T) {
	const padding = 0.03
	d := newDice(71, 0)
	robot := robots.Of(meshed(meshes.Elbow(1)), robots.Hinge{Kind: urdf.Fixed, Parts: ball(robots.At(9, 0, 0), 1)})
	g := newRig(t, robot, 0, 1, Options{Padding: padding})
	l := g.m.Elements[0].Leaves
	var visit func(node int32) map[int32]bool
	visit = func(node int32) map[int32]bool {
		p := g.pieceOf(0, node)
		below := map[int32]bool{}
		for _, c := range p.children(node) {
			for i := range visit(c) {
				below[i] = true
			}
		}
		if len(p.children(node)) == 0 {
			if !p.shape {
				t.Fatalf("node %d is no shape and has no children", node)
			}
			n := &l.Tree.Nodes[node]
			for _, i := range l.Tree.Order[n.First : n.First+n.Count] {
				below[i] = true
			}
		}
		for range 50 {
			n := d.Unit()
			reach := p.core.SupportValue(n) + p.core.Radius
			far := math.Inf(-1)
			for i := range below {
				for _, v := range l.Mesh.Triangles[i] {
					x := l.Mesh.Vertices[v]
					far = math.Max(far, r3.Dot(n, x)+padding)
					if off := r3.Norm(r3.Sub(x, p.center)) + padding - p.radius; off > 1e-12 {
						t.Fatalf("node %d: a vertex is %g outside the ball", node, off)
					}
				}
			}
			if reach < far-1e-12 || reach > far+0.02 && node != whole {
				t.Fatalf("node %d reaches %g, its triangles %g", node, reach, far)
			}
			hull := math.Inf(-1)
			for _, x := range p.points {
				hull = math.Max(hull, r3.Dot(n, x))
			}
			if hull+p.core.Radius < reach-1e-12 {
				t.Fatalf("node %d: points reach %g, the core %g", node, hull+p.core.Radius, reach)
			}
		}
		return below
	}
	if all := visit(whole); len(all) != len(l.Mesh.Triangles) {
		t.Errorf("%d of %d triangles are in leaves", len(all), len(l.Mesh.Triangles))
	}
}

// The slack of a side is that of all its joints.
func TestSlackOfSides(t *testing.T) {
	robot := newDice(72, 1).robot(5, 0.2, 0.4)
	for a := range 3 {
		g := newRig(t, robot, a, 5, Options{})
		b := g.root()
		l, r := g.sides(&b, 0)
		for i, x := range []*limb{l, r} {
			element := []int{g.m.Pairs[g.elements[0]].A, g.m.Pairs[g.elements[0]].B}[i]
			e := &g.m.Elements[element]
			joints := len(g.m.Tree.Chain(e.Frame)) - g.parting
			if want := slackOf(g.st, e, joints, e.Radius+r3.Norm(e.Center)); len(x.joints) != joints || x.slack < want {
				t.Errorf("link %d, side %d: %d joints, slack %g; want %d, %g", a, i, len(x.joints), x.slack, joints, want)
			}
		}
	}
}

// A range of several turns is one turn, except where something does not turn one for
// one with the variable.
func TestSeveralTurns(t *testing.T) {
	s, c := math.Sincos(2.5)
	wall := ball(robots.At(c, s, 0), 0.1)
	arm := func(follow bool, mult float64) *urdf.Robot {
		h := []robots.Hinge{{Kind: urdf.Revolute, Axis: ez, Lo: -4 * math.Pi, Hi: 4 * math.Pi}}
		if !follow {
			h[0].Parts = ball(robots.At(1, 0, 0), 0.1)
			return robots.Of(wall, h...)
		}
		return robots.Of(wall, append(h, robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: -9, Hi: 9, Mimics: 1, Mult: mult, Parts: ball(robots.At(1, 0, 0), 0.1)})...)
	}
	for _, x := range []struct {
		name  string
		robot *urdf.Robot
		width float64
		want  Meeting
	}{
		{"one for one", arm(false, 0), 2 * math.Pi, Sometimes},
		{"the other way", arm(true, -1), 2 * math.Pi, Sometimes},
		{"a quarter as fast", arm(true, 0.25), 8 * math.Pi, Sometimes},
		{"too slow to get there", arm(true, 0.15), 8 * math.Pi, Never},
	} {
		p := decided(t, x.robot, Options{})
		g := newRig(t, x.robot, p.A, p.B, Options{})
		if got := g.hi[0] - g.lo[0]; math.Abs(got-x.width) > 1e-9 || got < x.width {
			t.Errorf("%s: the box is %g wide, want %g", x.name, got, x.width)
		}
		if p.Meets != x.want {
			t.Errorf("%s: %+v", x.name, p)
		}
	}
}

// A continuous joint has a full turn, the place where it closes included.
func TestContinuousJoints(t *testing.T) {
	for _, angle := range []float64{3.1, math.Pi, -3.1, 0} {
		s, c := math.Sincos(angle)
		robot := robots.Of(ball(robots.At(c, s, 0), 0.01), robots.Hinge{Kind: urdf.Continuous, Axis: ez, Parts: ball(robots.At(1, 0, 0), 0.01)})
		if p := decided(t, robot, Options{}); p.Meets != Sometimes {
			t.Errorf("at %g rad: %+v", angle, p)
		}
	}
}
