package pairproof

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// sides makes the sides of the first pair of elements in a box, with a given cut.
func (g *rig) sides(b *cell, parts int) (l, r *limb) {
	g.placeBox(b)
	q := &g.m.Pairs[g.elements[0]]
	g.side(&g.left, q.A, g.pieceOf(int32(q.A), whole))
	g.side(&g.right, q.B, g.pieceOf(int32(q.B), whole))
	for _, x := range [2]*limb{&g.left, &g.right} {
		for i := range x.joints {
			if j := &x.joints[i]; !j.prismatic {
				j.cut(0)
				if parts > 0 {
					j.cut(max(parts, int(math.Ceil(j.delta/1.5))))
				}
			}
		}
	}
	return &g.left, &g.right
}

// gapAt is the gap along n, a direction of W at the centre of b, at the
// configuration q: seen from the body where the chains part.
func (g *rig) gapAt(n geom.Vec, q []float64, b *cell) float64 {
	m := &g.m.Pairs[g.elements[0]]
	return -g.highest(n, m.A, q, b) - g.highest(r3.Scale(-1, n), m.B, q, b)
}

// highest is the largest n.x over an element.
func (g *rig) highest(n geom.Vec, element int, q []float64, b *cell) float64 {
	e := &g.m.Elements[element]
	link := g.m.Bodies[e.Body].Link
	pose := g.robot.Links[link].Collisions[0].PoseLS
	base := g.baseLink()
	now, then := g.positions(q), g.positions(b.c)
	at := frame(func(x geom.Vec) geom.Vec {
		return moveBack(g.robot, base, placed(g.robot, link, pose.Apply(x), now), now, then)
	})
	return e.Core.SupportValue(at.R.ApplyInv(n)) + r3.Dot(n, at.P) + e.Core.Radius
}

// frame is the pose that moves points as f does.
func frame(f func(geom.Vec) geom.Vec) geom.Pose {
	o := f(geom.Vec{})
	x, y, z := r3.Sub(f(geom.Vec{X: 1}), o), r3.Sub(f(geom.Vec{Y: 1}), o), r3.Sub(f(geom.Vec{Z: 1}), o)
	return geom.Pose{R: geom.Rot{XX: x.X, YX: x.Y, ZX: x.Z, XY: y.X, YY: y.Y, ZY: y.Z, XZ: z.X, YZ: z.Y, ZZ: z.Z}, P: o}
}

// baseLink is the link where the pair's chains part.
func (g *rig) baseLink() int {
	up := map[int]bool{}
	for l := g.link(g.a); ; l = g.robot.Joints[g.robot.Links[l].ParentJoint].Parent {
		up[l] = true
		if g.robot.Links[l].ParentJoint < 0 {
			break
		}
	}
	l := g.link(g.b)
	for !up[l] {
		l = g.robot.Joints[g.robot.Links[l].ParentJoint].Parent
	}
	return l
}

// moveBack carries x, of W, from where it is with the base link at the joints'
// positions now to where it would be had that link stayed where it was then.
func moveBack(r *urdf.Robot, base int, x geom.Vec, now, then func(int) float64) geom.Vec {
	at := func(pos func(int) float64) geom.Pose {
		return frame(func(x geom.Vec) geom.Vec { return placed(r, base, x, pos) })
	}
	return at(then).Apply(at(now).ApplyInv(x))
}

// trial is a random pair and box.
func trial(t *testing.T, d dice, most float64) (*rig, cell) {
	robot := d.robot(2+d.IntN(4), 0.2, 0.4)
	a := d.IntN(len(robot.Links) - 1)
	b := a + 1 + d.IntN(len(robot.Links)-1-a)
	g := newRig(t, robot, a, b, Options{Padding: []float64{0, 0.01}[d.IntN(2)]})
	return g, g.box(d, most)
}

// No configuration of a box is closer along a direction than each rule says.
func TestRulesHoldOnRandomChains(t *testing.T) {
	race.LeaveOut(t)
	tight := map[string]float64{}
	for i := range rounds(1500) {
		d := newDice(41, uint64(i))
		g, b := trial(t, d, []float64{0.02, 0.3, 1, 4}[d.IntN(4)])
		n := d.Unit()
		least, balls := math.Inf(1), math.Inf(1)
		l, r := g.sides(&b, 0)
		q := &g.m.Pairs[g.elements[0]]
		pa, pb := g.pieceOf(int32(q.A), whole), g.pieceOf(int32(q.B), whole)
		centers := [2]geom.Vec{pa.center, pb.center}
		for range 60 {
			q := b.sample(d)
			least = math.Min(least, g.gapAt(n, q, &b))
			balls = math.Min(balls, g.centersAt(centers, q))
		}
		check := func(rule string, bound float64) {
			if bound > least+1e-13 {
				t.Fatalf("trial %d: %s says the gap is %g at least, and it is %g", i, rule, bound, least)
			}
			if most := l.moved + r.moved; most > 1e-9 {
				tight[rule] = math.Max(tight[rule], 1-(least-bound)/most)
			}
		}
		check("chords", gapInBox(n, &l.side, &r.side))
		for _, parts := range []int{1, 2, 5} {
			l, r = g.sides(&b, parts)
			check("arcs", gapInBox(n, &l.side, &r.side))
		}
		check("second order", g.secondOrder(n, l, r, pa, pb))
		for _, share := range []float64{0.999999, 1.01} {
			if c := balls*share - pa.radius - pb.radius; c > 0 && apartBallsInBox(l, r, pa.radius+pb.radius, c) && share > 1 {
				t.Fatalf("trial %d: balls are apart by %g, and are not", i, c)
			}
		}
	}
	t.Logf("of what the joints move, at best: %v", tight)
	for _, rule := range []string{"chords", "arcs", "second order"} {
		if !(tight[rule] > 0.5) {
			t.Errorf("%s was never near: the campaign tests nothing", rule)
		}
	}
}

// secondOrder is the largest clearance that the rule of second order proves, found
// by halving.
func (g *rig) secondOrder(n geom.Vec, l, r *limb, pa, pb *hullPiece) float64 {
	accel := g.accelAlong(n, l, r)
	lo, hi := -20.0, 20.0
	for range 60 {
		if c := (lo + hi) / 2; apartSecondOrder(n, &l.side, &r.side, pa.points, pb.points, g.signs(g.a), g.signs(g.b), accel, c) {
			lo = c
		} else {
			hi = c
		}
	}
	return lo
}

// centersAt is the distance of two points of the elements.
func (g *rig) centersAt(x [2]geom.Vec, q []float64) float64 {
	now := g.positions(q)
	var at [2]geom.Vec
	for i, body := range [2]int{g.a, g.b} {
		link := g.link(body)
		at[i] = placed(g.robot, link, g.robot.Links[link].Collisions[0].PoseLS.Apply(x[i]), now)
	}
	return geom.Norm(r3.Sub(at[0], at[1]))
}

// Where a rule's terms are used up, a term less by a thousandth is a false proof
// and one too many shows.
func TestRulesUseTheirTermsUp(t *testing.T) {
	point := func(at geom.Pose) []urdf.Collision { return ball(at, 1e-10) }
	gap := func(r *urdf.Robot, n geom.Vec, parts int) float64 {
		g := newRig(t, r, 0, len(r.Links)-1, Options{})
		b := g.root()
		l, s := g.sides(&b, parts)
		return gapInBox(n, &l.side, &s.side)
	}
	turn := func(parent int, o geom.Pose, half float64, parts []urdf.Collision) robots.Hinge {
		return robots.Hinge{Parent: parent, Kind: urdf.Revolute, Origin: o, Axis: ez, Lo: -half, Hi: half, Parts: parts}
	}
	far := point(robots.At(10, 0, 0))
	ex := geom.Vec{X: -1} // from the wall at 10 to the arm: the wall is link 0
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		parts int
		want  float64
	}{
		{"half a turn from behind, by the chord", robots.Of(far, turn(0, geom.IdentityPose(), math.Pi, point(robots.At(-2, 0, 0)))), 0, 8},
		{"along the arm, by an arc", robots.Of(far, turn(0, geom.IdentityPose(), 0.5, point(robots.At(2, 0, 0)))), 1, 8},
		{"a slide", robots.Of(far, robots.Hinge{Kind: urdf.Prismatic, Axis: geom.Vec{X: 1}, Lo: -0.5, Hi: 0.5, Parts: point(robots.At(2, 0, 0))}), 0, 7.5},
		{"a slide the other way", robots.Of(far, robots.Hinge{Kind: urdf.Prismatic, Axis: geom.Vec{X: -1}, Lo: -0.5, Hi: 0.5, Parts: point(robots.At(2, 0, 0))}), 0, 7.5},
		{"a slide on an arm", robots.Of(far, turn(0, geom.IdentityPose(), 0.5, nil), robots.Hinge{Parent: 1, Kind: urdf.Prismatic, Axis: geom.Vec{X: 1}, Lo: -0.5, Hi: 0.5, Parts: point(robots.At(2, 0, 0))}), 1, 7.5},
		{"a ball", robots.Of(ball(robots.At(10, 0, 0), 1), robots.Hinge{Kind: urdf.Prismatic, Axis: geom.Vec{X: 1}, Lo: -0.5, Hi: 0.5, Parts: ball(robots.At(2, 0, 0), 0.25)}), 0, 6.25},
		{"both sides", robots.Of(nil, turn(0, robots.At(10, 0, 0), 0.5, point(robots.At(-1, 0, 0))), turn(0, geom.IdentityPose(), 0.5, point(robots.At(2, 0, 0)))), 1, 7},
	} {
		first := 0
		if c.name == "both sides" {
			first = 1
		}
		var got float64
		if first == 1 {
			g := newRig(t, c.robot, 1, 2, Options{})
			b := g.root()
			l, s := g.sides(&b, c.parts)
			got = gapInBox(ex, &l.side, &s.side)
		} else {
			got = gap(c.robot, ex, c.parts)
		}
		if !(got <= c.want && got > c.want-1e-8) {
			t.Errorf("%s: %.12g, want %g", c.name, got, c.want)
		}
	}
}

// With many parts an arc is nearly the turn itself, whatever way the axes stand.
func TestArcsAreTight(t *testing.T) {
	race.LeaveOut(t)
	for i := range 60 {
		d := newDice(42, uint64(i))
		g, b := trial(t, d, 0.4)
		if len(g.vars) > 2 {
			continue
		}
		n := d.Unit()
		l, r := g.sides(&b, 40)
		if n := len(l.joints) + len(r.joints); n > 2 || n != len(g.vars) {
			continue
		}
		got := gapInBox(n, &l.side, &r.side)
		least := math.Inf(1)
		for k := range 41 * 41 {
			q := make([]float64, len(g.vars))
			for v := range q {
				q[v] = b.c[v] + b.d[v]*(float64([2]int{k % 41, k / 41}[v])/20-1)
			}
			least = math.Min(least, g.gapAt(n, q, &b))
		}
		if got > least+1e-13 || got < least-6e-3 {
			t.Errorf("trial %d: %g, sampled %g", i, got, least)
		}
	}
}

// What is no number proves nothing.
func TestRulesRefuseWhatIsNoNumber(t *testing.T) {
	r := robots.Of(ball(robots.At(10, 0, 0), 1), robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: -1, Hi: 1, Parts: ball(robots.At(1, 0, 0), 0.1)})
	for name, spoil := range map[string]func(x *limb){
		"radius":     func(x *limb) { x.joints[0].radius = math.NaN() },
		"chord":      func(x *limb) { x.joints[0].chord = math.NaN(); x.joints[0].parts = 0 },
		"loss":       func(x *limb) { x.joints[0].loss = math.NaN() },
		"turn":       func(x *limb) { x.joints[0].turns[0].sin = math.NaN() },
		"last turn":  func(x *limb) { x.joints[0].turns[2].cos = math.NaN() },
		"axis":       func(x *limb) { x.joints[0].axis.X = math.NaN() },
		"origin":     func(x *limb) { x.joints[0].origin.Y = math.NaN() },
		"pose":       func(x *limb) { x.pose.P.Z = math.NaN() },
		"slack":      func(x *limb) { x.slack = math.NaN() },
		"large part": func(x *limb) { x.joints[0].delta = 2; x.joints[0].cut(1) },
	} {
		g := newRig(t, r, 0, 1, Options{})
		b := g.root()
		l, s := g.sides(&b, 2)
		if !apartInBox(geom.Vec{X: -1}, &l.side, &s.side, 0) {
			t.Fatal("not apart to begin with")
		}
		spoil(s)
		if apartInBox(geom.Vec{X: -1}, &l.side, &s.side, 0) {
			t.Errorf("%s: proved all the same", name)
		}
	}
}
