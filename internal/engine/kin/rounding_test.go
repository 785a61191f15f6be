package kin_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// shares are errors against the arbitrary-precision twin as parts of their
// bounds; place and turn are the largest true errors themselves.
type shares struct {
	r, p, axis, origin, ang, lin, rateAng, rateLin float64
	place, turn                                    float64
}

// compareWithTwin holds a state at time c against forward kinematics of 300 bits.
func compareWithTwin(p plan, cs curves, c, lo, hi float64) (shares, error) {
	tree := p.treeOrDie()
	s := place(tree, cs, c, lo, hi)
	links := p.twin(cs).Links(c)
	var got shares
	var fault error
	within := func(share *float64, what string, k int, err exact.Num, bound float64) {
		if err.Sign() == 0 {
			return
		}
		if !err.AtMost(exact.Of(bound)) && fault == nil {
			fault = fmt.Errorf("%s of joint %d errs by %g, the bound is %g", what, k, err.Float(), bound)
		}
		*share = math.Max(*share, err.Float()/bound)
	}
	for i := range p {
		link := i + 1
		k, w := tree.LinkFrame[link], links[link]
		if p[i].kind == urdf.Fixed {
			within(&got.r, "pose", i, w.Pose.R.Off(poseWL(s, link).R), s.ErrR[k]+tree.LinkErrR[link]+16*0x1p-53)
			at := s.ErrP[k] + s.ErrR[k]*r3.Norm(tree.LinkPose[link].P) + tree.LinkErrP[link]
			at += 16 * 0x1p-53 * (r3.Norm(tree.LinkPose[link].P) + r3.Norm(s.PoseWF[k].P)) // of poseWL
			within(&got.p, "position", i, w.Pose.P.Off(poseWL(s, link).P), at)
			continue
		}
		turn, at := w.Pose.R.Off(s.PoseWF[k].R), w.Pose.P.Off(s.PoseWF[k].P)
		within(&got.r, "rotation", i, turn, s.ErrR[k])
		within(&got.p, "position", i, at, s.ErrP[k])
		within(&got.axis, "axis", i, w.Axis.Off(s.AxisW[k]), s.ErrR[k])
		within(&got.origin, "origin", i, w.Origin.Off(s.OriginW[k]), s.ErrP[k])
		within(&got.ang, "angular velocity", i, w.Twist.Ang.Off(s.Twist[k].Ang), s.ErrV[k].Ang)
		within(&got.lin, "linear velocity", i, w.Twist.Lin.Off(s.Twist[k].Lin), s.ErrV[k].Lin)
		s.EnsureRate(k)
		within(&got.rateAng, "change of angular velocity", i, w.Rate.Ang.Off(s.Rate[k].Ang), s.ErrRate[k].Ang)
		within(&got.rateLin, "change of linear velocity", i, w.Rate.Lin.Off(s.Rate[k].Lin), s.ErrRate[k].Lin)
		if rush := s.Rush[k]; !w.Rate.Ang.Norm().AtMost(exact.Of(rush.Ang)) || !w.Rate.Lin.Norm().AtMost(exact.Of(rush.Lin)) {
			fault = fmt.Errorf("the twist of joint %d changes faster than %v", i, rush)
		}
		got.turn, got.place = math.Max(got.turn, turn.Float()), math.Max(got.place, at.Float())
	}
	return got, fault
}

func (s *shares) raise(o shares) {
	s.r, s.p, s.axis, s.origin = math.Max(s.r, o.r), math.Max(s.p, o.p), math.Max(s.axis, o.axis), math.Max(s.origin, o.origin)
	s.ang, s.lin = math.Max(s.ang, o.ang), math.Max(s.lin, o.lin)
	s.rateAng, s.rateLin = math.Max(s.rateAng, o.rateAng), math.Max(s.rateLin, o.rateLin)
	s.place, s.turn = math.Max(s.place, o.place), math.Max(s.turn, o.turn)
}

func TestRoundingOfRandomChains(t *testing.T) {
	r := source(31)
	var top shares
	for i := range rounds(200) {
		tr := randomTrial(r)
		for j := range tr.plan { // axes as files write them, not unit
			tr.plan[j].axis = asTriple(r3.Scale(math.Pow(10, symmetric(r, 3)), asVec(tr.plan[j].axis)))
		}
		got, err := compareWithTwin(tr.plan, tr.cs, tr.c, tr.lo, tr.hi)
		if err != nil {
			t.Fatalf("trial %d: %v\n%+v", i, err, tr)
		}
		top.raise(got)
	}
	t.Logf("largest shares of the bounds: %+v", top)
}

// Where one source of error rules, its bound has to carry the test alone.
func TestRoundingOfHardCases(t *testing.T) {
	r := source(32)
	for _, c := range []struct {
		name string
		draw func() trial
	}{
		{"far base, near joint at rest", func() trial {
			return trial{plan: plan{
				{kind: urdf.Prismatic, axis: alongX, xyz: randomTriple(r, 100)},
				{parent: 1, kind: urdf.Prismatic, axis: alongX, xyz: randomTriple(r, 1e-9)},
				{parent: 2, kind: urdf.Prismatic, axis: alongX, xyz: randomTriple(r, 1e-9)},
			}, cs: curves{{0}, {0}, {0}}, hi: 1}
		}},
		{"many turns on a quintic", func() trial {
			ctrl := make([]float64, 6)
			for i := range ctrl {
				ctrl[i] = 1000 + symmetric(r, 3)
			}
			c := r.Float64()
			return trial{plan: plan{{kind: urdf.Continuous, axis: alongZ}}, cs: curves{ctrl}, c: c, hi: 1}
		}},
		{"mimic with a large multiplier and offset", func() trial {
			return trial{plan: plan{
				{kind: urdf.Prismatic, axis: alongX},
				{kind: urdf.Revolute, axis: alongY, mimics: 1, mult: 997 * r.Float64(), offset: symmetric(r, 1000)},
			}, cs: curves{{r.Float64(), r.Float64()}}, c: r.Float64(), hi: 1}
		}},
		{"velocity through zero on a sliver", func() trial {
			// q' has a root near c, and the interval is too short to see its slope.
			ctrl := []float64{0, symmetric(r, 1) + 2, symmetric(r, 1) - 2, symmetric(r, 1), symmetric(r, 1) + 2, symmetric(r, 1) - 2}
			c := velocityRoot(ctrl)
			return trial{
				plan: plan{{kind: urdf.Prismatic, axis: asTriple(randomUnit(r))}, {kind: urdf.Revolute, axis: asTriple(randomUnit(r)), xyz: randomTriple(r, 1)}},
				cs:   curves{ctrl, ctrl}, c: c, lo: c, hi: c,
			}
		}},
		{"out and back through fixed joints", func() trial {
			out, turn := randomTriple(r, 100), randomTriple(r, 3)
			p := plan{{kind: urdf.Fixed, xyz: out, rpy: turn}}
			back := poseWL(still(p.treeOrDie()), 1).Inv().P
			p = append(p,
				hinge{parent: 1, kind: urdf.Fixed, xyz: asTriple(back), rpy: randomTriple(r, 3)},
				hinge{parent: 2, kind: urdf.Revolute, axis: alongZ},
				hinge{parent: 3, kind: urdf.Fixed, xyz: out, rpy: turn},
				hinge{parent: 4, kind: urdf.Fixed, xyz: asTriple(back)})
			return trial{plan: p, cs: curves{{0, 1}}, hi: 1}
		}},
		{"sixty fixed joints", func() trial {
			p := plan{}
			for i := range 60 {
				p = append(p, hinge{parent: i, kind: urdf.Fixed, rpy: randomTriple(r, 3), xyz: randomTriple(r, 0.1)})
			}
			p = append(p, hinge{parent: 60, kind: urdf.Revolute, axis: alongX})
			return trial{plan: p, cs: curves{{0, 1}}, hi: 1}
		}},
		{"fixed joints that err alike", func() trial { // the error of one yaw, many times
			p, yaw := plan{}, [3]float64{0, 0, symmetric(r, 3)}
			for i := range 500 {
				p = append(p, hinge{parent: i, kind: urdf.Fixed, rpy: yaw})
			}
			p = append(p, hinge{parent: 500, kind: urdf.Revolute, axis: alongX})
			return trial{plan: p, cs: curves{{0, 1}}, hi: 1}
		}},
		{"a long lever behind many turns", func() trial {
			ctrl := make([]float64, 6)
			for i := range ctrl {
				ctrl[i] = 1000 + symmetric(r, 3)
			}
			return trial{plan: plan{
				{kind: urdf.Continuous, axis: alongZ},
				{parent: 1, kind: urdf.Prismatic, axis: alongX, xyz: [3]float64{100, 0, 0}},
			}, cs: curves{ctrl, {0, 0}}, c: r.Float64(), hi: 1}
		}},
		{"axes as written", func() trial {
			var tr trial
			for i := range 4 {
				axis := r3.Scale(math.Pow(10, symmetric(r, 9)), randomUnit(r))
				tr.plan = append(tr.plan, hinge{parent: i, kind: [...]urdf.JointType{urdf.Prismatic, urdf.Revolute}[i%2], axis: asTriple(axis)})
				tr.cs = append(tr.cs, []float64{symmetric(r, 3), symmetric(r, 3)})
			}
			tr.hi = 1
			return tr
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var top shares
			n := rounds(30)
			if strings.Contains(c.name, "fixed joints") {
				n = rounds(6) // many links, slow in the twin
			}
			for range n {
				tr := c.draw()
				got, err := compareWithTwin(tr.plan, tr.cs, tr.c, tr.lo, tr.hi)
				if err != nil {
					t.Fatalf("%v\n%+v", err, tr)
				}
				top.raise(got)
			}
			t.Logf("largest shares of the bounds: %+v", top)
		})
	}
}

// velocityRoot bisects for a root of the curve's velocity, which is positive at
// 0 and negative at 1.
func velocityRoot(ctrl []float64) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		mid := (lo + hi) / 2
		if polynomial(ctrl, mid)[1] > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// A humanoid's longest chain: thirty joints, four metres. The bound stays below
// 1e-11 m, a tenth of what any tolerance of the product resolves.
func TestRoundingOfALongChain(t *testing.T) {
	r := source(33)
	var top shares
	var errP float64
	for range rounds(20) {
		var tr trial
		for i := range 30 {
			xyz := r3.Scale(4.0/30, randomUnit(r))
			tr.plan = append(tr.plan, hinge{parent: i, kind: urdf.Revolute, axis: asTriple(randomUnit(r)), rpy: randomTriple(r, math.Pi), xyz: asTriple(xyz)})
			tr.cs = append(tr.cs, []float64{symmetric(r, math.Pi), symmetric(r, math.Pi)})
		}
		c := r.Float64()
		got, err := compareWithTwin(tr.plan, tr.cs, c, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		top.raise(got)
		errP = math.Max(errP, place(tr.plan.treeOrDie(), tr.cs, c, 0, 1).ErrP[30])
	}
	t.Logf("true errors: %.3g m, %.3g of rotation; ErrP %.3g m; shares %+v", top.place, top.turn, errP, top)
	if !(errP < 1e-11) {
		t.Errorf("ErrP = %g m, want less than 1e-11", errP)
	}
	if !(top.place > 1e-16) {
		t.Errorf("the twin finds no error at all (%g): it tests nothing", top.place)
	}
}

// The radii are true of the exact model too, where only rounding is left of
// them: points that belong on an axis, which stands far from the origin. Once the
// point is far out on the axis, once near the axis's origin and reached over
// another joint.
func TestRadiiCoverTheRoundingOfPoses(t *testing.T) {
	r := source(34)
	out := func() hinge {
		return hinge{kind: urdf.Revolute, axis: asTriple(randomUnit(r)), rpy: randomTriple(r, 3), xyz: randomTriple(r, 30)}
	}
	for _, c := range []struct {
		name  string
		along float64
	}{{"far out", 100}, {"near the origin", 0}} {
		t.Run(c.name, func(t *testing.T) {
			beyond := 0
			for range rounds(100) {
				p := plan{out(), out(), out()}
				p[1].parent, p[2].parent = 1, 2
				cs := curves{{symmetric(r, 3)}, {symmetric(r, 3)}, {symmetric(r, 3)}}
				s := place(p.treeOrDie(), cs, 0, 0, 0)
				on := r3.Add(s.OriginW[2], r3.Scale(c.along, s.AxisW[2]))
				center := s.PoseWF[3].ApplyInv(on)
				reach, radii := []float64{1e9, 1e9, 1e9}, make([]float64, 3)
				at := s.PoseWF[3].Apply(center)
				s.Radii(3, at, 0, reach, radii)

				links := p.twin(cs).Links(0)
				x := links[3].Pose.Apply(exact.VecOf(center))
				d := x.Minus(links[2].Origin).Cross(links[2].Axis).Norm()
				if !d.AtMost(exact.Of(radii[1])) {
					t.Fatalf("point is %g from the axis, R is %g", d.Float(), radii[1])
				}
				// What stands for d without the error terms.
				if naive := r3.Norm(r3.Cross(r3.Sub(at, s.OriginW[2]), s.AxisW[2])); d.Float() > naive {
					beyond++
				}
			}
			if beyond == 0 {
				t.Error("no case needed the error terms: the test proves nothing")
			}
		})
	}
}

// The same for the angle between n and an axis: n is the axis as computed, so
// that nothing but its error is left of n x u, and the acceleration along n is
// that error's times the square of the speed.
func TestDirectionalBoundCoversTheRoundingOfAxes(t *testing.T) {
	r := source(35)
	needed := 0
	for range rounds(60) {
		const speed = 1000.0
		p := plan{{kind: urdf.Revolute, axis: asTriple(randomUnit(r)), rpy: randomTriple(r, 3)}}
		cs := curves{{0, speed}}
		s := place(p.treeOrDie(), cs, 0, 0, 0)
		n := s.AxisW[1]
		axis := p.twin(cs).Links(0)[1].Axis
		attained := axis.Cross(exact.VecOf(n)).Norm().Times(exact.Of(speed * speed))
		if got := s.AccelerationAlong(1, 0, []float64{1}, n); !attained.AtMost(exact.Of(got)) {
			t.Fatalf("%g is attained along n, the bound is %g", attained.Float(), got)
		}
		if attained.Sign() > 0 {
			needed++
		}
	}
	if needed == 0 {
		t.Error("no case needed the error terms: the test proves nothing")
	}
}
