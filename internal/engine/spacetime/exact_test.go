package spacetime

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Slow twins of the rules in numbers of 300 bits, beside whose rounding that of
// float64 is all there is. The rules may say no where the twin says yes, never the
// other way.

const precision = 300

// num is a number that its operations do not change.
type num struct{ *big.Float }

func exactly(x float64) num { return num{new(big.Float).SetPrec(precision).SetFloat64(x)} }

func blank() *big.Float { return new(big.Float).SetPrec(precision) }

func (a num) plus(b num) num     { return num{blank().Add(a.Float, b.Float)} }
func (a num) minus(b num) num    { return num{blank().Sub(a.Float, b.Float)} }
func (a num) times(b num) num    { return num{blank().Mul(a.Float, b.Float)} }
func (a num) over(b num) num     { return num{blank().Quo(a.Float, b.Float)} }
func (a num) abs() num           { return num{blank().Abs(a.Float)} }
func (a num) root() num          { return num{blank().Sqrt(a.Float)} }
func (a num) max(b num) num      { return pick(a.Cmp(b.Float) >= 0, a, b) }
func (a num) min(b num) num      { return pick(a.Cmp(b.Float) <= 0, a, b) }
func (a num) float() float64     { x, _ := a.Float64(); return x }
func (a num) exceeds(b num) bool { return a.Cmp(b.Float) > 0 }

func pick(first bool, a, b num) num {
	if first {
		return a
	}
	return b
}

// triple is a vector of exact numbers.
type triple [3]num

func exactVec(v geom.Vec) triple { return triple{exactly(v.X), exactly(v.Y), exactly(v.Z)} }

func (a triple) plus(b triple) triple {
	return triple{a[0].plus(b[0]), a[1].plus(b[1]), a[2].plus(b[2])}
}

func (a triple) scaled(k num) triple { return triple{k.times(a[0]), k.times(a[1]), k.times(a[2])} }

func (a triple) dot(b triple) num {
	return a[0].times(b[0]).plus(a[1].times(b[1])).plus(a[2].times(b[2]))
}

func (a triple) cross(b triple) triple {
	return triple{
		a[1].times(b[2]).minus(a[2].times(b[1])),
		a[2].times(b[0]).minus(a[0].times(b[2])),
		a[0].times(b[1]).minus(a[1].times(b[0])),
	}
}

func (a triple) norm() num { return a.dot(a).root() }

// exactReach is the largest n.(x + tau v(x)) over a side's core.
func exactReach(n triple, s *rules.Side, tau num) num {
	m := n.plus(n.cross(exactVec(s.Vel.Ang)).scaled(tau))
	r := &s.Pose.R
	local := triple{
		m.dot(triple{exactly(r.XX), exactly(r.YX), exactly(r.ZX)}),
		m.dot(triple{exactly(r.XY), exactly(r.YY), exactly(r.ZY)}),
		m.dot(triple{exactly(r.XZ), exactly(r.YZ), exactly(r.ZZ)}),
	}
	return exactSupport(local, s.Core).plus(m.dot(exactVec(s.Pose.P))).plus(tau.times(n.dot(exactVec(s.Vel.Lin))))
}

func exactSupport(d triple, c *convex.Core) num {
	flat := d[0].times(d[0]).plus(d[1].times(d[1])).root().times(exactly(c.CoreRadius))
	tip := d[2].times(exactly(c.HalfLength))
	switch c.Kind {
	case convex.Box:
		sum := d.dot(exactVec(c.Center))
		for i, h := range [3]float64{c.Half.X, c.Half.Y, c.Half.Z} {
			sum = sum.plus(d[i].abs().times(exactly(h)))
		}
		return sum
	case convex.Cylinder:
		return flat.plus(tip.abs())
	case convex.Cone:
		return tip.max(flat.minus(tip))
	}
	top := d.dot(exactVec(c.Vertices[0]))
	for _, v := range c.Vertices[1:] {
		top = top.max(d.dot(exactVec(v)))
	}
	return top
}

// roomHalfSpace is by how much the half-space rule holds, in exact numbers; it is
// proved where this is more than zero.
func roomHalfSpace(n geom.Vec, a, b *rules.Side, h, accel, clearance float64) num {
	e, back := exactVec(n), exactVec(r3.Scale(-1, n))
	at := func(tau float64) num { return exactReach(e, a, exactly(tau)).plus(exactReach(back, b, exactly(tau))) }
	gap := exactly(0).minus(at(h).max(at(-h)))
	off := exactly(clearance).plus(exactly(a.Core.Radius)).plus(exactly(b.Core.Radius)).times(e.norm())
	return gap.minus(off).minus(exactly(accel).times(exactly(h)).times(exactly(h)).times(exactly(0.5)))
}

// roomStill is the same for displacement alone.
func roomStill(n geom.Vec, a, b *rules.Side, far, clearance float64) num {
	return roomHalfSpace(n, a, b, 0, 0, 0).minus(exactly(far).plus(exactly(clearance)).times(exactVec(n).norm()))
}

// roomBalls is the same for the ball rule.
func roomBalls(x0, x1 geom.Vec, h, accel, far, radii, clearance float64) num {
	need := exactly(radii).plus(exactly(clearance))
	e0, e1 := exactVec(x0), exactVec(x1)
	still := e0.norm().minus(need).minus(exactly(far))
	s := exactly(0)
	if v2 := e1.dot(e1); v2.Sign() > 0 {
		s = e0.dot(e1).over(v2)
		s = exactly(0).minus(s).min(exactly(h)).max(exactly(-h))
	}
	moving := e0.plus(e1.scaled(s)).norm().minus(need).minus(exactly(accel).times(exactly(h)).times(exactly(h)).times(exactly(0.5)))
	return still.max(moving)
}

// randomCore draws a convex piece of any kind.
func (d dice) core(size float64) *convex.Core {
	c := &convex.Core{Kind: convex.Kind(d.IntN(7))}
	if d.IntN(2) == 0 {
		c.Radius = d.Spread(1e-4, 1) * size
	}
	n := map[convex.Kind]int{convex.Point: 1, convex.Segment: 2, convex.Triangle: 3, convex.Hull: 4 + d.IntN(100)}[c.Kind]
	for range n {
		c.Vertices = append(c.Vertices, d.Vec(size))
	}
	switch c.Kind {
	case convex.Box:
		v := d.Vec(size)
		c.Center, c.Half = d.Vec(size), geom.Vec{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)}
	case convex.Cylinder, convex.Cone:
		c.CoreRadius, c.HalfLength = d.In(0, size), d.In(0, size)
	}
	if n > 3 && d.IntN(2) == 0 {
		if measured, err := convex.New(*c); err == nil {
			c = &measured
		}
	}
	return c
}

func (d dice) side() *rules.Side {
	size := d.Spread(1e-3, 10)
	s := &rules.Side{Core: d.core(size), Pose: d.Pose(d.Spread(1e-3, 1e3))}
	if d.IntN(4) > 0 {
		s.Vel = kin.Twist{Lin: d.Vec(d.Spread(1e-6, 1e3)), Ang: d.Vec(d.Spread(1e-6, 1e3))}
	}
	return s
}

// own is the part of slackOf that stands for the rules' own arithmetic.
func own(s *rules.Side, h float64) float64 {
	x := geom.Norm(s.Pose.P) + s.Core.Extent() + s.Core.Radius
	return 64 * u * (x + h*(geom.Norm(s.Vel.Lin)+geom.Norm(s.Vel.Ang)*x))
}

// verdicts counts what a rule said next to its twin.
type verdicts struct{ bothYes, bothNo, givenUp, wrong int }

func (v *verdicts) note(fast bool, room num) (wrong bool) {
	switch exact := room.Sign() > 0; {
	case fast && exact:
		v.bothYes++
	case !fast && !exact:
		v.bothNo++
	case exact:
		v.givenUp++
	default:
		v.wrong++
		return true
	}
	return false
}

// want holds the counts: some of each kind, nothing wrong.
func (v *verdicts) want(t *testing.T) {
	t.Helper()
	t.Logf("%+v", *v)
	if v.bothYes < 100 || v.bothNo < 100 || v.givenUp < 20 {
		t.Error("the cases are one-sided")
	}
}

// offset draws by how much a case is to miss its threshold: rounding, a few times
// the slack, or much more.
func (d dice) offset(slack, size float64) float64 {
	switch d.IntN(4) {
	case 0:
		return d.In(-1, 1) * 4 * u * size
	case 1:
		return d.In(-1, 1) * d.Spread(1e-3, 1) * size
	}
	return d.In(-3, 3) * slack
}

func TestHalfSpaceRuleAgainstItsTwin(t *testing.T) {
	var near verdicts
	for i := range rounds(1200) {
		d := newDice(21, uint64(i))
		a, b, n := d.side(), d.side(), d.Unit()
		h := d.Spread(1e-6, 1)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		clearance := [...]float64{0, d.Spread(1e-4, 1)}[d.IntN(2)]
		slack := own(a, h) + own(b, h)
		// Move b along n to where the exact twin has next to no room left.
		for range 2 {
			room := roomHalfSpace(n, a, b, h, accel, clearance).float()
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.offset(slack, 1)*float64(i%2)-room, n))
		}
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.offset(slack, geom.Norm(b.Pose.P)), n))
		slack = own(a, h) + own(b, h)
		room := roomHalfSpace(n, a, b, h, accel, clearance)
		fast := apartHalfSpace(n, a, b, h, accel, clearance, slack)
		if near.note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.float())
		}
		if !fast && room.exceeds(exactly(2.01*slack+1e-15*accel*h*h)) {
			t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.float(), slack)
		}
	}
	near.want(t)
}

func TestDisplacementRuleAgainstItsTwin(t *testing.T) {
	var near verdicts
	for i := range rounds(900) {
		d := newDice(22, uint64(i))
		a, b, n := d.side(), d.side(), d.Unit()
		far := [...]float64{0, d.Spread(1e-6, 10)}[d.IntN(2)]
		clearance := [...]float64{0, d.Spread(1e-4, 1)}[d.IntN(2)]
		slack := own(a, 0) + own(b, 0)
		for range 2 {
			b.Pose.P = r3.Add(b.Pose.P, r3.Scale(-roomStill(n, a, b, far, clearance).float(), n))
		}
		b.Pose.P = r3.Add(b.Pose.P, r3.Scale(d.offset(slack, geom.Norm(b.Pose.P)), n))
		slack = own(a, 0) + own(b, 0)
		room := roomStill(n, a, b, far, clearance)
		if near.note(apartAlongStill(n, a, b, far, clearance, slack), room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.float())
		}
	}
	near.want(t)
}

func TestBallRuleAgainstItsTwin(t *testing.T) {
	var near verdicts
	for i := range rounds(8000) {
		d := newDice(23, uint64(i))
		x0, x1 := d.Vec(d.Spread(1e-3, 1e3)), d.Vec(d.Spread(1e-6, 1e3))
		switch d.IntN(5) {
		case 0: // almost a hit
			x1 = r3.Add(r3.Scale(d.Spread(1e-3, 1e3), x0), d.Vec(d.Spread(1e-12, 1e-3)))
		case 1:
			x1 = geom.Vec{}
		case 2: // speeds whose squares are lost
			x1 = r3.Scale(1e-160, x1)
		}
		h := d.Spread(1e-6, 10)
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		far := d.Spread(1e-6, 1e3)
		clearance := [...]float64{0, d.Spread(1e-4, 1)}[d.IntN(2)]
		// What distanceToSegment says it may err by.
		slack := 32 * u * geom.Norm(x0)
		radii := roomBalls(x0, x1, h, accel, far, 0, clearance).float() + d.offset(slack, geom.Norm(x0))
		if radii < 0 {
			continue
		}
		room := roomBalls(x0, x1, h, accel, far, radii, clearance)
		fast := apartBalls(x0, x1, h, accel, far, radii, clearance, slack)
		if near.note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare, |x0| %g", i, room.float(), geom.Norm(x0))
		}
		if size := radii + clearance + math.Max(far, accel*h*h) + geom.Norm(x0); !fast && room.exceeds(exactly(3*slack+64*u*size)) {
			t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.float(), slack)
		}
	}
	near.want(t)
}

// The distance to the segment alone, where rounding is all there is.
func TestDistanceToSegmentAgainstItsTwin(t *testing.T) {
	worst := 0.0
	for i := range rounds(8000) {
		d := newDice(24, uint64(i))
		x0 := d.Vec(d.Spread(1e-3, 1e3))
		x1 := r3.Add(r3.Scale(d.Spread(1e-6, 1e6)*float64(1-2*d.IntN(2)), x0), d.Vec(d.Spread(1e-12, 1)))
		h := d.Spread(1e-6, 1e3)
		exact := roomBalls(x0, x1, h, 0, 1e300, 0, 0).float()
		over := (rules.DistanceToSegment(x0, x1, h) - exact) / (u * geom.Norm(x0))
		worst = math.Max(worst, over)
		if over > 32 {
			t.Fatalf("case %d: %g units of |x0| above the distance %g", i, over, exact)
		}
	}
	t.Logf("at most %.2g units of |x0| above the distance", worst)
}

// A time in seconds is rounded away from what it claims.
func TestTimesAreRoundedOutward(t *testing.T) {
	for i := range rounds(20000) {
		d := newDice(25, uint64(i))
		start := [...]float64{0, d.Spread(1e-6, 1e9)}[d.IntN(2)]
		end := start + d.Spread(1e-6, 1e6)
		s := [...]float64{0, 1, d.Float64(), d.Spread(1e-12, 1), 1 - d.Spread(1e-16, 1e-3)}[d.IntN(5)]
		if !(end > start) {
			continue
		}
		exact := exactly(start).plus(exactly(s).times(exactly(end).minus(exactly(start))))
		below, above := engine.TimeBelow(start, end, s), engine.TimeAbove(start, end, s)
		if exactly(below).exceeds(exact) {
			t.Fatalf("case %d: %v is after %v + %v (%v - %v)", i, below, start, s, end, start)
		}
		if exact.exceeds(exactly(above)) {
			t.Fatalf("case %d: %v is before %v + %v (%v - %v)", i, above, start, s, end, start)
		}
		if below < start || above > end || above-below > 16*u*(end+end-start) {
			t.Fatalf("case %d: [%v, %v] for %v in [%v, %v]", i, below, above, s, start, end)
		}
	}
}
