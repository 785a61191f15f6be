package spacetime

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What separates the numbers that the rules work on from those that the robot's
// file and the motion stand for. The twin here takes the file's numbers as they are
// and computes poses and velocities in numbers of 300 bits.

// written is a hinge as a file would write it; the axis is a unit vector to rounding.
type written struct {
	parent    int
	prismatic bool
	fixed     bool
	xyz, rpy  geom.Vec
	axis      geom.Vec
	ctrl      []float64
}

// chain is hinges with a ball each at the end of two of its links.
type chain struct {
	hinges []written
	a, b   int // links that carry a point; b is -1 for the world
	pa, pb geom.Vec
	c, h   float64
	n      geom.Vec

	poses []exactPose // of the hinges, once they are needed

	// The hinges that are not of the links still stand later than c by this.
	later *exact.Num
	still map[int]bool
}

func (ch *chain) rig(t *testing.T) *rig {
	t.Helper()
	hs := make([]hinge, len(ch.hinges))
	var ctrl [][]float64
	var names []string
	for i, w := range ch.hinges {
		hs[i] = hinge{parent: w.parent, kind: urdf.Revolute, axis: w.axis, origin: geom.Pose{R: geom.RPY(w.rpy.X, w.rpy.Y, w.rpy.Z), P: w.xyz}}
		switch {
		case w.fixed:
			hs[i].kind = urdf.Fixed
			continue
		case w.prismatic:
			hs[i].kind = urdf.Prismatic
		}
		ctrl, names = append(ctrl, w.ctrl), append(names, jointName(i))
	}
	point := func(p geom.Vec) []urdf.Collision {
		return made(geom.Translation(p), pointsShape(0, geom.Vec{}))
	}
	hs[ch.a-1].parts = point(ch.pa)
	m := move(ctrl...)
	m.Joints = names
	if ch.b < 0 {
		return newRig(t, robotOf(nil, hs...), worldOf(object("b", pointsShape(0, geom.Vec{}), geom.Translation(ch.pb))), 0, m)
	}
	hs[ch.b-1].parts = point(ch.pb)
	return newRig(t, robotOf(nil, hs...), nil, 0, m)
}

// Exact rotations and sines.

type matrix [3]exact.Vec // rows

func (m matrix) apply(v exact.Vec) exact.Vec { return exact.Vec{m[0].Dot(v), m[1].Dot(v), m[2].Dot(v)} }

// exactSinCos halves the angle until the series converges fast and doubles back.
func exactSinCos(x exact.Num) (sin, cos exact.Num) {
	const halvings = 40
	x = x.Times(exact.Of(math.Ldexp(1, -halvings)))
	sin, cos = exact.Of(0), exact.Of(0)
	term := exact.Of(1)
	for k := 1; k < 28; k++ {
		switch k % 4 {
		case 1:
			cos = cos.Plus(term)
		case 2:
			sin = sin.Plus(term)
		case 3:
			cos = cos.Minus(term)
		default:
			sin = sin.Minus(term)
		}
		term = term.Times(x).Over(exact.Of(float64(k)))
	}
	for range halvings {
		sin, cos = exact.Of(2).Times(sin).Times(cos), cos.Times(cos).Minus(sin.Times(sin))
	}
	return sin, cos
}

// time is that of hinge i.
func (ch *chain) time(i int) exact.Num {
	t := exact.Of(ch.c)
	if ch.later != nil && !ch.still[i+1] {
		t = t.Plus(*ch.later)
	}
	return t
}

// exactTurn rotates v about k, a unit vector to rounding, which is made one.
func exactTurn(v, k exact.Vec, angle exact.Num) exact.Vec {
	k = k.Scaled(exact.Of(1).Over(k.Norm()))
	s, c := exactSinCos(angle)
	return v.Scaled(c).Plus(k.Cross(v).Scaled(s)).Plus(k.Scaled(k.Dot(v).Times(exact.Of(1).Minus(c))))
}

func exactBernstein(ctrl []float64, s exact.Num) exact.Num {
	b := make([]exact.Num, len(ctrl))
	for i := range ctrl {
		b[i] = exact.Of(ctrl[i])
	}
	for n := len(b) - 1; n > 0; n-- {
		for i := range n {
			b[i] = exact.Of(1).Minus(s).Times(b[i]).Plus(s.Times(b[i+1]))
		}
	}
	return b[0]
}

func exactRate(ctrl []float64, s float64) exact.Num {
	n := len(ctrl) - 1
	if n == 0 {
		return exact.Of(0)
	}
	d := make([]exact.Num, n)
	for i := range d {
		d[i] = exact.Of(float64(n)).Times(exact.Of(ctrl[i+1]).Minus(exact.Of(ctrl[i])))
	}
	for k := n - 1; k > 0; k-- {
		for i := range k {
			d[i] = exact.Of(1).Minus(exact.Of(s)).Times(d[i]).Plus(exact.Of(s).Times(d[i+1]))
		}
	}
	return d[0]
}

// exactPose is a hinge's pose in its parent link at c: x -> turn x + shift.
type exactPose struct {
	turn  matrix
	shift exact.Vec
}

// pose of the link that hinge i moves in the hinge's parent link.
func (ch *chain) pose(i int) exactPose {
	w := &ch.hinges[i]
	axis := exact.VecOf(w.axis)
	var cols [3]exact.Vec
	for k, e := range [3]geom.Vec{ex, ey, ez} {
		x := exact.VecOf(e)
		if !w.fixed && !w.prismatic {
			x = exactTurn(x, axis, exactBernstein(w.ctrl, ch.time(i)))
		}
		cols[k] = exactRPY(x, w.rpy)
	}
	p := exactPose{shift: exact.VecOf(w.xyz)}
	for row := range 3 {
		p.turn[row] = exact.Vec{cols[0][row], cols[1][row], cols[2][row]}
	}
	if w.prismatic && !w.fixed {
		p.shift = p.shift.Plus(exactRPY(axis.Scaled(exactBernstein(w.ctrl, ch.time(i)).Over(axis.Norm())), w.rpy))
	}
	return p
}

func exactRPY(x exact.Vec, rpy geom.Vec) exact.Vec {
	x = exactTurn(x, exact.VecOf(ex), exact.Of(rpy.X))
	x = exactTurn(x, exact.VecOf(ey), exact.Of(rpy.Y))
	return exactTurn(x, exact.VecOf(ez), exact.Of(rpy.Z))
}

// out takes a point, or a direction, of the link that hinge i moves to the parent.
func (ch *chain) out(i int, x exact.Vec, direction bool) exact.Vec {
	if ch.poses == nil {
		for k := range ch.hinges {
			ch.poses = append(ch.poses, ch.pose(k))
		}
	}
	x = ch.poses[i].turn.apply(x)
	if direction {
		return x
	}
	return x.Plus(ch.poses[i].shift)
}

func (ch *chain) toRoot(link int, x exact.Vec, direction bool) exact.Vec {
	for link > 0 {
		x, link = ch.out(link-1, x, direction), ch.hinges[link-1].parent
	}
	return x
}

// placed returns where a point of a link is at c, and its velocity due to the
// joints that stop does not name.
func (ch *chain) placed(link int, p geom.Vec, stop map[int]bool) (x, v exact.Vec) {
	x = ch.toRoot(link, exact.VecOf(p), false)
	v = exact.Vec{exact.Of(0), exact.Of(0), exact.Of(0)}
	for ; link > 0 && !stop[link]; link = ch.hinges[link-1].parent {
		w := &ch.hinges[link-1]
		if w.fixed {
			continue
		}
		axis := ch.toRoot(link, exact.VecOf(w.axis), true)
		axis = axis.Scaled(exact.Of(1).Over(axis.Norm()))
		rate := exactRate(w.ctrl, ch.c)
		if w.prismatic {
			v = v.Plus(axis.Scaled(rate))
			continue
		}
		// The joint's origin is its link's.
		arm := x.Plus(ch.toRoot(link, exact.VecOf(geom.Vec{}), false).Scaled(exact.Of(-1)))
		v = v.Plus(axis.Cross(arm).Scaled(rate))
	}
	return x, v
}

// bend returns the acceleration at c of a point of a link where the links still stand:
// its second difference, over a step so short that numbers of 300 bits are needed.
func (ch *chain) bend(link int, p geom.Vec, still map[int]bool) exact.Vec {
	const step = 0x1p-70
	at := func(later float64) exact.Vec {
		s := exact.Of(later)
		moved := *ch
		moved.poses, moved.later, moved.still = nil, &s, still
		return moved.toRoot(link, exact.VecOf(p), false)
	}
	back := func(x exact.Vec) exact.Vec { return x.Scaled(exact.Of(-1)) }
	sum := at(step).Plus(at(-step)).Plus(back(at(0))).Plus(back(at(0)))
	return sum.Scaled(exact.Of(1).Over(exact.Of(step).Times(exact.Of(step))))
}

func (ch *chain) ancestors(link int) map[int]bool {
	on := map[int]bool{0: true}
	for ; link > 0; link = ch.hinges[link-1].parent {
		on[link] = true
	}
	return on
}

// share returns the largest error of gapAt at both ends of the interval, as a
// part of the slack.
func (ch *chain) share(t *testing.T) float64 {
	t.Helper()
	r := ch.rig(t)
	r.place(0, ch.c, math.Max(0, ch.c-ch.h), math.Min(1, ch.c+ch.h))
	p := wholePair(r.w)
	n := exact.VecOf(ch.n)
	xa, va := ch.placed(ch.a, ch.pa, ch.ancestors(max(ch.b, 0)))
	xb, vb := exact.VecOf(ch.pb), exact.Vec{exact.Of(0), exact.Of(0), exact.Of(0)}
	if ch.b > 0 {
		xb, vb = ch.placed(ch.b, ch.pb, ch.ancestors(ch.a))
	}
	ba, bb := ch.bend(ch.a, ch.pa, ch.ancestors(max(ch.b, 0))), exact.Vec{exact.Of(0), exact.Of(0), exact.Of(0)}
	if ch.b > 0 {
		bb = ch.bend(ch.b, ch.pb, ch.ancestors(ch.a))
	}
	r.w.at.PairBendAlong(0, p, ch.n) // works out the rates
	bend := exact.Of(rules.BendAlong(ch.n, &p.A) + rules.BendAlong(r3.Scale(-1, ch.n), &p.B)).Minus(n.Dot(ba.Plus(bb.Scaled(exact.Of(-1)))))
	worst := bend.Abs().Times(exact.Of(r.w.at.H)).Times(exact.Of(r.w.at.H)).Times(exact.Of(0.5)).Float() / p.Slack
	for _, tau := range []float64{-r.w.at.H, 0, r.w.at.H} {
		want := n.Dot(xa.Plus(xb.Scaled(exact.Of(-1)))).Plus(exact.Of(tau).Times(n.Dot(va.Plus(vb.Scaled(exact.Of(-1))))))
		diff := want.Minus(exact.Of(rules.ReachAlong(ch.n, &p.A, tau) + rules.ReachAlong(r3.Scale(-1, ch.n), &p.B, tau))).Abs().Float()
		worst = math.Max(worst, diff/p.Slack)
	}
	// The ball rule's numbers are the same point's.
	x0 := r3.Sub(p.A.Pose.P, p.B.Pose.P)
	diff := exact.VecOf(x0).Plus(xb.Plus(xa.Scaled(exact.Of(-1)))).Norm().Float()
	return math.Max(worst, diff/p.Slack)
}

// randomChain draws two branches of one tree, with levers of very different
// lengths and some fixed joints.
func randomChain(d dice) chain {
	n := 1 + d.IntN(30)
	ch := chain{c: d.Float64(), h: d.Spread(1e-6, 1), n: d.Unit()}
	for i := range n {
		w := written{parent: i, prismatic: d.IntN(4) == 0, fixed: d.IntN(5) == 0, axis: d.Unit(), rpy: d.Vec(3), xyz: d.Vec(d.Spread(1e-3, 100))}
		if i > 1 && d.IntN(6) == 0 {
			w.parent = d.IntN(i)
		}
		for range 1 + d.IntN(6) {
			w.ctrl = append(w.ctrl, d.In(-1, 1)*d.Spread(1e-2, 1e2))
		}
		ch.hinges = append(ch.hinges, w)
	}
	ch.hinges[0].fixed = false
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
		{"far from its frame, near the root", chain{hinges: []written{{xyz: away, rpy: tilt, axis: oblique, ctrl: still}}, pa: homeward(away)}},
		{"turned a hundred thousand times", chain{hinges: []written{{rpy: tilt, axis: oblique, ctrl: turns}}, pa: geom.Vec{X: 1, Y: 2}}},
		{"carried by what turned so often", chain{hinges: []written{{rpy: tilt, axis: oblique, ctrl: turns}, {parent: 1, xyz: geom.Vec{X: 3, Y: 1}, axis: oblique, ctrl: still}}}},
		{"slid nine hundred kilometres", chain{hinges: []written{{prismatic: true, rpy: tilt, axis: oblique, ctrl: []float64{-1.3 * many, many, 1.1 * many}}, {parent: 1, prismatic: true, rpy: tilt, axis: oblique, ctrl: []float64{many, -many, many}}}}},
		{"spinning about an axis that turned so often", chain{hinges: []written{{rpy: tilt, axis: oblique, ctrl: []float64{many + 0.1}}, {parent: 1, axis: ez, ctrl: fast}}, pa: geom.Vec{X: 1, Y: 2}}},
		{"the same, far from the root, about to pass it", chain{hinges: []written{{rpy: tilt, axis: oblique, ctrl: []float64{many + 0.1}}, {parent: 1, xyz: geom.Vec{X: far}, axis: ez, ctrl: fast}}, pa: geom.Vec{X: -far}}},
		{"fixed joints that lead out and back", chain{hinges: []written{{axis: oblique, ctrl: still}, {parent: 1, fixed: true, xyz: away, rpy: tilt}, {parent: 2, fixed: true, xyz: homeward(away), rpy: tilt}}, pa: geom.Vec{X: 1e-3}}},
		{"fixed joints of the root that lead out and back", chain{hinges: []written{{fixed: true, xyz: away, rpy: tilt}, {parent: 1, fixed: true, xyz: homeward(away), rpy: tilt}, {parent: 0, prismatic: true, axis: oblique, ctrl: still}}, pa: geom.Vec{X: 1e-3}, a: 2, b: 3}},
		{"the same on the other side", chain{hinges: []written{{prismatic: true, axis: oblique, ctrl: still}, {fixed: true, xyz: away, rpy: tilt}, {parent: 2, fixed: true, xyz: homeward(away), rpy: tilt}}, pb: geom.Vec{X: 1e-3}, a: 1, b: 3}},
	} {
		ch := c.ch
		if ch.a == 0 {
			ch.a, ch.b = len(ch.hinges), -1
		}
		worst := 0.0
		for i := range 20 { // rounding is a matter of luck
			d := newDice(32, uint64(i))
			ch.c, ch.h, ch.n, ch.poses = d.In(0.3, 0.7), 1, d.Unit(), nil
			worst = math.Max(worst, ch.share(t))
		}
		t.Logf("%s: errors up to %.3g of the slack", c.name, worst)
		if worst > 1 {
			t.Errorf("%s: the error is %g of the slack", c.name, worst)
		}
	}
}

func TestSlackCoversRandomChains(t *testing.T) {
	worst := 0.0
	for i := range rounds(watched(60)) {
		ch := randomChain(newDice(31, uint64(i)))
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

// Slack is of the interval at index: a long one after a short one has its own again, and
// of a violent motion it does not stand in the way of short ones.
func TestSlackIsOfTheInterval(t *testing.T) {
	r := newRig(t, robotOf(nil, hinge{kind: urdf.Revolute, axis: ez, parts: made(at(1, 0, 0), ball(0.1))}), nil, 0, move([]float64{0, 400, -400, 400, -400, 400}))
	var slack [3]float64
	for i, h := range []float64{0.5, 1e-9, 0.5} {
		r.place(0, 0.5-h, 0.5, 0.5+h)
		slack[i] = r.w.at.Element(0).Slack
	}
	if !(slack[1] > 0) || slack[0] != slack[2] || slack[1] > slack[0]/1000 {
		t.Errorf("slack %g, %g and %g within half the motion, an instant and half of it", slack[0], slack[1], slack[2])
	}
}
