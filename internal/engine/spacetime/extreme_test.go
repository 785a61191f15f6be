package spacetime

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// extreme draws a number of any size that a float64 has, most of them where squares
// overflow or are lost.
func (d dice) extreme() float64 {
	x := [...]float64{0, 1e-320, 1e-308, 1e-160, 1e-77, 1, 1e77, 1e150, 1e155, 1e200, 1e300, math.MaxFloat64, math.Inf(1), math.NaN(), d.Spread(1e-9, 1e9)}[d.IntN(15)]
	if d.IntN(2) == 0 {
		x *= d.Float64()
	}
	return x * float64(1-2*d.IntN(2))
}

func (d dice) extremeVec() geom.Vec {
	v := geom.Vec{X: d.extreme(), Y: d.extreme(), Z: d.extreme()}
	if d.IntN(3) == 0 {
		v.Y, v.Z = 0, 0
	}
	return v
}

// isNumber reports whether all of them are finite, so that there is an exact twin.
func isNumber(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// No rule proves anything of what overflows, and nothing false of numbers of any size.
func TestBallRuleOfExtremeNumbers(t *testing.T) {
	proved, finite := 0, 0
	for i := range rounds(40000) {
		d := newDice(95, uint64(i))
		x0, x1 := d.extremeVec(), d.extremeVec()
		h, accel, far := math.Abs(d.extreme()), math.Abs(d.extreme()), math.Abs(d.extreme())
		if h = math.Min(h, 1); d.IntN(2) == 0 {
			h = d.Float64()
		}
		radii, clearance := math.Abs(d.extreme()), math.Abs(d.extreme())*float64(d.IntN(2))
		// What distanceToSegment says that slack covers.
		slack := 64*u*(norm1(x0)+h*norm1(x1)) + 0x1p-500
		fast := apartBalls(x0, x1, h, accel, far, radii, clearance, slack)
		if !isNumber(x0.X, x0.Y, x0.Z, x1.X, x1.Y, x1.Z, h, accel, far, radii, clearance) {
			// An infinite bound on one of both sides leaves the other.
			if fast && !isNumber(x0.X, x0.Y, x0.Z, radii, clearance) {
				t.Fatalf("case %d: proved of x0 %v, radii %g, clearance %g", i, x0, radii, clearance)
			}
			continue
		}
		finite++
		if fast {
			proved++
			if room := roomBalls(x0, x1, h, accel, far, radii, clearance); room.Sign() <= 0 {
				t.Fatalf("case %d: proved of x0 %v, x1 %v, h %g, A %g, M %g, radii %g, clearance %g: %v to spare", i, x0, x1, h, accel, far, radii, clearance, room)
			}
		}
	}
	if t.Logf("%d of %d proved", proved, finite); proved < 100 {
		t.Error("a poor test")
	}
}

// norm1 is no less than the length.
func norm1(v geom.Vec) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

func (d dice) extremeSide() *rules.Side {
	v := d.extremeVec()
	s := &rules.Side{Pose: d.Pose(1), Core: &convex.Core{Kind: convex.Hull}}
	s.Pose.P = v
	for range 4 + d.IntN(12) {
		s.Core.Vertices = append(s.Core.Vertices, d.extremeVec())
	}
	if d.IntN(2) == 0 {
		s.Core = &convex.Core{Kind: convex.Box, Center: d.extremeVec(), Half: geom.Vec{X: math.Abs(v.Z), Y: math.Abs(v.X), Z: math.Abs(v.Y)}}
	}
	if d.IntN(2) == 0 {
		s.Vel = kin.Twist{Lin: d.extremeVec(), Ang: d.extremeVec()}
	}
	s.Core.Radius = math.Abs(d.extreme())
	return s
}

// sizeOf bounds every number that the half-space rule computes with for a side.
func sizeOf(s *rules.Side, h float64) float64 {
	x := norm1(s.Pose.P) + s.Core.Radius + norm1(s.Core.Center) + norm1(s.Core.Half)
	for _, v := range s.Core.Vertices {
		x += norm1(v)
	}
	return x + h*(norm1(s.Vel.Lin)+norm1(s.Vel.Ang)*x)
}

func TestHalfSpaceRulesOfExtremeNumbers(t *testing.T) {
	proved := 0
	for i := range rounds(40000) {
		d := newDice(96, uint64(i))
		a, b, n := d.extremeSide(), d.extremeSide(), d.Unit()
		h := d.Float64()
		clearance := math.Abs(d.extreme()) * float64(d.IntN(2))
		size := sizeOf(a, h) + sizeOf(b, h)
		slack := 64*u*size + 0x1p-500
		for _, by := range []float64{
			partedBy(n, a, b, h, clearance, slack), partedBy(n, a, b, 0, clearance, slack),
			rules.PartedAtEnds(n, a, b, h, rules.Line{Before: clearance, After: clearance}, slack),
		} {
			if !(by > 0) {
				continue
			}
			if proved++; !isNumber(size, clearance, by) {
				t.Fatalf("case %d: parted by %g, clearance %g, numbers of %g", i, by, clearance, size)
			}
		}
		if by := partedBy(n, a, b, h, clearance, slack); by > 0 && roomHalfSpace(n, a, b, h, 0, clearance).Sign() <= 0 {
			t.Fatalf("case %d: parted by %g, clearance %g, numbers of %g", i, by, clearance, size)
		}
		least := d.extreme()
		reach := rules.ReachOver(n, a, h)
		if rules.Beyond(least, reach, rules.Margin{Clearance: clearance, Slack: slack}) && !isNumber(least, reach, clearance) {
			t.Fatalf("case %d: %g is beyond %g", i, least, reach)
		}
		a.Vel, b.Vel = kin.Twist{}, kin.Twist{}
		if size = sizeOf(a, 0) + sizeOf(b, 0); !isNumber(size) {
			continue
		}
		if g := convex.Gap(a.Core, &a.Pose, b.Core, &b.Pose, n); g > 0 && (math.IsInf(g, 0) || roomHalfSpace(n, a, b, 0, 0, 0).Sign() <= 0) {
			t.Fatalf("case %d: a gap of %g, numbers of %g", i, g, size)
		}
	}
	if t.Logf("%d proved", proved); proved < 100 {
		t.Error("a poor test")
	}
}

// Whatever the size of a motion's numbers, it is not free where it passes through an
// obstacle, at a time that is known, nor is anything there at a distance.
func TestNothingIsProvedOfExtremeMotions(t *testing.T) {
	for i := range rounds(watched(200)) {
		d := newDice(97, uint64(i))
		size := math.Pow(10, d.In(0, 308))
		if d.IntN(3) == 0 {
			size = math.Pow(10, d.In(150, 160))
		}
		kind := [...]urdf.JointType{urdf.Prismatic, urdf.Prismatic, urdf.Revolute}[d.IntN(3)]
		arm := hinge{kind: kind, axis: ez, parts: made(at(1, 0, 0), ball(0.1))}
		twin := hinge{kind: kind, axis: ez, parts: made(at(1, 0, 0.05), ball(0.1)), mimics: 1, mult: [...]float64{1, -1, 1e6}[d.IntN(3)]}
		robot := robotOf(nil, arm)
		if d.IntN(2) == 0 {
			robot = robotOf(nil, arm, twin)
		}
		r := newRig(t, robot, worldOf(object("ball", ball(0.1), at(1, 0, 0))), 0, move([]float64{-1, 1}))
		r.bindAnySize(t, move([]float64{-size, size}))
		budget := 20 * time.Millisecond
		for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
			v := r.check(motion.Query{Question: question, Budget: budget})
			if v.Status == motion.Free || v.ProvenUntil > 0.5+1e-9 {
				t.Errorf("motion %d: %v from %g to %g, question %v: %v, free until %g", i, kind, -size, size, question, v.Status, v.ProvenUntil)
			}
		}
		p, err := r.w.Profile(context.Background(), r.bound, motion.ProfileQuery{Tolerance: 0.01, Budget: budget})
		if b := p.Bounds(0.5); err == nil && !(b.Lo <= 1e-6) {
			t.Errorf("motion %d: %v from %g to %g: at least %g apart", i, kind, -size, size, b.Lo)
		}
		r.holdDistance(t, size)
	}
}

// holdDistance holds the distance at an extreme configuration against that of a ball on
// a slide; of an arm it is at most 2.
func (r *rig) holdDistance(t *testing.T, size float64) {
	t.Helper()
	out, err := r.w.Distances(context.Background(), []float64{size}, motion.DistanceQuery{NoSelf: true})
	if err != nil {
		return
	}
	most := 2.0
	if r.robot.Joints[0].Type == urdf.Prismatic {
		most = math.Max(0, size-0.2)
	}
	if b := out.World; !(b.Lo <= most) || !(b.Hi >= b.Lo) || len(out.Pairs) != 1 || math.IsInf(out.Pairs[0].Bounds.Hi, 0) {
		t.Errorf("%v at %g: a distance in %v, %d pairs", r.robot.Joints[0].Type, size, b, len(out.Pairs))
	}
	pairs := r.w.Touching([]float64{size})
	for _, p := range pairs {
		if size > 10 && r.robot.Joints[0].Type == urdf.Prismatic && r.model.Bodies[p[1]].Kind == motion.WorldObject {
			t.Errorf("at %g bodies %v touch", size, p)
		}
	}
}
