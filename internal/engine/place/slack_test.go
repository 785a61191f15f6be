package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What separates the numbers that the rules work on from those that the robot's file and
// the motion stand for. The twin takes the file's numbers as they are and computes poses
// and velocities in numbers of 300 bits.

// chain is joints with a point each on two of the links.
type chain struct {
	joints exact.Chain
	a, b   int // links that carry a point; b is -1 for the world
	pa, pb geom.Vec
	c, h   float64
	n      geom.Vec
}

func (ch *chain) stage(t *testing.T) *stage {
	t.Helper()
	hs := make([]robots.Hinge, len(ch.joints))
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}, KeepTurns: true}
	for i, j := range ch.joints {
		hs[i] = robots.Hinge{Parent: j.Parent, Kind: j.Kind, Axis: j.Axis, Origin: geom.Pose{R: geom.RPY(j.RPY.X, j.RPY.Y, j.RPY.Z), P: j.XYZ}}
		if j.Kind != urdf.Fixed {
			m.Joints = append(m.Joints, robots.JointName(i))
			m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, j.Ctrl)
		}
	}
	point := func(p geom.Vec) []urdf.Collision {
		return robots.Part(geom.Translation(p), robots.Points(0, geom.Vec{}))
	}
	hs[ch.a-1].Parts = point(ch.pa)
	if ch.b < 0 {
		return newStage(t, robots.Of(nil, hs...), robots.World(robots.Object("b", robots.Points(0, geom.Vec{}), geom.Translation(ch.pb))), m)
	}
	hs[ch.b-1].Parts = point(ch.pb)
	return newStage(t, robots.Of(nil, hs...), nil, m)
}

// parting returns the last link that both chains share.
func (ch *chain) parting() int {
	on := ch.ancestors(ch.a)
	l := max(ch.b, 0)
	for !on[l] {
		l = ch.joints[l-1].Parent
	}
	return l
}

func (ch *chain) ancestors(link int) map[int]bool {
	on := map[int]bool{0: true}
	for ; link > 0; link = ch.joints[link-1].Parent {
		on[link] = true
	}
	return on
}

// point is where a point of a link is at c, its velocity relative to the body where the
// chains part, and its acceleration seen there: the second difference over a step so
// short that numbers of 300 bits are needed, while the shared joints stand still.
func (ch *chain) point(link int, p geom.Vec) (x, v, a exact.Vec) {
	zero := exact.VecOf(geom.Vec{})
	if link < 0 {
		return exact.VecOf(p), zero, zero
	}
	base := ch.parting()
	still := ch.ancestors(base)
	const step = 0x1p-70
	at := func(later float64) exact.Vec {
		links := ch.joints.LinksAt(func(i int) exact.Num {
			if still[i+1] {
				return exact.Of(ch.c)
			}
			return exact.Of(ch.c).Plus(exact.Of(later))
		})
		return links[link].Pose.Apply(exact.VecOf(p))
	}
	links := ch.joints.Links(ch.c)
	x = links[link].Pose.Apply(exact.VecOf(p))
	v = links[link].Twist.Minus(links[base].Twist).At(x)
	a = at(step).Plus(at(-step)).Minus(x).Minus(x).Scaled(exact.Of(1 / (step * step)))
	return x, v, a
}

// share returns the largest error of the half-space rule's numbers at both ends of the
// interval, as a part of the slack.
func (ch *chain) share(t *testing.T) float64 {
	t.Helper()
	s := ch.stage(t)
	s.place(t, 0, ch.c, math.Max(0, ch.c-ch.h), math.Min(1, ch.c+ch.h))
	p := s.whole(0)
	n := exact.VecOf(ch.n)
	xa, va, ba := ch.point(ch.a, ch.pa)
	xb, vb, bb := ch.point(ch.b, ch.pb)
	s.at.PairBendAlong(0, p, ch.n) // works out the rates
	back := r3.Scale(-1, ch.n)
	bend := exact.Of(rules.BendAlong(ch.n, &p.A) + rules.BendAlong(back, &p.B)).Minus(n.Dot(ba.Minus(bb)))
	worst := bend.Abs().Float() * s.at.H * s.at.H / 2 / p.Slack
	for _, tau := range []float64{-s.at.H, 0, s.at.H} {
		want := n.Dot(xa.Minus(xb)).Plus(exact.Of(tau).Times(n.Dot(va.Minus(vb))))
		diff := want.Minus(exact.Of(rules.ReachAlong(ch.n, &p.A, tau) + rules.ReachAlong(back, &p.B, tau))).Abs().Float()
		worst = math.Max(worst, diff/p.Slack)
	}
	// The ball rule's numbers are the same points'.
	diff := xa.Minus(xb).Off(r3.Sub(p.A.Pose.P, p.B.Pose.P)).Float()
	return math.Max(worst, diff/p.Slack)
}

// randomChain draws two branches of one tree, with levers of very different lengths and
// some fixed joints.
func randomChain(d chance.Dice) chain {
	n := 1 + d.IntN(30)
	ch := chain{c: d.Float64(), h: d.Spread(1e-6, 1), n: d.Unit()}
	for i := range n {
		kinds := [...]urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Prismatic, urdf.Fixed}
		j := exact.Joint{Parent: i, Kind: kinds[d.IntN(len(kinds))], Axis: d.Unit(), RPY: d.Vec(3), XYZ: d.Vec(d.Spread(1e-3, 100))}
		if i == 0 && j.Kind == urdf.Fixed {
			j.Kind = urdf.Revolute
		}
		if i > 1 && d.IntN(6) == 0 {
			j.Parent = d.IntN(i)
		}
		for range 1 + d.IntN(6) {
			j.Ctrl = append(j.Ctrl, d.In(-1, 1)*d.Spread(1e-2, 1e2))
		}
		ch.joints = append(ch.joints, j)
	}
	ch.a, ch.b = n, -1
	if n > 2 && d.IntN(2) == 0 {
		ch.a, ch.b = 1+d.IntN(n-1), n // the model's order
	}
	ch.pa, ch.pb = d.Vec(d.Spread(1e-3, 100)), d.Vec(d.Spread(1e-3, 100))
	return ch
}

// Motions in which one source of error is all there is.
func TestSlackCoversHardCases(t *testing.T) {
	const far, many = 1e3, 7e5 // metres; radians, and 1.3 times as much is still allowed
	oblique, _ := geom.Unit(geom.Vec{X: 0.3, Y: -0.5, Z: 0.8})
	tilt := geom.Vec{X: 0.3, Y: 0.7, Z: -1.1}
	unturned := geom.RPY(tilt.X, tilt.Y, tilt.Z)
	// homeward is where a point of a link lies that is at the root's origin, the link
	// being at xyz from there and turned by tilt.
	homeward := func(xyz geom.Vec) geom.Vec { return unturned.ApplyInv(r3.Scale(-1, xyz)) }
	away := geom.Vec{X: far, Y: far / 3, Z: -far / 7}
	still := []float64{0}
	turns := []float64{many, many + 1, 1.1 * many}
	fast := []float64{-1e4, 1e4}
	for _, c := range []struct {
		name string
		ch   chain
	}{
		{"far from its frame, near the root", chain{joints: exact.Chain{{Kind: urdf.Revolute, XYZ: away, RPY: tilt, Axis: oblique, Ctrl: still}}, pa: homeward(away)}},
		{"turned a hundred thousand times", chain{joints: exact.Chain{{Kind: urdf.Revolute, RPY: tilt, Axis: oblique, Ctrl: turns}}, pa: geom.Vec{X: 1, Y: 2}}},
		{"carried by what turned so often", chain{joints: exact.Chain{{Kind: urdf.Revolute, RPY: tilt, Axis: oblique, Ctrl: turns}, {Kind: urdf.Revolute, Parent: 1, XYZ: geom.Vec{X: 3, Y: 1}, Axis: oblique, Ctrl: still}}}},
		{"slid nine hundred kilometres", chain{joints: exact.Chain{{Kind: urdf.Prismatic, RPY: tilt, Axis: oblique, Ctrl: []float64{-1.3 * many, many, 1.1 * many}}, {Parent: 1, Kind: urdf.Prismatic, RPY: tilt, Axis: oblique, Ctrl: []float64{many, -many, many}}}}},
		{"spinning about an axis that turned so often", chain{joints: exact.Chain{{Kind: urdf.Revolute, RPY: tilt, Axis: oblique, Ctrl: []float64{many + 0.1}}, {Kind: urdf.Revolute, Parent: 1, Axis: ez, Ctrl: fast}}, pa: geom.Vec{X: 1, Y: 2}}},
		{"the same, far from the root, about to pass it", chain{joints: exact.Chain{{Kind: urdf.Revolute, RPY: tilt, Axis: oblique, Ctrl: []float64{many + 0.1}}, {Kind: urdf.Revolute, Parent: 1, XYZ: geom.Vec{X: far}, Axis: ez, Ctrl: fast}}, pa: geom.Vec{X: -far}}},
		{"fixed joints that lead out and back", chain{joints: exact.Chain{{Kind: urdf.Revolute, Axis: oblique, Ctrl: still}, {Parent: 1, Kind: urdf.Fixed, XYZ: away, RPY: tilt}, {Parent: 2, Kind: urdf.Fixed, XYZ: homeward(away), RPY: tilt}}, pa: geom.Vec{X: 1e-3}}},
		{"fixed joints of the root that lead out and back", chain{joints: exact.Chain{{Kind: urdf.Fixed, XYZ: away, RPY: tilt}, {Parent: 1, Kind: urdf.Fixed, XYZ: homeward(away), RPY: tilt}, {Parent: 0, Kind: urdf.Prismatic, Axis: oblique, Ctrl: still}}, pa: geom.Vec{X: 1e-3}, a: 2, b: 3}},
		{"the same on the other side", chain{joints: exact.Chain{{Kind: urdf.Prismatic, Axis: oblique, Ctrl: still}, {Kind: urdf.Fixed, XYZ: away, RPY: tilt}, {Parent: 2, Kind: urdf.Fixed, XYZ: homeward(away), RPY: tilt}}, pb: geom.Vec{X: 1e-3}, a: 1, b: 3}},
	} {
		ch := c.ch
		if ch.a == 0 {
			ch.a, ch.b = len(ch.joints), -1
		}
		for i := range ch.joints {
			if j := &ch.joints[i]; j.Kind == urdf.Fixed {
				j.Axis = ex // no joint turns about it
			}
		}
		worst := 0.0
		for i := range 20 { // rounding is a matter of luck
			d := chance.New(32, uint64(i))
			ch.c, ch.h, ch.n = d.In(0.3, 0.7), 1, d.Unit()
			worst = math.Max(worst, ch.share(t))
		}
		t.Logf("%s: errors up to %.3g of the slack", c.name, worst)
		if worst > 1 {
			t.Errorf("%s: the error is %g of the slack", c.name, worst)
		}
	}
}

func TestSlackCoversRandomChains(t *testing.T) {
	rounds := switches.Long.Times(60, 50)
	if race.Enabled {
		rounds = (rounds + 3) / 4 // nothing here shares memory
	}
	worst := 0.0
	for i := range rounds {
		ch := randomChain(chance.New(31, uint64(i)))
		share := ch.share(t)
		worst = math.Max(worst, share)
		if share > 1 {
			t.Fatalf("chain %d: the error is %g of the slack", i, share)
		}
	}
	t.Logf("errors up to %.3g of the slack", worst)
	if worst < 1e-3 {
		t.Error("no chain came near its slack: the campaign tests nothing")
	}
}

// Slack is of an interval: a long one after a short one has its own again, and of a
// violent motion it does not stand in the way of short ones.
func TestSlackIsOfTheInterval(t *testing.T) {
	arm := robots.Hinge{Kind: urdf.Revolute, Axis: ez, Parts: robots.Part(robots.At(1, 0, 0), robots.Ball(0.1))}
	s := newStage(t, robots.Of(nil, arm), nil, robots.Move([]float64{0, 400, -400, 400, -400, 400}))
	var slack [3]float64
	for i, h := range []float64{0.5, 1e-9, 0.5} {
		s.place(t, 0, 0.5-h, 0.5, 0.5+h)
		slack[i] = s.at.Element(0).Slack
	}
	if !(slack[1] > 0) || slack[0] != slack[2] || slack[1] > slack[0]/1000 {
		t.Errorf("slack %g, %g and %g within half the motion, an instant and half of it", slack[0], slack[1], slack[2])
	}
}
