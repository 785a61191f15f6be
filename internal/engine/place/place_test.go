package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What a placed robot says of its elements and pairs, against samples of the twin's
// motion. Differences of second and third order are means of the acceleration and of the
// jerk between their ends: none exceeds a bound of these, whatever the step.

// trial is a random robot, placed around c.
type trial struct {
	*stage
	d         robots.Dice
	c, lo, hi float64
}

// trials calls f with robots and intervals of many kinds.
func trials(t *testing.T, seed uint64, n int, f func(tr *trial)) {
	t.Helper()
	for i := range switches.Long.Times(n, 50) {
		d := robots.NewDice(seed, uint64(i))
		parts := func() []urdf.Collision { return d.Parts(1, d.Spread(1e-3, 0.3), d.Spread(1e-2, 0.3), robots.Hulls...) }
		r := d.Robot(robots.Plan{
			Kinds: []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Fixed},
			Odd:   8, Parts: parts, Base: parts,
		})
		m := d.Motion(r, robots.Travel{Pieces: 1, Mixed: true, Degrees: []int{0, 1, 2, 3, 5}, Sizes: []float64{d.Spread(1e-2, 3)}})
		tr := &trial{stage: newStage(t, r, d.World(robots.Scenery{Objects: 1, Forms: robots.Hulls}), m), d: d}
		tr.lo = d.In(0, 0.9)
		tr.hi = math.Min(1, tr.lo+d.Spread(1e-2, 1))
		tr.c = [...]float64{(tr.lo + tr.hi) / 2, tr.lo, tr.hi, d.In(tr.lo, tr.hi)}[d.IntN(4)]
		tr.place(t, 0, tr.c, tr.lo, tr.hi)
		f(tr)
		if t.Failed() {
			t.Fatalf("trial %d", i)
		}
	}
}

// link returns the link that an element of the robot is of, and its pose there; the
// world's objects are as if of the root link.
func (s *stage) link(element int) (int, geom.Pose) {
	body := &s.model.Bodies[s.model.Elements[element].Body]
	if body.Kind != motion.RobotLink {
		return s.Robot.Root, s.model.Elements[element].PoseFE
	}
	for nth, k := range body.Elements {
		if k == element {
			return body.Link, s.Robot.Links[body.Link].Collisions[nth].PoseLS
		}
	}
	panic("no such element")
}

// path is where a point is at a time.
type path func(t float64) geom.Vec

// in returns the path of a point of an element's ball, in its own frame, seen from the
// link base at c.
func (tr *trial) in(element, base int, x geom.Vec) path {
	link, at := tr.link(element)
	x = at.Apply(x)
	return func(t float64) geom.Vec { return tr.Seen(link, base, 0, t, tr.c, x) }
}

// point draws a point of an element's ball.
func (tr *trial) point(element int) geom.Vec {
	e := &tr.model.Elements[element]
	return r3.Add(e.Center, r3.Scale(e.Radius*tr.d.Float64(), tr.d.Unit()))
}

// differences are the mean velocity, acceleration and jerk of a path between t - 2d and
// t + 2d.
func (p path) differences(t, d float64) (v, a, j geom.Vec) {
	x := [...]geom.Vec{p(t - 2*d), p(t - d), p(t), p(t + d), p(t + 2*d)}
	v = r3.Scale(1/(2*d), r3.Sub(x[3], x[1]))
	a = r3.Scale(1/(d*d), r3.Sub(r3.Add(x[3], x[1]), r3.Scale(2, x[2])))
	j = r3.Scale(1/(2*d*d*d), r3.Sub(r3.Sub(x[4], x[0]), r3.Scale(2, r3.Sub(x[3], x[1]))))
	return v, a, j
}

// size bounds the numbers that the twin computes with, for its rounding.
const size = 100.0

// within draws a time and a step that stay in the interval.
func (tr *trial) within() (t, d float64) {
	d = (tr.hi - tr.lo) * tr.d.In(0.05, 0.2)
	return tr.d.In(tr.lo+2*d, tr.hi-2*d), d
}

// most fails where a number exceeds its bound by more than the rounding of a difference
// of the given order.
func most(t *testing.T, what string, got, bound, step float64, order int) {
	t.Helper()
	if rounding := 32 * size * u * (1 + math.Pow(step, -float64(order))); !(got <= bound+rounding) {
		t.Errorf("%s is %g, the bound %g", what, got, bound)
	}
}

const u = 0x1p-53

func TestElementsMoveAsTheTwinSays(t *testing.T) {
	used := map[string]float64{}
	use := func(what string, got, bound float64) {
		if bound > 1e-3 {
			used[what] = math.Max(used[what], got/bound)
		}
	}
	trials(t, 51, 120, func(tr *trial) {
		for i := range tr.model.Real {
			e := tr.at.Element(i)
			center := tr.in(i, tr.Robot.Root, tr.model.Elements[i].Center)
			if off := geom.Norm(r3.Sub(center(tr.c), e.Center)); off > 1e-11 {
				t.Errorf("element %d is off by %g", i, off)
			}
			if off := geom.Norm(r3.Sub(e.Pose.Apply(tr.model.Elements[i].Center), e.Center)); off > 1e-12 {
				t.Errorf("element %d: its pose puts the centre %g from it", i, off)
			}
			v, a, _ := center.differences(tr.c, 1e-5)
			if off := geom.Norm(r3.Sub(v, e.Vel)); off > 1e-5*(1+e.Jerk) {
				t.Errorf("element %d: velocity %v, the twin's %v", i, e.Vel, v)
			}
			tr.at.EnsureBend(i)
			if off := geom.Norm(r3.Sub(a, e.Bend)); off > 1e-3*(1+e.Jerk) {
				t.Errorf("element %d: acceleration %v, the twin's %v", i, e.Bend, a)
			}
			arc := tr.at.CenterAccel(i)
			n := tr.d.Unit()
			along := tr.at.AccelAlong(i, n)
			for range 4 {
				p := tr.in(i, tr.Robot.Root, tr.point(i))
				s, step := tr.within()
				_, a, j := p.differences(s, step)
				most(t, "acceleration", geom.Norm(a), e.Accel, step, 2)
				most(t, "acceleration along n", math.Abs(r3.Dot(n, a)), along, step, 2)
				most(t, "jerk", geom.Norm(j), e.Jerk, step, 3)
				tau := s - tr.c
				left := geom.Norm(r3.Sub(r3.Sub(center(s), e.Center), r3.Scale(tau, e.Vel)))
				most(t, "the centre's way off the line", left, arc*tau*tau/2, 1, 0)
				far := geom.Norm(r3.Sub(p(s), p(tr.c)))
				most(t, "displacement", far, e.Far, 1, 0)
				use("acceleration", geom.Norm(a), e.Accel)
				if tau != 0 {
					use("centre", 2*left/(tau*tau), arc)
				}
				use("jerk", geom.Norm(j), e.Jerk)
				use("displacement", far, e.Far)
			}
		}
	})
	t.Logf("used up at most: %v", used)
	for _, what := range []string{"acceleration", "centre", "jerk", "displacement"} {
		if used[what] < 0.5 {
			t.Errorf("%s: chance used up %g of the bound at most: the test tests too little", what, used[what])
		}
	}
}

func TestPairsMoveAsTheTwinSays(t *testing.T) {
	used := map[string]float64{}
	use := func(what string, got, bound float64) {
		if bound > 1e-3 {
			used[what] = math.Max(used[what], got/bound)
		}
	}
	trials(t, 52, 120, func(tr *trial) {
		for i := range tr.model.Pairs {
			q, p := &tr.model.Pairs[i], tr.whole(int32(i))
			linkA, _ := tr.link(q.A)
			linkB, _ := tr.link(q.B)
			base := twin.Parting(tr.Robot, linkA, linkB)
			n := tr.d.Unit()
			along, bend := tr.at.PairAccelAlong(int32(i), n), tr.at.PairBendAlong(int32(i), p, n)
			for range 3 {
				a, b := tr.in(q.A, base, tr.point(q.A)), tr.in(q.B, base, tr.point(q.B))
				s, step := tr.within()
				_, accelA, jerkA := a.differences(s, step)
				_, accelB, jerkB := b.differences(s, step)
				far := geom.Norm(r3.Sub(a(s), a(tr.c))) + geom.Norm(r3.Sub(b(s), b(tr.c)))
				accel, jerk := geom.Norm(accelA)+geom.Norm(accelB), geom.Norm(jerkA)+geom.Norm(jerkB)
				most(t, "displacement of both", far, p.Far, 1, 0)
				most(t, "acceleration of both", accel, p.Accel, step, 2)
				most(t, "acceleration of both along n", r3.Dot(n, r3.Sub(accelA, accelB)), along, step, 2)
				most(t, "jerk of both", jerk, p.Jerk, step, 3)
				use("displacement", far, p.Far)
				use("acceleration", accel, p.Accel)
				use("jerk", jerk, p.Jerk)
			}
			// Points of the shapes themselves: how far they leave the line that they go along at c.
			xa, xb := tr.model.Elements[q.A].Core.Support(p.A.Pose.R.ApplyInv(n)), tr.model.Elements[q.B].Core.Support(p.B.Pose.R.ApplyInv(r3.Scale(-1, n)))
			a, b := tr.in(q.A, base, xa), tr.in(q.B, base, xb)
			inA, inB := a(tr.c), b(tr.c)
			vel := r3.Sub(p.A.Vel.At(inA), p.B.Vel.At(inB))
			va, _, _ := a.differences(tr.c, 1e-5)
			vb, _, _ := b.differences(tr.c, 1e-5)
			if off := geom.Norm(r3.Sub(vel, r3.Sub(va, vb))); off > 1e-5*(1+p.Jerk) {
				t.Errorf("pair %d: relative velocity %v, the twin's %v", i, vel, r3.Sub(va, vb))
			}
			arc := tr.at.PointsAccel(int32(i), p, inA, inB)
			for range 4 {
				s := tr.d.In(tr.lo, tr.hi)
				tau := s - tr.c
				left := r3.Sub(r3.Sub(r3.Sub(a(s), b(s)), r3.Sub(inA, inB)), r3.Scale(tau, vel))
				most(t, "the way off the line", geom.Norm(left), arc*tau*tau/2, 1, 0)
				most(t, "the way off the line along n", r3.Dot(n, left), bend*tau*tau/2, 1, 0)
			}
		}
	})
	t.Logf("used up at most: %v", used)
	for _, what := range []string{"displacement", "acceleration", "jerk"} {
		if used[what] < 0.5 {
			t.Errorf("%s: chance used up %g of the bound at most: the test tests too little", what, used[what])
		}
	}
}

// No point strays farther than the tubes of elements and pairs say when joints stray as
// far as they may.
func TestTubesHoldWhatStrays(t *testing.T) {
	used := 0.0
	trials(t, 53, 120, func(tr *trial) {
		tube := map[string]float64{}
		for k := range tr.Robot.Joints {
			if tr.d.IntN(3) > 0 {
				tube[tr.Robot.Joints[k].Name] = tr.d.Spread(1e-4, 0.3)
			}
		}
		tr.at.Stray(tube)
		tr.place(t, 0, tr.c, tr.lo, tr.hi)
		for i := range tr.model.Pairs {
			q, p := &tr.model.Pairs[i], tr.at.Pair(int32(i))
			for range 3 {
				s := tr.d.In(tr.lo, tr.hi)
				on := tr.Positions(0, s)
				by := map[int]float64{}
				for k := range tr.Robot.Joints {
					by[k] = tube[tr.Robot.Joints[k].Name] * [...]float64{-1, 1, tr.d.In(-1, 1)}[tr.d.IntN(3)]
				}
				off := func(k int) float64 { return on(k) + by[k] }
				sum := 0.0
				linkA, _ := tr.link(q.A)
				linkB, _ := tr.link(q.B)
				base := twin.Parting(tr.Robot, linkA, linkB)
				for _, element := range []int{q.A, q.B} {
					link, at := tr.link(element)
					x := at.Apply(tr.point(element))
					strayed := func(to int) float64 {
						return geom.Norm(r3.Sub(twin.Lift(tr.Robot, link, to, x, off), twin.Lift(tr.Robot, link, to, x, on)))
					}
					most(t, "an element's straying", strayed(tr.Robot.Root), tr.at.Element(element).Tube, 1, 0)
					sum += strayed(base)
				}
				most(t, "a pair's straying", sum, p.Tube, 1, 0)
				if p.Tube > 1e-3 {
					used = math.Max(used, sum/p.Tube)
				}
				if p.Slack < p.Tube {
					t.Errorf("pair %d: slack %g without the tube, %g", i, p.Slack, p.Tube)
				}
			}
		}
		tr.at.Stray(nil)
		tr.place(t, 0, tr.c, tr.lo, tr.hi)
		for i := range tr.model.Pairs {
			if p := tr.at.Pair(int32(i)); p.Tube != 0 || tr.at.Tubed {
				t.Errorf("pair %d strays by %g, although nothing may", i, p.Tube)
			}
		}
	})
	if used < 0.5 {
		t.Errorf("chance used up %g of a tube at most", used)
	}
}

// At rest and at the start of a motion elements are where the twin puts them, and nothing
// moves.
func TestRest(t *testing.T) {
	trials(t, 54, 60, func(tr *trial) {
		start := place.NewStart(tr.model)
		start.Set(tr.course)
		check := func(how string, i int, pose geom.Pose, pos twin.Position) {
			link, at := tr.link(i)
			want := twin.Lift(tr.Robot, link, tr.Robot.Root, at.Apply(tr.model.Elements[i].Center), pos)
			if off := geom.Norm(r3.Sub(pose.Apply(tr.model.Elements[i].Center), want)); off > 1e-11 {
				t.Errorf("%s: element %d is off by %g", how, i, off)
			}
		}
		for i := range tr.model.Real {
			check("start", i, start.Pose(i), tr.Positions(0, 0))
		}
		start.SetHere(tr.at)
		for i := range tr.model.Real {
			check("here", i, start.Pose(i), tr.Positions(0, tr.c))
		}
		for _, warm := range []bool{false, true, true} {
			state, q := make([]float64, len(tr.model.Tree.Dofs)), map[string]float64{}
			far := tr.d.Spread(0.1, 20)
			for k := range state {
				state[k] = tr.d.In(-far, far)
				q[tr.model.Tree.Dofs[k].Name] = state[k]
			}
			before := tr.at.Stamp()
			if !tr.at.Rest(state, warm) || tr.at.Stamp() == before || tr.at.H != 0 {
				t.Fatal("not at rest")
			}
			most := 0.0
			for i := range tr.model.Real {
				e := tr.at.Element(i)
				check("rest", i, e.Pose, twin.Following(tr.Robot, func(name string) float64 { return q[name] }))
				if e.Far != 0 || e.Accel != 0 || e.Jerk != 0 || e.Vel != (geom.Vec{}) || tr.at.AccelAlong(i, ex) != 0 {
					t.Errorf("element %d moves at rest: %+v", i, e)
				}
				if s := tr.at.SlackAtRest(i); !(s > 0) || s != e.Slack {
					t.Errorf("element %d: slack %g at rest, %g placed", i, s, e.Slack)
				}
				most = math.Max(most, tr.at.SlackAtRest(i))
			}
			if got := tr.at.LargestSlack(); got != 2*most+tr.model.World.Err {
				t.Errorf("largest slack %g, want %g", got, 2*most+tr.model.World.Err)
			}
			for i := range tr.model.Pairs {
				q, p := &tr.model.Pairs[i], tr.at.Pair(int32(i))
				if want := tr.at.Element(q.A).Slack + tr.at.Element(q.B).Slack; p.Slack != want || p.Far != 0 || p.Accel != 0 || tr.at.PairAccelAlong(int32(i), ex) != 0 {
					t.Errorf("pair %d at rest: %+v, want slack %g", i, p, want)
				}
			}
		}
	})
}

// Pairs that their balls prove apart stay apart: their centres, which the twin moves, and so
// the balls around them.
func TestBallsPartedStayApart(t *testing.T) {
	proved, left := 0, 0
	trials(t, 57, 200, func(tr *trial) {
		var pairs [][2]int32
		for a := range tr.model.Real {
			for b := range a {
				tr.at.Element(a)
				tr.at.Element(b)
				pairs = append(pairs, [2]int32{int32(a), int32(b)})
			}
		}
		n := len(pairs)
		for len(pairs)%4 != 0 {
			pairs = append(pairs, pairs[0])
		}
		if n == 0 {
			return
		}
		apart := make([]uint8, len(pairs)/4)
		for i, q := range pairs[:n] {
			ea, eb := &tr.model.Elements[q[0]], &tr.model.Elements[q[1]]
			a, b := tr.in(int(q[0]), tr.Robot.Root, ea.Center), tr.in(int(q[1]), tr.Robot.Root, eb.Center)
			least := math.Inf(1)
			for k := range 21 {
				s := tr.lo + (tr.hi-tr.lo)*float64(k)/20
				least = math.Min(least, geom.Norm(r3.Sub(a(s), b(s))))
			}
			room := least - ea.Radius - eb.Radius
			for _, clearance := range []float64{room + 1e-9*size, room * tr.d.Float64(), 0} {
				if !(clearance >= 0) {
					continue
				}
				tr.at.BallsParted(pairs, clearance, apart)
				if apart[i/4]>>(i%4)&1 == 0 {
					left++
					continue
				}
				if proved++; clearance > room {
					t.Errorf("elements %v: proved %g apart, at most %g", q, clearance, room)
				}
			}
		}
	})
	if t.Logf("%d proved, %d not", proved, left); proved < 100 || left < 100 {
		t.Error("a poor test")
	}
}

// Slack, and how far joints may stray, belong to what is to be proved.
func TestBallsPartedAllowForSlackAndTubes(t *testing.T) {
	tried := map[bool]int{}
	trials(t, 58, 60, func(tr *trial) {
		for _, tube := range []bool{false, true} {
			if tube {
				tr.at.Stray(tr.strays(0.01))
			} else {
				tr.at.Stray(nil)
			}
			tr.place(t, 0, tr.c, tr.c, tr.c)
			for a := range tr.model.Real {
				for b := range a {
					ea, eb := tr.at.Element(a), tr.at.Element(b)
					margin := ea.Slack + ea.Tube + eb.Slack + eb.Tube
					between := geom.Norm(r3.Sub(ea.Center, eb.Center))
					far := between - tr.model.Elements[a].Radius - tr.model.Elements[b].Radius
					for _, part := range []float64{0.5, 0.9, 1.5} {
						clearance := far - part*margin
						if !(clearance > 0) || math.Abs(part-1)*margin < 64*u*between {
							continue // rounding decides
						}
						tried[tube]++
						q := [2]int32{int32(a), int32(b)}
						var apart [1]uint8
						tr.at.BallsParted([][2]int32{q, q, q, q}, clearance, apart[:])
						if want := part > 1; (apart[0] == 15) != want {
							t.Errorf("elements %d and %d, tube %v: with %g of the margin %g left, proved: %04b", a, b, tube, part, margin, apart[0])
						}
					}
				}
			}
		}
		tr.at.Stray(nil)
	})
	if tried[false] < 100 || tried[true] < 100 {
		t.Errorf("tried %v: a poor test", tried)
	}
}

// strays is how far each joint may deviate.
func (tr *trial) strays(by float64) map[string]float64 {
	tube := map[string]float64{}
	for k := range tr.model.Tree.Frames {
		tube[tr.model.Tree.Frames[k].Joint] = by
	}
	return tube
}
